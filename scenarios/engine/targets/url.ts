import { Pool } from 'undici';
import { curlLine, rawLine } from '../curl.ts';
import { escapedPath } from '../encode.ts';
import type { Exchange, ReceivedAnswer, SentRequest, TargetDescription } from '../result.ts';
import { wireBytes, wireHeaders } from '../wire.ts';
import { largestAnswer, largestHead } from './answer-reader.ts';
import { type Failure, failureOf, timeoutFailure } from './failure.ts';
import { recordedBytes, recordedMessage } from './record.ts';
import { exchangeBytes } from './socket.ts';
import {
  isExactBytes,
  now,
  type RawOptions,
  type RawRequest,
  type RequestMessage,
  since,
  type Target,
} from './target.ts';

export interface UrlTargetOptions {
  readonly description: TargetDescription;
  /** Connections at the same time. */
  readonly connections: number;
  /** Milliseconds for each request. */
  readonly timeout: number;
  /** `now()` at the start of the run. */
  readonly startedAt: number;
  /** False for a target that closes connections without saying so. */
  readonly keepAlive: boolean;
}

/** Milliseconds to keep an idle connection; short, because a target may close it at the moment of the next request. */
const idle = 1000;

/** A CSE behind a URL. */
export function urlTarget(options: UrlTargetOptions): Target {
  const url = new URL(options.description.url);
  const pool = poolFor(url, options);
  return {
    description: options.description,
    supportsExactBytes: true,
    objection: () => undefined,
    send: (request) => send(pool, url, request, options),
    sendRaw: (request, raw) => sendRaw(url, request, raw, options),
    close: () => pool.destroy(),
  };
}

function poolFor(url: URL, options: UrlTargetOptions): Pool {
  return new Pool(url.origin, {
    connections: options.connections,
    pipelining: options.keepAlive ? 1 : 0,
    keepAliveTimeout: idle,
    keepAliveMaxTimeout: idle,
    headersTimeout: options.timeout,
    bodyTimeout: options.timeout,
    maxHeaderSize: largestHead,
    allowH2: false,
    connect: { timeout: Math.min(options.timeout, 5000) },
  });
}

async function send(pool: Pool, url: URL, request: RequestMessage, options: UrlTargetOptions): Promise<Exchange> {
  const message = { ...request, path: prefix(url) + escapedPath(request.path) };
  const started = now();
  const result = await answerOf(pool, message, options.timeout);
  return {
    request: recordedMessage(message),
    ...result,
    at: since(options.startedAt, started),
    took: since(started),
    curl: curlLine(url.origin, message),
  };
}

/** An error that says nothing about the target, such as a method that cannot be sent, is thrown on. */
async function answerOf(
  pool: Pool,
  { method, path, headers, body }: RequestMessage,
  timeout: number,
): Promise<{ answer: ReceivedAnswer } | { failure: Failure }> {
  const deadline = AbortSignal.timeout(timeout);
  try {
    const response = await pool.request({
      method: method as 'GET',
      path,
      headers: headers.flat(),
      body: body ?? null,
      signal: deadline,
    });
    const bytes = await limited(response.body);
    if (bytes === undefined) {
      return {
        failure: { kind: 'malformed', message: `the body of the answer is longer than ${largestAnswer} bytes` },
      };
    }
    return { answer: { status: response.statusCode, headers: pairs(response.headers), body: bytes.toString('utf8') } };
  } catch (error) {
    const failure = deadline.aborted ? timeoutFailure(timeout) : failureOf(error);
    if (failure === undefined) throw error;
    return { failure };
  }
}

/** Undefined when the body is longer than the engine reads; the connection is then given up. */
async function limited(body: AsyncIterable<Uint8Array>): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > largestAnswer) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function pairs(headers: Readonly<Record<string, string | string[] | undefined>>): Array<readonly [string, string]> {
  return Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one] as const));
}

async function sendRaw(url: URL, given: RawRequest, raw: RawOptions, options: UrlTargetOptions): Promise<Exchange> {
  const request = isExactBytes(given) ? given : { ...given, path: withPrefix(url, given.path) };
  const bytes = wireBytes(request, url.host);
  const secure = url.protocol === 'https:';
  const started = now();
  const result = await exchangeBytes(bytes, {
    secure,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (secure ? 443 : 80)),
    method: methodOf(request, bytes),
    timeout: options.timeout,
    watchConnection: raw.watchConnection,
  });
  return {
    request: recordedRaw(request, url.host),
    ...result,
    at: since(options.startedAt, started),
    took: since(started),
    curl: rawLine(url.origin, request),
  };
}

function recordedRaw(request: RawRequest, host: string): SentRequest {
  if (isExactBytes(request)) return recordedBytes(request.bytes);
  return recordedMessage({ ...request, headers: wireHeaders(request, host) });
}

function methodOf(request: RawRequest, bytes: Uint8Array): string {
  if (!isExactBytes(request)) return request.method;
  return Buffer.from(bytes.subarray(0, 16)).toString('latin1').split(' ')[0] ?? '';
}

/** The path of the base URL, for a CSE that does not stand at the root of its host. */
function prefix(url: URL): string {
  return url.pathname.replace(/\/+$/, '');
}

function withPrefix(url: URL, path: string): string {
  return path.startsWith('/') ? prefix(url) + path : path;
}
