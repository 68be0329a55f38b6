/** Requests and answers that are primitives, known for each other by their identifiers (TS-0010, clause 6.4; TS-0020, clause 6.5). */

import { isObject, jsonOf } from '../engine/basics/body.ts';
import { answerOf } from '../engine/messages/primitive.ts';
import { sentOf } from '../engine/messages/read-primitive.ts';
import type { SentRequest } from '../engine/results/exchange.ts';
import { type Captured, capturedOf, lostIn, type OnCaptured, originOf } from './captured.ts';
import { levelIn, MqttReader, publishedIn } from './mqtt-packets.ts';
import type { Packet } from './packets.ts';
import type { StreamListener } from './streams.ts';
import { WsReader } from './ws-frames.ts';

interface Asked {
  readonly request: SentRequest;
  readonly first: Packet;
  readonly origin: string;
}

/** Requests that wait for their answers, at most. */
const mostWaiting = 100_000;

export class PrimitiveTalks {
  readonly #found: OnCaptured;
  readonly #asked = new Map<string, Asked>();

  constructor(found: OnCaptured) {
    this.#found = found;
  }

  /** A message from where the key says; what is no primitive says nothing. A server passes on what it was given: that is the same request. */
  said(key: string, payload: Buffer, packet: Packet, origin: string): void {
    const value = jsonOf(payload.toString('utf8'));
    if (!isObject(value)) return;
    const { 'm2m:rsp': response = value, 'm2m:rqp': primitive = value } = value;
    if (!isObject(response) || !isObject(primitive)) return;
    const id = `${key} ${String(primitive.rqi ?? response.rqi)}`;
    const request = sentOf(primitive);
    const answer = answerOf(response);
    if (request !== undefined && this.#asked.size < mostWaiting) {
      if (!this.#asked.has(id)) this.#asked.set(id, { request, first: packet, origin });
    } else if (answer !== undefined) {
      const asked = this.#asked.get(id);
      this.#asked.delete(id);
      if (asked !== undefined) this.#found(capturedOf({ request: asked.request, answer }, { ...asked, last: packet }));
    }
  }

  /** What was asked and not answered. */
  end(): void {
    for (const { request, ...asked } of this.#asked.values())
      this.#found(capturedOf({ request }, { ...asked, last: undefined }));
  }
}

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
      const { topic = '', payload } = publishedIn(came, this.#level) ?? {};
      const ends = endsIn(topic);
      if (payload === undefined || ends === undefined) continue;
      const { from, to } = ends;
      this.#talks.said(`${from} ${to}`, payload, packet, `${originOf('mqtt', this.#host, packet)}/${to}`);
    }
  }

  /** What is missing may be any packet, and where the next one begins is not known. */
  lost(isFirstSide: boolean): void {
    this.#readers[isFirstSide ? 0 : 1].isUnreadable = true;
  }

  over(): void {}
}

/** Who asks and who is asked, by the topic of a request or of its answer (TS-0010, clause 6.4). */
export function endsIn(topic: string): { readonly from: string; readonly to: string } | undefined {
  const [, from, to] = /(?:^|\/)oneM2M\/(?:req|resp)\/([^/]+)\/([^/]+)\/[^/]+$/.exec(topic) ?? [];
  return from === undefined || to === undefined ? undefined : { from, to };
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
    for (const message of reader.push(bytes)) this.#talks.said('', message, packet, this.#origin);
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

/** A message of a WebSocket as others write them down. */
interface WrittenMessage {
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  /** Undefined where it was no text: that is not read. */
  readonly text: string | undefined;
}

/** The exchanges over a WebSocket, in the order in which they began. */
export function exchangesOver(messages: readonly WrittenMessage[], origin: string): Captured[] {
  const found: Captured[] = [];
  const talks = new PrimitiveTalks((one) => void found.push(one));
  for (const [index, { at, text }] of messages.entries()) {
    const packet = { number: index + 1, at, link: 0, bytes: Buffer.alloc(0) };
    if (text === undefined) found.push(lostIn(packet, origin));
    else talks.said('', Buffer.from(text), packet, origin);
  }
  talks.end();
  return found.sort((a, b) => a.from - b.from);
}
