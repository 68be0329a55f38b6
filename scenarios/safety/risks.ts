import { isObject } from '../engine/basics/body.ts';
import { getOrAdd } from '../engine/basics/memoize.ts';
import type { LoadedScenario, LoadedStep } from '../engine/files/load.ts';
import type { Plan } from '../engine/files/plan.ts';
import { entriesOf } from '../engine/files/scenario-entries.ts';
import {
  effectOf,
  type RequestSelector,
  type RiskChoice,
  type RiskMark,
  type TargetRisk,
} from '../engine/grammar/grammar-risk.ts';
import type { Step } from '../engine/grammar/grammar-step.ts';
import { factsOf, isSending } from '../engine/grammar/vocabulary.ts';
import { titleOf } from '../engine/judging/sentences.ts';
import type { AnyRequest } from '../engine/messages/target.ts';
import { isRead } from '../engine/messages/target.ts';
import { type KnownRisk, knownRisks } from './known-risks.ts';
import { partsOf, type RequestParts } from './request-lines.ts';

interface Row {
  readonly when: TargetRisk['when'];
  /** In a list. */
  readonly what: string;
  readonly says: string;
}

const remedy = '--risky sends it';

/** Decides which requests to a live target are left out, since they are known to corrupt or kill a deployed CSE. */
export class Risks {
  readonly #rows: readonly Row[];
  /** Each request is checked more than once. */
  readonly #parts = new WeakMap<AnyRequest, RequestParts>();
  readonly #counted = new WeakSet<object>();
  readonly #numbers = new Map<string, number>();

  constructor(choice: RiskChoice = {}) {
    const { risky, risks = [], product = choice.looksLike ?? 'this target' } = choice;
    const own = risks.map((risk) => rowOfTarget(risk, product));
    this.#rows = risky === 'all' ? [] : [...own, ...knownRisks.filter((one) => isLeftOut(one, choice)).map(rowOf)];
  }

