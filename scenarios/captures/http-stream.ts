/** Reads HTTP/1.1 from a connection of a capture (RFC 9112), and a WebSocket that it upgrades to. */

import type { SentRequest } from '../engine/results/exchange.ts';
import { AnswerReader } from '../engine/targets/exchanging/answer-reader.ts';
import { capturedOf, lostIn, type OnCaptured, originOf } from './captured.ts';
import type { Packet } from './packets.ts';
import { CapturedWsStream } from './primitive-pairing.ts';
import { HttpRequestReader } from './request-reader.ts';
import type { StreamListener } from './streams.ts';

interface PendingRequest {
  readonly request: SentRequest;
  readonly first: Packet;
  readonly origin: string;
}

export class HttpStream implements StreamListener {
  readonly #found: OnCaptured;
  readonly #host: string;
  readonly #requests = new HttpRequestReader();
  readonly #pending: PendingRequest[] = [];
  #began: Packet | undefined;
  /** The last packet of an answer. */
  #last: Packet | undefined;
  #origin = '';
  #answer: AnswerReader | undefined;
  #upgraded: CapturedWsStream | undefined;
  #isOver = false;
  /** Whether the first side is the client. */
  readonly #isAskingFirst: boolean;

  constructor(host: string, isAskingFirst: boolean, found: OnCaptured) {
    this.#host = host;
    this.#isAskingFirst = isAskingFirst;
    this.#found = found;
  }

  onData(isFirstSide: boolean, bytes: Buffer, packet: Packet): void {
    const isAsking = isFirstSide === this.#isAskingFirst;
    if (this.#upgraded !== undefined) this.#upgraded.onData(isAsking, bytes, packet);
    else if (this.#isOver) return;
    else if (isAsking) this.#onRequest(bytes, packet);
    else this.#onAnswer(bytes, packet);
  }

  onLost(isFirstSide: boolean, packet: Packet): void {
    if (this.#upgraded !== undefined) this.#upgraded.onLost(isFirstSide === this.#isAskingFirst, packet);
    else this.#giveUp(packet);
  }

  onEnd(packet: Packet | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#upgraded?.onEnd();
    this.#answer?.end();
    if (this.#last !== undefined) this.#settle(this.#last);
    for (const { request, first, origin } of this.#pending)
      this.#found(capturedOf({ request }, { first, last: packet, origin }));
    if (this.#began !== undefined && this.#upgraded === undefined) this.#found(lostIn(this.#began, this.#origin));
  }

  /** The rest of the connection cannot be parsed. */
  #giveUp(packet: Packet): void {
    this.#began ??= packet;
    this.onEnd(packet);
  }

  #onRequest(bytes: Buffer, packet: Packet): void {
    this.#began ??= packet;
    this.#origin = originOf('http', this.#host, packet);
    for (const request of this.#requests.push(bytes)) {
      const host = request.headers.find(([name]) => name === 'host')?.[1] ?? '';
      const origin = URL.canParse(`http://${host}`) ? originOf('http', host, packet) : this.#origin;
      this.#pending.push({ request, first: this.#began ?? packet, origin });
      this.#began = packet;
    }
    if (this.#requests.rest.isEmpty) this.#began = undefined;
    if (this.#requests.isRefused) this.onEnd(packet);
  }

  #onAnswer(bytes: Buffer, packet: Packet): void {
    this.#last = packet;
    let rest = bytes;
    while (rest.length > 0 && !this.#isOver) {
      const [pending] = this.#pending;
      // The request was before the capture, or is not complete yet.
      if (pending === undefined) return;
      this.#answer ??= new AnswerReader(pending.request.method);
      this.#answer.push(rest);
      const { state } = this.#answer;
      if (state.kind === 'malformed') this.#giveUp(packet);
      if (state.kind !== 'complete') return;
      rest = this.#answer.rest;
      this.#settle(packet);
      this.#upgraded?.onData(false, rest, packet);
      if (this.#upgraded !== undefined) return;
    }
  }

  #settle(packet: Packet): void {
    const [pending] = this.#pending;
    if (pending === undefined || this.#answer?.state.kind !== 'complete') return;
    const { answer } = this.#answer.state;
    this.#answer = undefined;
    this.#pending.shift();
    const { request, first, origin } = pending;
    if (answer.status === 101) {
      this.#upgraded = new CapturedWsStream(origin.replace(/^http/, 'ws'), this.#found);
      this.#upgraded.onData(true, this.#requests.rest.bytes, packet);
    } else this.#found(capturedOf({ request, answer }, { first, last: packet, origin }));
  }
}
