/** One scenario at both targets: its answers side by side, request by request. */
import { headersOf, innerOf, jsonOf, onlyKey } from '../../engine/basics/body.ts';
import { factsOf } from '../../engine/grammar/vocabulary.ts';
import { isSuccess, viewOf } from '../../engine/judging/answer.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import type { CheckResult, ScenarioResult, StepResult } from '../../engine/results/result.ts';
import { byTheOtherWire } from '../../engine/running/scenario/cleanup.ts';
import type { LabelledCse } from '../created/created.ts';
import { color, generatedTypes } from '../created/resource.ts';
import { type Attempt, type AttemptStep, ask } from '../moves/move.ts';
import { outcomeOf } from '../sequences/sequence-run.ts';
import {
  type AnswerContext,
  AnswerNormalizer,
  absent,
  type CanonicalAnswer,
  type Reading,
} from './canonical-answer.ts';
import { type Both, both, otherThan, type SideName, sides } from './difference.ts';
import { KnownNames, type KnownResources } from './known-names.ts';
import type { AnswerPair, DiffRules, PartDifference, SequenceHistory } from './part-difference.ts';
import { differencesIn } from './part-difference.ts';
import { alignedSteps, asReadBack, isReadBack } from './trees.ts';

/** A request of a scenario whose answers differ. */
export interface TranscriptDifference {
  readonly difference: PartDifference;
  readonly pair: AnswerPair;
  /** Requests up to there, with names in place of what differs from run to run. */
  readonly steps: readonly string[];
  /** Signatures of earlier differences. */
  readonly after: readonly string[];
}

interface TranscriptOptions extends DiffRules, AnswerContext {
  /** Names used in each run. */
  readonly names: Both<LabelledCse>;
  /** Called for each pair of answers. */
  readonly compared: (attempt: Attempt) => void;
}

/** The differences in order of appearance, each signature once. */
export function transcriptDifferences(
  results: Both<ScenarioResult>,
  options: TranscriptOptions,
): ReadonlyMap<string, TranscriptDifference> {
  const history: SequenceHistory = { decided: new Set(), removed: false, limited: false };
  const found = new Map<string, TranscriptDifference>();
  for (const { beside, pair, steps } of answersIn(results, options)) {
    if (isOfOneWire(beside.A) || isOfOneWire(beside.B)) continue;
    const after = [...found.keys()];
    for (const difference of differencesAt(beside, differencesIn(pair, history, options), options))
      if (!found.has(difference.signature)) found.set(difference.signature, { difference, pair, after, steps });
  }
  return found;
}

interface AlignedAnswers {
  readonly beside: Both<StepResult>;
  readonly pair: AnswerPair;
  readonly steps: readonly string[];
}

/** Until the requests or the contents differ; finally what B holds, over the wire of A. */
function* answersIn(
  { A, B }: Both<ScenarioResult>,
  { names, compared, ...facts }: TranscriptOptions,
): Generator<AlignedAnswers, void> {
  const readers = both((side) => new TranscriptReader(names[side], facts));
  const steps: string[] = [];
  const asks = (side: SideName, step?: StepResult) => step?.exchange && readers[side].requestText(step.exchange);
  for (const beside of alignedSteps({ A, B }, asks)) {
    const { A: one, B: other } = beside;
    if (one.exchange === undefined || other.exchange === undefined) continue;
    const answers = { A: readers.A.read(one.exchange, one.phase), B: readers.B.read(other.exchange, other.phase) };
    const pair = aligned(
      isReadBack(other) ? both((side) => ({ ...answers[side], attempt: asReadBack(answers[side].attempt) })) : answers,
      both((side) => readers[side].plain),
    );
    compared(pair.A.attempt);
    const title = other.title.replaceAll(names.B.label, '${name}');
    steps.push(isReadBack(other) ? `${title} ${byTheOtherWire}` : title);
    yield { beside, pair, steps: [...steps] };
    if (pair.A.response.outcome !== pair.B.response.outcome) return;
  }
}

/** Whether none of its checks applies over this wire. */
function isOfOneWire({ checks }: StepResult): boolean {
  return checks.length > 0 && checks.every(({ state }) => state === 'not applicable');
}

/** What failed at one target only; else what is `open`. */
function differencesAt(steps: Both<StepResult>, open: PartDifference[], rules: DiffRules): PartDifference[] {
  const decided = sides.flatMap((wrong) =>
    failedOnlyAt(wrong, steps, rules).map(({ requirement, expected, actual }): PartDifference => {
      const signature = `${requirement} ${wrong}`;
      const kept = expected.join(' or ');
      const compared = wrong === 'A' ? { A: actual, B: kept } : { A: kept, B: actual };
      return { ...{ signature, requirement, compared }, part: open[0]?.part ?? 'body', right: otherThan(wrong) };
    }),
  );
  return decided.length > 0 ? decided : open;
}

/** At the other it passed, or a rule found nothing. */
function failedOnlyAt(wrong: SideName, steps: Both<StepResult>, { isChecked }: DiffRules): CheckResult[] {
  const others = steps[otherThan(wrong)].checks;
  return steps[wrong].checks.filter(
    ({ requirement, state, byRule }) =>
      state === 'failed' &&
      isChecked(requirement) &&
      others.every((one) => one.requirement !== requirement || one.state === 'passed') &&
      (byRule || others.some((one) => one.requirement === requirement)),
  );
}

