import type { Dialect } from '../engine/grammar/dialects.ts';
import { type AnswerView, isSuccess, summaryOf, viewOf } from '../engine/judging/answer.ts';
import {
  asRaw,
  type ClientCertificate,
  now,
  type RequestMessage,
  since,
  type Target,
  type Way,
} from '../engine/messages/target.ts';
import { freshIdentifier, headerList, usualHeaders } from '../engine/messages/usual-headers.ts';
import { type Query, withQuery } from '../engine/messages/wire.ts';
import type { Exchange } from '../engine/results/exchange.ts';
import { Pace } from '../engine/targets/exchanging/load-limits.ts';
import { certificateFor, type PreparedUrl } from '../engine/targets/url-choice.ts';
import { quoted, shownOriginator } from './finding.ts';

export interface Question {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly query?: Query;
  /** Null: none; absent: the usual one. */
  readonly originator?: string | null;
  /** Other headers; null omits a usual one. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** The resource to create. */
  readonly content?: { readonly ty: number; readonly body: unknown };
  /** A literal body, instead of content. */
  readonly text?: string;
  /** Without the usual client certificate. */
  readonly anonymous?: boolean;
  /** Milliseconds to watch whether the target closes the connection after its answer. */
  readonly watch?: number;
}

/** An answer, or why none came. */
export interface ProbeAnswer {
  readonly view: AnswerView;
  readonly exchange: Exchange;
  readonly success: boolean;
  /** Such as `GET /onem2m as CAdmin: 200, RSC 2000`. */
  readonly evidence: string;
  /** The body as received. */
  readonly text: string;
  /** Whether there was any HTTP answer. */
  readonly answered: boolean;
  /** The request was not sent. */
  readonly unsent: boolean;
}

/** Defaults for requests. */
interface Speech {
  readonly dialect: Dialect;
  readonly release: string;
  readonly originator: string | undefined;
  /** Accept of reads; that of the dialect when absent. */
  readonly accept?: string;
}

export interface AskerOptions extends Omit<Speech, 'accept'> {
  /** Waits for a dead target after a missing answer. */
  readonly survives?: (unanswered: Exchange, request: number) => Promise<'alive' | 'back' | 'gone'>;
  /** Least milliseconds between the beginnings of two requests. */
  readonly gap: number;
  /** Most requests, not counting deletions. */
  readonly most: number;
  readonly certificate?: ClientCertificate | undefined;
  /** Whether the wire is not HTTP, so that connections cannot be watched. */
  readonly otherWire?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Consecutive missing answers after which nothing more is sent; 3 when absent. */
  readonly patience?: number;
}

/** Releases for requests (TS-0004 6.4.2), the oldest first. */
export const releases = ['2a', '3', '4', '5'];

const usualPatience = 3;

/** Sends requests to a target one at a time, within a rate and a number. Never rejects. */
export class Asker {
  requests = 0;
  /** Evidence of the last missing answer. */
  silence: string | undefined;
  #target: Target;
  readonly #options: AskerOptions;
  readonly #pace: Pace;
  #speech: Speech;
  #silent = 0;
  #answered = false;
  #writes = false;
  #died = false;

  constructor(target: Target, options: AskerOptions) {
    this.#target = target;
    this.#options = options;
    this.#pace = new Pace({ requests: 1, per: options.gap });
    const { dialect, release, originator } = options;
    this.#speech = { dialect, release, originator };
  }

  get interrupted(): boolean {
    return this.#options.signal?.aborted === true;
  }

  /** Whether the target has stopped answering. */
  get silenced(): boolean {
    return this.#silent >= (this.#options.patience ?? usualPatience);
  }

  get originator(): string | undefined {
    return this.#speech.originator;
  }

  get release(): string {
    return this.#speech.release;
  }

  /** Changes the defaults for later requests. */
  speak(as: Partial<Speech>): void {
    this.#speech = { ...this.#speech, ...as };
  }

  /** Sends everything through this target from now on, which leads to the same CSE. */
  through(target: Target): void {
    this.#writes = true;
    this.#target = target;
  }

  ask(question: Question): Promise<ProbeAnswer> {
    const problem = this.#objection();
    return problem === undefined ? this.#send(question) : Promise.resolve(unsent(question, problem));
  }

  /** Sends a deletion, even after an interruption or beyond the number of requests. */
  remove(question: Question): Promise<ProbeAnswer> {
    return this.#send({ method: 'DELETE', ...question });
  }

