import { UsageError } from '../engine/basics/diagnostics.ts';
import { printfFormat } from '../engine/messages/display.ts';

const mask = '***';
/** Characters of the shortest secret: a shorter one would mask half of each report. */
const shortest = 4;
/** Ellipses to check, from the end of a text: more of them come from a target. */
const mostCuts = 20;

/** Fields with fixed values in the format of results. */
const vocabulary: ReadonlySet<string> = new Set(
  'again behaves claim connection dialect failOn handshake how kind level on phase state type verdict'.split(' '),
);

/** Masks secrets in all output. */
export class Redactor {
  readonly #secrets = new Set<string>();
  #forms: readonly string[] = [];

  /** Throws a UsageError for a secret that is too short. */
  constructor(secrets: Iterable<string> = []) {
    for (const secret of secrets) {
      if (secret.length < shortest)
        throw new UsageError(`a secret of fewer than ${shortest} characters cannot be masked`);
      this.learn(secret);
    }
  }

  /** Adds a secret, unless it is too short to be distinguished from other text. */
  learn(secret: string): void {
    if (secret.length < shortest) return;
    this.#secrets.add(secret);
    const forms = new Set([...this.#forms, ...writtenForms(secret)]);
    this.#forms = [...forms].sort((a, b) => b.length - a.length);
  }

  get secrets(): readonly string[] {
    return [...this.#secrets];
  }

  text(text: string): string {
    let shown = text;
    for (const form of this.#forms) if (shown.includes(form)) shown = shown.replaceAll(form, mask);
    return this.#forms.length === 0 ? shown : this.#withoutBeginnings(shown);
  }

  /** The value with all texts masked, at any depth; the value itself if there is nothing to mask. */
  value<T>(value: T): T {
    return this.#forms.length === 0 ? value : (this.#masked(value) as T);
  }

  /** The same error with its texts masked. */
  error(error: unknown): unknown {
    if (this.#forms.length === 0 || !(error instanceof Error)) return error;
    error.message = this.text(error.message);
    if (error.stack !== undefined) error.stack = this.text(error.stack);
    if (error.cause !== undefined) error.cause = this.error(error.cause);
    return error;
  }

  #masked(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return this.#maskedList(value);
    if (typeof value !== 'object' || value === null) return value;
    const masked = (key: string, inner: unknown) => (vocabulary.has(key) ? inner : this.#masked(inner));
    const entries = Object.entries(value).map(([key, inner]) => [key, masked(key, inner)] as const);
    const changed = entries.some(([key, inner]) => inner !== (value as Record<string, unknown>)[key]);
    return changed ? Object.fromEntries(entries) : value;
  }

  #maskedList(list: readonly unknown[]): readonly unknown[] {
    const masked = list.map((one) => this.#masked(one));
    return masked.some((one, at) => one !== list[at]) ? masked : list;
  }

  /** A text may be cut within a secret: its beginning before an ellipsis is masked as well. */
  #withoutBeginnings(text: string): string {
    if (!text.includes('…')) return text;
    const parts = text.split('…');
    const last = parts.length - 1;
    const isCut = (at: number) => at < last && at >= last - mostCuts;
    return parts.map((part, at) => (isCut(at) ? this.#withoutBeginning(part) : part)).join('…');
  }

  #withoutBeginning(part: string): string {
    for (const form of this.#forms) {
      for (let length = form.length - 1; length >= shortest; length -= 1) {
        if (part.endsWith(form.slice(0, length))) return part.slice(0, -length) + mask;
      }
    }
    return part;
  }
}

/** Fewest characters of a Base64 fragment to mask. */
const leastEncoded = 8;

/** All forms of a secret in reports, command lines and logs; longest first. */
function writtenForms(secret: string): string[] {
  const quoted = secret.replaceAll("'", `'\\''`);
  const percent = encodeURIComponent(secret);
  const plain = [
    secret,
    quoted,
    printfFormat(Buffer.from(secret, 'utf8')).slice(1, -1),
    percent,
    // As a URL parser writes it in a query, and as in RFC 3986.
    percent.replaceAll("'", '%27'),
    percent.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
    percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    encodeURI(secret),
    percent.replaceAll('%20', '+'),
  ];
  const json = plain.flatMap((form) => [inJson(form), inJson(inJson(form))]);
  return [...new Set([...plain, ...json, ...encoded(secret)])].sort((a, b) => b.length - a.length);
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Base64 of the secret, and the part that stays the same between other bytes, as in `name:secret`. */
function encoded(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const inside = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const whole = (before + bytes.length) % 3 === 0;
    return text.slice(before === 0 ? 0 : before + 1, whole ? undefined : -1);
  });
  const alone = bytes.toString('base64');
  const forms = [alone, alone.replace(/=+$/, ''), ...inside.filter((part) => part.length >= leastEncoded)];
  return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}
