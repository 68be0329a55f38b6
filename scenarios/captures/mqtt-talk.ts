/** Primitives that pass an MQTT server (TS-0010): the same talk over all of its connections. */

import { originOf } from './captured.ts';
import { levelIn, MqttReader, publishedIn } from './mqtt-packets.ts';
import type { Packet } from './packets.ts';
import type { PrimitiveTalks } from './primitive-talks.ts';
import type { Listener } from './streams.ts';

export class MqttTalk implements Listener {
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
      const [, from, to] = /(?:^|\/)oneM2M\/(?:req|resp)\/([^/]+)\/([^/]+)\/[^/]+$/.exec(topic) ?? [];
      if (payload === undefined || from === undefined) continue;
      this.#talks.said(`${from} ${to}`, payload, packet, `${originOf('mqtt', this.#host, packet)}/${to}`);
    }
  }

  /** What is missing may be any packet, and where the next one begins is not known. */
  lost(isFirstSide: boolean): void {
    this.#readers[isFirstSide ? 0 : 1].isUnreadable = true;
  }

  over(): void {}
}
