/** One connection over WebSocket: what is asked over it, and what the other side asks (TS-0020). */

import type { WebSocket } from 'ws';
import type { Serialization } from '../../grammar/dialects.ts';
import { written } from '../../messages/serialization.ts';
import { inTime } from '../exchanging/deadline.ts';
import { RouteError } from '../exchanging/failure.ts';
import type { BesideAnswers } from './beside.ts';
import type { Heard, Routed } from './route.ts';
import {
  isRequest,
  payloadIn,
  readWhole,
  replyTo,
  requestFacts,
  routedOf,
  type WholeMessage,
} from './whole-message.ts';

/** Octets of a message that is read. */
export const largest = 16 * 1024 * 1024;
/** Messages that nobody waits for, after which who sends them is no CSE. */
const mostUnasked = 10_000;
/** Milliseconds for a closing handshake. */
const closePatience = 500;

/** Who takes what comes beside answers. */
export interface Listener {
  readonly beside: BesideAnswers;
  /** The path of the inbox for what is addressed so, with a slash before it; whoever has none answers nothing. */
  readonly inboxOf: (to: string) => string | undefined;
  readonly heard: Heard;
}

interface Waiting {
  readonly resolve: (routed: Routed) => void;
  readonly reject: (error: RouteError) => void;
}

export class WsTalk {
  readonly #socket: WebSocket;
  readonly #listener: Listener;
  /** What the server said in its handshake, where this side was the client. */
  handshake: Readonly<Record<string, string>> = {};
  /** Requests without an answer, by their identifiers, the oldest first. */
  readonly #waiting = new Map<string, readonly Waiting[]>();
  /** Resolves when the connection is no more. */
  readonly closed: Promise<void>;
  #unasked = 0;
  #isLeaving = false;

  constructor(socket: WebSocket, listener: Listener) {
    this.#socket = socket;
    this.#listener = listener;
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.on('message', (data, isBinary) => this.#take(data as Buffer, isBinary));
    socket.on('close', (code) => this.#end(new RouteError('closed', ending(code))));
    socket.on('error', (error) =>
      this.#end(new RouteError('malformed', `what came is no WebSocket: ${error.message}`)),
    );
  }

  /** As its subprotocol names it. */
  get #serialization(): Serialization {
    return this.#socket.protocol === subprotocolOf('cbor') ? 'cbor' : 'json';
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Rejects with a RouteError; an answer that does not come is waited for until `over`. */
  ask(identifier: string, primitive: unknown, over: AbortSignal): Promise<Routed> {
    if (!this.isOpen) return Promise.reject(new RouteError('closed', ending(0)));
    this.#listener.beside.asked(identifier);
    const answered = new Promise<Routed>((resolve, reject) => {
      const waiting = { resolve, reject };
      this.#waiting.set(identifier, [...(this.#waiting.get(identifier) ?? []), waiting]);
      over.addEventListener('abort', () => this.#forget(identifier, waiting));
    });
    this.#send(primitive);
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

  #take(data: Uint8Array, isBinary: boolean): void {
    const message = readWhole(data);
    const frame = isBinary ? 'binary' : 'text';
    if (isRequest(message)) this.#hear(message, frame);
    else this.#settle(message, frame);
  }

  #settle(message: WholeMessage, frame: string): void {
    const { rqi } = message.response;
    const { beside } = this.#listener;
    const identifier = beside.knows(rqi) ? rqi : this.#onlyOne;
    if (beside.knows(rqi)) beside.answered(rqi, message.text);
    const [first] = (identifier !== undefined && this.#waiting.get(identifier)) || [];
    if (identifier === undefined || first === undefined) {
      // Where nobody waits for an answer it is none.
      if (message.payload.startsWith('no')) beside.tell('requests', { frame, payload: message.payload });
      this.#unaskedFor();
      return;
    }
    this.#unasked = 0;
    this.#forget(identifier, first);
    const facts = { frame, ...this.handshake, ...(beside.take(identifier) as Record<string, string[]>) };
    const asked = { rqi: identifier, ...conventions(this.#serialization) };
    first.resolve(routedOf(message, { binding: 'WebSocket', asked, ...facts }));
  }

  /** The request to which an answer without a known identifier belongs. */
  get #onlyOne(): string | undefined {
    const [one, ...more] = [...this.#waiting];
    return more.length === 0 && one?.[1].length === 1 ? one[0] : undefined;
  }

  #hear(message: WholeMessage, frame: string): void {
    const { beside, inboxOf, heard } = this.#listener;
    const target = inboxOf(`/${String(message.request.to ?? '').replace(/^\/+/, '')}`);
    const { protocol: subprotocol } = this.#socket;
    const said = { ...(this.#serialization === 'cbor' && { subprotocol }), frame, ...requestFacts(message) };
    beside.tell('requests', said, target);
    const reply = target === undefined ? undefined : replyTo(message, heard, target);
    if (reply !== undefined && this.isOpen) this.#send(reply);
  }

  /** Opcodes are those of TS-0020, table 6.2.2.9-1. */
  #send(primitive: unknown): void {
    const serialization = this.#serialization;
    this.#socket.send(written(primitive, serialization), { binary: serialization === 'cbor' });
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

/** What is offered in a handshake for primitives in it (TS-0020, table 6.2.2.9-1). */
export const subprotocolOf = (serialization: Serialization): string => `oneM2M.${serialization}`;

const conventions = (serialization: Serialization) => ({
  subprotocol: subprotocolOf(serialization),
  frame: serialization === 'cbor' ? 'binary' : 'text',
  payload: payloadIn(serialization),
});

/** 1006 stands for a connection that just ended (RFC 6455, clause 7.4.1). */
function ending(code: number): string {
  const why = code === 0 || code === 1005 || code === 1006 ? '' : ` (${code})`;
  return `the target closed the connection before its answer${why}`;
}
