import type { Dispatcher } from 'undici';
import type { ReceivedAnswer } from '../messages/exchange.ts';
import { largestAnswer, mostHeaders, tooLong, tooManyHeaders } from './answer-reader.ts';
import { BodyBytes } from './body-bytes.ts';
import { deadline } from './deadline.ts';
import { cutShort, type Failure, failureOf, timeoutFailure } from './failure.ts';
import type { RequestMessage } from './target.ts';

export type Dispatched = { readonly answer: ReceivedAnswer } | { readonly failure: Failure };

/**
 * Sends a request and takes the answer as it comes, without a stream, which would cost as much as all the rest.
 * `timeout` in milliseconds. Rejects with an error that says nothing about the target, such as that of a method that cannot be sent.
 */
export function dispatched(client: Dispatcher, message: RequestMessage, timeout: number): Promise<Dispatched> {
  const { method, path, headers, body = null } = message;
  return new Promise((resolve, reject) => {
    const answer = new ComingAnswer((came) => {
      stop();
      if (came instanceof Error) reject(came);
      else resolve(came);
    });
    const stop = deadline(timeout, () => answer.end({ failure: timeoutFailure(timeout) }));
    client.dispatch({ method: method as 'GET', path, headers: headers.flat(), body }, answer);
  });
}

type Controller = Dispatcher.DispatchController;
type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Bytes. What is said to be no longer is so, or is no HTTP: its parts can be kept as they come. */
const short = 64 * 1024;

class ComingAnswer implements Dispatcher.DispatchHandler {
  readonly #settle: (came: Dispatched | Error) => void;
  #controller: Controller | undefined;
  #status = 0;
  #headers: Headers = {};
  #said = Number.NaN;
  readonly #parts: Buffer[] = [];
  #bytes: BodyBytes | undefined;
  #ended = false;

  constructor(settle: (came: Dispatched | Error) => void) {
    this.#settle = settle;
  }

  /** Nothing more is waited for; a connection on which something could still come is given up. */
  end(came: Dispatched | Error, isComplete = false): void {
    if (this.#ended) return;
    this.#ended = true;
    if (!isComplete) this.#controller?.abort(new Error('nothing more is waited for'));
    this.#settle(came);
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#ended) controller.abort(new Error('nothing more is waited for'));
  }

  onResponseStart(_: Controller, status: number, headers: Headers): void {
    // An interim answer (RFC 9110 15.2): another one follows.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    this.#said = Number(headers['content-length']);
    if (!(this.#said <= short)) this.#bytes = new BodyBytes(largestAnswer);
  }

  onResponseData(_: Controller, part: Buffer): void {
    if (this.#bytes === undefined) this.#parts.push(part);
    else if (this.#said > largestAnswer || !this.#bytes.add(part)) this.#refuse(tooLong);
  }

  onResponseEnd(): void {
    const headers = pairs(this.#headers);
    if (headers.length > mostHeaders) this.#refuse(tooManyHeaders);
    else this.end({ answer: { status: this.#status, headers, body: this.#text() } }, true);
  }

  onResponseError(_: Controller, error: Error): void {
    const failure = failureOf(error);
    this.end(failure === undefined ? error : { failure: this.#status === 0 ? failure : cutShort(failure) }, true);
  }

  #refuse(message: string): void {
    this.end({ failure: { kind: 'malformed', message } });
  }

  /** What is no UTF-8 becomes U+FFFD. */
  #text(): string {
    if (this.#bytes !== undefined) return this.#bytes.text();
    const [only] = this.#parts;
    return only !== undefined && this.#parts.length === 1
      ? only.toString('utf8')
      : Buffer.concat(this.#parts).toString();
  }
}

function pairs(headers: Headers): Array<readonly [string, string]> {
  const all: Array<readonly [string, string]> = [];
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === 'string') all.push([name, value]);
    else for (const one of value ?? []) all.push([name, one]);
  }
  return all;
}
