/** A relay between a target and a recorded application: receives, keeps and forwards its notifications. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as send } from 'undici';
import type { CapturedExchange } from '../captures/captured.ts';
import { isObject } from '../engine/basics/body.ts';
import { contentText, serializationIn, serialize } from '../engine/messages/serialization.ts';
import type { ReceivedRequest } from '../engine/results/exchange.ts';
import { largestAnswer } from '../engine/targets/exchanging/answer-reader.ts';
import { openServer } from '../engine/targets/harness-server.ts';

export const authority = (address: string, port: number): string =>
  `${address.includes(':') ? `[${address}]` : address}:${port}`;

/** A notification, with the URL of the application. `at` is in milliseconds since 1970 UTC. */
export interface ProxiedNotification extends ReceivedRequest {
  readonly url: string;
}

/** A notification among messages, with its topic, or else the address of its receiver. */
export function notifiedIn({ exchange, notified, origin }: CapturedExchange): ProxiedNotification | undefined {
  if (notified === undefined) return undefined;
  const { request, at } = exchange;
  return { ...request, at, url: notified.sender === undefined ? origin + request.path : request.path.slice(1) };
}

interface RelayOptions {
  /** Name by which the target reaches this machine; when absent, it listens only at 127.0.0.1. */
  readonly host?: string;
  /** Milliseconds for the application to answer. */
  readonly timeout: number;
  readonly onNotified: (notified: ProxiedNotification) => void;
  readonly onLost: (sentence: string) => void;
}

/** Attributes with notification targets. */
export const addressAttributes = new Set(['poa', 'nu', 'su', 'nfu']);

export interface Relay {
  /** A request for the target, with this relay as the notification target. */
  outward(body: Buffer): Buffer;
  /** An answer for the application, with its own URLs. */
  inward(body: Buffer): Buffer;
  close(): Promise<void>;
}

export async function openRelay(options: RelayOptions): Promise<Relay> {
  const { host } = options;
  /** URLs of applications, by number. */
  const urls: string[] = [];
  const server = createServer((request, response) => {
    forward(request, response, urls, options).catch(() => response.destroy());
  });
  const where = host === undefined ? '127.0.0.1' : '0.0.0.0';
  const { port, close } = await openServer(server, 'the recorder cannot listen for notifications', 0, where);
  const start = `http://${authority(host ?? '127.0.0.1', port)}/for-application-`;
  const urlFor = (url: string) => {
    if (!urls.includes(url)) urls.push(url);
    return `${start}${urls.indexOf(url)}`;
  };
  return { outward: (body) => withRelayUrls(body, urlFor), inward: (body) => restored(body, start, urls), close };
}

function withRelayUrls(body: Buffer, urlFor: (url: string) => string): Buffer {
  let isChanged = false;
  const replaced = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replaced);
    if (typeof value !== 'string' || !/^http:\/\//i.test(value) || !URL.canParse(value)) return value;
    isChanged = true;
    return urlFor(value);
  };
  const walked = (_key: string, value: unknown) => {
    if (!isObject(value)) return value;
    const entries = Object.entries(value);
    return Object.fromEntries(entries.map(([name, one]) => [name, addressAttributes.has(name) ? replaced(one) : one]));
  };
  try {
    const text = JSON.stringify(JSON.parse(contentText(body)), walked);
    return isChanged ? serialize(JSON.parse(text), serializationIn(body)) : body;
  } catch {
    return body;
  }
}

function restored(body: Buffer, start: string, urls: readonly string[]): Buffer {
  if (urls.length === 0 || !body.includes(start)) return body;
  const isText = serializationIn(body) === 'json';
  const text = isText ? body.toString('latin1') : contentText(body);
  const own = new RegExp(`${start.replace(/[.*+?^$()|[\]\\]/g, '\\$&')}(\\d+)`, 'g');
  const escaped = (url: string) => Buffer.from(JSON.stringify(url).slice(1, -1)).toString(isText ? 'latin1' : 'utf8');
  const back = text.replace(own, (all, number) => escaped(urls[Number(number)] ?? all));
  return isText ? Buffer.from(back, 'latin1') : serialize(JSON.parse(back), 'cbor');
}

/** Forwards only to URLs that the application itself gave. */
async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  urls: readonly string[],
  { timeout, onNotified, onLost }: RelayOptions,
): Promise<void> {
  response.on('error', () => {});
  const number = /^\/for-application-(\d+)$/.exec(request.url ?? '')?.[1];
  const url = number === undefined ? undefined : urls[Number(number)];
  const body = await bytesOf(request);
  if (url === undefined || request.method !== 'POST') return void response.writeHead(404).end();
  onNotified({ method: 'POST', path: '', headers: [], body: contentText(body), at: Date.now(), url });
  try {
    const headers = endToEnd(request.rawHeaders);
    const answered = await send(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeout) });
    const answer = await bytesOf(answered.body);
    const pairs = Object.entries(answered.headers).flatMap(([name, value = '']) => [name, [value].flat().join(', ')]);
    response.writeHead(answered.statusCode, endToEnd(pairs)).end(answer);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    onLost(`a notification for the application at ${url} could not be forwarded: ${reason}`);
    response.writeHead(502).end();
  }
}

/** A complete body. Rejects if it is too long. */
export async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of stream) {
    length += part.length;
    if (length > largestAnswer) throw new Error(`a body is longer than ${largestAnswer} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Hop-by-hop headers (RFC 9110 7.6.1). */
export const hopByHop =
  /^(connection|keep-alive|proxy-connection|proxy-authenticate|proxy-authorization|te|trailer|transfer-encoding|upgrade|host|content-length|expect)$/i;

/** The headers to forward, as alternating names and values. */
export function endToEnd(raw: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    if (!hopByHop.test(raw[at] ?? '')) kept.push(raw[at] ?? '', raw[at + 1] ?? '');
  }
  return kept;
}
