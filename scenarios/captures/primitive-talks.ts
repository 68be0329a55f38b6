/** Requests and answers that are primitives, known for each other by their identifiers (TS-0010, clause 6.4; TS-0020, clause 6.5). */

import { isObject, jsonOf } from '../engine/basics/body.ts';
import { answerOf, notificationOf } from '../engine/messages/primitive.ts';
import { sentOf } from '../engine/messages/read-primitive.ts';
import { contentText } from '../engine/messages/serialization.ts';
import type { SentRequest, WireName } from '../engine/results/exchange.ts';
import { requestFacts } from '../engine/targets/wires/whole-message.ts';
import { type Captured, capturedOf, lostIn, notificationOver, type OnCaptured, originOf } from './captured.ts';
import { levelIn, MqttReader, publishedIn } from './mqtt-packets.ts';
import type { Packet } from './packets.ts';
import type { StreamListener } from './streams.ts';
import { WsReader } from './ws-frames.ts';

interface Asked {
  readonly request: SentRequest;
  readonly first: Packet;
  readonly origin: string;
}

/** Where a message passed. */
interface Passing {
  /** What is the same for a request and its answer. */
  readonly key: string;
  /** Where it went, if it asks for something; absent where nothing but notifications goes. */
  readonly origin?: string;
  readonly binding: WireName;
  /** Where it went, if it notifies, and which CSE has sent it then, where that is certain. */
  readonly told: { readonly origin: string; readonly path?: string; readonly sender?: string | undefined };
  /** What the binding shows beside the primitive. */
  readonly facts: object;
}

interface Notified extends Pick<SentRequest, 'headers'> {
  readonly body: string;
  /** The same wherever it is passed on. */
  readonly id: string;
  readonly packet: Packet;
  readonly passing: Passing;
}

/** Requests that wait for their answers, at most. */
const mostWaiting = 100_000;

export class PrimitiveTalks {
  readonly #found: OnCaptured;
  readonly #asked = new Map<string, Asked>();
  /** Notifications, which a server passes on as well. */
  readonly #heard = new Set<string>();

  constructor(found: OnCaptured) {
    this.#found = found;
  }

