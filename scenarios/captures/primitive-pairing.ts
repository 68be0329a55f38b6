/** Requests and answers that are primitives, known for each other by their identifiers (TS-0010, clause 6.4; TS-0020, clause 6.5). */

import { isObject, jsonOf } from '../engine/basics/body.ts';
import { answerOf, notificationOf } from '../engine/messages/primitive.ts';
import { requestFrom } from '../engine/messages/read-primitive.ts';
import { contentText } from '../engine/messages/serialization.ts';
import type { SentRequest, WireName } from '../engine/results/exchange.ts';
import { requestFacts } from '../engine/targets/wires/whole-message.ts';
import { type CapturedExchange, capturedOf, lostIn, notificationOver, type OnCaptured, originOf } from './captured.ts';
import { levelIn, MqttReader, publishedIn } from './mqtt-packets.ts';
import type { Packet } from './packets.ts';
import type { StreamListener } from './streams.ts';
import { WsReader } from './ws-frames.ts';

interface PendingRequest {
  readonly request: SentRequest;
  readonly first: Packet;
  readonly origin: string;
}

/** Where a message passed. */
interface MessageRoute {
  /** What is the same for a request and its answer. */
  readonly key: string;
  /** Where it went, if it asks for something; absent where nothing but notifications goes. */
  readonly origin?: string;
  readonly binding: WireName;
  /** Where it went, if it notifies, and which CSE has sent it then, where that is certain. */
  readonly notifiedTo: { readonly origin: string; readonly path?: string; readonly sender?: string | undefined };
  /** What the binding shows beside the primitive. */
  readonly facts: object;
}

interface Notified extends Pick<SentRequest, 'headers'> {
  readonly body: string;
  /** The same wherever it is passed on. */
  readonly id: string;
  readonly packet: Packet;
  readonly route: MessageRoute;
}

/** Requests that wait for their answers, at most. */
const mostWaiting = 100_000;

export class PrimitivePairing {
  readonly #found: OnCaptured;
  readonly #pending = new Map<string, PendingRequest>();
  /** Notifications, which a server passes on as well. */
  readonly #notifiedIds = new Set<string>();

  constructor(found: OnCaptured) {
    this.#found = found;
  }

  /** What is no primitive says nothing. A server passes on what it was given: that is the same request. */
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
    this.#found(notificationOver(binding, { request, facts, sender }, { packet, origin }));
  }

  /** What was asked and not answered. */
  end(): void {
    for (const { request, ...pending } of this.#pending.values())
      this.#found(capturedOf({ request }, { ...pending, last: undefined }));
  }
}

/** By what it holds, where it does not say what is asked. */
const isNotifying = ({ op, rsc, pc }: Readonly<Record<string, unknown>>): boolean =>
  rsc === undefined && typeof op !== 'number' && isObject(pc) && ('m2m:sgn' in pc || 'm2m:agn' in pc);

/** What passes an MQTT server: the same talks over all of its connections. */
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

  /** What is missing may be any packet, and where the next one begins is not known. */
  onLost(isFirstSide: boolean): void {
    this.#readers[isFirstSide ? 0 : 1].isUnreadable = true;
  }

  onEnd(): void {}
}

/** Who asks and who is asked, by the topic of a request or of its answer (TS-0010, clause 6.4); else it may be one that `nu` names. */
export function routeAt(topic: string, server: string): MessageRoute {
  const [, from, to] = /(?:^|\/)oneM2M\/(?:req|resp)\/([^/]+)\/([^/]+)\/[^/]+$/.exec(topic) ?? [];
  if (from === undefined || to === undefined)
    return { key: topic, binding: 'MQTT', notifiedTo: { origin: server, path: `/${topic}` }, facts: { topic } };
  const notifiedTo = { origin: server, path: `/${to}`, sender: `${server}/${from}` };
  return { key: `${from} ${to}`, origin: `${server}/${to}`, binding: 'MQTT', notifiedTo, facts: { topic } };
}

/** What a connection of HTTP has become. */
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

/** Only the CSE that a client is connected to is certainly one. */
export const overWs = (origin: string, isOfClient: boolean, frame: string): MessageRoute => ({
  ...{ key: '', origin, binding: 'WebSocket', facts: { frame } },
  notifiedTo: { origin, ...(!isOfClient && { sender: origin }) },
});

/** A message of a WebSocket as others write them down. */
interface WrittenMessage {
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  /** Undefined where it was neither JSON nor CBOR: that is not read. */
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
