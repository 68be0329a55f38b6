/** How an answer of the service becomes bytes. */
import type { ServerResponse } from 'node:http';
import type { HttpResponse } from '../dialects/http-message.ts';

/** Writes the whole answer. Throws node's error, with nothing sent, for a header that HTTP does not permit. */
export function writeAnswer(answer: HttpResponse, response: ServerResponse, closing: boolean): void {
  const { status, headers, body } = answer;
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  if (!closing && typeof body === 'string' && length === body.length && writeAtOnce(answer, body, response)) return;
  const lines: string[] = [];
  for (const name in headers) lines.push(name, headers[name] ?? '');
  if (status !== 204) lines.push('Content-Length', String(length));
  if (closing) lines.push('Connection', 'close');
  response.writeHead(status, lines);
  // node leaves the body out of an answer to HEAD.
  response.end(body);
}

/** What is not in here is what a header cannot have (RFC 9110, clause 5.5). */
const unwritable = /[^\t\x20-\x7e\x80-\xff]/;
/** Headers that node writes itself, or looks at to decide how a body ends. */
const ofNode = /:(?:connection|content-length|date|expect|keep-alive|trailer|transfer-encoding|upgrade):/i;

/**
 * node checks every header by itself, and hands head and body to the system as a list of two, which costs a request object and
 * a turn of the event loop more than one text does. Here node writes its own part of the head, which it keeps in `_header`
 * until it is sent; the service's headers and a body in ASCII join that text.
 * Returns false, with nothing done, where that is not possible.
 */
function writeAtOnce({ status, headers }: HttpResponse, body: string, response: ServerResponse): boolean {
  if (status === 204 || response.req.method === 'HEAD') return false;
  let lines = '';
  let names = ':';
  let values = '';
  for (const name in headers) {
    const value = headers[name] ?? '';
    names += `${name}:`;
    values += value;
    lines += `${name}: ${value}\r\n`;
  }
  if (unwritable.test(values) || unwritable.test(names) || ofNode.test(names)) return false;
  response.writeHead(status, ['Content-Length', String(body.length)]);
  const kept = response as unknown as { _header?: unknown };
  const head = kept._header;
  if (typeof head !== 'string' || !head.endsWith('\r\n\r\n')) throw new TypeError('node keeps the head elsewhere');
  kept._header = `${head.slice(0, -2)}${lines}\r\n${body}`;
  response.end();
  return true;
}
