/** Requests to one endpoint, one after the other, from a port of their own: what comes there is for them (RFC 7252, clause 5.3). */

import { randomBytes, randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { type CoapContent, type CoapMessage, emptyMessage, readMessage, writeMessage } from './message.ts';
import { retransmitted } from './retransmission.ts';

interface Waiting {
  readonly messageId: number;
  readonly token: Buffer;
  /** It has come there: it is not sent again. */
  acknowledged(): void;
  settle(answer: CoapContent | Error): void;
}

export class CoapExchange implements AsyncDisposable {
  readonly #socket: Socket;
  readonly #over: AbortSignal;
  #waiting: Waiting | undefined;
  #lastId = randomInt(65_536);

  private constructor(socket: Socket, over: AbortSignal) {
    this.#socket = socket;
    this.#over = over;
    socket.on('message', (datagram) => this.#take(datagram));
    // Connected, it hears that nobody listens there.
    socket.on('error', (error) => this.#waiting?.settle(error));
  }

  /** Rejects with node's error. What lasts until `over` fails. */
  static async open(address: string, port: number, over: AbortSignal): Promise<CoapExchange> {
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
    const connected = once(socket, 'connect', { signal: over });
    socket.connect(port, address);
    await connected.catch((error: unknown) => {
      socket.close();
      throw error;
    });
    return new CoapExchange(socket, over);
  }

  /** Rejects with an error of the network, for a reset, and when it is over. */
  ask(request: CoapContent): Promise<CoapContent> {
    this.#lastId = (this.#lastId + 1) % 65_536;
    const [messageId, token] = [this.#lastId, randomBytes(8)];
    const message = writeMessage({ ...request, type: 'CON', messageId, token });
    return new Promise<CoapContent>((resolve, reject) => {
      this.#over.throwIfAborted();
      const acknowledged = retransmitted(() =>
        this.#socket.send(message, (error) => error && this.#waiting?.settle(error)),
      );
      const settle = (answer: CoapContent | Error): void => {
        acknowledged();
        this.#over.removeEventListener('abort', end);
        this.#waiting = undefined;
        if (answer instanceof Error) reject(answer);
        else resolve(answer);
      };
      const end = () => settle(this.#over.reason as Error);
      this.#over.addEventListener('abort', end);
      this.#waiting = { messageId, token, acknowledged, settle };
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    await once(this.#socket, 'close');
  }

  #take(datagram: Buffer): void {
    const message = readMessage(datagram);
    if (message === undefined) return;
    const isMine = message.messageId === this.#waiting?.messageId;
    if (message.type === 'RST' && isMine) this.#waiting?.settle(new Error('the other end rejects the message'));
    else if (message.type === 'ACK' && isMine) {
      this.#waiting?.acknowledged();
      if (message.code !== '0.00') this.#answered(message);
    } else if (message.type === 'CON' || message.type === 'NON') this.#answered(message);
  }

  #answered(message: CoapMessage): void {
    const { type, code, token, messageId } = message;
    const isAnswer = /^[2-5]/.test(code) && this.#waiting?.token.equals(token) === true;
    if (type === 'CON') this.#socket.send(emptyMessage(isAnswer ? 'ACK' : 'RST', messageId), () => {});
    if (isAnswer) this.#waiting?.settle(message);
  }
}
