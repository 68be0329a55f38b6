/**
 * One request to an endpoint, in as many messages as it takes, from a port of its own: what arrives there is for it (RFC 7252, clause 5.3).
 * All have one token: deployed servers assemble blocks under one only, which RFC 7959 leaves open.
 */

import { randomBytes, randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import type { Scheduler } from '../../environment/clock.ts';
import { retransmitted } from './coap-port.ts';
import { type CoapContent, type CoapMessage, emptyMessage, readMessage, writeMessage } from './message.ts';

interface PendingRequest {
  readonly messageId: number;
  /** The request arrived: it is not sent again. */
  acknowledged(): void;
  settle(answer: CoapContent | Error): void;
}

/** The clock of an exchange, and its end. */
export interface ExchangeTimes {
  readonly clock: Scheduler;
  readonly over: AbortSignal;
}

export class CoapExchange implements AsyncDisposable {
  readonly #socket: Socket;
  readonly #over: AbortSignal;
  readonly #clock: Scheduler;
  readonly #token = randomBytes(8);
  /** Identifiers of separate answers: a repeated one is no answer to the next block. */
  readonly #seen = new Set<number>();
  #pending: PendingRequest | undefined;
  #lastId = randomInt(65_536);

  private constructor(socket: Socket, { clock, over }: ExchangeTimes) {
    this.#socket = socket;
    this.#clock = clock;
    this.#over = over;
    socket.on('message', (datagram) => this.#receive(datagram));
    // A connected socket reports that nobody listens there.
    socket.on('error', (error) => this.#pending?.settle(error));
  }

  /** Rejects with node's error, also when `over` is aborted first. */
  static async open(address: string, port: number, times: ExchangeTimes): Promise<CoapExchange> {
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
    const connected = once(socket, 'connect', { signal: times.over });
    socket.connect(port, address);
    await connected.catch((error: unknown) => {
      socket.close();
      throw error;
    });
    return new CoapExchange(socket, times);
  }

  /** Rejects with an error of the network, for a reset, and when it is over. */
  ask(request: CoapContent): Promise<CoapContent> {
    this.#lastId = (this.#lastId + 1) % 65_536;
    const messageId = this.#lastId;
    const message = writeMessage({ ...request, type: 'CON', messageId, token: this.#token });
    return new Promise<CoapContent>((resolve, reject) => {
      this.#over.throwIfAborted();
      const acknowledged = retransmitted(this.#clock, () =>
        this.#socket.send(message, (error) => error && this.#pending?.settle(error)),
      );
      const settle = (answer: CoapContent | Error): void => {
        acknowledged();
        this.#over.removeEventListener('abort', end);
        this.#pending = undefined;
        if (answer instanceof Error) reject(answer);
        else resolve(answer);
      };
      const end = () => settle(this.#over.reason as Error);
      this.#over.addEventListener('abort', end);
      this.#pending = { messageId, acknowledged, settle };
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    await once(this.#socket, 'close');
  }

  #receive(datagram: Buffer): void {
    const message = readMessage(datagram);
    if (message === undefined) return;
    const isMine = message.messageId === this.#pending?.messageId;
    if (message.type === 'RST' && isMine) this.#pending?.settle(new Error('the other end rejects the message'));
    else if (message.type === 'ACK' && isMine) {
      this.#pending?.acknowledged();
      if (message.code !== '0.00') this.#answered(message);
    } else if (message.type === 'CON' || message.type === 'NON') this.#answered(message);
  }

  #answered(message: CoapMessage): void {
    const { type, code, token, messageId } = message;
    const isAnswer = /^[2-5]/.test(code) && this.#token.equals(token);
    if (type === 'CON') this.#socket.send(emptyMessage(isAnswer ? 'ACK' : 'RST', messageId), () => {});
    const isNew = type === 'ACK' || !this.#seen.has(messageId);
    if (isAnswer && type !== 'ACK') this.#seen.add(messageId);
    if (isAnswer && isNew) this.#pending?.settle(message);
  }
}
