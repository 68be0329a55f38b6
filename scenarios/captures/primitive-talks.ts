/** Requests and answers that are primitives, known for each other by their identifiers (TS-0010, clause 6.4; TS-0020, clause 6.5). */

import { isObject, jsonOf } from '../engine/basics/body.ts';
import { answerOf } from '../engine/messages/primitive.ts';
import { sentOf } from '../engine/messages/read-primitive.ts';
import type { SentRequest } from '../engine/results/exchange.ts';
import { capturedOf, type Found } from './captured.ts';
import type { Packet } from './packets.ts';

interface Asked {
  readonly request: SentRequest;
  readonly first: Packet;
  readonly origin: string;
}

/** Requests that wait for their answers, at most. */
const mostWaiting = 100_000;

export class PrimitiveTalks {
  readonly #found: Found;
  readonly #asked = new Map<string, Asked>();

  constructor(found: Found) {
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
