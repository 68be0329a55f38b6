import type { Check, MatcherObject } from '../../engine/grammar/grammar-check.ts';
import type { AnswerView } from '../../engine/judging/answer.ts';
import { titleOf } from '../../engine/judging/sentences.ts';
import { type ConfirmContext, type Confirmed, confirm, once } from '../counterexample/confirm.ts';
import { toScenario } from '../counterexample/scenario.ts';
import { counterexampleText } from '../counterexample/text.ts';
import type { Shrunk } from '../search/seeded.ts';
import type { AnyOperation } from '../sequences/language.ts';
import type { Demand } from '../sequences/rule-judges.ts';
import { both, type Difference, type DifferenceRow, otherThan, type SideName } from './difference.ts';
import type { FoundDifference } from './paired-run.ts';
import { type AnswerPair, type ComparedAnswer, type PartDifference, partsOf } from './part-difference.ts';
import type { DiffContext } from './side.ts';

type SmallDifference = Shrunk<AnyOperation[], FoundDifference>;

/** A difference as reported, with a scenario if a requirement decides it. */
export async function describeDifference(small: SmallDifference, options: DiffContext): Promise<Difference> {
  const { path, one: left, result, atFirst, attempts, smallest } = small;
  const { difference } = result;
  const { requirements, seed } = options;
  const { expected } = difference;
  const draft = await confirmedSteps(result, options);
  const requirement = requirements.get(difference.requirement ?? '');
  const { compared, right } = difference;
  const actual = draft.failed?.actual ?? (right === 'A' ? compared.B : compared.A);
  const origin = requirement && { requirement, seed, path, actual, command: 'cselab diff' };
  const scenario = expected && origin && counterexampleText(draft.scenario, origin);
  return {
    ...factsOf(result, requirements, expected && differingOf(expected, result)),
    ...{ path, attempts, smallest, operations: { found: atFirst.length, left } },
    steps: draft.scenario.steps.map((step) => titleOf(step, new Map())),
    ...(scenario !== undefined && { scenario, confirmed: draft.failed !== undefined }),
  };
}

/** Facts of every difference; `parts`: others that differ as well. */
export function factsOf(
  { difference, pair, after }: Pick<FoundDifference, 'difference' | 'pair' | 'after'>,
  requirements: DiffContext['requirements'],
  parts: readonly string[] = [],
) {
  const { signature, right, part, compared } = difference;
  const requirement = requirements.get(difference.requirement ?? '');
  return {
    ...(requirement && { requirement: { id: requirement.id, says: requirement.says, source: requirement.source } }),
    ...{ signature, right, part, compared, after, about: aboutText({ pair }) },
    rows: rowsOf(pair, new Set([part, ...parts])),
    curl: both((side) => pair[side].exchange.curl),
  };
}

/** Such as `create container`. */
export function aboutText({ pair }: Pick<FoundDifference, 'pair'>): string {
  const { operation, type, form } = pair.A.attempt.about;
  const by = form === undefined || form === 'structured' ? '' : `, ${form}`;
  return `${operation}${type === undefined ? '' : ` ${type}`}${by}`;
}

/** The deciding parts that differ. */
function differingOf(expected: Demand, { pair: { A, B } }: FoundDifference): string[] {
  return partsOf(expected).filter((part) => A.canonical.get(part) !== B.canonical.get(part));
}

/** Two literal answers side by side, a row for each compared part. */
function rowsOf({ A, B }: AnswerPair, parts: ReadonlySet<PartDifference['part']>): DifferenceRow[] {
  const [a, b] = [linesOf(A), linesOf(B)];
  const names = [...new Set([...a.keys(), ...b.keys()])];
  return names.map((name) => {
    const [left, right] = [a.get(name), b.get(name)];
    const sides = { ...(left !== undefined && { A: left }), ...(right !== undefined && { B: right }) };
    return { name: name.replace(/^(attribute|header) /, ''), ...sides, differs: parts.has(name) };
  });
}

const displayedHeaders = ['content-type', 'content-location', 'x-m2m-ri', 'x-m2m-rvi'];

