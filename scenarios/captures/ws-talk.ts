/** What a connection of HTTP has become: primitives in messages of WebSocket (TS-0020). */

import { type Found, lostIn } from './captured.ts';
import type { Packet } from './packets.ts';
import { PrimitiveTalks } from './primitive-talks.ts';
import type { Listener } from './streams.ts';
import { WsReader } from './ws-frames.ts';

export class WsTalk implements Listener {
  readonly #origin: string;
  readonly #found: Found;
  readonly #talks: PrimitiveTalks;
  readonly #asking = new WsReader();
  readonly #telling = new WsReader();
  #isOver = false;

  constructor(origin: string, found: Found) {
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
