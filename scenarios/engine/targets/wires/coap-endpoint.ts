/** A port that sends requests to a target over CoAP, one after the other (RFC 7252; RFC 7959). */

import { randomBytes, randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { generate } from 'coap-packet';
import { typeOf } from '../../messages/coap-facts.ts';
import {
  type BlockOption,
  blockIn,
  blockOption,
  type CoapPacket,
  type CoapParts,
  packetIn,
} from '../../messages/coap-message.ts';
import { RouteError } from '../exchanging/failure.ts';

/** Milliseconds until the first retransmission, randomly up to half as long again (RFC 7252, clause 4.8). */
const firstWait = 2_000;
/** Retransmissions, while the request waits. */
const mostAgain = 4;
/** Octets of a sent block, and of a whole answer. */
export const blockSize = 1024;
const largestAnswer = 16 * 1024 * 1024;

type Whose = 'own' | 'another';

/** An answer, and whether what identifies its last message matches the request; `id` is that of an acknowledgement. */
interface ReceivedMessage {
  readonly message: CoapParts;
  readonly matched: { readonly type: string; readonly token: Whose; readonly id?: Whose };
}

/** An answer that violates the protocol, with a fact for rules. */
export class CoapError extends RouteError {
  readonly facts: Readonly<Record<string, string>>;

  constructor(facts: Readonly<Record<string, string>>, message: string) {
    super('malformed', message);
    this.facts = facts;
  }
}

export interface CoapAskOptions {
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
  /** The target has acknowledged it, or has not in time: more may be sent. */
  readonly onAccepted: () => void;
  /** Sends the message twice, like a network. Called with a different answer to the second. */
  readonly onDuplicate?: (code: string) => void;
}

/** Common to all messages of one request. */
interface CoapTransfer extends CoapAskOptions {
  /** The same for all blocks: deployed servers reassemble by token, which RFC 7959 leaves open. */
  readonly token: Buffer;
  /** Identifiers of answered blocks, and of separate answers: a repeated one is no answer to the next block. */
  readonly seen: Set<string>;
}

type Expected = Pick<CoapTransfer, 'token' | 'seen'> & { readonly messageId: number };
type DatagramListener = (datagram: Buffer | Error) => void;

export class CoapEndpoint {
  readonly #socket: Socket;
  #lastId = randomInt(65_536);
  #listener: DatagramListener | undefined;
  /** The last duplicated request: its answer, and the callback for another one. */
  #duplicated: { readonly token: Buffer; readonly code: string; readonly onOther: (code: string) => void } | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', (datagram) => {
      this.#compare(datagram);
      this.#listener?.(datagram);
    });
    socket.on('error', (error) => this.#listener?.(error));
  }

  /** Receives from that address only. Rejects with node's error. */
  static async open(hostname: string, port: number): Promise<CoapEndpoint> {
    const { address, family } = await lookup(hostname.replace(/^\[|\]$/g, ''));
    const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
    const connected = once(socket, 'connect');
    socket.connect(port, address);
    await connected;
    return new CoapEndpoint(socket);
  }

  /** In blocks where necessary. Rejects with an error of the network or a RouteError. */
  async ask(request: CoapParts, options: CoapAskOptions): Promise<ReceivedMessage> {
    const exchange = { ...options, token: randomBytes(4), seen: new Set<string>() };
    let received = await this.#sendWhole(request, exchange);
    const parts = [received.message.payload];
    for (let octets = received.message.payload.length; ; octets += received.message.payload.length) {
      const { message: answer, matched } = received;
      const block = blockOf(answer, 'Block2');
      if (!isNext(block, answer.payload.length, octets))
        throw new CoapError({ blocks: 'apart' }, 'the blocks of the answer do not follow one another');
      if (!block?.more) return { matched, message: { ...answer, payload: Buffer.concat(parts) } };
      if (octets > largestAnswer) throw new RouteError('malformed', 'the answer has no end');
      const next = blockOption('Block2', { number: block.number + 1, more: false, size: block.size });
      received = await this.#exchange(
        { ...request, payload: Buffer.alloc(0), options: [...request.options, next] },
        exchange,
      );
      parts.push(received.message.payload);
    }
  }

  close(): void {
    this.#socket.close();
  }

  async #sendWhole(request: CoapParts, exchange: CoapTransfer): Promise<ReceivedMessage> {
    const { payload, options } = request;
    let size = blockSize;
    for (let from = 0; payload.length > blockSize; from += size) {
      const more = from + size < payload.length;
      const block = blockOption('Block1', { number: from / size, more, size });
      const part = { ...request, payload: payload.subarray(from, from + size), options: [...options, block] };
      const received = await this.#exchange(part, exchange);
      if (!more || received.message.code !== '2.31') return received;
      const requested = blockOf(received.message, 'Block1')?.size ?? size;
      if (requested < size) [from, size] = [from + size - requested, requested];
    }
    const received = await this.#exchange(request, exchange);
    const { onDuplicate, token } = exchange;
    if (onDuplicate !== undefined) this.#duplicated = { token, code: received.message.code, onOther: onDuplicate };
    return received;
  }

  /** One message and its answer. */
  #exchange(request: CoapParts, exchange: CoapTransfer): Promise<ReceivedMessage> {
    const { signal, onAccepted, token, seen } = exchange;
    this.#lastId = (this.#lastId + 1) % 65_536;
    const messageId = this.#lastId;
    const options = [...request.options];
    const message = generate({ ...request, options, confirmable: true, messageId, token }, 65_536);
    return new Promise<ReceivedMessage>((resolve, reject) => {
      signal.throwIfAborted();
      const stop = this.#repeat(message, exchange);
      const end = (settle: () => void): void => {
        stop();
        this.#listener = undefined;
        signal.removeEventListener('abort', abort);
        settle();
      };
      const abort = () => end(() => reject(signal.reason));
      signal.addEventListener('abort', abort);
      this.#listener = (datagram) => {
        const found = datagram instanceof Error ? datagram : this.#read(datagram, { messageId, token, seen });
        if (found === 'acknowledged') stop();
        if (found instanceof Error) end(() => reject(found));
        else if (typeof found === 'object') end(() => resolve(found));
        if (found !== undefined) onAccepted();
      };
    });
  }

  #repeat(message: Buffer, { onAccepted, onDuplicate }: Pick<CoapTransfer, 'onAccepted' | 'onDuplicate'>): () => void {
    let wait = firstWait * (1 + Math.random() / 2);
    let timer: NodeJS.Timeout | undefined;
    const send = (left: number): void => {
      if (left < mostAgain) onAccepted();
      this.#socket.send(message, (error) => error && this.#listener?.(error));
      if (left > 0) timer = setTimeout(() => send(left - 1), wait);
      wait *= 2;
    };
    send(mostAgain);
    if (onDuplicate !== undefined) this.#socket.send(message, () => {});
    return () => clearTimeout(timer);
  }

  /** Undefined for unrelated messages. */
  #read(datagram: Buffer, expected: Expected): ReceivedMessage | Error | 'acknowledged' | undefined {
    const packet = packetIn(datagram);
    if (packet === undefined) return new CoapError({ garbled: 'no message' }, 'the datagram is no CoAP message');
    const { code, ack, reset, messageId } = packet;
    const isId = messageId === expected.messageId;
    if (reset) return isId ? new RouteError('reset', 'the target rejects the message (RST)') : undefined;
    if (ack && code === '0.00') return isId ? 'acknowledged' : undefined;
    const found = this.#answerIn(packet, expected);
    const isStrange = ack && isId && found === undefined;
    return isStrange ? new RouteError('malformed', 'the acknowledgement carries no answer') : found;
  }

  /** An answer is identified by its token or the acknowledged identifier: each is used once. */
  #answerIn(packet: CoapPacket, { token, seen, messageId }: Expected): ReceivedMessage | undefined {
    const { ack, confirmable } = packet;
    const id = packet.messageId === messageId ? 'own' : 'another';
    const whose = packet.token.equals(token) ? 'own' : 'another';
    const isMine = /^[2-5]/.test(packet.code) && (whose === 'own' || (ack && id === 'own'));
    const { messageId: answered } = packet;
    if (confirmable)
      this.#socket.send(generate({ code: '0.00', ack: isMine, reset: !isMine, messageId: answered }), () => {});
    const key = ack ? `ours ${answered}` : `theirs ${answered}`;
    if (!isMine || seen.has(key)) return undefined;
    seen.add(key);
    return { message: packet, matched: { type: typeOf(packet), token: whose, ...(ack && { id }) } };
  }

  /** A duplicate is processed once (RFC 7252, clause 4.2), and not refused because of the first. */
  #compare(datagram: Buffer): void {
    if (this.#duplicated === undefined) return;
    const { token, code, onOther: hear } = this.#duplicated;
    const packet = packetIn(datagram);
    if (packet === undefined || !packet.token.equals(token)) return;
    if (code.startsWith('2') && refusals.has(packet.code)) hear(packet.code);
    this.#duplicated = undefined;
  }
}

/** Codes that refuse a name in use (TS-0008, table 6.2.4-1; RFC 8132); others may have other reasons, such as load. */
const refusals: ReadonlySet<string> = new Set(['4.00', '4.03', '4.09']);

/** Whether a block of this length ends at so many octets. */
const isNext = (block: BlockOption | undefined, length: number, octets: number): boolean =>
  block === undefined || (block.number * block.size + length === octets && (!block.more || length === block.size));

/** Throws a RouteError for an invalid block. */
function blockOf({ options }: CoapParts, name: 'Block1' | 'Block2'): BlockOption | undefined {
  const block = blockIn({ options }, name);
  if (block === 'none') throw new RouteError('malformed', `the option ${name} of the answer is no block`);
  return block;
}
