/** Writes a run as an HTTP Archive 1.2 for browsers and proxies. */

import { STATUS_CODES } from 'node:http';
import { headerOf } from '../engine/basics/body.ts';
import type { HeaderList } from '../engine/messages/target.ts';
import type { RunResult } from '../engine/results/result.ts';
import {
  answerText,
  byConversation,
  type ExportedExchange,
  exportedOf,
  keptBody,
  keptHeaders,
  requestText,
} from './exported.ts';

/** Ends with a line break. Other wires are omitted and counted, except WebSocket, which is written as Chromium does. */
export function renderHar(result: RunResult): string {
  const all = exportedOf(result);
  const https = all.filter(isEntry);
  const sockets = byConversation(all.filter(({ wire }) => wire === 'WebSocket'));
  const entries = [...https.map(entryOf), ...sockets.flatMap(socketOf)];
  entries.sort((a, b) => (a.startedDateTime < b.startedDateTime ? -1 : 1));
  const left = all.length - https.length - sockets.flat().length;
  const { name, version } = result.tool;
  const log = {
    ...{ version: '1.2', creator: { name, version }, pages: pagesOf(all), entries },
    ...(left > 0 && { comment: `Left out, since they are no requests of HTTP: ${left}` }),
  };
  return `${JSON.stringify({ log }, undefined, 2)}\n`;
}

/** Without exact bytes that are no request. */
const isEntry = ({ wire, exchange, url }: ExportedExchange) =>
  wire === 'HTTP' && exchange.request.method !== '' && URL.canParse(addressOf(exchange.request.path, url));

function pagesOf(all: readonly ExportedExchange[]) {
  const first = new Map(all.toReversed().map((one) => [one.scenario.id, one] as const));
  return [...first.values()].toReversed().map(({ scenario, from }) => ({
    ...{ id: scenario.id, title: scenario.title, startedDateTime: timeText(from), pageTimings: {} },
  }));
}

function entryOf({ exchange, scenario, title, url, from, to }: ExportedExchange) {
  const { request, answer, failure } = exchange;
  const { method, path, headers } = request;
  const address = new URL(addressOf(path, url));
  const sent = keptBody(request.exactBytes === true ? undefined : request.body);
  const response = keptBody(answer?.body);
  const took = to - from;
  return {
    ...{ pageref: scenario.id, startedDateTime: timeText(from), time: took, comment: title },
    request: {
      ...messageOf(headers, sent.length),
      ...{ method, url: address.href },
      queryString: [...address.searchParams].map(([name, value]) => ({ name, value })),
      ...(sent.length > 0 && { postData: { mimeType: typeIn(headers), text: sent.text } }),
    },
    response: {
      ...messageOf(answer?.headers ?? [], response.length),
      ...{ status: answer?.status ?? 0, statusText: STATUS_CODES[answer?.status ?? 0] ?? '', redirectURL: '' },
      content: { size: response.length, text: response.text, mimeType: typeIn(answer?.headers) },
      ...(failure && { _error: failure.message }),
    },
    ...{ cache: {}, timings: { send: 0, wait: took, receive: 0 } },
  };
}

const typeIn = (headers: HeaderList = []): string => headerOf(headers, 'content-type') ?? '';

/** The messages of one connection, as Chromium writes them. */
function socketOf(trace: readonly ExportedExchange[]) {
  const [first] = trace;
  if (first === undefined) return [];
  const end = Math.max(...trace.map(({ to }) => to));
  // The CSE itself connects to an inbox.
  const isOfCse = trace.some(({ isNotification }) => isNotification !== true);
  const opening = entryOf({ ...first, to: end, exchange: { ...opened, at: 0, took: 0, curl: '' } });
  const messages = trace.flatMap(({ exchange, from, to, isNotification }) => [
    { type: isNotification && isOfCse ? 'receive' : 'send', time: from / 1000, opcode: 1, data: requestText(exchange) },
    ...(exchange.answer === undefined
      ? []
      : [{ type: 'receive', time: to / 1000, opcode: 1, data: answerText(exchange) }]),
  ]);
  messages.sort((a, b) => a.time - b.time);
  return [{ ...opening, _resourceType: 'websocket', _webSocketMessages: messages }];
}

const subprotocol = [['Sec-WebSocket-Protocol', 'oneM2M.json']] as const;
const opened = {
  request: { method: 'GET', path: '', headers: subprotocol },
  answer: { status: 101, headers: subprotocol, body: '' },
};

const messageOf = (headers: HeaderList, bodySize: number) => ({
  ...{ httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1, bodySize },
  headers: keptHeaders(headers).map(([name, value]) => ({ name, value })),
});

/** Exact bytes may have any request target. */
const addressOf = (path: string, url: string): string =>
  path === '' ? url : path.startsWith('/') ? `${new URL(url).protocol}//${new URL(url).host}${path}` : path;

/** In microseconds, so that exchanges within a millisecond do not overlap. */
function timeText(at: number): string {
  const micros = Math.round((at - Math.floor(at)) * 1000);
  return new Date(Math.floor(at)).toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`);
}
