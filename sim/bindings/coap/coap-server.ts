/** Where a CSE listens for requests over UDP (RFC 7252; TS-0008). Lost messages are sent again, and repeated ones performed once. */

import { randomInt } from 'node:crypto';
import type { RemoteInfo } from 'node:dgram';
import type { HttpService } from '../../dialects/http-message.ts';
import { type Scheduler, systemClock } from '../../environment/clock.ts';
import type { MessageDetourFor } from '../detour.ts';
import { carriedDatagram, isForgotten, isSeparate } from './coap-carriage.ts';
import { CoapPort, retransmitted } from './coap-port.ts';
import { asHttpRequest, refusalOf } from './mapping.ts';
import { type CoapMessage, emptyMessage, readMessage, rejectable } from './message.ts';
import { Transfers } from './transfers.ts';

export interface CoapServerOptions {
  readonly service: HttpService;
  /** 127.0.0.1 unless given. */
  readonly interface?: string;
  /** A free one unless given. */
  readonly port?: number;
  /** Octets of one request body; 1 MiB unless given. */
  readonly bodyBytes?: number;
  /** By which messages are retransmitted and remembered; that of the system unless given. */
  readonly clock?: Scheduler;
  /** How the wire disturbs a request and its replies; retransmitted ones are disturbed anew. */
  readonly detour?: MessageDetourFor;
  /** Called with internal errors. */
  readonly onError?: (error: unknown) => void;
}

/** A request that was performed, or is being. */
interface KnownRequest {
  /** Microseconds. */
  readonly at: number;
  /** The last message sent in reply to it. */
  reply?: Buffer;
}

/** Sends a message to the client, by the disturbances of the wire. */
type Reply = (message: Buffer) => void;

export class CoapServer {
  readonly #detour: MessageDetourFor | undefined;
  readonly #port: CoapPort;
  readonly #transfers: Transfers;
  readonly #onError: (error: unknown) => void;
  readonly #known = new Map<string, KnownRequest>();
  /** By peer and message identifier. */
  readonly #unacknowledged = new Map<string, () => void>();
  readonly #clock: Scheduler;
  /** Cancel acknowledgements that are due later. */
  readonly #waiting = new Set<() => void>();
  #lastId = randomInt(65_536);

  private constructor(port: CoapPort, options: CoapServerOptions) {
    const { service, bodyBytes = usualBodyBytes, clock = systemClock(), detour, onError = console.error } = options;
    this.#port = port;
    this.#transfers = new Transfers({ service, bodyBytes });
    this.#clock = clock;
    this.#detour = detour;
    this.#onError = onError;
    port.listen((datagram, from) => this.#receive(datagram, from));
  }

  /** Rejects with node's error. */
  static async listen(options: CoapServerOptions): Promise<CoapServer> {
    const { interface: address = '127.0.0.1', port = 0 } = options;
    return new CoapServer(await CoapPort.open(address, port), options);
  }

  /** Such as `coap://127.0.0.1:5683`. */
  get url(): string {
    return this.#port.url;
  }

  /** Senders meanwhile learn that nobody listens, and unacknowledged messages are not sent again. */
  suspend(): void {
    this.#stopPending();
    this.#port.suspend();
  }

  /** Listens again, at the same port. Rejects with node's error. */
  resume(): Promise<void> {
    return this.#port.resume();
  }

  close(): Promise<void> {
    this.#stopPending();
    return this.#port.close();
  }

  /** Unacknowledged messages are not sent again. */
  #stopPending(): void {
    for (const stop of this.#unacknowledged.values()) stop();
    for (const cancel of this.#waiting) cancel();
    this.#waiting.clear();
  }

  #receive(datagram: Buffer, from: RemoteInfo): void {
    const message = readMessage(datagram);
    if (message === undefined) {
      const messageId = rejectable(datagram);
      if (messageId !== undefined) this.#port.send(emptyMessage('RST', messageId), from);
      return;
    }
    const { type, code, messageId } = message;
    // A non-confirmable message with an unknown critical option is dropped (RFC 7252, clause 5.4.1).
    if (type === 'NON' && refusalOf(message) === '4.02') return;
    if (type === 'ACK' || type === 'RST') this.#unacknowledged.get(peerOf(from, messageId))?.();
    else if (code.startsWith('0') && code !== '0.00') this.#serve(message, from);
    // A ping, or an answer without a request.
    else if (type === 'CON') this.#port.send(emptyMessage('RST', messageId), from);
  }

  #serve(request: CoapMessage, from: RemoteInfo): void {
    const reply = this.#replyFor(request, from);
    if (reply === undefined) return;
    const key = keyOf(request, from);
    const known = this.#known.get(key);
    if (known !== undefined && this.#isFresh(known)) {
      // A repeated non-confirmable one is ignored (RFC 7252, clause 4.3).
      if (request.type === 'CON' && known.reply !== undefined) reply(known.reply);
      return;
    }
    const fresh: KnownRequest = { at: this.#clock.now() };
    this.#known.delete(key);
    this.#known.set(key, fresh);
    this.#forgetOld();
    this.#answer(request, from, { known: fresh, reply }).catch(this.#onError);
  }

  /** Undefined where the message is lost. */
  #replyFor(request: CoapMessage, from: RemoteInfo): Reply | undefined {
    const direct: Reply = (message) => this.#port.send(message, from);
    const detour = this.#detour?.(asHttpRequest(request, from.address));
    if (detour === undefined) return direct;
    const reset = () => direct(emptyMessage('RST', request.messageId));
    const wire = { write: (message: Uint8Array) => direct(Buffer.from(message)), reset };
    if (detour.isServed) return (message) => detour.take(message, wire);
    detour.take(undefined, wire);
    return undefined;
  }

