/** Messages of HTTP/1.1 as bytes. */

import { STATUS_CODES } from 'node:http';
import type { HeaderList } from '../engine/messages/target.ts';
import type { Exchange, ReceivedAnswer } from '../engine/results/exchange.ts';
import { keptBody, keptHeaders } from './exported.ts';

/** With the headers that every client adds, unless it was exact bytes. */
export function httpRequest({ request, connection }: Pick<Exchange, 'request' | 'connection'>, url: string): Buffer {
  const { method, path, body } = request;
  const { text, length } = keptBody(body);
  if (request.exactBytes === true) return Buffer.from(text);
  const headers = keptHeaders(request.headers);
  const lacks = (expected: string) => connection === undefined && !headers.some(([name]) => isCalled(name, expected));
  const hasBody = body !== undefined || method === 'POST' || method === 'PUT';
  const added = [
    ...(lacks('host') ? [['Host', new URL(url).host] as const] : []),
    ...(hasBody && lacks('content-length') ? [['Content-Length', String(length)] as const] : []),
  ];
  return message(`${method} ${path} HTTP/1.1`, [...added, ...headers], text);
}

/** With the length of the body as exported, where secrets may be masked. */
export function httpAnswer(method: string, { status, headers, body }: ReceivedAnswer): Buffer {
  const line = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`;
  const { text, length, isCut } = keptBody(body);
  const answerHeaders = keptHeaders(headers);
  if (status === 101 || status === 204 || status === 304 || method === 'HEAD') return message(line, answerHeaders, '');
  if (answerHeaders.some(([name, value]) => isCalled(name, 'transfer-encoding') && /chunked\s*$/i.test(value))) {
    const chunk = text === '' ? '' : `${length.toString(16)}\r\n${text}\r\n`;
    return message(line, answerHeaders, isCut ? chunk : `${chunk}0\r\n\r\n`);
  }
  const others = answerHeaders.filter(([name]) => !isCalled(name, 'content-length'));
  return message(line, [...others, ['Content-Length', String(length)]], text);
}

function message(line: string, headers: HeaderList, body: string): Buffer {
  const head = [line, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\r\n');
  // Headers may have octets beyond ASCII.
  const encoding = /[^\0-\u00ff]/.test(head) ? 'utf8' : 'latin1';
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, encoding), Buffer.from(body)]);
}

const isCalled = (name: string, expected: string): boolean => name.toLowerCase() === expected;
