import { STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http';
import type { HttpResponse } from '../dialects/http-message.ts';

/**
 * The bytes of an answer that ends its connection, for a request that has no response object of node's.
 * Throws node's TypeError when a header is not valid.
 */
export function lastMessage(answer: HttpResponse, withoutBody: boolean): Buffer {
  const lines = [`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`];
  for (const [name, value] of Object.entries(answer.headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    lines.push(`${name}: ${value}`);
  }
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
  lines.push(`Content-Length: ${body.length}`, `Date: ${new Date().toUTCString()}`, 'Connection: close');
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return withoutBody ? head : Buffer.concat([head, body]);
}
