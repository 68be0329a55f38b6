/** Between a target and an application that is recorded: takes the notifications for it, keeps them, and hands them on. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as send } from 'undici';
import type { CapturedExchange } from '../captures/captured.ts';
import { isObject } from '../engine/basics/body.ts';
import { contentText, serializationIn, serialize } from '../engine/messages/serialization.ts';
import type { ReceivedRequest } from '../engine/results/exchange.ts';
import { largestAnswer } from '../engine/targets/exchanging/answer-reader.ts';
import { openServer } from '../engine/targets/harness-server.ts';

/** As it stands in a URL. */
export const authority = (address: string, port: number): string =>
  `${address.includes(':') ? `[${address}]` : address}:${port}`;

/** A notification, with the URL of the application to which it went. Its `at` counts milliseconds since 1970 UTC. */
export interface ProxiedNotification extends ReceivedRequest {
  readonly url: string;
}

/** A notification among messages, with the topic to which it went or else the address of its receiver. */
export function notifiedIn({ exchange, notified, origin }: CapturedExchange): ProxiedNotification | undefined {
  if (notified === undefined) return undefined;
  const { request, at } = exchange;
  return { ...request, at, url: notified.sender === undefined ? origin + request.path : request.path.slice(1) };
}

interface RelayOptions {
  /** The name by which the target reaches this machine; 127.0.0.1, where alone it then listens, when absent. */
  readonly host?: string;
  /** Milliseconds for the application. */
  readonly timeout: number;
  readonly onNotified: (notified: ProxiedNotification) => void;
  readonly onLost: (sentence: string) => void;
}

/** Attributes that hold where somebody is notified. */
export const addressAttributes = new Set(['poa', 'nu', 'su', 'nfu']);

export interface Relay {
  /** A request of the application as the target is to have it: who is notified is this relay. */
  outward(body: Buffer): Buffer;
  /** An answer of the target as the application is to have it. */
  inward(body: Buffer): Buffer;
  close(): Promise<void>;
}

export async function openRelay(options: RelayOptions): Promise<Relay> {
  const { host } = options;
  /** The URLs that applications have given, in the order of their numbers. */
  const urls: string[] = [];
  const server = createServer((request, response) => {
    handOn(request, response, urls, options).catch(() => response.destroy());
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

/** Nothing is handed on but to a URL that the application itself has given. */
async function handOn(
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
    onLost(`a notification for the application at ${url} could not be handed on: ${reason}`);
    response.writeHead(502).end();
  }
}

/** The whole of a body. Rejects for one that is too long to be handed on. */
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

/** Headers of one connection, which the next one makes its own (RFC 9110 7.6.1). */
export const hopByHop =
  /^(connection|keep-alive|proxy-connection|proxy-authenticate|proxy-authorization|te|trailer|transfer-encoding|upgrade|host|content-length|expect)$/i;

/** What is handed on of names and values, one after the other. */
export function endToEnd(raw: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    if (!hopByHop.test(raw[at] ?? '')) kept.push(raw[at] ?? '', raw[at + 1] ?? '');
  }
  return kept;
}