  /** Why a request is left out, as a sentence. `isRemoved`: whether a path is the identifier of something gone. */
  reason(request: AnyRequest, isRemoved: (path: string) => boolean): string | undefined {
    if (this.#rows.length === 0) return undefined;
    const parts = getOrAdd(this.#parts, request, () => partsOf(request));
    const row = this.#rows.find(
      ({ when }) => tests.every((test) => test(when, parts)) && (when.removed === undefined || isRemoved(parts.target)),
    );
    if (row !== undefined) this.#count(request, row);
    return row?.says;
  }

  /** What was left out, as sentences. */
  notes(): string[] {
    const groups = [...this.#numbers].map(([what, number]) => `${number} × ${what}`);
    return groups.length === 0 ? [] : [`left out as a risk: ${groups.join('; ')}. ${remedy}`];
  }

  #count(request: object, { what }: Row): void {
    if (this.#counted.has(request)) return;
    this.#counted.add(request);
    this.#numbers.set(what, (this.#numbers.get(what) ?? 0) + 1);
  }
}

/** Why a marked step or scenario is left out, as a sentence. */
function reasonOfMark(mark: RiskMark): string {
  const { effect, reason } = effectOf(mark);
  return `it ${effect} a deployed CSE (${reason}); ${remedy}`;
}

function isLeftOut({ id, product, only }: KnownRisk, { risky = [], ...target }: RiskChoice): boolean {
  if (risky.includes(id)) return false;
  return only === undefined || [target.product, target.looksLike].includes(product);
}

function rowOf({ when, request, effect, product, version, happened }: KnownRisk): Row {
  const says = `${request} ${effect} ${product} ${version} (${happened}); ${remedy}`;
  return { when, what: `${request} (${effect} ${product} ${version})`, says };
}

function rowOfTarget(risk: TargetRisk, product: string): Row {
  const { effect, reason } = effectOf(risk);
  const what = `what by its target file ${effect} ${product} (${reason})`;
  return { when: risk.when, what, says: `${what}; ${remedy}` };
}

/** The plan for a live target: marked risks are left out, with their reasons, unless everything is allowed. */
export function withoutMarked(plan: Plan, { risky }: Pick<RiskChoice, 'risky'>): Plan {
  return risky === 'all' ? plan : { ...plan, scenarios: plan.scenarios.map(unmarked) };
}

function unmarked(scenario: LoadedScenario): LoadedScenario {
  const { risky, given, steps } = scenario;
  const leftOut = risky === undefined ? {} : { leftOut: reasonOfMark(risky) };
  return { ...scenario, given: given.map(withReason), steps: steps.map(withReason), ...leftOut };
}

function withReason(loaded: LoadedStep): LoadedStep {
  const { step } = loaded;
  return isSending(step) && step.risky !== undefined ? { ...loaded, leftOut: reasonOfMark(step.risky) } : loaded;
}

/** A plan in which scenarios that do more than read are not applicable, so that nothing of them is sent. */
export function readOnlyPlan(plan: Plan): Plan {
  const scenarios = plan.scenarios.map((scenario) => {
    const entries = scenario.inapplicable === undefined ? entriesOf(scenario, plan.dialect) : [];
    const write = entries.find(({ step }) => isWrite(step))?.step;
    if (write === undefined) return scenario;
    const inapplicable = `the run is to read only; this begins with: ${titleOf(write, new Map())}`;
    return { ...scenario, inapplicable, byChoice: true };
  });
  return { ...plan, scenarios };
}

function isWrite(step: Step): boolean {
  if (!isSending(step)) return false;
  if ('retrieve' in step) return step.query?.rt !== undefined && String(step.query.rt) !== '3';
  if ('discover' in step) return false;
  if (!('raw' in step)) return true;
  return 'bytes' in step.raw ? !/^\s*(GET|HEAD|OPTIONS) /.test(textOf(step.raw.bytes)) : !isRead(step.raw.method);
}

function textOf(bytes: unknown): string {
  if (Array.isArray(bytes)) return textOf(bytes[0]);
  return typeof bytes === 'string' ? bytes : '';
}

/** Each part of a selector that a request alone decides. */
const tests: ReadonlyArray<(selector: RequestSelector, request: RequestParts) => boolean> = [
  ({ method }, request) => method === undefined || listOf(method).includes(request.method),
  ({ 'method other than': others }, { method }) => others === undefined || !listOf(others).includes(method),
  ({ type }, { root }) => type === undefined || factsOf(type).root === root,
  ({ query }, { target }) => query === undefined || hasQuery(query, target),
  ({ attribute }, { attributes }) => attribute === undefined || valuesAt(attributes, attribute).some(hasValue),
  ({ 'without attribute': path }, { attributes }) => path === undefined || lacks(attributes, path),
  ({ 'without header': name }, { headers }) => name === undefined || !headers.has(name.toLowerCase()),
  ({ 'longer header': longer }, { headers }) =>
    longer === undefined || Buffer.byteLength(headers.get(longer.name.toLowerCase()) ?? '') > longer.bytes,
  ({ 'path ends with': ends }, { target }) => ends === undefined || listOf(ends).includes(lastSegment(target)),
  ({ 'name ends with': ends }, { attributes }) =>
    ends === undefined || listOf(ends).some((end) => String(attributes?.rn ?? '').endsWith(end)),
  ({ body }, { hasBody, isJson }) => body === undefined || (hasBody && !isJson),
  ({ head }, { isWellFormed, isCut }) => head === undefined || (head === 'malformed' ? !isWellFormed : isCut),
  ({ 'larger chunk': bytes }, { largestChunk }) => bytes === undefined || largestChunk > bytes,
  ({ 'longer head': bytes }, { headLength }) => bytes === undefined || headLength > bytes,
];

function listOf(texts: string | readonly string[]): readonly string[] {
  return typeof texts === 'string' ? [texts] : texts;
}

function hasQuery(query: NonNullable<RequestSelector['query']>, target: string): boolean {
  const at = target.indexOf('?');
  const parameters = new URLSearchParams(at < 0 ? '' : target.slice(at + 1));
  return Object.entries(query).every(([name, values]) =>
    parameters.getAll(name).some((value) => listOf(values).some((one) => one === '*' || one === value)),
  );
}

function lastSegment(target: string): string {
  return target.split('?', 1)[0]?.split('/').at(-1) ?? '';
}

/** The values at `pv.acr`, of each element of lists on the way. */
function valuesAt(value: unknown, path: string): unknown[] {
  const step = (values: unknown[], key: string) =>
    values.flatMap((one) => (isObject(one) && Object.hasOwn(one, key) ? [one[key]].flat() : []));
  return path.split('.').reduce(step, [value]);
}

function lacks(attributes: unknown, path: string): boolean {
  const [last = '', ...before] = path.split('.').reverse();
  const holders = before.length === 0 ? [attributes] : valuesAt(attributes, before.reverse().join('.'));
  return holders.some((one) => isObject(one) && !valuesAt(one, last).some(hasValue));
}

function hasValue(value: unknown): boolean {
  return value !== undefined && value !== null;
}