function linesOf({ exchange, response: { view }, canonical }: ComparedAnswer): Map<string, string> {
  const lines = new Map<string, string>();
  lines.set('status', canonical.get('status') ?? '');
  if (exchange.answer === undefined) return lines;
  if (view.headers.has('x-m2m-rsc')) lines.set('RSC', view.headers.get('x-m2m-rsc') ?? '');
  for (const name of displayedHeaders) {
    const value = view.headers.get(name);
    if (value !== undefined) lines.set(`header ${name}`, value);
  }
  for (const [name, value] of contentOf(view)) lines.set(name, value ?? (exchange.answer.body || 'empty'));
  return lines;
}

/** Undefined stands for the whole body. */
function contentOf({ found, attributes, root = '' }: AnswerView): Array<readonly [string, string | undefined]> {
  if (found !== undefined) return [['found', found.length === 0 ? 'nothing' : found.map(textOf).join(', ')]];
  if (attributes === undefined) return [['body', undefined]];
  const named = (name: string, value: unknown) => [`attribute ${name}`, JSON.stringify(value)] as const;
  return [['root', root], ...Object.entries(attributes).map((one) => named(...one))];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Fails at the wrong side and not at the other, with as few reads as possible. If both may be right, B is checked against the answer
 * of A; where no check can say that, the steps are those sent to A.
 */
async function confirmedSteps(found: FoundDifference, options: DiffContext): Promise<Confirmed> {
  const { right, part, requirement = 'gap', expected } = found.difference;
  const check = expected?.check ?? checkOf(part, found.pair);
  const draft = { scenario: draftAt('A', { requirement, check: check ?? {} }, found, options) };
  if (check === undefined) return draft;
  const wrong = right === 'A' || right === 'gap' ? 'B' : 'A';
  const unlessShown = right === 'gap' ? draft : undefined;
  const tried = draftAt(wrong, { requirement, check }, found, options);
  const confirmed = await confirm(tried, requirement, contextAt(wrong, options));
  if (confirmed.failed === undefined) return unlessShown ?? confirmed;
  if (right === 'neither') return confirmed;
  const other = await once(confirmed.scenario, requirement, contextAt(otherThan(wrong), options));
  return other.failed === undefined ? confirmed : (unlessShown ?? { scenario: confirmed.scenario });
}

function draftAt(side: SideName, expected: Demand, { performed, labels }: FoundDifference, options: DiffContext) {
  const { description, dialect } = options[side].session;
  return toScenario(performed[side], expected, { dialect, description, label: labels[side] });
}

function contextAt(side: SideName, { [side]: { session, run }, signal, nextNumber }: DiffContext): ConfirmContext {
  return { run, signal, use: async () => ({ installation: await session.installation(), number: nextNumber() }) };
}

/** Parts whose values differ from run to run. */
const ownValues: ReadonlySet<string> = new Set([
  ...['ri', 'pi', 'rn', 'aei', 'cr', 'ct', 'lt', 'et', 'ch'].map((name) => `attribute ${name}`),
  'header x-m2m-ri',
  'header content-location',
  'found',
]);

/** Checks a part against that of A; undefined for A's own values and what no check can say. */
function checkOf(part: string, { A, B }: AnswerPair): Check | undefined {
  const { status, rsc, root, attributes, headers } = A.response.view;
  if (ownValues.has(part) || status === undefined || B.response.view.status === undefined) return undefined;
  const [, kind, name = ''] = /^(attribute|header) (.*)$/s.exec(part) ?? [];
  const value = attributes?.[name] as MatcherObject['equals'];
  if (kind === 'attribute')
    return { attributes: { [name]: value === undefined ? { is: 'absent' } : { equals: value } } };
  if (kind === 'header') return { header: { [name]: headers.get(name) ?? { is: 'absent' } } };
  if (part === 'status') return { status };
  if (part === 'RSC' && rsc !== undefined) return { rsc };
  if (part === 'root' && root !== undefined) return { root };
  return part === 'body' && attributes !== undefined ? { body: { is: 'object' } } : undefined;
}
