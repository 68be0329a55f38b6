/** One object of a configuration file, read key by key; what nobody asked for is reported in the end. */
import { nearest } from '../deviations/nearest.ts';
import type { JsonMember, JsonNode, JsonObject } from './config-json.ts';
import type { Findings, Range } from './config-problem.ts';

/** A value of the file, and where it stands. */
export interface Placed<T> extends Range {
  readonly value: T;
}

type Listed<Item> = Range & { readonly items: readonly Item[] };

const names = {
  text: 'a string',
  number: 'a whole number',
  flag: 'true or false',
  list: 'a list',
  object: 'an object',
  null: 'null',
} as const;

/** Values of the wrong kind are reported and read as undefined, as is what does not stand there. */
export class Section implements Range {
  readonly from: number;
  readonly to: number;
  readonly findings: Findings;
  readonly #node: JsonObject;
  readonly #known = new Set<string>();
  readonly #ignored = new Set<string>();
  readonly #required = new Set<string>();

  private constructor(node: JsonObject, name: Range, findings: Findings) {
    this.#node = node;
    this.findings = findings;
    this.from = name.from;
    this.to = name.to;
  }

  /** `name` is the place of what introduces the object; problems of the whole object are shown there. */
  static read(node: JsonNode, findings: Findings, name?: Range): Section | undefined {
    if (isOf('object', node, findings)) {
      return new Section(node, name ?? { from: node.from, to: node.from + 1 }, findings);
    }
    return undefined;
  }

  text(key: string): Placed<string> | undefined {
    const node = this.node(key);
    return node && isOf('text', node, this.findings) ? node : undefined;
  }

  flag(key: string): Placed<boolean> | undefined {
    const node = this.node(key);
    return node && isOf('flag', node, this.findings) ? node : undefined;
  }

  /** Both bounds are allowed. */
  wholeNumber(key: string, least: number, most: number): Placed<number> | undefined {
    const node = this.node(key);
    if (node === undefined || !isOf('number', node, this.findings)) return undefined;
    if (Number.isSafeInteger(node.value) && node.value >= least && node.value <= most) return node;
    this.findings.error(node, `expected a whole number from ${least} to ${most}, found ${node.value}`);
    return undefined;
  }

  /** Elements of the wrong kind are left out. */
  texts(key: string): Listed<Placed<string>> | undefined {
    return this.#list(key, (item) => (isOf('text', item, this.findings) ? item : undefined));
  }

  sections(key: string): Listed<Section> | undefined {
    return this.#list(key, (item) => Section.read(item, this.findings));
  }

  #list<Item>(key: string, read: (item: JsonNode) => Item | undefined): Listed<Item> | undefined {
    const node = this.node(key);
    if (node === undefined || !isOf('list', node, this.findings)) return undefined;
    const items = node.items.map(read).filter((item) => item !== undefined);
    return { from: node.from, to: node.to, items };
  }

  section(key: string): Section | undefined {
    const member = this.member(key);
    return member && Section.read(member.value, this.findings, member.key);
  }

  /** The value, whatever it is. */
  node(key: string): JsonNode | undefined {
    return this.member(key)?.value;
  }

  member(key: string): JsonMember | undefined {
    this.#known.add(key);
    return this.#node.members.find((member) => member.key.value === key);
  }

  require(...keys: readonly string[]): void {
    for (const key of keys) this.#required.add(key);
  }

  /** Known to the product, without a meaning here. */
  ignore(...keys: readonly string[]): void {
    for (const key of keys) this.#ignored.add(key);
  }

  /** Reports what is missing, with why it is required where that needs to be said, and what was not read. */
  done(because?: string): void {
    const present = new Set(this.#node.members.map(({ key }) => key.value));
    const unread = this.#node.members.filter(({ key }) => !this.#known.has(key.value));
    const unknown = new Map(
      unread.filter(({ key }) => !this.#ignored.has(key.value)).map((one) => [one.key.value, one]),
    );
    const missing = [...this.#required].filter((key) => !present.has(key));
    this.#reportMissing(missing, unknown, because === undefined ? '' : `; ${because}`);
    const absent = [...this.#known].filter((key) => !present.has(key));
    for (const { key } of unknown.values()) {
      this.findings.note(key, `${quoted(key.value)} is not used${didYouMean(key.value, absent)}`);
    }
    const ignored = unread.filter(({ key }) => this.#ignored.has(key.value)).map(({ key }) => key);
    if (ignored[0] === undefined) return;
    this.findings.note(ignored[0], `${enumerated(ignored.map(({ value }) => value))} not used`);
  }

  /** Where something stands that was probably meant, it is shown instead, and not again as unknown. */
  #reportMissing(missing: readonly string[], unknown: Map<string, JsonMember>, why: string): void {
    const lost: string[] = [];
    for (const key of missing) {
      const meant = [...unknown.values()].find((member) => areNear(member.key.value, key));
      if (meant === undefined) lost.push(key);
      else {
        unknown.delete(meant.key.value);
        this.findings.error(meant.key, `"${key}" is missing${why}; is ${quoted(meant.key.value)} meant for it?`);
      }
    }
    if (lost.length > 0) this.findings.error(this, `${enumerated(lost)} missing${why}`);
  }
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
export function enumerated(words: readonly string[]): string {
  const shown = words.map(quoted);
  return shown.length < 2 ? `${shown.join('')} is` : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)} are`;
}

/** `; did you mean "x"?`, or an empty text. */
export function didYouMean(word: string, known: readonly string[]): string {
  if (word.length > longestQuote) return '';
  const candidate = nearest(word, known);
  return candidate !== undefined && areNear(word, candidate) ? `; did you mean "${candidate}"?` : '';
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