  async #answer(
    request: CoapMessage,
    from: RemoteInfo,
    { known, reply }: { readonly known: KnownRequest; readonly reply: Reply },
  ): Promise<void> {
    const { type, messageId, token } = request;
    const acknowledge = (): void => {
      known.reply = emptyMessage('ACK', messageId);
      reply(known.reply);
    };
    const isConfirmable = type === 'CON';
    // A client that has to wait gets an acknowledgement first (RFC 7252, clause 5.2.2).
    const later = isConfirmable ? this.#later(acknowledge, piggybackedWithin) : undefined;
    const content = await this.#transfers.answer(request, from.address, from.port);
    later?.();
    const isUnacknowledged = isConfirmable && known.reply === undefined;
    if (isUnacknowledged && (content === undefined || isSeparate(content.carried))) acknowledge();
    if (content === undefined) return;
    const isPiggybacked = isConfirmable && known.reply === undefined;
    const header = isPiggybacked
      ? ({ type: 'ACK', messageId } as const)
      : ({ type: isConfirmable ? 'CON' : 'NON', messageId: this.#nextId() } as const);
    const answer = carriedDatagram({ ...content, ...header, token }, content.carried);
    known.reply = answer;
    if (isForgotten(content.carried)) this.#known.delete(keyOf(request, from));
    if (header.type !== 'CON') reply(answer);
    else {
      const replies = [reply];
      const again = () => replies.pop() ?? this.#replyFor(request, from);
      this.#sendUntilAcknowledged(peerOf(from, header.messageId), () => again()?.(answer));
    }
  }

  #sendUntilAcknowledged(peer: string, send: () => void): void {
    if (!this.#port.isOpen) return;
    const stop = retransmitted(this.#clock, send);
    this.#unacknowledged.set(peer, () => {
      stop();
      this.#unacknowledged.delete(peer);
    });
  }

  /** Returns a function that cancels it. */
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

  #isFresh({ at }: KnownRequest): boolean {
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

/** A peer, and the identifier of a message from or to it. */
const peerOf = ({ address, port }: RemoteInfo, messageId: number): string => `${address} ${port} ${messageId}`;

const keyOf = ({ messageId, token }: CoapMessage, from: RemoteInfo): string =>
  `${peerOf(from, messageId)} ${token.toString('hex')}`;

/** Microseconds for which a message of the same identifier is the same (RFC 7252, clause 4.8.2). */
const exchangeLifetime = 247_000_000;
/** Milliseconds in which an answer goes with its acknowledgement. */
const piggybackedWithin = 100;
/** Requests whose replies, each of a block at most, are kept. */
const mostKnown = 16_384;
const usualBodyBytes = 1024 * 1024;