/** Reads the answers of one target during one scenario. */
class TranscriptReader {
  readonly #resources: SeenResources;
  readonly #names: KnownNames;
  readonly #reader: AnswerNormalizer;
  #requests = 0;

  constructor(names: LabelledCse, answers: AnswerContext) {
    this.#resources = new SeenResources(names);
    this.#names = new KnownNames(this.#resources, answers.used);
    this.#reader = new AnswerNormalizer(this.#names, answers);
  }

  /** Without names of the run or the target. */
  requestText({ request: { method, path, body = '' } }: Exchange): string {
    const inboxes = new RegExp(`\\w+://[^/"]+/${this.#resources.names.label}/`, 'g');
    const sent = this.plain(body.replace(inboxes, '(inbox)/'));
    return `${method} ${this.#names.address(path)} ${sent}`;
  }

  /** With names in place of identifiers, and without times relative to the start of the scenario. */
  readonly plain = (text: string): string => {
    const timeless = text.replace(/\b\d{8}T\d{6}([.,]\d+)?/g, '(time)').replace(atNobody, '(nobody)');
    return (
      this.#resources
        .all()
        .reduce((plain, { assigned: { ri = '' }, names }) => plain.replaceAll(ri, `(${names.join('/')})`), timeless)
        .replaceAll(this.#resources.names.label, '(run)')
        // Reads over another wire have other identifiers.
        .replace(/\(run\)-r\d+/g, '(run)-r')
    );
  };

  read(exchange: Exchange, phase: StepResult['phase']): AnswerPair['A'] {
    const response = { view: viewOf(exchange), outcome: outcomeOf(exchange) };
    const attempt = attemptOf(exchange);
    const reading: Reading = { attempt, exchange, response, request: ++this.#requests };
    this.#resources.note(exchange);
    const canonical = this.#reader.read(reading);
    // A fetched request of the CSE (TS-0001 10.2.5.14) has its own identifiers.
    const isFetched = response.view.root === 'm2m:rqp';
    const whole = phase === 'cleanup' ? counted(canonical) : canonical;
    const status = new Map([...canonical].filter(([part]) => part === 'status'));
    return { ...reading, demanded: [], canonical: isFetched ? status : whole };
  }
}

/** Only the size of a tree counts: assigned names may never have been shown. */
const counted = (canonical: CanonicalAnswer): CanonicalAnswer =>
  new Map([...canonical].map(([part, value]) => [part, part === 'found' ? `${value.split(', ').length}` : value]));

/** Addresses at which nobody listens, in the form of each wire. */
const atNobody = /\b(?:http|mqtt|ws|coap)s?:\/\/127\.0\.0\.1:9(?!\d)/g;

/** Resources that answers showed, by identifier. */
class SeenResources implements KnownResources {
  readonly names: LabelledCse;
  readonly #resources = new Map<string, ReturnType<KnownResources['all']>[number]>();

  constructor(names: LabelledCse) {
    this.names = names;
  }

  all() {
    return [...this.#resources.values()];
  }

  note(exchange: Exchange): void {
    const { ri, rn, pi } = (isSuccess(exchange) && viewOf(exchange).attributes) || {};
    if (typeof ri !== 'string' || typeof rn !== 'string' || this.#resources.has(ri)) return;
    const above = this.#resources.get(String(pi))?.names ?? [];
    if (rn !== this.names.base) this.#resources.set(ri, { assigned: { ri }, names: [...above, rn] });
  }
}

/** As a sequence would send it. */
function attemptOf({ request, answer }: Exchange): Attempt {
  const { method, path, body = '' } = request;
  const [to = '', query = ''] = path.split('?');
  const root = onlyKey(jsonOf(body)) ?? onlyKey(jsonOf(answer?.body ?? ''));
  const by = headersOf(request).get('x-m2m-origin') ?? 'nobody';
  const step = stepOf(method, to, query, body);
  const [operation = ''] = Object.keys(step);
  const type = typeOf(root);
  return ask(step, operation, { by, ...(type !== undefined && { type }) });
}

function stepOf(method: string, to: string, query: string, body: string): AttemptStep {
  const attributes = innerOf(jsonOf(body)) as Extract<AttemptStep, { create: unknown }>['attributes'];
  if (method === 'POST') return { create: 'container', in: to, ...(attributes && { attributes }) };
  if (method === 'PUT') return { update: to, kind: 'container', attributes: attributes ?? {} };
  if (method === 'DELETE') return { delete: to };
  return new URLSearchParams(query).get('fu') === '1' ? { discover: to } : { retrieve: to };
}

function typeOf(root: string | undefined): string | undefined {
  if (root === 'm2m:cb') return 'CSE base';
  return generatedTypes.find((type) => (factsOf(type).root ?? color.root) === root) ?? root;
}

/** Parts that differ only in names of run or target are the same; so are a missing part and a missing answer. */
function aligned({ A, B }: AnswerPair, plain: Both<(text: string) => string>): AnswerPair {
  const isSame = (a: string, b: string) =>
    plain.A(a) === plain.B(b) || [a, b].every((one) => one === absent || one.startsWith('no answer (timeout)'));
  const canonical: CanonicalAnswer = new Map(
    [...B.canonical].map(([part, value]) => {
      const beside = A.canonical.get(part);
      return [part, beside !== undefined && beside !== value && isSame(beside, value) ? beside : value];
    }),
  );
  return { A, B: { ...B, canonical } };
}
