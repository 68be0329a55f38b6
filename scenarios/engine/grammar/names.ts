/** Names that stand for values in scenario files: `${name}`. */

/** Names that the engine provides. */
export const builtInNames = [
  'run',
  'name',
  'base',
  'cse',
  'sp',
  'host',
  'scheme',
  'backend-base',
  'backend-cse',
  'backend-sp',
  'registration-label',
  'admin',
  'release',
  'serialization',
] as const;

/** The implicit actor of every file. */
export const administrator = 'admin';

/** Name of an actor's originator: `${app.originator}`. */
export function originatorName(actor: string): string {
  return `${actor}.originator`;
}

/** Name of an inbox's URL: `${watcher.url}`. */
export function inboxUrlName(inbox: string): string {
  return `${inbox}.url`;
}

/** Name of an inbox as a notification target, in a form that the CSE delivers to: `${watcher.nu}`. */
export function inboxTargetName(inbox: string): string {
  return `${inbox}.nu`;
}

/** All names of an inbox. */
export function inboxNames(inbox: string): string[] {
  return [inboxUrlName(inbox), inboxTargetName(inbox)];
}

const unitMilliseconds: ReadonlyMap<string, number> = new Map(
  Object.entries({ ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }),
);

/** Milliseconds of a time such as `90s`, `500ms`, `1h`; the grammar lets nothing else through. */
export function milliseconds(duration: string): number {
  const [, number, unit = 's'] = /^([\d.]+)(ms|s|m|h|d)$/.exec(duration) ?? [];
  return Number(number) * (unitMilliseconds.get(unit) ?? 1);
}

const fromNow = /^now([+-])(\d+(?:\.\d+)?(?:ms|s|m|h|d))$/;

/** Milliseconds from now of a time such as `${now+90s}` or `${now-1h}`; undefined for any other name. */
export function timeFromNow(name: string): number | undefined {
  const found = fromNow.exec(name);
  if (found === null) return undefined;
  const [, sign, duration = ''] = found;
  return milliseconds(duration) * (sign === '-' ? -1 : 1);
}

const repeatedLetters = /^letters\*([1-9]\d{0,5})$/;

/** A text of so many letters, such as `${letters*300}`; undefined for any other name. */
export function lettersNamed(name: string): string | undefined {
  const [, count] = repeatedLetters.exec(name) ?? [];
  return count === undefined ? undefined : 'abcdefghij'.repeat(Math.ceil(Number(count) / 10)).slice(0, Number(count));
}

const reference = /\$\{([^}]*)\}/g;

/** The names that a text refers to, in order. */
export function namesIn(text: string): string[] {
  if (!text.includes('${')) return [];
  return [...text.matchAll(reference)].map((match) => match[1] ?? '');
}

/** The one name of a text that is nothing but `${name}`. */
export function onlyName(text: string): string | undefined {
  const names = namesIn(text);
  return names.length === 1 && text === `\${${names[0]}}` ? names[0] : undefined;
}

export function replaceNames(text: string, replacement: (name: string) => string): string {
  if (!text.includes('${')) return text;
  return text.replace(reference, (_, name: string) => replacement(name));
}

/** Parts of a step from which its request is made. */
export const requestParts = [
  'in',
  'retrieve',
  'update',
  'delete',
  'discover',
  'attributes',
  'query',
  'where',
  'headers',
  'raw',
  'receive',
  'creates',
  'countdown',
  'ask',
] as const;

/** Keys whose texts are literal, in requests and in checks. */
const literalInRequests = new Set(['repeat', 'hex', 'method', 'version']);
const literalInChecks = new Set(['source', 'variant', 'before', 'is', 'connection']);
const literalIn: Partial<Readonly<Record<(typeof requestParts)[number], ReadonlySet<string>>>> = {
  raw: literalInRequests,
  receive: new Set(['method', 'is']),
};

export interface TextAt {
  readonly path: readonly PropertyKey[];
  readonly text: string;
}

/** Every text of a step's request in which names are replaced. */
export function requestTexts(step: Readonly<Record<string, unknown>>): TextAt[] {
  return requestParts.flatMap((part) => texts(step[part], [part], literalIn[part] ?? new Set()));
}

/** Every text of a check in which names are replaced. */
export function checkTexts(check: unknown): TextAt[] {
  return texts(check, [], literalInChecks);
}

/** Every text within a value, except below the given keys. */
export function texts(
  value: unknown,
  path: readonly PropertyKey[] = [],
  literal: ReadonlySet<string> = new Set(),
): TextAt[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((element, index) => texts(element, [...path, index], literal));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    literal.has(key) ? [] : texts(inner, [...path, key], literal),
  );
}
