/** Pairs request and response primitives by their identifiers (TS-0010, clause 6.4; TS-0020, clause 6.5). */

import { isObject, jsonOf } from '../engine/basics/body.ts';
import { answerOf, notificationOf, requestFrom } from '../engine/messages/primitive.ts';
import { contentText } from '../engine/messages/serialization.ts';
import type { SentRequest, WireName } from '../engine/results/exchange.ts';
import { requestFacts } from '../engine/targets/wires/whole-message.ts';
import {
  type CapturedExchange,
  capturedOf,
  lostIn,
  notificationOver,
  type OnCaptured,
  originOf,
  type PendingRequest,
} from './captured.ts';
import { levelIn, MqttReader, publishedIn } from './mqtt-packets.ts';
import type { Packet } from './packets.ts';
import type { StreamListener } from './streams.ts';
import { WsReader } from './ws-frames.ts';

interface MessageRoute {
  /** The same for a request and its answer. */
  readonly key: string;
  /** The CSE, if the message is a request or an answer; absent if it can only be a notification. */
  readonly origin?: string;
  readonly binding: WireName;
  /** The receiver, if the message is a notification, and the CSE that sent it, if certain. */
  readonly notifiedTo: { readonly origin: string; readonly path?: string; readonly sender?: string | undefined };
  /** Facts of the binding, apart from the primitive. */
  readonly facts: object;
}

interface Notified extends Pick<SentRequest, 'headers'> {
  readonly body: string;
  /** The same in each copy. */
  readonly id: string;
  readonly packet: Packet;
  readonly route: MessageRoute;
}

const mostWaiting = 100_000;

export class PrimitivePairing {
  readonly #found: OnCaptured;
  readonly #pending = new Map<string, PendingRequest>();
  /** Ids of notifications, which a server forwards, too. */
  readonly #notifiedIds = new Set<string>();

  constructor(found: OnCaptured) {
    this.#found = found;
  }

