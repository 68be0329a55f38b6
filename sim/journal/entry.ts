/** One request of a journal, with its answer. */
import { readTrace } from '../core/trace-context.ts';
import { isObject } from '../dialects/body.ts';
import type { HttpRequest, HttpResponse, Wire } from '../dialects/http-message.ts';
import { wireNames, wireOf } from '../dialects/outgoing-message.ts';
import { JournalMessage, type MessageParts } from './message.ts';

export type JournalOperation = 'create' | 'retrieve' | 'update' | 'delete' | 'notify' | 'other';

/** What is known of a request when it is received or sent. */
export type RequestFacts = Omit<HttpRequest, 'headers' | 'body'> & MessageParts;

/** Characters. */
const maxReasonLength = 300;

export class JournalAnswer extends JournalMessage {
  /** HTTP status. */
  readonly status: number;

  constructor(answer: HttpResponse) {
    super(answer);
    this.status = answer.status;
  }

  /** Response status code of oneM2M (X-M2M-RSC), such as 2001; undefined when the answer has none. */
  get code(): number | undefined {
    const code = this.headers['x-m2m-rsc'];
    return code === undefined ? undefined : Number(code);
  }

  /** The reason of a refusal from its `m2m:dbg`: bounded, without the userinfo of URLs; undefined without one. */
  get reason(): string | undefined {
    if (this.status < 400 || !isObject(this.json) || !Object.hasOwn(this.json, 'm2m:dbg')) return undefined;
    const text = String(this.json['m2m:dbg']).replace(/\/\/[^/@\s]*@/g, '//…@');
    return text.length <= maxReasonLength ? text : `${text.slice(0, maxReasonLength)}…`;
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

/** Number, time and receiver of a request in a journal. */
interface EntryPosition {
  readonly number: number;
  readonly at: number;
  readonly to: string | undefined;
}

/** A request as a CSE received or sent it, parsed only as far as used. It has its answer as soon as there is one. */
export class JournalEntry extends JournalMessage {
  /** Counts the requests of a journal from 1 on, in order of arrival. */
  readonly number: number;
  /** Microseconds since 1970 UTC, by the clock of the CSE. */
  readonly at: number;
  /** Base URL of the receiver, for requests sent by the CSE. */
  readonly to: string | undefined;
  readonly method: string;
  /** Path and query, percent-encoded, as sent. */
  readonly target: string;
  /** IP address of the sender, if it came over a network. */
  readonly address: string | undefined;
  /** The wire that carried it. */
  readonly wire: Wire;
  /** URIs of the sender's certificate, if it presented one. */
  readonly certificate: readonly string[] | undefined;
  readonly #began = performance.now();
  #milliseconds: number | undefined;
  #until: number | undefined;
  #answer: JournalAnswer | undefined;
  #problem: string | undefined;

  constructor(request: RequestFacts, { number, at, to }: EntryPosition) {
    super(request);
    this.number = number;
    this.at = at;
    this.to = to;
    this.method = request.method;
    this.target = request.target;
    this.address = request.address;
    this.wire = request.wire ?? wireOf(to ?? '') ?? 'http';
    this.certificate = request.peer?.uris;
  }

  /** For its journal: sets the answer, or why there is none, and how many requests had arrived by then. */
  settle(answer: HttpResponse | undefined, problem: string | undefined, until: number): void {
    this.#milliseconds = performance.now() - this.#began;
    this.#until = until;
    this.#answer = answer && new JournalAnswer(answer);
    this.#problem = problem;
  }

  /** Without the query: `/onem2m/App/temperature`. */
  get path(): string {
    const end = this.target.indexOf('?');
    return end < 0 ? this.target : this.target.slice(0, end);
  }

  /** Parameters of the query; repeated ones as a list. */
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

  /** W3C trace id, shared by all requests that one causes; undefined without a well-formed `traceparent`. */
  get traceId(): string | undefined {
    return readTrace(this.headers)?.id;
  }

  /** Undefined while awaited, and when none came. */
  get answer(): JournalAnswer | undefined {
    return this.#answer;
  }

  /** Why no answer came, in one sentence. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Real time from its arrival to its answer, whatever the clock of the CSE; undefined while awaited. */
  get milliseconds(): number | undefined {
    return this.#milliseconds;
  }

  /** Number of the last request that had arrived when it was answered: those up to it were concurrent. */
  get until(): number | undefined {
    return this.#until;
  }

  /** `POST /onem2m/App/temperature from CApp, answered 201 (2001)`; over another wire than HTTP `from CApp over MQTT`. */
  override toString(): string {
    const { method, target, originator, answer, problem, wire } = this;
    const by = wire === 'http' ? '' : ` over ${wireNames[wire]}`;
    const from = `${originator === undefined ? 'without an originator' : `from ${originator}`}${by}`;
    const code = answer?.code === undefined ? '' : ` (${answer.code})`;
    const end = answer ? `answered ${answer.status}${code}` : (problem ?? 'not answered yet');
    return `${method} ${target} ${from}, ${end}`;
  }

  /** Everything in it, as a plain value. */
  toJSON(): object {
    const { number, until, at, method, target, to, wire, originator, certificate, operation, traceId } = this;
    const { headers, body, answer, problem, milliseconds } = this;
    const fields = { number, until, at, method, target, to, wire, originator, certificate, operation, traceId };
    return { ...fields, headers, body, answer, problem, milliseconds };
  }
}
