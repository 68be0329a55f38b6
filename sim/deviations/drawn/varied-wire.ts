/** Other bytes for the same answer, and other connection behaviour, where HTTP allows them. */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { DetouredExchange, DetourFor } from '../../bindings/detour.ts';
import type { HttpServer } from '../../bindings/http.ts';
import { bodyOf, lastHead, lastMessage } from '../../bindings/serving.ts';
import type { HttpResponse } from '../../dialects/http-message.ts';
import { sendLast } from '../../disturbance/disturbed-answers.ts';
import { type Variation, wayOf } from './variation.ts';

/** The disturbance rules of a variation of the pace. */
export function disturbanceRules(variations: readonly Variation[]): readonly string[] {
  const way = wayOf(variations, 'pace');
  if (way === undefined) return [];
  return [way === 'jitter' ? 'latency from=0ms to=30ms' : 'throttle rate=200000'];
}

/** A server that can refuse a connection. */
type Refusing = Pick<HttpServer, 'refuseNext'>;

/** After so many requests one connection is refused. */
const refusedAfter = 200;

/** Adds variations of the wire to the detours of answers. */
export function withVariedWire(
  inner: DetourFor,
  variations: readonly Variation[],
  server: () => Refusing | undefined,
): DetourFor {
  const writing = writingOf(variations);
  const idle = wayOf(variations, 'idle') === undefined ? undefined : idleConnections();
  const refuses = wayOf(variations, 'refused') !== undefined;
  if (writing === undefined && idle === undefined && !refuses) return inner;
  let requests = 0;
  return (request) => {
    requests += 1;
    if (refuses && requests === refusedAfter) server()?.refuseNext();
    const detour = inner(request);
    return {
      isServed: detour?.isServed ?? true,
      take(answer, exchange) {
        idle?.(exchange.response);
        const write = (written: HttpResponse) => (writing ?? writeDefault)(written, exchange);
        if (detour !== undefined) detour.take(answer, { ...exchange, write });
        else if (answer !== undefined) write(answer);
      },
    };
  };
}

type Write = (answer: HttpResponse, exchange: DetouredExchange) => void;

const writeDefault: Write = (answer, { write }) => write(answer);

/** How answers are written. */
interface Style {
  readonly framing: string | undefined;
  readonly reason: string | undefined;
  readonly closes: boolean;
  readonly version: string | undefined;
}

/** Undefined where answers are written as usual. */
function writingOf(variations: readonly Variation[]): Write | undefined {
  const before = wayOf(variations, 'interim response');
  const connection = wayOf(variations, 'connection');
  const reason = wayOf(variations, 'reason');
  const style = {
    framing: wayOf(variations, 'framing'),
    version: wayOf(variations, 'version')?.replace('HTTP/', ''),
    reason: reason === undefined ? undefined : reason === 'none' ? '' : 'As You Wish',
  };
  const changes = [connection, ...Object.values(style)].some((way) => way !== undefined);
  if (!changes && before === undefined) return undefined;
  let answers = 0;
  return (answer, exchange) => {
    const { response } = exchange;
    answers += 1;
    const closes = connection === 'closed after each answer' || (connection !== undefined && answers % 3 === 0);
    if (before !== undefined && !response.destroyed && response.req.httpVersion !== '1.0') writeEarly(response, before);
    if (changes && !response.destroyed) writeAnswer(answer, response, { ...style, closes });
    else exchange.write(answer);
  };
}

function writeEarly(response: ServerResponse, before: string): void {
  if (before === '102') response.writeProcessing();
  else response.writeEarlyHints({ link: '</hints>; rel=preload' });
  if (before === '103 twice') response.writeEarlyHints({ link: '</others>; rel=preload' });
}

function writeAnswer(answer: HttpResponse, response: ServerResponse, style: Style): void {
  const isOld = response.req.httpVersion === '1.0';
  const isBare = answer.status === 204 || response.req.method === 'HEAD';
  const { version, framing, reason } = style;
  // The end of the connection ends it (RFC 9112, 6.3).
  if (version !== undefined) sendLast(response, lastMessage(answer, isBare, { version, reason }));
  else if (framing === undefined || isOld || isBare) writeWhole(answer, response, style);
  else if (framing === 'chunks with extensions and trailers') sendLast(response, withExtensions(answer, reason));
  else writeInChunks(answer, response, style);
}

function writeHead(answer: HttpResponse, response: ServerResponse, { reason, closes }: Style, framing: string[]): void {
  const { status, headers } = answer;
  const lines = Object.entries(headers).flat();
  if (closes) lines.push('Connection', 'close');
  response.writeHead(status, reason ?? STATUS_CODES[status] ?? '', [...lines, ...framing]);
}

function writeWhole(answer: HttpResponse, response: ServerResponse, style: Style): void {
  const length = answer.status === 204 ? [] : ['Content-Length', String(bodyOf(answer).length)];
  writeHead(answer, response, style, length);
  response.end(answer.body);
}

/** node writes each piece as a chunk. */
function writeInChunks(answer: HttpResponse, response: ServerResponse, style: Style): void {
  const body = bodyOf(answer);
  writeHead(answer, response, style, ['Transfer-Encoding', 'chunked']);
  const size = style.framing === 'chunks of one byte' && body.length < 2000 ? 1 : Math.ceil(body.length / 3) || 1;
  for (let at = 0; at < body.length; at += size) response.write(body.subarray(at, at + size));
  response.end();
}

function withExtensions(answer: HttpResponse, reason: string | undefined): Uint8Array {
  const body = bodyOf(answer);
  const half = Math.ceil(body.length / 2);
  const chunks = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0);
  return Buffer.concat([
    lastHead(answer, 'Transfer-Encoding: chunked', { reason }),
    ...chunks.flatMap((chunk) => [
      Buffer.from(`${chunk.length.toString(16).toUpperCase()};part="a;b"\r\n`),
      chunk,
      Buffer.from('\r\n'),
    ]),
    Buffer.from('0;last\r\nX-Checked: yes\r\n\r\n'),
  ]);
}

/** Milliseconds after which a connection without a request is closed. */
const idleMilliseconds = 15;

/** Closes connections that stay idle for a moment after an answer. */
function idleConnections(): (response: ServerResponse) => void {
  const waiting = new WeakMap<Socket, NodeJS.Timeout>();
  return (response) => {
    const { socket } = response.req;
    clearTimeout(waiting.get(socket));
    response.once(
      'finish',
      () =>
        void waiting.set(
          socket,
          setTimeout(() => socket.end(), idleMilliseconds),
        ),
    );
  };
}