  /** Ignores messages that are no primitives, and copies that a server forwards. */
  onMessage(payload: Buffer, packet: Packet, route: MessageRoute): void {
    const { key, origin } = route;
    const value = jsonOf(contentText(payload));
    if (!isObject(value)) return;
    const { 'm2m:rsp': response = value, 'm2m:rqp': primitive = value } = value;
    if (!isObject(response) || !isObject(primitive)) return;
    const id = `${key} ${String(primitive.rqi ?? response.rqi)}`;
    const request = requestFrom(primitive);
    const answer = answerOf(response);
    const notification = notificationOf(isNotifying(primitive) ? { ...primitive, op: 5 } : primitive);
    if (notification !== undefined) this.#notified(primitive, { ...notification, id, packet, route });
    else if (origin === undefined) return;
    else if (request !== undefined && this.#pending.size < mostWaiting) {
      if (!this.#pending.has(id)) this.#pending.set(id, { request, first: packet, origin });
    } else if (answer !== undefined) {
      const pending = this.#pending.get(id);
      this.#pending.delete(id);
      if (pending !== undefined)
        this.#found(capturedOf({ request: pending.request, answer }, { ...pending, last: packet }));
    }
  }

  #notified(primitive: Readonly<Record<string, unknown>>, { route, packet, id, ...message }: Notified): void {
    if (this.#notifiedIds.has(id)) return;
    if (this.#notifiedIds.size >= mostWaiting) this.#notifiedIds.clear();
    this.#notifiedIds.add(id);
    const { binding, notifiedTo } = route;
    const { origin, sender, path = `/${String(primitive.to ?? '').replace(/^\/+/, '')}` } = notifiedTo;
    const facts = { ...route.facts, ...requestFacts({ request: primitive, payload: 'JSON' }) };
    const request = { method: 'POST', path, ...message };
    this.#found(notificationOver(binding, { request, first: packet, origin }, facts, sender));
  }

  /** Emits requests without an answer. */
  end(): void {
    for (const { request, ...pending } of this.#pending.values())
      this.#found(capturedOf({ request }, { ...pending, last: undefined }));
  }
}

/** Whether a primitive without an operation is a notification, by its content. */
const isNotifying = ({ op, rsc, pc }: Readonly<Record<string, unknown>>): boolean =>
  rsc === undefined && typeof op !== 'number' && isObject(pc) && ('m2m:sgn' in pc || 'm2m:agn' in pc);

/** Reads a connection of an MQTT server; all of them share one pairing. */
export class MqttStream implements StreamListener {
  readonly #host: string;
  readonly #pairing: PrimitivePairing;
  readonly #readers = [new MqttReader(), new MqttReader()] as const;
  #level = 4;

  constructor(host: string, pairing: PrimitivePairing) {
    this.#host = host;
    this.#pairing = pairing;
  }

  onData(isFirstSide: boolean, bytes: Buffer, packet: Packet): void {
    for (const read of this.#readers[isFirstSide ? 0 : 1].push(bytes)) {
      this.#level = levelIn(read) ?? this.#level;
      const { topic, payload } = publishedIn(read, this.#level) ?? {};
      if (topic === undefined || payload === undefined) continue;
      this.#pairing.onMessage(payload, packet, routeAt(topic, originOf('mqtt', this.#host, packet)));
    }
  }

  /** The beginning of the next packet is unknown. */
  onLost(isFirstSide: boolean): void {
    this.#readers[isFirstSide ? 0 : 1].isUnreadable = true;
  }

  onEnd(): void {}
}

/** Sender and receiver, by the topic of a request or a response (TS-0010, clause 6.4); any other topic may come from `nu`. */
export function routeAt(topic: string, server: string): MessageRoute {
  const [, from, to] = /(?:^|\/)oneM2M\/(?:req|resp)\/([^/]+)\/([^/]+)\/[^/]+$/.exec(topic) ?? [];
  if (from === undefined || to === undefined)
    return { key: topic, binding: 'MQTT', notifiedTo: { origin: server, path: `/${topic}` }, facts: { topic } };
  const notifiedTo = { origin: server, path: `/${to}`, sender: `${server}/${from}` };
  return { key: `${from} ${to}`, origin: `${server}/${to}`, binding: 'MQTT', notifiedTo, facts: { topic } };
}

/** Reads a WebSocket after the upgrade from HTTP. */
export class CapturedWsStream implements StreamListener {
  readonly #origin: string;
  readonly #found: OnCaptured;
  readonly #pairing: PrimitivePairing;
  readonly #asking = new WsReader();
  readonly #telling = new WsReader();
  #isOver = false;

  constructor(origin: string, found: OnCaptured) {
    this.#origin = origin;
    this.#found = found;
    this.#pairing = new PrimitivePairing(found);
  }

  onData(isAsking: boolean, bytes: Buffer, packet: Packet): void {
    if (this.#isOver) return;
    const reader = isAsking ? this.#asking : this.#telling;
    for (const { payload, frame } of reader.push(bytes))
      this.#pairing.onMessage(payload, packet, overWs(this.#origin, isAsking, frame));
    if (reader.isUnreadable) this.onLost(isAsking, packet);
  }

  onLost(_isAsking: boolean, packet: Packet): void {
    if (this.#isOver) return;
    this.onEnd();
    this.#found(lostIn(packet, this.#origin));
  }

  onEnd(): void {
    if (!this.#isOver) this.#pairing.end();
    this.#isOver = true;
  }
}

/** Only the server of the connection is certainly a CSE. */
export const overWs = (origin: string, isOfClient: boolean, frame: string): MessageRoute => ({
  ...{ key: '', origin, binding: 'WebSocket', facts: { frame } },
  notifiedTo: { origin, ...(!isOfClient && { sender: origin }) },
});

interface WrittenMessage {
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  /** Undefined if it was neither JSON nor CBOR. */
  readonly payload: Buffer | undefined;
  readonly isOfClient: boolean;
}

/** The exchanges over a WebSocket, in the order in which they began. */
export function exchangesOver(messages: readonly WrittenMessage[], origin: string): CapturedExchange[] {
  const found: CapturedExchange[] = [];
  const pairing = new PrimitivePairing((one) => void found.push(one));
  for (const [index, { at, payload, isOfClient }] of messages.entries()) {
    const packet = { number: index + 1, at, link: 0, bytes: Buffer.alloc(0) };
    if (payload === undefined) found.push(lostIn(packet, origin));
    else pairing.onMessage(payload, packet, overWs(origin, isOfClient, 'text'));
  }
  pairing.end();
  return found.sort((a, b) => a.from - b.from);
}
