/** How values of a configuration file are read: objects key by key, with a note on what nobody asked for. */
import { closest } from 'fastest-levenshtein';
import type { JsonMember, JsonNode, JsonOf } from './config-json.ts';
import type { Findings, Range } from './config-problem.ts';

/** A value of the file, and where it stands. */
export interface Placed<T> extends Range {
  readonly value: T;
}

/**
 * Reports what is wrong, and gives undefined then. `name` is the place of the key that introduces the value; problems of a whole object
 * are shown there.
 */
export type Reader<T> = (node: JsonNode, findings: Findings, name?: Range) => T | undefined;

export interface Member {
  readonly node: JsonNode;
  readonly key: Range;
}

/** By key: `unused` for what is known to the product, without a meaning here. */
type Fields = Readonly<Record<string, Reader<unknown> | 'unused'>>;

/** By key, what stands there; the value is undefined where it is wrong. */
export type Read<Form extends Fields> = {
  readonly [Key in keyof Form]?: Placed<(Form[Key] extends Reader<infer T> ? T : never) | undefined>;
};

/** Which keys must be there, and why, where that needs to be said. */
interface Required<Key extends string = string> {
  readonly keys: readonly Key[];
  readonly because?: string | undefined;
}

const names: Readonly<Record<JsonNode['kind'], string>> = {
  text: 'a string',
  number: 'a whole number',
  flag: 'true or false',
  list: 'a list',
  object: 'an object',
  null: 'null',
};

/** Whatever stands there, to be read later, with the place of the key that introduces it. */
export const anything: Reader<Member> = (node, _findings, key = node) => ({ node, key });
export const text: Reader<string> = (node, findings) => (isOf('text', node, findings) ? node.value : undefined);
export const flag: Reader<boolean> = (node, findings) => (isOf('flag', node, findings) ? node.value : undefined);

/** Both bounds are allowed. */
export function wholeNumber(least: number, most: number): Reader<number> {
  return (node, findings) => {
    if (!isOf('number', node, findings)) return undefined;
    const { value } = node;
    if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
    findings.error(node, `expected a whole number from ${least} to ${most}, found ${value}`);
    return undefined;
  };
}

/** A text that has something wrong with it, such as `is empty`, is reported. */
export function textBut(problemOf: (value: string) => string | undefined): Reader<string> {
  return (node, findings) => {
    const value = text(node, findings);
    const problem = value === undefined ? undefined : problemOf(value);
    if (problem !== undefined) findings.error(node, `${quoted(value ?? '')} ${problem}`);
    return problem === undefined ? value : undefined;
  };
}

/** Elements that are wrong are left out. */
export function listOf<T>(read: Reader<T>): Reader<readonly Placed<T>[]> {
  return (node, findings) =>
    isOf('list', node, findings)
      ? node.items
          .map((item) => placed(item, read, findings))
          .filter((one): one is Placed<T> => one.value !== undefined)
      : undefined;
}

/** Those that are not wrong. */
export const valuesOf = <T>(list: Placed<readonly Placed<T>[] | undefined> | undefined): T[] =>
  list?.value?.map(({ value }) => value) ?? [];

/** An object with these keys; what `required` says may depend on what was read. */
export function object<const Form extends Fields>(
  form: Form,
  required: (read: Read<Form>) => Required<keyof Form & string> = () => ({ keys: [] }),
): Reader<Read<Form>> {
  return (node, findings, name) => {
    if (!isOf('object', node, findings)) return undefined;
    const read: Record<string, Placed<unknown>> = {};
    for (const [key, reader] of Object.entries(form)) {
      const member = memberOf(node, key);
      if (member !== undefined && reader !== 'unused') read[key] = placed(member.value, reader, findings, member.key);
    }
    reportKeys(node, form, required(read as Read<Form>), placeOf(node, name), findings);
    return read as Read<Form>;
  };
}

export const memberOf = ({ members }: JsonOf<'object'>, key: string): JsonMember | undefined =>
  members.find((member) => member.key.value === key);

function placed<T>(node: JsonNode, read: Reader<T>, findings: Findings, name?: Range): Placed<T | undefined> {
  return { ...placeOf(node, name), value: read(node, findings, name) };
}

function placeOf(node: JsonNode, name?: Range): Range {
  if (node.kind !== 'object') return { from: node.from, to: node.to };
  return name === undefined ? { from: node.from, to: node.from + 1 } : { from: name.from, to: name.to };
}

/** What is missing, what was not asked for, and what has no meaning here. */
function reportKeys(
  { members }: JsonOf<'object'>,
  form: Fields,
  { keys, because }: Required,
  at: Range,
  findings: Findings,
): void {
  const present = new Set(members.map(({ key }) => key.value));
  const known = new Map(Object.entries(form));
  const unknown = new Map(members.filter(({ key }) => !known.has(key.value)).map(({ key }) => [key.value, key]));
  const lost: string[] = [];
  const why = because === undefined ? '' : `; ${because}`;
  for (const key of keys.filter((one) => !present.has(one))) {
    // Where something stands that was probably meant, it is shown instead, and not again as unknown.
    const meant = [...unknown.values()].find(({ value }) => areNear(value, key));
    if (meant === undefined) lost.push(key);
    else {
      unknown.delete(meant.value);
      findings.error(meant, `"${key}" is missing${why}; is ${quoted(meant.value)} meant for it?`);
    }
  }
  if (lost.length > 0) findings.error(at, `${enumerated(lost)} missing${why}`);
  const absent = [...known.keys()].filter((key) => known.get(key) !== 'unused' && !present.has(key));
  for (const key of unknown.values())
    findings.note(key, `${quoted(key.value)} is not used${didYouMean(key.value, absent)}`);
  const unused = members.map(({ key }) => key).filter(({ value }) => known.get(value) === 'unused');
  if (unused[0] !== undefined) findings.note(unused[0], `${enumerated(unused.map(({ value }) => value))} not used`);
}

/** Reports a value of another kind. */
export function isOf<Kind extends JsonNode['kind']>(
  kind: Kind,
  node: JsonNode,
  findings: Findings,
): node is Extract<JsonNode, { kind: Kind }> {
  if (node.kind === kind) return true;
  const found = 'value' in node ? quoted(node.value) : names[node.kind];
  findings.error(node, `expected ${names[kind]}, found ${found}`);
  return false;
}

const longestQuote = 60;

/** As it stands in the file, shortened. */
export function quoted(value: string | number | boolean): string {
  const text = JSON.stringify(value);
  return text.length <= longestQuote ? text : `${text.slice(0, longestQuote)}…`;
}

/** `"a", "b" and "c" are`. */
function enumerated(words: readonly string[]): string {
  const shown = words.map(quoted);
  return shown.length < 2 ? `${shown.join('')} is` : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)} are`;
}

/** `; did you mean "x"?`, or an empty text. */
export function didYouMean(word: string, known: readonly string[]): string {
  if (word.length > longestQuote || known.length === 0) return '';
  const candidate = closest(word, known);
  return areNear(word, candidate) ? `; did you mean "${candidate}"?` : '';
}

/** Whether they differ in one place only, in two letters at the most, and are otherwise the same. */
function areNear(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  const shorter = Math.min(a.length, b.length);
  let before = 0;
  while (before < shorter && a[before] === b[before]) before++;
  let after = 0;
  while (after < shorter - before && a.at(-1 - after) === b.at(-1 - after)) after++;
  const different = Math.max(a.length, b.length) - before - after;
  return different <= 2 && different <= before + after;
}
