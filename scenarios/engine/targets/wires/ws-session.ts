/** One connection over WebSocket, with requests in both directions (TS-0020). */

import type { WebSocket } from 'ws';
import type { Serialization } from '../../grammar/dialects.ts';
import { serialize } from '../../messages/serialization.ts';
import { inTime } from '../exchanging/deadline.ts';
import { RouteError } from '../exchanging/failure.ts';
import type { NotificationHandler, RouteResult } from './route.ts';
import type { UnsolicitedMessages } from './unsolicited.ts';
import {
  isRequest,
  payloadIn,
  readWhole,
  replyTo,
  requestFacts,
  routeResult,
  type WholeMessage,
} from './whole-message.ts';

/** Octets of the longest message. */
export const largest = 16 * 1024 * 1024;
/** Unsolicited messages after which the sender is no CSE. */
const mostUnsolicited = 10_000;
/** Milliseconds for a closing handshake. */
const closeTimeout = 500;

/** Receivers of messages beside answers. */
export interface WsListener {
  readonly unsolicited: UnsolicitedMessages;
  /** The path of the inbox for an address, with a leading slash; without one, nothing is answered. */
  readonly inboxOf: (to: string) => string | undefined;
  readonly onNotification: NotificationHandler;
}

interface PendingRequest {
  readonly resolve: (routed: RouteResult) => void;
  readonly reject: (error: RouteError) => void;
}

export class WsSession {
  readonly #socket: WebSocket;
  readonly #listener: WsListener;
  /** The server's handshake, where this side is the client. */
  handshake: Readonly<Record<string, string>> = {};
  /** Unanswered requests, by identifier, oldest first. */
  readonly #pending = new Map<string, readonly PendingRequest[]>();
  /** Resolves when the connection is closed. */
  readonly closed: Promise<void>;
  #unsolicited = 0;
  #isLeaving = false;

  constructor(socket: WebSocket, listener: WsListener) {
    this.#socket = socket;
    this.#listener = listener;
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.on('message', (data, isBinary) => this.#take(data as Buffer, isBinary));
    socket.on('close', (code) => this.#end(new RouteError('closed', ending(code))));
    socket.on('error', (error) => this.#end(new RouteError('malformed', `invalid WebSocket data: ${error.message}`)));
  }

  /** The serialization of its subprotocol. */
  get #serialization(): Serialization {
    return this.#socket.protocol === subprotocolOf('cbor') ? 'cbor' : 'json';
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Rejects with a RouteError; waits for the answer until `signal` is aborted. */
  ask(identifier: string, primitive: unknown, signal: AbortSignal): Promise<RouteResult> {
    if (!this.isOpen) return Promise.reject(new RouteError('closed', ending(0)));
    this.#listener.unsolicited.noteRequest(identifier);
    const response = new Promise<RouteResult>((resolve, reject) => {
      const pending = { resolve, reject };
      this.#pending.set(identifier, [...(this.#pending.get(identifier) ?? []), pending]);
      signal.addEventListener('abort', () => this.#forget(identifier, pending));
    });
    this.#send(primitive);
    return response;
  }

  /** At once, or after the last answer. */
  closeWhenIdle(): void {
    this.#isLeaving = true;
    if (this.#pending.size === 0) void this.close();
  }

  /** Terminates the connection without a closing handshake in time. */
  async close(): Promise<void> {
    const socket = this.#socket;
    if (socket.readyState === socket.CLOSED) return;
    socket.close(1000);
    const isClosed = this.closed.then(() => true);
    if ((await inTime(isClosed, closeTimeout)) === undefined) socket.terminate();
  }

  #forget(identifier: string, pending: PendingRequest): void {
    const left = this.#pending.get(identifier)?.filter((one) => one !== pending) ?? [];
    if (left.length > 0) this.#pending.set(identifier, left);
    else this.#pending.delete(identifier);
    if (this.#isLeaving && this.#pending.size === 0) void this.close();
  }

  #take(data: Uint8Array, isBinary: boolean): void {
    const message = readWhole(data);
    const frame = isBinary ? 'binary' : 'text';
    if (isRequest(message)) this.#receive(message, frame);
    else this.#settle(message, frame);
  }

  #settle(message: WholeMessage, frame: string): void {
    const { rqi } = message.response;
    const { unsolicited } = this.#listener;
    const identifier = unsolicited.knows(rqi) ? rqi : this.#onlyOne;
    if (unsolicited.knows(rqi)) unsolicited.noteAnswer(rqi, message.text);
    const [first] = (identifier !== undefined && this.#pending.get(identifier)) || [];
    if (identifier === undefined || first === undefined) {
      // Garbage that nobody waits for counts as a request.
      if (message.payload.startsWith('no')) unsolicited.add('requests', { frame, payload: message.payload });
      this.#noteUnsolicited();
      return;
    }
    this.#unsolicited = 0;
    this.#forget(identifier, first);
    const facts = { frame, ...this.handshake, ...(unsolicited.take(identifier) as Record<string, string[]>) };
    const serialization = this.#serialization;
    const usual = { frame: serialization === 'cbor' ? 'binary' : 'text', payload: payloadIn(serialization) };
    const asked = { rqi: identifier, subprotocol: subprotocolOf(serialization), ...usual };
    first.resolve(routeResult(message, { binding: 'WebSocket', asked, ...facts }));
  }

  /** The request of an answer without a known identifier. */
  get #onlyOne(): string | undefined {
    const [one, ...more] = [...this.#pending];
    return more.length === 0 && one?.[1].length === 1 ? one[0] : undefined;
  }

  #receive(message: WholeMessage, frame: string): void {
    const { unsolicited, inboxOf, onNotification } = this.#listener;
    const target = inboxOf(`/${String(message.request.to ?? '').replace(/^\/+/, '')}`);
    const { protocol: subprotocol } = this.#socket;
    const facts = { ...(this.#serialization === 'cbor' && { subprotocol }), frame, ...requestFacts(message) };
    unsolicited.add('requests', facts, target);
    const reply = target === undefined ? undefined : replyTo(message, onNotification, target);
    if (reply !== undefined && this.isOpen) this.#send(reply);
  }

  /** Opcodes as in TS-0020, table 6.2.2.9-1. */
  #send(primitive: unknown): void {
    const serialization = this.#serialization;
    this.#socket.send(serialize(primitive, serialization), { binary: serialization === 'cbor' });
  }

  #noteUnsolicited(): void {
    this.#unsolicited++;
    if (this.#unsolicited <= mostUnsolicited) return;
    this.#end(new RouteError('malformed', 'the target sends thousands of messages that answer nothing'));
    this.#socket.terminate();
  }

  #end(error: RouteError): void {
    const all = [...this.#pending.values()].flat();
    this.#pending.clear();
    for (const { reject } of all) reject(error);
  }
}

/** The subprotocol of a serialization (TS-0020, table 6.2.2.9-1). */
export const subprotocolOf = (serialization: Serialization): string => `oneM2M.${serialization}`;

/** 1006 means an abnormal closure (RFC 6455, clause 7.4.1). */
function ending(code: number): string {
  const why = code === 0 || code === 1005 || code === 1006 ? '' : ` (${code})`;
  return `the target closed the connection before its answer${why}`;
}
