/** How values of a configuration file are read: objects key by key, with a note on unknown keys. */
import { closest } from 'fastest-levenshtein';
import type { Node, NodeType } from 'jsonc-parser';
import { introductionOf, memberOf, membersOf } from './json-places.ts';
import { type Findings, quoted, type Range } from './problem.ts';

/** A value of the file, and its position. */
export interface Located<T> extends Range {
  readonly value: T;
}

/** Reports what is wrong, and returns undefined then. */
export type NodeReader<T> = (node: Node, findings: Findings) => T | undefined;

/** By key: `unused` for keys of the product without a meaning here. */
type Fields = Readonly<Record<string, NodeReader<unknown> | 'unused'>>;

/** The value of each key; undefined where it is wrong. */
export type Read<Form extends Fields> = {
  readonly [Key in keyof Form]?: Located<(Form[Key] extends NodeReader<infer T> ? T : never) | undefined>;
};

/** Which keys are required, and why, where that is not obvious. */
interface Required<Key extends string = string> {
  readonly keys: readonly Key[];
  readonly because?: string | undefined;
}

const names: Readonly<Record<NodeType, string>> = {
  string: 'a string',
  number: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  property: 'a key and its value',
  null: 'null',
};

/** Any value, to be read later. */
export const anything: NodeReader<Node> = (node) => node;
export const text: NodeReader<string> = (node, findings) => (isOf('string', node, findings) ? node.value : undefined);
export const flag: NodeReader<boolean> = (node, findings) => (isOf('boolean', node, findings) ? node.value : undefined);

/** Both bounds are allowed. */
export function wholeNumber(least: number, most: number): NodeReader<number> {
  return (node, findings) => {
    if (!isOf('number', node, findings)) return undefined;
    const value: number = node.value;
    if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
    findings.error(node, `expected a whole number from ${least} to ${most}, found ${value}`);
    return undefined;
  };
}

/** Reports a text that has a problem, such as `is empty`. */
export function textBut(problemOf: (value: string) => string | undefined): NodeReader<string> {
  return (node, findings) => {
    const value = text(node, findings);
    const problem = value === undefined ? undefined : problemOf(value);
    if (problem !== undefined) findings.error(node, `${quoted(value ?? '')} ${problem}`);
    return problem === undefined ? value : undefined;
  };
}

/** Elements that are wrong are left out. */
export function listOf<T>(read: NodeReader<T>): NodeReader<readonly Located<T>[]> {
  return (node, findings) =>
    isOf('array', node, findings)
      ? (node.children ?? [])
          .map((item) => readLocated(item, read, findings))
          .filter((one): one is Located<T> => one.value !== undefined)
      : undefined;
}

/** The valid elements. */
export const valuesOf = <T>(list: Located<readonly Located<T>[] | undefined> | undefined): T[] =>
  list?.value?.map(({ value }) => value) ?? [];

/** An object with these keys; `required` may depend on what was read. */
export function object<const Form extends Fields>(
  form: Form,
  required: (read: Read<Form>) => Required<keyof Form & string> = () => ({ keys: [] }),
): NodeReader<Read<Form>> {
  return (node, findings) => {
    if (!isOf('object', node, findings)) return undefined;
    const read: Record<string, Located<unknown>> = {};
    for (const [key, reader] of Object.entries(form)) {
      const member = memberOf(node, key);
      if (member !== undefined && reader !== 'unused') read[key] = readLocated(member, reader, findings);
    }
    reportKeys(node, form, required(read as Read<Form>), findings);
    return read as Read<Form>;
  };
}

function readLocated<T>(node: Node, read: NodeReader<T>, findings: Findings): Located<T | undefined> {
  const { offset, length } = node.type === 'object' ? introductionOf(node) : node;
  return { offset, length, value: read(node, findings) };
}

/** Reports missing, unknown and unused keys. */
function reportKeys(object: Node, form: Fields, { keys, because }: Required, findings: Findings): void {
  const written = membersOf(object).map(({ key }) => key);
  const present = new Set(written.map(({ value }) => value));
  const known = new Map(Object.entries(form));
  const unknown = new Map(written.filter(({ value }) => !known.has(value)).map((key) => [key.value, key]));
  const missing: string[] = [];
  const why = because === undefined ? '' : `; ${because}`;
  for (const key of keys.filter((one) => !present.has(one))) {
    // A key that was probably meant is reported instead, and not again as unknown.
    const meant = [...unknown.values()].find(({ value }) => areNear(value, key));
    if (meant === undefined) missing.push(key);
    else {
      unknown.delete(meant.value);
      findings.error(meant, `"${key}" is missing${why}; is ${quoted(meant.value)} meant for it?`);
    }
  }
  if (missing.length > 0) findings.error(introductionOf(object), `${enumerated(missing)} missing${why}`);
  const absent = [...known.keys()].filter((key) => known.get(key) !== 'unused' && !present.has(key));
  for (const key of unknown.values())
    findings.note(key, `${quoted(key.value)} is not used${didYouMean(key.value, absent)}`);
  const unused = written.filter(({ value }) => known.get(value) === 'unused');
  if (unused[0] !== undefined) findings.note(unused[0], `${enumerated(unused.map(({ value }) => value))} not used`);
}

/** Reports a value of another type. */
export function isOf(type: NodeType, node: Node, findings: Findings): boolean {
  if (node.type === type) return true;
  const found = node.children === undefined ? quoted(node.value) : names[node.type];
  findings.error(node, `expected ${names[type]}, found ${found}`);
  return false;
}

/** `"a", "b" and "c" are`. */
function enumerated(keys: readonly string[]): string {
  const names = keys.map(quoted);
  return names.length < 2 ? `${names.join('')} is` : `${names.slice(0, -1).join(', ')} and ${names.at(-1)} are`;
}

/** Characters of a word that is compared with others. */
const longestWord = 60;

/** `; did you mean "x"?`, or an empty text. */
export function didYouMean(word: string, known: readonly string[]): string {
  if (word.length > longestWord || known.length === 0) return '';
  const candidate = closest(word, known);
  return areNear(word, candidate) ? `; did you mean "${candidate}"?` : '';
}

/** Whether they differ at one position only, in two letters at the most. */
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
