/** Messages on a wire beside the expected answers. */

/** Elements reported at once, and pending ones; remembered requests, answers to one of them, and exchanges that an element waits for. */
const most = { reported: 20, waiting: 1_000, remembered: 5_000, answers: 8, passed: 10 };

interface KnownRequest {
  /** How often it was sent: an identifier may be used again. */
  requests: number;
  /** Elements added before. */
  elementsBefore: number;
  readonly answers: string[];
}

interface PendingElement {
  readonly list: string;
  readonly element: unknown;
  /** Elements added before. */
  readonly number: number;
  /** Prefix of the identifiers of requests that it belongs to; any when empty. */
  readonly about: string;
  /** Exchanges ended since. */
  age: number;
}

/**
 * Keeps unexpected messages and reports them with the exchange that ends next, for rules to check: requests of the target, and
 * repeated answers. A message to an inbox is reported with an exchange that began afterwards, whether it or the answer to its
 * cause came first.
 */
export class UnsolicitedMessages {
  readonly #known = new Map<string, KnownRequest>();
  #pending: PendingElement[] = [];
  #count = 0;
  readonly #mayRepeat: boolean;

  /** `mayRepeat`: the wire itself may deliver a message twice. */
  constructor({ mayRepeat }: { readonly mayRepeat: boolean }) {
    this.#mayRepeat = mayRepeat;
  }

  noteRequest(identifier: string): void {
    const known = this.#known.get(identifier) ?? { requests: 0, elementsBefore: 0, answers: [] };
    known.requests += 1;
    known.elementsBefore = this.#count;
    this.#known.delete(identifier);
    this.#known.set(identifier, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > most.remembered && oldest !== undefined) this.#known.delete(oldest);
  }

  /** Whether a recent request had this identifier. */
  knows(identifier: unknown): identifier is string {
    return typeof identifier === 'string' && this.#known.has(identifier);
  }

  /** Records the text of an answer; a surplus one is reported. */
  noteAnswer(identifier: string, text: string): void {
    const known = this.#known.get(identifier);
    if (known === undefined || known.answers.length === most.answers) return;
    const isRepeated = this.#mayRepeat && known.answers.includes(text);
    if (known.answers.length >= known.requests && !isRepeated) this.add('again', identifier);
    known.answers.push(text);
  }

  /** Adds an element to a list of facts of the exchange that ends next; if for an inbox, of the next one of its scenario, if any. */
  add(list: string, element: unknown, inbox = ''): void {
    // A flooding server must not fill the memory.
    if (this.#pending.length >= most.waiting) return;
    const [label = ''] = inbox.replace(/^\//, '').split('/');
    this.#pending.push({ list, element, number: this.#count, about: label === '' ? '' : `${label}-`, age: 0 });
    this.#count += 1;
  }

  /** Number of pending elements. */
  get waiting(): number {
    return this.#pending.length;
  }

  /** Takes the pending elements for an exchange, by list. */
  take(identifier: string): Readonly<Record<string, unknown[]>> {
    const lists = new Map<string, unknown[]>();
    const before = this.#known.get(identifier)?.elementsBefore ?? this.#count;
    this.#pending = this.#pending.filter((pending) => {
      pending.age += 1;
      const isFor = pending.about === '' || (identifier.startsWith(pending.about) && pending.number < before);
      const isLeft = !isFor && pending.age < most.passed;
      const { list, element } = pending;
      if (!isLeft) lists.set(list, [...(lists.get(list) ?? []), element].slice(0, most.reported));
      return isLeft;
    });
    return Object.fromEntries(lists);
  }
}
