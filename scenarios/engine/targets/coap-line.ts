/** One port from which requests go to a target over CoAP, one after the other (RFC 7252; RFC 7959). */

import { randomBytes, randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { generate } from 'coap-packet';
import { numberIn, type Option, option, packetIn, type Said, valuesOf } from '../messages/coap-message.ts';
import { RouteError } from './failure.ts';

/** Milliseconds until what is not acknowledged is sent again, by chance up to half as long again (RFC 7252, clause 4.8). */
const firstWait = 2_000;
/** So often again, if the request waits as long. */
const mostAgain = 4;
/** Octets of a block that is sent, and of a whole answer. */
const blockSize = 1024;
const largestAnswer = 16 * 1024 * 1024;

/** What belongs to all messages of one request. */
interface Asked extends LineAsking {
  /** The same for all blocks: deployed servers put together under one token only, which RFC 7959 leaves open. */
  readonly token: Buffer;
  /** Identifiers of what was answered in messages of its own: one that comes again is no answer to the next block. */
  readonly seen: Set<number>;
}

export interface LineAsking {
  /** When nobody waits any more. */
  readonly over: AbortSignal;
  /** The target has it, or does not say so in time: more may be sent to it. */
  readonly taken: () => void;
}

type Heard = (datagram: Buffer | Error) => void;

export class CoapLine {
  readonly #socket: Socket;
  #lastId = randomInt(65_536);
  #heard: Heard | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', (datagram) => this.#heard?.(datagram));
    socket.on('error', (error) => this.#heard?.(error));
  }

  /** Hears nothing but what comes from there. Rejects with node's error. */
  static async open(hostname: string, port: number): Promise<CoapLine> {
    const { address, family } = await lookup(hostname.replace(/^\[|\]$/g, ''));
    const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
    const connected = once(socket, 'connect');
    socket.connect(port, address);
    await connected;
    return new CoapLine(socket);
  }

  /** In blocks where it takes more than one message. Rejects with an error of the network or a RouteError. */
  async ask(request: Said, given: LineAsking): Promise<Said> {
    const asking = { ...given, token: randomBytes(4), seen: new Set<number>() };
    let answer = await this.#sendWhole(request, asking);
    const parts = [answer.payload];
    for (let octets = answer.payload.length; ; octets += answer.payload.length) {
      const block = blockIn(answer.options, 'Block2');
      if (!block?.more) return { ...answer, payload: Buffer.concat(parts) };
      const isNext =
        block.number * block.size + answer.payload.length === octets && answer.payload.length === block.size;
      if (!isNext) throw new RouteError('malformed', 'the blocks of the answer do not follow one another');
      if (octets > largestAnswer) throw new RouteError('malformed', 'the answer has no end');
      const next = blockOption('Block2', block.number + 1, false, block.size);
      answer = await this.#exchange(
        { ...request, payload: Buffer.alloc(0), options: [...request.options, next] },
        asking,
      );
      parts.push(answer.payload);
    }
  }

  close(): void {
    this.#socket.close();
  }

  async #sendWhole(request: Said, asking: Asked): Promise<Said> {
    const { payload, options } = request;
    let size = blockSize;
    for (let from = 0; payload.length > blockSize; from += size) {
      const more = from + size < payload.length;
      const block = blockOption('Block1', from / size, more, size);
      const part = { ...request, payload: payload.subarray(from, from + size), options: [...options, block] };
      const answer = await this.#exchange(part, asking);
      if (!more || answer.code !== '2.31') return answer;
      const wanted = blockIn(answer.options, 'Block1')?.size ?? size;
      if (wanted < size) [from, size] = [from + size - wanted, wanted];
    }
    return this.#exchange(request, asking);
  }

  /** One message and the one that answers it. */
  #exchange(request: Said, { over, taken, token, seen }: Asked): Promise<Said> {
    this.#lastId = (this.#lastId + 1) % 65_536;
    const messageId = this.#lastId;
    const message = generate(
      { ...request, options: [...request.options], confirmable: true, messageId, token },
      65_536,
    );
    return new Promise<Said>((resolve, reject) => {
      over.throwIfAborted();
      const stop = this.#repeat(message, taken);
      const end = (settle: () => void): void => {
        stop();
        this.#heard = undefined;
        over.removeEventListener('abort', abort);
        settle();
      };
      const abort = () => end(() => reject(over.reason));
      over.addEventListener('abort', abort);
      this.#heard = (datagram) => {
        const found = datagram instanceof Error ? datagram : this.#read(datagram, { messageId, token, seen });
        if (found === 'acknowledged') stop();
        if (found instanceof Error) end(() => reject(found));
        else if (typeof found === 'object') end(() => resolve(found));
        if (found !== undefined) taken();
      };
    });
  }

  #repeat(message: Buffer, taken: () => void): () => void {
    let wait = firstWait * (1 + Math.random() / 2);
    let timer: NodeJS.Timeout | undefined;
    const send = (left: number): void => {
      if (left < mostAgain) taken();
      this.#socket.send(message, (error) => error && this.#heard?.(error));
      if (left > 0) timer = setTimeout(() => send(left - 1), wait);
      wait *= 2;
    };
    send(mostAgain);
    return () => clearTimeout(timer);
  }

  /** Undefined for what is for nobody here. */
  #read(
    datagram: Buffer,
    asked: Pick<Asked, 'token' | 'seen'> & { messageId: number },
  ): Said | Error | 'acknowledged' | undefined {
    const packet = packetIn(datagram);
    if (packet === undefined) return new RouteError('malformed', 'what came is no CoAP message');
    const { code, ack, reset, confirmable, messageId, token } = packet;
    const isMine = messageId === asked.messageId;
    if (reset) return isMine ? new RouteError('reset', 'the target rejects the message (RST)') : undefined;
    if (ack && !isMine) return undefined;
    if (ack && code === '0.00') return 'acknowledged';
    const isAnswer = /^[2-5]/.test(code) && token.equals(asked.token);
    if (confirmable)
      this.#socket.send(generate({ code: '0.00', ack: isAnswer, reset: !isAnswer, messageId }), () => {});
    if (ack) return isAnswer ? packet : new RouteError('malformed', 'the answer has another token than the request');
    if (!isAnswer || asked.seen.has(messageId)) return undefined;
    asked.seen.add(messageId);
    return packet;
  }
}

interface Block {
  readonly number: number;
  readonly more: boolean;
  readonly size: number;
}

/** RFC 7959, clause 2.2. Throws a RouteError for what is no block. */
function blockIn(options: readonly Option[], name: 'Block1' | 'Block2'): Block | undefined {
  const [value] = valuesOf(options, name);
  if (value === undefined) return undefined;
  const all = numberIn(value);
  if (value.length > 3 || all % 8 === 7)
    throw new RouteError('malformed', `the option ${name} of the answer is no block`);
  return { number: Math.floor(all / 16), more: (all & 8) > 0, size: 2 ** ((all % 8) + 4) };
}

const blockOption = (name: 'Block1' | 'Block2', number: number, more: boolean, size: number): Option =>
  option(name, number * 16 + (more ? 8 : 0) + Math.log2(size) - 4);
