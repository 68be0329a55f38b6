import type { Need } from '../grammar/grammar.ts';
import { needs } from '../grammar/grammar.ts';
import { tlsExpectations } from '../grammar/grammar-check.ts';
import { namesIn, type TextAt } from '../grammar/names.ts';
import { allNeeds, contradictionIn } from './needs.ts';
import type { DataPath } from './source-file.ts';

/** A use of something that not every target has, where the needs do not say so. */
export interface NeedProblem {
  readonly path: DataPath;
  readonly message: string;
  readonly key?: boolean;
}

type Data = Readonly<Record<string, unknown>>;

/** The needs that are written in a list, as far as they are known words. */
export function needsIn(...lists: readonly unknown[]): Set<Need> {
  const words = lists.flatMap((list) => (Array.isArray(list) ? list : []));
  return allNeeds(needs.filter((need) => words.includes(need)));
}

/** Needs that no target can have together. */
export function contradictionProblem(all: ReadonlySet<Need>, path: DataPath): NeedProblem[] {
  const pair = contradictionIn(all);
  return pair === undefined ? [] : [{ path, message: `no target has both "${pair[0]}" and "${pair[1]}"`, key: true }];
}

/** What a step uses and the needs do not tell. */
export function stepNeedProblems(step: Data, texts: readonly TextAt[], has: ReadonlySet<Need>): NeedProblem[] {
  return [
    ...backendProblems(step, texts, has),
    ...('receive' in step ? lacking(has, 'played backend', ['receive'], 'a step that waits for a request') : []),
    ...certificateProblem(step, has, []),
    ...tlsProblems(step, has),
  ];
}

/** A client presents a certificate over TLS only. */
export function certificateProblem({ certificate }: Data, has: ReadonlySet<Need>, above: DataPath): NeedProblem[] {
  if (typeof certificate !== 'string' || certificate === 'none') return [];
  return lacking(has, 'https', [...above, 'certificate'], 'a certificate');
}

function backendProblems({ on }: Data, texts: readonly TextAt[], has: ReadonlySet<Need>): NeedProblem[] {
  if (on === 'backend') return lacking(has, 'backend', ['on'], 'a step on the backend');
  if (has.has('played backend')) return [];
  const named = texts.find(({ text }) => namesIn(text).some((name) => name.startsWith('backend-')));
  return named === undefined ? [] : lacking(has, 'backend', named.path, 'a name of the backend');
}

function tlsProblems(step: Data, has: ReadonlySet<Need>): NeedProblem[] {
  if (step.over === 'TLS 1.2' || step.over === 'TLS 1.3') return [];
  const checks = Object.entries(dataOf(step.check)).flatMap(([id, check]) =>
    (Array.isArray(check) ? check : [check]).map((one) => [id, dataOf(one)] as const),
  );
  const looking = checks.find(([, check]) => [check, ...listOf(check['one of'])].some(looksAtTls));
  return looking === undefined ? [] : lacking(has, 'https', ['check', looking[0]], 'a check that looks at TLS', true);
}

function looksAtTls(expectation: unknown): boolean {
  return tlsExpectations.some((key) => key in dataOf(expectation));
}

function lacking(has: ReadonlySet<Need>, need: Need, path: DataPath, what: string, key = false): NeedProblem[] {
  return has.has(need) ? [] : [{ path, message: `${what} belongs to a file or scenario with needs: [${need}]`, key }];
}

function dataOf(value: unknown): Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Data) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
