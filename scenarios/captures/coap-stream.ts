/** Reads CoAP from the datagrams of a capture (RFC 7252), with bodies in blocks (RFC 7959). */

import { factsOfRequest, typeOf } from '../engine/messages/coap-facts.ts';
import {
  answerIn,
  type BlockOption,
  blockIn,
  type CoapPacket,
  type CoapParts,
  notificationIn,
  numberIn,
  packetIn,
  valuesOf,
} from '../engine/messages/coap-message.ts';
import type { SentRequest } from '../engine/results/exchange.ts';
import { capturedOf, notificationOver, type OnCaptured, originOf, type PendingRequest } from './captured.ts';
import type { Packet } from './packets.ts';
import type { Segment } from './segments.ts';

interface PendingMessage extends Pick<PendingRequest, 'first' | 'origin'> {
  readonly message: CoapParts;
  /** Confirmable or not. */
  readonly type: string;
  /** Bodies of the request and the answer, so far. */
  sent: Buffer;
  response: Buffer;
  isWhole: boolean;
  readonly key: string;
}

/** The option of the request identifier (TS-0008, table 6.2.2.4.0-1). */
export const identifier = '283';
const mostWaiting = 100_000;

export class CoapStream {
  readonly #found: OnCaptured;
  /** By the token of the last message, and by the constant parts of all messages of a request. */
  readonly #byToken = new Map<string, PendingMessage>();
  readonly #byRequest = new Map<string, PendingMessage>();

  constructor(found: OnCaptured) {
    this.#found = found;
  }

  /** `isKnown`: it is certainly CoAP. */
  take({ packet, from, to, payload }: Pick<Segment, 'packet' | 'from' | 'to' | 'payload'>, isKnown: boolean): void {
    const message = packetIn(payload);
    if (message === undefined || message.code === '0.00') return;
    const isOfOneM2m = isKnown || valuesOf(message.options, identifier).length > 0;
    const token = message.token.toString('hex');
    if (message.code.startsWith('0.') && isOfOneM2m) this.#onRequest(message, packet, `${from} ${to} ${token}`, to);
    else this.#onAnswer(message, packet, `${to} ${from} ${token}`);
  }

  /** Emits requests without a complete answer. */
  end(): void {
    for (const pending of this.#byRequest.values()) this.#emit(pending, undefined);
  }

  #onRequest(message: CoapPacket, packet: Packet, token: string, to: string): void {
    const rest = message.options.filter(({ name }) => name !== 'Block1' && name !== 'Block2');
    const identity = rest.map(({ name, value }) => `${name}=${value.toString('hex')}`).join(' ');
    const key = `${token.split(' ', 2).join(' ')} ${message.code} ${identity}`;
    const [block1, block2] = [blockOf(message, 'Block1'), blockOf(message, 'Block2')];
    const isMore = (block1?.number ?? 0) > 0 || (block2?.number ?? 0) > 0;
    const known = this.#byRequest.get(key);
    // A retransmission.
    if (known !== undefined && !isMore) return void this.#byToken.set(token, known);
    if (known === undefined && (isMore || this.#byRequest.size >= mostWaiting)) return;
    const pending = known ?? {
      ...{ key, type: typeOf(message), message: { ...message, options: rest } },
      ...{ first: packet, origin: originOf('coap', to, packet) },
      ...{ sent: Buffer.alloc(0), response: Buffer.alloc(0), isWhole: true },
    };
    if ((block2?.number ?? 0) === 0) pending.sent = joined(pending, pending.sent, message.payload, block1);
    this.#byRequest.set(key, pending);
    this.#byToken.set(token, pending);
  }

  #onAnswer(message: CoapParts, packet: Packet, token: string): void {
    const pending = this.#byToken.get(token);
    if (pending === undefined || message.code === '2.31') return;
    const block = blockOf(message, 'Block2');
    pending.response = joined(pending, pending.response, message.payload, block);
    if (block?.more === true) return;
    this.#byRequest.delete(pending.key);
    this.#byToken.delete(token);
    this.#emit(pending, packet, { ...message, payload: pending.response });
  }

  #emit(pending: PendingMessage, last: Packet | undefined, answer?: CoapParts): void {
    const whole = { ...pending.message, payload: pending.sent };
    const request = sentOf(whole);
    if (request === undefined) this.#notified(whole, pending);
    else this.#found(capturedOf({ request, ...(answer && { answer: answerIn(answer) }) }, { ...pending, last }));
  }

  /** A request of a CSE, whose port does not identify it. */
  #notified(message: CoapParts, { type, origin, first, isWhole }: PendingMessage): void {
    const notification = notificationIn(message);
    const facts: Readonly<Record<string, unknown>> = { type, ...factsOfRequest(message) };
    if (notification?.method !== 'POST' || !isWhole || !/^m2m:(sgn|agn)$/.test(String(facts.root))) return;
    const { method, target: path, headers, body } = notification;
    const request = { method, path, headers: Object.entries(headers), body };
    this.#found(notificationOver('CoAP', { request, first, origin }, facts));
  }
}

/** Appends a block; a repeated block changes nothing, and a missing one makes the body incomplete. */
function joined(pending: PendingMessage, before: Buffer, payload: Buffer, block: BlockOption | undefined): Buffer {
  const start = block === undefined ? 0 : block.number * block.size;
  if (start > before.length) pending.isWhole = false;
  return start < before.length ? before : Buffer.concat([before, payload]);
}

/** Ignores invalid block options. */
function blockOf(message: CoapParts, name: 'Block1' | 'Block2'): BlockOption | undefined {
  const block = blockIn(message, name);
  return block === 'none' ? undefined : block;
}

const methods: readonly string[] = ['', 'POST', 'GET', 'PUT', 'DELETE'];

/** The request as in HTTP. Undefined for notifications and other methods. */
function sentOf(message: CoapParts): SentRequest | undefined {
  const notification = notificationIn(message);
  const [type] = valuesOf(message.options, '267').map(numberIn);
  // A non-blocking request is a POST with the operation as a parameter (TS-0008, clause 6.2.1).
  const operation = /[?&]op=(\d)/.exec(notification?.target ?? '')?.[1];
  const method = operation === undefined ? notification?.method : methods[Number(operation)];
  const isNotification = method === 'POST' && type === undefined;
  if (notification === undefined || !method || isNotification) return undefined;
  const path = notification.target.replace(/([?&])op=\d(&|$)/, (_, before, after) => (after === '' ? '' : before));
  const headers = Object.entries(notification.headers).map(([name, value]) =>
    name === 'content-type' && type !== undefined ? ([name, `${value};ty=${type}`] as const) : ([name, value] as const),
  );
  return { method, path, headers, ...(notification.body !== '' && { body: notification.body }) };
}
