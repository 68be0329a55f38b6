/** Where a CSE listens for requests over UDP (RFC 7252; TS-0008). What is lost is sent again, and what comes twice is done once. */

import { randomInt } from 'node:crypto';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import type { HttpService } from '../../dialects/http-message.ts';
import { type Scheduler, systemClock } from '../../environment/clock.ts';
import { refusalOf } from './mapping.ts';
import { type CoapMessage, emptyMessage, readMessage, rejectable, writeMessage } from './message.ts';
import { retransmitted } from './retransmission.ts';
import { Transfers } from './transfers.ts';

export interface CoapServerOptions {
  readonly service: HttpService;
  /** 127.0.0.1 unless given. */
  readonly interface?: string;
  /** A free one unless given. */
  readonly port?: number;
  /** Octets of one request body; 1 MiB unless given. */
  readonly bodyBytes?: number;
  /** By which messages are sent again, and known again; that of the system unless given. */
  readonly clock?: Scheduler;
  /** Hears of defects of ours. */
  readonly onError?: (error: unknown) => void;
}

/** A request that was carried out, or is being. */
interface Known {
  /** Microseconds. */
  readonly at: number;
  /** What was sent last in reply to it. */
  reply?: Buffer;
}

export class CoapServer {
  readonly #socket: Socket;
  readonly #transfers: Transfers;
  readonly #onError: (error: unknown) => void;
  readonly #known = new Map<string, Known>();
  /** By who has to acknowledge what. */
  readonly #unacknowledged = new Map<string, () => void>();
  readonly #clock: Scheduler;
  /** They end what waits to be acknowledged. */
  readonly #waiting = new Set<() => void>();
  #lastId = randomInt(65_536);

  private constructor(
    socket: Socket,
    { service, bodyBytes = usualBodyBytes, clock = systemClock(), onError }: CoapServerOptions,
  ) {
    this.#socket = socket;
    this.#transfers = new Transfers({ service, bodyBytes });
    this.#clock = clock;
    this.#onError = onError ?? console.error;
    socket.on('message', (datagram, from) => this.#take(datagram, from));
    // Such as an answer to somebody who is gone: nothing can be done about it.
    socket.on('error', () => {});
  }

  /** Rejects with node's error. */
  static async listen(options: CoapServerOptions): Promise<CoapServer> {
    const { interface: address = '127.0.0.1', port = 0 } = options;
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
    const listening = once(socket, 'listening');
    socket.bind({ address, port });
    await listening;
    return new CoapServer(socket, options);
  }

  /** Such as `coap://127.0.0.1:5683`. */
  get url(): string {
    const { address, port, family } = this.#socket.address();
    const any = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
    return `coap://${family === 'IPv6' && isIPv6(any) ? `[${any}]` : any}:${port}`;
  }

  async close(): Promise<void> {
    for (const stop of this.#unacknowledged.values()) stop();
    for (const cancel of this.#waiting) cancel();
    this.#socket.close();
    await once(this.#socket, 'close');
  }

  #take(datagram: Buffer, from: RemoteInfo): void {
    const message = readMessage(datagram);
    if (message === undefined) {
      const messageId = rejectable(datagram);
      if (messageId !== undefined) this.#send(emptyMessage('RST', messageId), from);
      return;
    }
    const { type, code, messageId } = message;
    // Nothing is said to one that cannot be understood and is not waited for (RFC 7252, clause 5.4.1).
    if (type === 'NON' && refusalOf(message) === '4.02') return;
    if (type === 'ACK' || type === 'RST') this.#unacknowledged.get(placeOf(from, messageId))?.();
    else if (code.startsWith('0') && code !== '0.00') this.#serve(message, from);
    // A ping, or an answer to what was never asked here.
    else if (type === 'CON') this.#send(emptyMessage('RST', messageId), from);
  }

  #serve(request: CoapMessage, from: RemoteInfo): void {
    const key = `${placeOf(from, request.messageId)} ${request.token.toString('hex')}`;
    const known = this.#known.get(key);
    if (known !== undefined && this.#isFresh(known)) {
      // A non-confirmable one that comes twice is passed over (RFC 7252, clause 4.3).
      if (request.type === 'CON' && known.reply !== undefined) this.#send(known.reply, from);
      return;
    }
    const fresh: Known = { at: this.#clock.now() };
    this.#known.delete(key);
    this.#known.set(key, fresh);
    this.#forgetOld();
    this.#answer(request, from, fresh).catch(this.#onError);
  }

  async #answer(request: CoapMessage, from: RemoteInfo, known: Known): Promise<void> {
    const { type, messageId, token } = request;
    const acknowledge = (): void => {
      known.reply = emptyMessage('ACK', messageId);
      this.#send(known.reply, from);
    };
    const isConfirmable = type === 'CON';
    // Who has to wait for an answer is told that his request has come (RFC 7252, clause 5.2.2).
    const later = isConfirmable ? this.#later(acknowledge, piggybackedWithin) : undefined;
    const content = await this.#transfers.answer(request, from.address, from.port);
    later?.();
    if (content === undefined) {
      if (isConfirmable && known.reply === undefined) acknowledge();
      return;
    }
    const isPiggybacked = isConfirmable && known.reply === undefined;
    const header = isPiggybacked
      ? ({ type: 'ACK', messageId } as const)
      : ({ type: isConfirmable ? 'CON' : 'NON', messageId: this.#nextId() } as const);
    const reply = writeMessage({ ...content, ...header, token });
    known.reply = reply;
    if (header.type === 'CON') this.#sendUntilAcknowledged(reply, header.messageId, from);
    else this.#send(reply, from);
  }

  #sendUntilAcknowledged(message: Buffer, messageId: number, to: RemoteInfo): void {
    const place = placeOf(to, messageId);
    const stop = retransmitted(this.#clock, () => this.#send(message, to));
    this.#unacknowledged.set(place, () => {
      stop();
      this.#unacknowledged.delete(place);
    });
  }

  #send(message: Buffer, { address, port }: RemoteInfo): void {
    this.#socket.send(message, port, address, () => {});
  }

  /** What it gives cancels it. */
  #later(then: () => void, milliseconds: number): () => void {
    const cancel = this.#clock.schedule(milliseconds, () => {
      this.#waiting.delete(cancel);
      then();
    });
    this.#waiting.add(cancel);
    return () => {
      this.#waiting.delete(cancel);
      cancel();
    };
  }

  #isFresh({ at }: Known): boolean {
    return this.#clock.now() - at < exchangeLifetime;
  }

  #nextId(): number {
    this.#lastId = (this.#lastId + 1) % 65_536;
    return this.#lastId;
  }

  #forgetOld(): void {
    for (const [key, known] of this.#known) {
      if (this.#known.size <= mostKnown && this.#isFresh(known)) return;
      this.#known.delete(key);
    }
  }
}

/** Who sends, or is to get, the message of that identifier. */
const placeOf = ({ address, port }: RemoteInfo, messageId: number): string => `${address} ${port} ${messageId}`;

/** Microseconds for which a message of the same identifier is the same (RFC 7252, clause 4.8.2). */
const exchangeLifetime = 247_000_000;
/** Milliseconds in which an answer goes with its acknowledgement. */
const piggybackedWithin = 100;
/** Requests whose replies, each of a block at most, are kept. */
const mostKnown = 16_384;
const usualBodyBytes = 1024 * 1024;
