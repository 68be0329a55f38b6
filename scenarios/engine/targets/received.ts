/** What a listener of the harness makes of a request. */
import type { IncomingMessage } from 'node:http';
import type { ReceivedRequest } from '../messages/exchange.ts';
import { shownHeaders } from '../messages/secrets.ts';
import { BodyBytes } from './body-bytes.ts';
import { now, since } from './target.ts';

/** Octets of a request that are read. */
const largestBody = 1024 * 1024;

/** As text. Rejects with a RangeError when it is longer than the harness reads; no more of it is then taken. */
export async function readBody(request: IncomingMessage): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > largestBody) throw new RangeError('the request is too long');
  const bytes = new BodyBytes(largestBody);
  for await (const part of request as AsyncIterable<Buffer>) {
    if (!bytes.add(part)) throw new RangeError('the request is too long');
  }
  return bytes.text();
}

/** `startedAt` is `now()` at the start of the run. */
export function receivedRequest(request: IncomingMessage, body: string, startedAt: number): ReceivedRequest {
  const { method = '', url = '', rawHeaders } = request;
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  const headers = names.map((name, index) => [name, rawHeaders[2 * index + 1] ?? ''] as const);
  return {
    method,
    path: url,
    headers: shownHeaders(headers),
    ...(body !== '' && { body }),
    at: since(startedAt, now()),
  };
}
