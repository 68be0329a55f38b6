/** What comes over a wire beside the answers that are waited for. */

/** Elements that are told at once, and that wait to be; requests that are remembered, answers to one of them, and exchanges that something waits for. */
const most = { told: 20, waiting: 1_000, remembered: 5_000, answers: 8, passed: 10 };

interface KnownRequest {
  /** How often it was asked: an identifier may be used again. */
  requests: number;
  /** What had been told by then. */
  elementsBefore: number;
  readonly answers: string[];
}

interface PendingElement {
  readonly list: string;
  readonly element: unknown;
  /** How many were told before. */
  readonly number: number;
  /** What the identifiers of requests begin with that it is meant for; any when empty. */
  readonly about: string;
  /** Exchanges that have ended since. */
  age: number;
}

/**
 * Keeps what no exchange waits for, so that it is told with the one that ends next and a rule can judge it: requests of the target,
 * and answers to what was answered before. What came to an inbox is told with one that began afterwards, whether it or the answer to
 * what it notifies of came first.
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

  /** Whether it was asked here, and not too long ago. */
  knows(identifier: unknown): identifier is string {
    return typeof identifier === 'string' && this.#known.has(identifier);
  }

  /** Takes note of an answer, as it was written; one too many is told. */
  noteAnswer(identifier: string, text: string): void {
    const known = this.#known.get(identifier);
    if (known === undefined || known.answers.length === most.answers) return;
    const isRepeated = this.#mayRepeat && known.answers.includes(text);
    if (known.answers.length >= known.requests && !isRepeated) this.add('again', identifier);
    known.answers.push(text);
  }

  /** Adds an element to a list of the facts of the exchange that ends next; to that of the scenario whose inbox it is for, if that goes on and asks anew. */
  add(list: string, element: unknown, inbox = ''): void {
    // A server that floods fills no memory.
    if (this.#pending.length >= most.waiting) return;
    const [label = ''] = inbox.replace(/^\//, '').split('/');
    this.#pending.push({ list, element, number: this.#count, about: label === '' ? '' : `${label}-`, age: 0 });
    this.#count += 1;
  }

  /** How many elements wait to be told. */
  get waiting(): number {
    return this.#pending.length;
  }

  /** What was told since the last time, by its lists. */
  take(identifier: string): Readonly<Record<string, unknown[]>> {
    const lists = new Map<string, unknown[]>();
    const before = this.#known.get(identifier)?.elementsBefore ?? this.#count;
    this.#pending = this.#pending.filter((pending) => {
      pending.age += 1;
      const isFor = pending.about === '' || (identifier.startsWith(pending.about) && pending.number < before);
      const isLeft = !isFor && pending.age < most.passed;
      const { list, element } = pending;
      if (!isLeft) lists.set(list, [...(lists.get(list) ?? []), element].slice(0, most.told));
      return isLeft;
    });
    return Object.fromEntries(lists);
  }
}