  #objection(): string | undefined {
    if (this.interrupted) return 'the probe was interrupted';
    if (this.#died) return 'the target had died, and what was created there may be gone';
    if (this.silenced) return 'the target had stopped answering';
    return this.requests < this.#options.most ? undefined : 'a probe sends no more requests';
  }

  async #send(question: Question): Promise<ProbeAnswer> {
    const { certificate, otherWire = false } = this.#options;
    const watch = otherWire ? undefined : question.watch;
    const way: Way = { ...(!otherWire && { alone: true }), ...(certificate && !question.anonymous && { certificate }) };
    const request = this.#request(question);
    const refusal = await this.#target.objection(request, way);
    if (refusal !== undefined) return unsent(question, refusal.replace(/^not sent: /, ''));
    await this.#pace.turn();
    this.requests += 1;
    const started = now();
    const sent = watch === undefined ? request : asRaw(request);
    const exchange = await this.#target
      .send(sent, { ...way, watchConnection: watch ?? 0 })
      .catch((error: unknown) => failed(request, error, since(started)));
    const answer = answerOf(question, this.#named(question), exchange);
    this.#silent = answer.answered ? 0 : this.#silent + 1;
    if (!answer.answered) this.silence = answer.evidence;
    await this.#survive(exchange);
    return answer;
  }

  /** Waits for a target that stopped answering; does not repeat the request. */
  async #survive(exchange: Exchange): Promise<void> {
    if (exchange.answer !== undefined) this.#answered = true;
    if (exchange.answer !== undefined || !this.#answered) return;
    const became = await this.#options.survives?.(exchange, this.requests);
    if (became === 'gone') this.#silent = this.#options.patience ?? usualPatience;
    if (became !== 'back') return;
    this.#silent = 0;
    this.#died = this.#writes;
  }

  #named({ originator }: Question): string | undefined {
    return originator === null ? undefined : (originator ?? this.originator);
  }

  #request(question: Question): RequestMessage {
    const { method = 'GET', path, query = {}, headers = {}, content, text } = question;
    const { release, accept = null } = this.#speech;
    const requestIdentifier = () => freshIdentifier(`cselab-probe-${this.requests + 1}`);
    // Reads have the headers of the standard in either dialect, which does no harm.
    const dialect = method === 'GET' ? 'onem2m' : this.#speech.dialect;
    const speech = { dialect, release, requestIdentifier };
    const body = text ?? (content && JSON.stringify(content.body));
    const usual = usualHeaders({ originator: this.#named(question), speech }, body === undefined ? undefined : content);
    const all = { ...usual, ...(method === 'GET' && { Accept: accept }), ...headers };
    const message = { method, path: withQuery(path, query), headers: headerList(all) };
    return body === undefined ? message : { ...message, body: Buffer.from(body) };
  }
}

function answerOf(question: Question, originator: string | undefined, exchange: Exchange): ProbeAnswer {
  const { method = 'GET', path, query = {} } = question;
  const by = originator === undefined ? '' : ` as ${shownOriginator(originator)}`;
  return {
    view: viewOf(exchange),
    exchange,
    success: isSuccess(exchange),
    evidence: quoted(`${method} ${withQuery(path, query)}${by}: ${summaryOf(exchange)}`, 240),
    text: exchange.answer?.body ?? '',
    answered: exchange.answer !== undefined,
    unsent: false,
  };
}

function unsent(question: Question, message: string): ProbeAnswer {
  const { method = 'GET', path, query = {} } = question;
  const exchange = failed({ method, path, headers: [] }, message, 0);
  const evidence = quoted(`not sent, ${message}: ${method} ${withQuery(path, query)}`, 240);
  return { ...answerOf(question, undefined, exchange), evidence, unsent: true };
}

/** An exchange without an answer. */
function failed({ method, path, headers }: RequestMessage, error: unknown, took: number): Exchange {
  const message = error instanceof Error ? error.message : String(error);
  return { request: { method, path, headers }, failure: { kind: 'interrupted', message }, at: 0, took, curl: '' };
}

/** An asker with the configured dialect, release and certificate. */
export function askerOf(
  target: Target,
  prepared: PreparedUrl,
  options: Omit<AskerOptions, 'dialect' | 'release' | 'certificate'>,
): Asker {
  const { dialect = 'documented', release = '3' } = prepared.choice;
  const wire = { certificate: certificateFor(prepared), otherWire: prepared.route !== undefined };
  return new Asker(target, { ...options, ...wire, dialect, release });
}

/** The only permitted originator, if the user or a certificate names one. */
export function onlyOriginator(prepared: PreparedUrl): string | undefined {
  return prepared.choice.originator ?? certificateFor(prepared)?.uris[0];
}
