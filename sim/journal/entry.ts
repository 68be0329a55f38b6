/** One request of a journal, with its answer. */
import { JournalMessage, type RawMessage } from './message.ts';

export type JournalOperation = 'create' | 'retrieve' | 'update' | 'delete' | 'notify' | 'other';

/** What is known of a request when it comes, or is sent. */
export interface RequestFacts extends RawMessage {
  readonly method: string;
  /** Path and query, percent-encoded, as they were sent. */
  readonly target: string;
  /** What TLS says of the sender. */
  readonly peer?: { readonly uris: readonly string[] | undefined };
  /** IP address of the sender, where the request came over a network. */
  readonly address?: string;
}

export interface AnswerFacts extends RawMessage {
  /** HTTP status. */
  readonly status: number;
}

/** What a journal keeps of a request: little, because most of them nobody ever looks at. */
export interface Kept {
  /** Counts the requests of a journal from 1 on, in the order of their coming. */
  readonly number: number;
  /** Microseconds since 1970 UTC, by the clock of the CSE. */
  readonly at: number;
  readonly request: RequestFacts;
  /** Base URL of the receiver, of what the CSE itself sends. */
  readonly to: string | undefined;
  /** Milliseconds of `performance.now()`. */
  readonly began: number;
  ended: number | undefined;
  /** Number of the last request that had come when it was answered. */
  until: number | undefined;
  answer: AnswerFacts | undefined;
  problem: string | undefined;
  /** What somebody looks at, once somebody does. */
  entry: JournalEntry | undefined;
}

export class JournalAnswer extends JournalMessage {
  /** HTTP status. */
  readonly status: number;

  constructor(facts: AnswerFacts) {
    super(facts);
    this.status = facts.status;
  }

  /** Response status code of oneM2M (X-M2M-RSC), such as 2001; undefined when the answer has none. */
  get code(): number | undefined {
    const code = this.headers['x-m2m-rsc'];
    return code === undefined ? undefined : Number(code);
  }

  toJSON(): object {
    const { status, code, headers, body } = this;
    return { status, code, headers, body };
  }
}

const operations: ReadonlyMap<string, JournalOperation> = new Map(
  Object.entries({
    GET: 'retrieve',
    HEAD: 'retrieve',
    POST: 'create',
    PUT: 'update',
    DELETE: 'delete',
  }),
);

const notifying: ReadonlySet<string | undefined> = new Set(['m2m:sgn', 'm2m:agn']);

/** A request as it came to a CSE or was sent by it. Its answer is there as soon as there is one. */
export class JournalEntry extends JournalMessage {
  readonly #kept: Kept;
  #answer: JournalAnswer | undefined;

  constructor(kept: Kept) {
    super(kept.request);
    this.#kept = kept;
  }

  /** Counts the requests of a journal from 1 on, in the order of their coming. */
  get number(): number {
    return this.#kept.number;
  }

  get method(): string {
    return this.#kept.request.method;
  }

  /** Path and query, percent-encoded, as they were sent. */
  get target(): string {
    return this.#kept.request.target;
  }

  /** Microseconds since 1970 UTC, by the clock of the CSE. */
  get at(): number {
    return this.#kept.at;
  }

  /** Base URL of the receiver, of what the CSE itself has sent. */
  get to(): string | undefined {
    return this.#kept.to;
  }

  /** IP address of the sender, where it came over a network. */
  get address(): string | undefined {
    return this.#kept.request.address;
  }

  /** URIs of the sender's certificate, where it presented one. */
  get certificate(): readonly string[] | undefined {
    return this.#kept.request.peer?.uris;
  }

  /** Without the query: `/onem2m/App/temperature`. */
  get path(): string {
    const end = this.target.indexOf('?');
    return end < 0 ? this.target : this.target.slice(0, end);
  }

  /** Parameters of the query; several of one name as a list. */
  get query(): Readonly<Record<string, string | readonly string[]>> {
    const parameters = new URLSearchParams(this.target.slice(this.path.length));
    const names = [...new Set(parameters.keys())];
    return Object.fromEntries(
      names.map((name) => {
        const values = parameters.getAll(name);
        return [name, values.length === 1 ? (values[0] ?? '') : values];
      }),
    );
  }

  get operation(): JournalOperation {
    if (this.method === 'POST' && notifying.has(this.root)) return 'notify';
    return operations.get(this.method) ?? 'other';
  }

  /** X-M2M-Origin; undefined when the request has none. */
  get originator(): string | undefined {
    return this.headers['x-m2m-origin'];
  }

  /** X-M2M-RI; undefined when the request has none. */
  get requestIdentifier(): string | undefined {
    return this.headers['x-m2m-ri'];
  }

  /** Undefined while it is awaited, and when none came. */
  get answer(): JournalAnswer | undefined {
    const { answer } = this.#kept;
    this.#answer ??= answer && new JournalAnswer(answer);
    return this.#answer;
  }

  /** Why no answer came, in one sentence. */
  get problem(): string | undefined {
    return this.#kept.problem;
  }

  /** Real time from its coming to its answer, whatever the clock of the CSE; undefined while that is awaited. */
  get milliseconds(): number | undefined {
    const { began, ended } = this.#kept;
    return ended === undefined ? undefined : ended - began;
  }

  /** Number of the last request that had come when it was answered: those up to it were under way together. */
  get until(): number | undefined {
    return this.#kept.until;
  }

  /** `POST /onem2m/App/temperature from CApp, answered 201 (2001)`. */
  override toString(): string {
    const { method, target, originator, answer, problem } = this;
    const from = originator === undefined ? 'without an originator' : `from ${originator}`;
    const code = answer?.code === undefined ? '' : ` (${answer.code})`;
    const end = answer ? `answered ${answer.status}${code}` : (problem ?? 'not answered yet');
    return `${method} ${target} ${from}, ${end}`;
  }

  /** Everything in it, as a plain value. */
  toJSON(): object {
    const { number, until, at, method, target, to, originator, certificate, operation } = this;
    const { headers, body, answer, problem, milliseconds } = this;
    const said = { number, until, at, method, target, to, originator, certificate, operation };
    return { ...said, headers, body, answer, problem, milliseconds };
  }
}
