import { STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http';
import type { HttpResponse } from '../dialects/http-message.ts';

interface StatusLine {
  /** 1.1 unless given. */
  readonly version?: string;
  /** The usual one of the status unless given. */
  readonly reason?: string | undefined;
}

/**
 * The bytes of an answer that ends its connection, for a request that has no response object of node's.
 * Throws node's TypeError when a header is not valid.
 */
export function lastMessage(answer: HttpResponse, withoutBody: boolean, line?: StatusLine): Buffer {
  const body = bodyOf(answer);
  const head = lastHead(answer, `Content-Length: ${body.length}`, line);
  return withoutBody ? head : Buffer.concat([head, body]);
}

/** Its head alone; `framing` is the header line that says how the body ends. Throws as above. */
export function lastHead(answer: HttpResponse, framing: string, { version = '1.1', reason }: StatusLine = {}): Buffer {
  const lines = [`HTTP/${version} ${answer.status} ${reason ?? STATUS_CODES[answer.status] ?? ''}`];
  for (const [name, value] of Object.entries(answer.headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    lines.push(`${name}: ${value}`);
  }
  lines.push(framing, `Date: ${new Date().toUTCString()}`, 'Connection: close');
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

export function bodyOf({ body }: HttpResponse): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body) : body;
}
