/** The exchanges of a run as bytes on their wires. */

import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { headerOf } from '../engine/basics/body.ts';
import { levelOf, spRelative } from '../engine/messages/primitive.ts';
import type { HeaderList } from '../engine/messages/target.ts';
import type { Exchange, ReceivedAnswer, WireName } from '../engine/results/exchange.ts';
import { orPackage } from '../engine/targets/wires/route.ts';
import {
  answerText,
  byConversation,
  commentOf,
  type ExportedExchange,
  type Flight,
  keptBody,
  keptHeaders,
  requestText,
} from './exported.ts';
import { connected, published, subscribed } from './mqtt-packets.ts';
import { wsFrame } from './ws-frames.ts';

/** One connection, or the datagrams between two ports. */
export interface WireTrace {
  readonly url: string;
  readonly wire: WireName | 'HTTP';
  readonly flights: readonly Flight[];
  /** Milliseconds since 1970 UTC. */
  readonly end: number;
  /** Whether the target resets it. */
  readonly isReset?: boolean;
}

/** Over HTTP one connection for each exchange, so that they are independent; else one for each scenario. */
export async function tracesOf(all: readonly ExportedExchange[]): Promise<WireTrace[]> {
  const others = byConversation(all.filter(({ wire }) => wire !== 'HTTP'));
  const coap = others.flat().some(({ wire }) => wire === 'CoAP')
    ? await import('./coap-flights.ts').catch(orPackage('CoAP', 'coap-packet'))
    : undefined;
  return [
    ...all.filter(({ wire }) => wire === 'HTTP').map(overHttp),
    ...others.map((exchanges): WireTrace => {
      const [first] = exchanges as [ExportedExchange];
      const { url, wire } = first;
      const flightsOf = wire === 'MQTT' ? overMqtt : wire === 'WebSocket' ? overWs : coap?.overCoap;
      const flights = flightsOf?.(exchanges, first) ?? [];
      const end = Math.max(...exchanges.map(({ to }) => to));
      return { url, wire, end, flights: flights.toSorted((a, b) => a.at - b.at) };
    }),
  ];
}

function overHttp(one: ExportedExchange): WireTrace {
  const { exchange, url, from, to } = one;
  const flights = [
    { at: from, isAnswer: false, bytes: httpRequest(exchange, url), comment: commentOf(one) },
    ...(exchange.answer
      ? [{ at: to, isAnswer: true, bytes: httpAnswer(exchange.request.method, exchange.answer) }]
      : []),
  ];
  return { url, wire: 'HTTP', flights, end: to, isReset: /^(refused|reset)$/.test(exchange.failure?.kind ?? '') };
}

function overMqtt(exchanges: readonly ExportedExchange[], { cseId, from, scenario }: ExportedExchange): Flight[] {
  const [connect, accept] = connected(scenario.id);
  const [ask, answer] = subscribed(`/oneM2M/resp/+/${cseId}/#`);
  const opening = [connect, accept, ask, answer].map((bytes, at) => ({ at: from, isAnswer: at % 2 === 1, bytes }));
  return [...opening, ...exchanges.flatMap((one, number) => publishedOf(one, number * 2 + 2))];
}

function publishedOf(one: ExportedExchange, id: number): Flight[] {
  const { exchange, from, to, isNotification } = one;
  if (isNotification) {
    const [publish, ack] = published(exchange.request.path.slice(1), requestText(exchange), id);
    return [publish, ack].map((bytes, at) => ({ at: from, isAnswer: at === 0, bytes, comment: commentOf(one) }));
  }
  const topic = topicOf(one);
  const [publish, puback] = published(`/oneM2M/req/${topic}`, requestText(exchange), id);
  const flights = [
    { at: from, isAnswer: false, bytes: publish, comment: commentOf(one) },
    { at: from, isAnswer: true, bytes: puback },
  ];
  if (exchange.answer === undefined) return flights;
  const [response, ack] = published(`/oneM2M/resp/${topic}`, answerText(exchange), id + 1);
  return [...flights, { at: to, isAnswer: true, bytes: response }, { at: to, isAnswer: false, bytes: ack }];
}

function topicOf({ exchange, cseId }: ExportedExchange): string {
  const from = headerOf(exchange.request.headers, 'x-m2m-origin') ?? '';
  return `${levelOf(from === '' ? 'cselab' : spRelative(from, cseId))}/${cseId}/json`;
}

function overWs(exchanges: readonly ExportedExchange[], { url, from, scenario }: ExportedExchange): Flight[] {
  const key = createHash('md5').update(scenario.id).digest('base64');
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  const upgrade = [['Upgrade', 'websocket'] as const, ['Connection', 'Upgrade'] as const];
  const protocol = ['Sec-WebSocket-Protocol', 'oneM2M.json'] as const;
  const client = [['Sec-WebSocket-Key', key] as const, ['Sec-WebSocket-Version', '13'] as const];
  const request = { method: 'GET', path: new URL(url).pathname, headers: [...upgrade, ...client, protocol] };
  const answer = { status: 101, headers: [...upgrade, ['Sec-WebSocket-Accept', accept] as const, protocol], body: '' };
  return [
    { at: from, isAnswer: false, bytes: httpRequest({ request }, url) },
    { at: from, isAnswer: true, bytes: httpAnswer('GET', answer) },
    ...exchanges.flatMap((one): Flight[] => [
      // A target connects to an inbox as a client.
      { at: one.from, isAnswer: false, bytes: wsFrame(requestText(one.exchange), true), comment: commentOf(one) },
      ...(one.exchange.answer ? [{ at: one.to, isAnswer: true, bytes: wsFrame(answerText(one.exchange), false) }] : []),
    ]),
  ];
}

// Messages of HTTP/1.1 as bytes.

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
