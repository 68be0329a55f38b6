import { headerOf } from '../engine/basics/body.ts';
import { textIn } from '../engine/messages/serialization.ts';
import type { SentRequest } from '../engine/results/exchange.ts';
import { endOfHead, headersIn, largestAnswer, largestHead } from '../engine/targets/exchanging/answer-reader.ts';
import { ChunkedBody } from '../engine/targets/exchanging/body-bytes.ts';
import { PendingBytes } from './pending-bytes.ts';

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
