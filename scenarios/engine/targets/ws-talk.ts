/** One connection over WebSocket: what is asked over it, and what the other side asks (TS-0020). */

import type { RawData, WebSocket } from 'ws';
import { isObject, jsonOf } from '../basics/body.ts';
import { answerOf, notificationOf } from '../messages/primitive.ts';
import type { HeaderList } from '../messages/target.ts';
import type { ReceivedAnswer } from '../results/exchange.ts';
import { inTime } from './deadline.ts';
import { RouteError } from './failure.ts';

/** Octets of a message that is read. */
export const largest = 16 * 1024 * 1024;
/** Messages that nobody waits for, after which who sends them is no CSE. */
const mostUnasked = 10_000;
/** Milliseconds for a closing handshake. */
const closePatience = 500;

export interface Notified {
  /** As the request is addressed, with a slash before it. */
  readonly to: string;
  readonly headers: HeaderList;
  readonly body: string;
}

type Reply = { readonly headers: Record<string, string> } | undefined;

interface Waiting {
  readonly resolve: (answer: ReceivedAnswer) => void;
  readonly reject: (error: RouteError) => void;
}

export class WsTalk {
  readonly #socket: WebSocket;
  readonly #notified: (request: Notified) => Reply;
  /** Requests without an answer, by their identifiers, the oldest first. */
  readonly #waiting = new Map<string, readonly Waiting[]>();
  /** Resolves when the connection is no more. */
  readonly closed: Promise<void>;
  #unasked = 0;
  #isLeaving = false;

  constructor(socket: WebSocket, notified: (request: Notified) => Reply) {
    this.#socket = socket;
    this.#notified = notified;
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.on('message', (data) => this.#take(data));
    socket.on('close', (code) => this.#end(new RouteError('closed', ending(code))));
    socket.on('error', (error) =>
      this.#end(new RouteError('malformed', `what came is no WebSocket: ${error.message}`)),
    );
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Rejects with a RouteError; an answer that does not come is waited for until `over`. */
  ask(identifier: string, primitive: unknown, over: AbortSignal): Promise<ReceivedAnswer> {
    if (!this.isOpen) return Promise.reject(new RouteError('closed', ending(0)));
    const answered = new Promise<ReceivedAnswer>((resolve, reject) => {
      const waiting = { resolve, reject };
      this.#waiting.set(identifier, [...(this.#waiting.get(identifier) ?? []), waiting]);
      over.addEventListener('abort', () => this.#forget(identifier, waiting));
    });
    this.#socket.send(JSON.stringify(primitive));
    return answered;
  }

  /** At once, or when all is answered. */
  closeWhenIdle(): void {
    this.#isLeaving = true;
    if (this.#waiting.size === 0) void this.close();
  }

  /** Who does not answer the closing handshake is cut off. */
  async close(): Promise<void> {
    const socket = this.#socket;
    if (socket.readyState === socket.CLOSED) return;
    socket.close(1000);
    if (
      (await inTime(
        this.closed.then(() => true),
        closePatience,
      )) === undefined
    )
      socket.terminate();
  }

  #forget(identifier: string, waiting: Waiting): void {
    const left = this.#waiting.get(identifier)?.filter((one) => one !== waiting) ?? [];
    if (left.length > 0) this.#waiting.set(identifier, left);
    else this.#waiting.delete(identifier);
    if (this.#isLeaving && this.#waiting.size === 0) void this.close();
  }

  #take(data: RawData): void {
    const value = jsonOf(String(data));
    const { 'm2m:rsp': response = value, 'm2m:rqp': request = value } = isObject(value) ? value : {};
    const notification = notificationOf(request);
    if (notification !== undefined && isObject(request)) this.#hear(request, notification);
    else this.#settle(response);
  }

  #settle(response: unknown): void {
    const answer = answerOf(response);
    const rqi = isObject(response) ? response.rqi : undefined;
    const [first] = (typeof rqi === 'string' && this.#waiting.get(rqi)) || [];
    if (answer === undefined || first === undefined) {
      this.#unaskedFor();
      return;
    }
    this.#unasked = 0;
    this.#forget(String(rqi), first);
    first.resolve(answer);
  }

  #hear(request: Readonly<Record<string, unknown>>, { headers, body }: Omit<Notified, 'to'>): void {
    const { rqi, rvi, to } = request;
    const reply = this.#notified({ to: `/${String(to ?? '').replace(/^\/+/, '')}`, headers, body });
    if (reply === undefined || !this.isOpen) return;
    const code = Object.entries(reply.headers).find(([name]) => name.toLowerCase() === 'x-m2m-rsc')?.[1];
    this.#socket.send(JSON.stringify({ rsc: Number(code), rqi, rvi }));
  }

  #unaskedFor(): void {
    this.#unasked++;
    if (this.#unasked <= mostUnasked) return;
    this.#end(new RouteError('malformed', 'the target sends thousands of messages that answer nothing'));
    this.#socket.terminate();
  }

  #end(error: RouteError): void {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    for (const { reject } of all) reject(error);
  }
}

/** 1006 stands for a connection that just ended (RFC 6455, clause 7.4.1). */
function ending(code: number): string {
  const why = code === 0 || code === 1005 || code === 1006 ? '' : ` (${code})`;
  return `the target closed the connection before its answer${why}`;
}
