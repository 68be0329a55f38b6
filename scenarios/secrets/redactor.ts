import { UsageError } from '../engine/files/diagnostics.ts';
import { writtenForms } from './written-forms.ts';

const mask = '***';
/** Characters of the shortest secret: a shorter one would mask half of every report. */
const shortest = 4;
/** Ellipses of a text that are looked at, from its end: more come from a target and not from us. */
const mostCuts = 20;

/** What the format of results gives the words of: they hold nothing that came from outside. */
const vocabulary = new Set([
  'again',
  'claim',
  'connection',
  'dialect',
  'failOn',
  'handshake',
  'how',
  'kind',
  'level',
  'on',
  'phase',
  'state',
  'type',
  'verdict',
]);

/** Masks secrets in whatever is written or printed. */
export class Redactor {
  readonly #secrets = new Set<string>();
  #forms: readonly string[] = [];

  /** Throws a UsageError for a secret that is too short to be masked. */
  constructor(secrets: Iterable<string> = []) {
    for (const secret of secrets) {
      if (secret.length < shortest) {
        throw new UsageError(`a secret of fewer than ${shortest} characters cannot be masked`);
      }
      this.learn(secret);
    }
  }

  /** One more secret; what is too short to be told apart from other text is let go. */
  learn(secret: string): void {
    if (secret.length < shortest) return;
    this.#secrets.add(secret);
    const forms = new Set([...this.#forms, ...writtenForms(secret)]);
    this.#forms = [...forms].sort((a, b) => b.length - a.length);
  }

  /** What is masked. */
  get secrets(): readonly string[] {
    return [...this.#secrets];
  }

  text(text: string): string {
    let shown = text;
    for (const form of this.#forms) if (shown.includes(form)) shown = shown.replaceAll(form, mask);
    return this.#forms.length === 0 ? shown : this.#withoutBeginnings(shown);
  }

  /** The same value with every text in it masked, at any depth; the value itself where there is nothing to mask. */
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
    const entries = Object.entries(value).map(([key, inner]) => [key, this.#maskedField(key, inner)] as const);
    const changed = entries.some(([key, inner]) => inner !== (value as Record<string, unknown>)[key]);
    return changed ? Object.fromEntries(entries) : value;
  }

  #maskedList(list: readonly unknown[]): readonly unknown[] {
    const masked = list.map((one) => this.#masked(one));
    return masked.some((one, at) => one !== list[at]) ? masked : list;
  }

  #maskedField(key: string, value: unknown): unknown {
    return vocabulary.has(key) ? value : this.#masked(value);
  }

  /** A text that was cut may end within a secret: what is left of it before an ellipsis is masked as well. */
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