  /** What is no primitive says nothing. A server passes on what it was given: that is the same request. */
  said(payload: Buffer, packet: Packet, passing: Passing): void {
    const { key, origin } = passing;
    const value = jsonOf(contentText(payload));
    if (!isObject(value)) return;
    const { 'm2m:rsp': response = value, 'm2m:rqp': primitive = value } = value;
    if (!isObject(response) || !isObject(primitive)) return;
    const id = `${key} ${String(primitive.rqi ?? response.rqi)}`;
    const request = sentOf(primitive);
    const answer = answerOf(response);
    const notification = notificationOf(isNotifying(primitive) ? { ...primitive, op: 5 } : primitive);
    if (notification !== undefined) this.#notified(primitive, { ...notification, id, packet, passing });
    else if (origin === undefined) return;
    else if (request !== undefined && this.#asked.size < mostWaiting) {
      if (!this.#asked.has(id)) this.#asked.set(id, { request, first: packet, origin });
    } else if (answer !== undefined) {
      const asked = this.#asked.get(id);
      this.#asked.delete(id);
      if (asked !== undefined) this.#found(capturedOf({ request: asked.request, answer }, { ...asked, last: packet }));
    }
  }

  #notified(primitive: Readonly<Record<string, unknown>>, { passing, packet, id, ...message }: Notified): void {
    if (this.#heard.has(id)) return;
    if (this.#heard.size >= mostWaiting) this.#heard.clear();
    this.#heard.add(id);
    const { binding, told } = passing;
    const { origin, sender, path = `/${String(primitive.to ?? '').replace(/^\/+/, '')}` } = told;
    const facts = { ...passing.facts, ...requestFacts({ request: primitive, payload: 'JSON' }) };
    const request = { method: 'POST', path, ...message };
    this.#found(notificationOver(binding, { request, facts, sender }, { packet, origin }));
  }

  /** What was asked and not answered. */
  end(): void {
    for (const { request, ...asked } of this.#asked.values())
      this.#found(capturedOf({ request }, { ...asked, last: undefined }));
  }
}

/** By what it holds, where it does not say what is asked. */
const isNotifying = ({ op, rsc, pc }: Readonly<Record<string, unknown>>): boolean =>
  rsc === undefined && typeof op !== 'number' && isObject(pc) && ('m2m:sgn' in pc || 'm2m:agn' in pc);

/** What passes an MQTT server: the same talks over all of its connections. */
export class MqttTalk implements StreamListener {
  readonly #host: string;
  readonly #talks: PrimitiveTalks;
  readonly #readers = [new MqttReader(), new MqttReader()] as const;
  #level = 4;

  constructor(host: string, talks: PrimitiveTalks) {
    this.#host = host;
    this.#talks = talks;
  }

  said(isFirstSide: boolean, bytes: Buffer, packet: Packet): void {
    for (const came of this.#readers[isFirstSide ? 0 : 1].push(bytes)) {
      this.#level = levelIn(came) ?? this.#level;
      const { topic, payload } = publishedIn(came, this.#level) ?? {};
      if (topic === undefined || payload === undefined) continue;
      this.#talks.said(payload, packet, passingAt(topic, originOf('mqtt', this.#host, packet)));
    }
  }

  /** What is missing may be any packet, and where the next one begins is not known. */
  lost(isFirstSide: boolean): void {
    this.#readers[isFirstSide ? 0 : 1].isUnreadable = true;
  }

  over(): void {}
}

/** Who asks and who is asked, by the topic of a request or of its answer (TS-0010, clause 6.4); else it may be one that `nu` names. */
export function passingAt(topic: string, server: string): Passing {
  const [, from, to] = /(?:^|\/)oneM2M\/(?:req|resp)\/([^/]+)\/([^/]+)\/[^/]+$/.exec(topic) ?? [];
  if (from === undefined || to === undefined)
    return { key: topic, binding: 'MQTT', told: { origin: server, path: `/${topic}` }, facts: { topic } };
  const told = { origin: server, path: `/${to}`, sender: `${server}/${from}` };
  return { key: `${from} ${to}`, origin: `${server}/${to}`, binding: 'MQTT', told, facts: { topic } };
}

/** What a connection of HTTP has become. */
export class CapturedWsTalk implements StreamListener {
  readonly #origin: string;
  readonly #found: OnCaptured;
  readonly #talks: PrimitiveTalks;
  readonly #asking = new WsReader();
  readonly #telling = new WsReader();
  #isOver = false;

  constructor(origin: string, found: OnCaptured) {
    this.#origin = origin;
    this.#found = found;
    this.#talks = new PrimitiveTalks(found);
  }

  said(isAsking: boolean, bytes: Buffer, packet: Packet): void {
    if (this.#isOver) return;
    const reader = isAsking ? this.#asking : this.#telling;
    for (const { payload, frame } of reader.push(bytes))
      this.#talks.said(payload, packet, overWs(this.#origin, isAsking, frame));
    if (reader.isUnreadable) this.lost(isAsking, packet);
  }

  lost(_isAsking: boolean, packet: Packet): void {
    if (this.#isOver) return;
    this.over();
    this.#found(lostIn(packet, this.#origin));
  }

  over(): void {
    if (!this.#isOver) this.#talks.end();
    this.#isOver = true;
  }
}

/** Only the CSE that a client is connected to is certainly one. */
export const overWs = (origin: string, isOfClient: boolean, frame: string): Passing => ({
  ...{ key: '', origin, binding: 'WebSocket', facts: { frame } },
  told: { origin, ...(!isOfClient && { sender: origin }) },
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
export function exchangesOver(messages: readonly WrittenMessage[], origin: string): Captured[] {
  const found: Captured[] = [];
  const talks = new PrimitiveTalks((one) => void found.push(one));
  for (const [index, { at, payload, isOfClient }] of messages.entries()) {
    const packet = { number: index + 1, at, link: 0, bytes: Buffer.alloc(0) };
    if (payload === undefined) found.push(lostIn(packet, origin));
    else talks.said(payload, packet, overWs(origin, isOfClient, 'text'));
  }
  talks.end();
  return found.sort((a, b) => a.from - b.from);
}
