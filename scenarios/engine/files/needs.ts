import { type Actor, type Inbox, type Need, needs } from '../grammar/grammar.ts';
import { tlsExpectations } from '../grammar/grammar-check.ts';
import type { Step } from '../grammar/grammar-step.ts';
import { checkTexts, inboxNames, namesIn, originatorName, requestTexts, type TextAt, texts } from '../grammar/names.ts';
import { dataOf, listOf } from '../judging/body.ts';
import type { DataPath } from './source-file.ts';

const implied: Partial<Readonly<Record<Need, Need>>> = {
  'certificate optional': 'https',
  'certificate required': 'https',
};

/** Without repetition, and with what goes without saying. */
export function allNeeds(needs: Iterable<Need>): Set<Need> {
  return new Set([...needs].flatMap((need) => [need, implied[need] ?? need]));
}

/** Without those that another one of them includes. */
export function withoutImplied(needs: readonly Need[]): Need[] {
  const included = new Set(needs.map((need) => implied[need]));
  return needs.filter((need) => !included.has(need));
}

const contradictions: ReadonlyArray<readonly [Need, Need]> = [
  ['plain HTTP', 'https'],
  ['certificate optional', 'certificate required'],
  ['certificate required', 'any originator'],
];

interface Cast {
  readonly actors: Readonly<Record<string, Actor>>;
  readonly inboxes: Readonly<Record<string, Inbox>>;
}

/** The actor that every file has without saying so. */
export const administrator = 'admin';

/** What steps take for granted without its being written among the needs. */
export function impliedNeeds(steps: readonly Step[], { actors, inboxes }: Cast): Need[] {
  const names = namesOf(steps, actors);
  const written = Object.keys(inboxes).flatMap(inboxNames);
  const notified = steps.some((step) => 'notified' in step) || written.some((one) => names.has(one));
  const administered = names.has(administrator) || steps.some((step) => 'as' in step && step.as === administrator);
  const waits = steps.some((step) => 'advance' in step);
  return [
    ...(notified ? (['notifications'] as const) : []),
    ...(waits ? (['clock'] as const) : []),
    ...(administered ? (['admin'] as const) : []),
  ];
}

/** The names in the steps, and in what is said of the actors that they speak of. */
function namesOf(steps: readonly Step[], actors: Cast['actors']): Set<string> {
  const names = new Set(
    steps.flatMap((step) => {
      const judged = [('check' in step && step.check) || {}, ('control' in step && step.control) || {}];
      const ofChecks = judged.flatMap((one) => Object.values(one).flatMap(checkTexts));
      return [...requestTexts(step), ...ofChecks].flatMap(({ text }) => namesIn(text));
    }),
  );
  const acting = new Set(steps.flatMap((step) => ('as' in step && step.as !== undefined ? [step.as] : [])));
  for (const [name, { originator, attributes }] of Object.entries(actors)) {
    if (!acting.has(name) && !names.has(name) && !names.has(originatorName(name))) continue;
    for (const { text } of texts([originator, attributes])) for (const one of namesIn(text)) names.add(one);
  }
  return names;
}

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
  const pair = contradictions.find((two) => two.every((need) => all.has(need)));
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
