/** Reads HTTP/1.1 from a connection of a capture (RFC 9112), and a WebSocket that it upgrades to. */

import { headerOf } from '../engine/basics/body.ts';
import { textIn } from '../engine/messages/serialization.ts';
import type { SentRequest } from '../engine/results/exchange.ts';
import {
  AnswerReader,
  endOfHead,
  headersIn,
  largestAnswer,
  largestHead,
} from '../engine/targets/exchanging/answer-reader.ts';
import { ChunkedBody } from '../engine/targets/exchanging/body-bytes.ts';
import { capturedOf, lostIn, type OnCaptured, originOf, type PendingRequest } from './captured.ts';
import type { Packet } from './packets.ts';
import { PendingBytes } from './pending-bytes.ts';
import { CapturedWsStream } from './primitive-pairing.ts';
import type { StreamListener } from './streams.ts';

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

const requestLine = /^[A-Z][A-Z-]{1,19} [^ \r\n]+ HTTP\/1\.[01]\r?\n/;

/** Reads requests of HTTP/1.x one after the other (RFC 9112). */
export class HttpRequestReader {
  /** Bytes after the last complete request. */
  readonly rest = new PendingBytes();
  isRefused = false;

  /** The requests that these bytes complete. */
  push(bytes: Buffer): SentRequest[] {
    if (!this.rest.push(bytes)) return [];
    const read: SentRequest[] = [];
    for (let one = this.#next(); one !== undefined; one = this.#next()) read.push(one);
    return read;
  }

  #next(): SentRequest | undefined {
    const { bytes } = this.rest;
    if (this.isRefused || bytes.length === 0) return undefined;
    const end = endOfHead(bytes);
    if ((end ?? bytes.length) > largestHead) return this.#refuse();
    if (end === undefined) return undefined;
    const head = bytes.subarray(0, end).toString('latin1');
    const [first = '', ...lines] = head.trimEnd().split(/\r?\n/);
    const headers = headersIn(lines);
    if (!requestLine.test(head) || typeof headers === 'string') return this.#refuse();
    const body = this.#body(headers, bytes.subarray(end));
    if (body === undefined) return undefined;
    this.rest.bytes = body.rest;
    const [method = '', path = ''] = first.split(' ');
    const text = textIn(body.content, headerOf(headers, 'content-type'));
    return { method, path, headers, ...(text !== '' && { body: text }) };
  }

  /** Undefined until complete. */
  #body(
    headers: SentRequest['headers'],
    bytes: Buffer,
  ): { readonly content: Buffer; readonly rest: Buffer } | undefined {
    const values = (expected: string) => headers.filter(([name]) => name === expected).map(([, value]) => value);
    if (values('transfer-encoding').some((value) => /chunked\s*$/i.test(value))) {
      const chunked = new ChunkedBody();
      const content = Buffer.concat(chunked.push(bytes));
      if (chunked.problem !== undefined || content.length > largestAnswer) return this.#refuse();
      return chunked.rest && { content, rest: chunked.rest };
    }
    const lengths = new Set(values('content-length'));
    const [length = '0'] = lengths;
    if (lengths.size > 1 || !/^\d{1,15}$/.test(length) || Number(length) > largestAnswer) return this.#refuse();
    this.rest.need(Number(length) - bytes.length);
    if (bytes.length < Number(length)) return undefined;
    return { content: bytes.subarray(0, Number(length)), rest: bytes.subarray(Number(length)) };
  }

  #refuse(): undefined {
    this.isRefused = true;
    return undefined;
  }
}
