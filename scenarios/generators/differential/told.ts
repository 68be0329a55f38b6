import type { Requirement } from '../../engine/files/catalogue.ts';
import type { AnswerView } from '../../engine/judging/answer.ts';
import { titleOf } from '../../engine/running/step-title.ts';
import type { Confirmed } from '../counterexample/confirm.ts';
import { counterexampleText, type Origin } from '../counterexample/text.ts';
import type { Expected } from '../model/expected.ts';
import type { Operation } from '../operations/documented.ts';
import type { Shrunk } from '../seeded.ts';
import { both, type Difference, type Row } from './difference.ts';
import type { Shown } from './paired-run.ts';
import { type Answered, type Pair, type Parted, partsOf } from './parted.ts';
import { decidedSteps, openSteps, type StepsOptions } from './steps.ts';

type TellOptions = StepsOptions & {
  readonly requirements: ReadonlyMap<string, Requirement>;
  readonly seed: number;
  /** Operations before shrinking. */
  readonly atFirst: number;
};

/** A difference as it is told, with a scenario for what a requirement decides. */
export async function told(small: Shrunk<Operation[], Shown>, options: TellOptions): Promise<Difference> {
  const { path, one: left, shown, attempts, complete: smallest } = small;
  const { parted, pair } = shown;
  const { requirements, seed, atFirst } = options;
  const { expected } = parted;
  const drawn = expected === undefined ? await openSteps(shown, options) : await decidedSteps(expected, shown, options);
  const requirement = parted.requirement === undefined ? undefined : requirements.get(parted.requirement);
  const scenario = expected && requirement && scenarioText(drawn, parted, { seed, path, requirement });
  const parts = new Set(expected === undefined ? [parted.part] : [parted.part, ...differingOf(expected, shown)]);
  return {
    signature: parted.signature,
    right: parted.right,
    ...(requirement && { requirement: { id: requirement.id, says: requirement.says, source: requirement.source } }),
    part: parted.part,
    about: aboutText(shown),
    compared: parted.compared,
    path,
    operations: { found: atFirst, left },
    steps: drawn.scenario.steps.map((step) => titleOf(step, new Map())),
    rows: rowsOf(pair, parts),
    curl: both((side) => pair[side].exchange.curl),
    after: shown.after,
    ...(scenario !== undefined && { scenario, confirmed: drawn.failed !== undefined }),
    attempts,
    smallest,
  };
}

/** Such as `create container`. */
export function aboutText({ pair }: Shown): string {
  const { operation, kind, form } = pair.A.attempt.about;
  const by = form === undefined || form === 'structured' ? '' : `, ${form}`;
  return `${operation}${kind === undefined ? '' : ` ${kind}`}${by}`;
}

/** Those of the parts that decide which are not the same. */
function differingOf(expected: Expected, { pair: { A, B } }: Shown): string[] {
  return partsOf(expected).filter((part) => A.canonical.get(part) !== B.canonical.get(part));
}

function scenarioText(
  { scenario, failed }: Confirmed,
  { compared, right }: Parted,
  origin: Pick<Origin, 'requirement' | 'seed' | 'path'>,
): string {
  const actual = failed?.actual ?? (right === 'A' ? compared.B : compared.A);
  return counterexampleText(scenario, { ...origin, actual, command: 'cselab diff' });
}

/** Two answers beside each other, as they came, line by line: by the parts that are compared. */
export function rowsOf({ A, B }: Pair, parts: ReadonlySet<Parted['part']>): Row[] {
  const [a, b] = [linesOf(A), linesOf(B)];
  const names = [...new Set([...a.keys(), ...b.keys()])];
  return names.map((name) => {
    const [left, right] = [a.get(name), b.get(name)];
    const sides = { ...(left !== undefined && { A: left }), ...(right !== undefined && { B: right }) };
    return { name: name.replace(/^(attribute|header) /, ''), ...sides, differs: parts.has(name) };
  });
}

const shownHeaders = ['content-type', 'content-location', 'x-m2m-ri', 'x-m2m-rvi'];

function linesOf({ exchange, came: { view }, canonical }: Answered): Map<string, string> {
  const lines = new Map<string, string>();
  lines.set('status', canonical.get('status') ?? '');
  if (exchange.answer === undefined) return lines;
  if (view.headers.has('x-m2m-rsc')) lines.set('RSC', view.headers.get('x-m2m-rsc') ?? '');
  for (const name of shownHeaders) {
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
  const named = Object.entries(attributes).map(
    ([name, value]) => [`attribute ${name}`, JSON.stringify(value)] as const,
  );
  return [['root', root], ...named];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
