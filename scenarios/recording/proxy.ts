import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { CapturedExchange } from '../captures/captured.ts';
import { headerOf } from '../engine/basics/body.ts';
import { deathSentence } from '../engine/judging/exit-words.ts';
import { maskedPath } from '../engine/messages/display.ts';
import { textIn } from '../engine/messages/serialization.ts';
import { now } from '../engine/messages/target.ts';
import type { Exchange, ReceivedAnswer } from '../engine/results/exchange.ts';
import type { LostRequest } from '../engine/results/run-context.ts';
import { Deaths } from '../engine/running/losses.ts';
import { largestAnswer } from '../engine/targets/exchanging/answer-reader.ts';
import { Pools } from '../engine/targets/exchanging/pools.ts';
import { urlTarget } from '../engine/targets/exchanging/url.ts';
import { openServer } from '../engine/targets/harness-server.ts';
import { livenessOf } from '../engine/targets/reach-url.ts';
import type { PreparedUrl } from '../engine/targets/url-choice.ts';
import { authority, bytesOf, endToEnd, hopByHop, notifiedIn, type ProxiedNotification, type Relay } from './relay.ts';

/** A forwarded exchange. `at` is in milliseconds since 1970 UTC; header names are in lower case. */
export interface ProxyEntry extends Exchange {
  readonly answer: ReceivedAnswer;
  /** The body of the request, which may be binary. */
  readonly sent: Buffer;
}

/** The exchange of a capture, if it has an answer and is no notification, which cannot be sent again. */
export function passedIn({ exchange, notified }: CapturedExchange): ProxyEntry | undefined {
  const { answer, request } = exchange;
  if (answer === undefined || notified !== undefined) return undefined;
  return { ...exchange, answer, sent: Buffer.from(request.body ?? '') };
}

export interface ProxyOptions {
  readonly target: PreparedUrl;
  readonly port: number;
  /** Where to listen; 127.0.0.1 when absent. */
  readonly address?: string;
  /** PEM texts for HTTPS to the client. With `ca`, a client must present a certificate that it verifies. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly ca?: string };
  /** Milliseconds for each request to the target. */
  readonly timeout: number;
  /** Receives notifications for the application; absent if the target cannot reach it. */
  readonly relay?: Relay | undefined;
  readonly onPassed: (passed: ProxyEntry) => void;
  /** For notifications among messages, without a relay. */
  readonly onNotified?: (notified: ProxiedNotification) => void;
  /** Called for each request; the result is called once with the exchange, or with nothing if there was no answer. */
  readonly onBegun?: (() => (passed?: ProxyEntry) => void) | undefined;
  /** Called with a sentence about what could not be forwarded. */
  readonly onLost: (sentence: string) => void;
}

/** Pending requests among messages, by request identifier. */
export class PendingRequests {
  readonly #begun = new Map<string, (passed?: ProxyEntry) => void>();
  readonly #options: ProxyOptions;

  constructor(options: ProxyOptions) {
    this.#options = options;
  }

  /** Ignores repeated requests. */
  begin(identifier: string): void {
    const { onBegun } = this.#options;
    if (onBegun !== undefined && !this.#begun.has(identifier)) this.#begun.set(identifier, onBegun());
  }

  passed(captured: CapturedExchange): void {
    const notified = notifiedIn(captured);
    if (notified !== undefined) this.#options.onNotified?.(notified);
    const passed = passedIn(captured);
    if (passed === undefined) return;
    const identifier = headerOf(passed.request.headers, 'x-m2m-ri') ?? '';
    this.#begun.get(identifier)?.(passed);
    this.#begun.delete(identifier);
    this.#options.onPassed(passed);
  }

  end(): void {
    for (const ended of this.#begun.values()) ended();
  }
}

export interface Proxy {
  readonly url: string;
  close(): Promise<void>;
}

/** Forwards requests to the target, and answers back, unchanged. Rejects with a UsageError if it cannot listen. */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const { target, tls, timeout, address = '127.0.0.1' } = options;
  const { origin } = new URL(target.description.url);
  const pools = new Pools(origin, { connections: 16, timeout, keepAlive: true, trust: target.trust });
  const survival = survivalOf(target, options);
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    passOn(request, response, { pools, survival }, options).catch(() => response.destroy());
  };
  const demanding = tls?.ca === undefined ? {} : { requestCert: true, rejectUnauthorized: true };
  const server = tls === undefined ? createPlainServer(serve) : createTlsServer({ ...tls, ...demanding }, serve);
  const { port, close } = await openServer(server, 'the proxy cannot listen', options.port, address);
  server.on('clientError', (_error, socket) => socket.destroy());
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${authority(address, port)}`,
    async close() {
      await close();
      await pools.destroy();
      await survival.close();
    },
  };
}

interface Upstream {
  readonly pools: Pools;
  readonly survival: ReturnType<typeof survivalOf>;
}

async function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  upstream: Upstream,
  options: ProxyOptions,
): Promise<void> {
  const { method = 'GET', url: path = '/' } = request;
  const began = Date.now();
  const ended = options.onBegun?.();
  request.on('error', () => {});
  response.on('error', () => {});
  const body = await bytesOf(request).catch(() => undefined);
  if (body === undefined) {
    ended?.();
    return refuse(response, 413, `a body longer than ${largestAnswer} bytes is not forwarded`, options);
  }
  try {
    const answer = await answerTo(request, body, upstream, options);
    response.writeHead(answer.status, answer.headers.flat()).end(answer.body);
    const passed = entryOf(request, body, answer, began);
    ended?.(passed);
    options.onPassed(passed);
  } catch (error) {
    ended?.();
    const reason = error instanceof Error ? error.message : String(error);
    refuse(response, 502, `${method} ${maskedPath(path)} got no answer from the target: ${reason}`, options);
  }
}

/** Sends the request, again if the target died before receiving it. */
async function answerTo(
  { method = 'GET', url: path = '/', rawHeaders }: IncomingMessage,
  body: Buffer,
  { pools, survival }: Upstream,
  { target, relay, timeout }: ProxyOptions,
) {
  const sent = {
    method: method as 'GET',
    path: new URL(target.description.url).pathname.replace(/\/+$/, '') + path,
    headers: endToEnd(rawHeaders),
    body: body.length === 0 ? null : (relay?.outward(body) ?? body),
  } as const;
  const send = () => pools.for(target.own).request({ ...sent, signal: AbortSignal.timeout(timeout) });
  await survival.ready();
  const answered = await send().catch(async (error: unknown) => {
    // A request that may have been processed is not repeated.
    if ((await survival.survives({ method, path: maskedPath(path) })) && neverCame(error)) return send();
    throw error;
  });
  const response = await bytesOf(answered.body);
  const headers = Object.entries(answered.headers).filter(([name]) => !hopByHop.test(name));
  return {
    status: answered.statusCode,
    headers: headers.map(([name, value = '']) => [name, value] as const),
    body: relay?.inward(response) ?? response,
  };
}

type Answer = Awaited<ReturnType<typeof answerTo>>;

function entryOf(request: IncomingMessage, sent: Buffer, { status, headers, body }: Answer, at: number): ProxyEntry {
  const { method = 'GET', url: path = '/' } = request;
  const answerHeaders = headers.map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  const requestHeaders = Object.entries(request.headers).map(
    ([name, value]) => [name, [value].flat().join(', ')] as const,
  );
  const sentText = sent.length > 0 && { body: textIn(sent, request.headers['content-type']) };
  return {
    request: { method, path, headers: requestHeaders, ...sentText },
    answer: { status, headers: answerHeaders, body: textIn(body, headerOf(answerHeaders, 'content-type')) },
    ...{ at, took: Date.now() - at, curl: '', sent },
  };
}

function refuse(response: ServerResponse, status: number, sentence: string, { onLost }: ProxyOptions): void {
  onLost(sentence);
  if (!response.headersSent) response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(`${sentence}\n`);
}

/** Holds requests while the target is dead. `tell` receives a sentence when it dies or is back. */
function survivalOf(target: PreparedUrl, { timeout, onLost: tell }: ProxyOptions) {
  const { description, trust } = target;
  const startedAt = now();
  const over = new AbortController();
  const probe = urlTarget({ description, trust, connections: 1, keepAlive: false, timeout, startedAt });
  const liveness = livenessOf({ gateway: probe }, target, { timeout });
  const deaths = new Deaths({
    ...{ liveness, startedAt, signal: over.signal },
    emit: ({ type, death }) =>
      tell(type === 'target back' ? 'the target is back' : `${deathSentence([{ ...death, backAfter: 0 }])}; waiting`),
  });
  let back: Promise<boolean> | undefined;
  const comeBack = (lost: LostRequest) => {
    deaths.record([lost]);
    return deaths.comeBack().finally(() => {
      back = undefined;
    });
  };
  return {
    /** Resolves when the target is available. */
    ready: async () => void (await back),
    /** After a missing answer: whether the target was dead, and is back. */
    survives: async (lost: Pick<LostRequest, 'method' | 'path'>): Promise<boolean> => {
      await liveness.look();
      if (!deaths.isDown) return false;
      back ??= comeBack({ ...lost, scenario: 'recording', step: 0, curl: '' });
      return back;
    },
    close: async () => {
      over.abort();
      await probe.close();
    },
  };
}

const neverSent = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|UND_ERR_CONNECT_TIMEOUT)$/;

/** Whether a request certainly did not reach the target, so that it may be repeated. */
function neverCame(error: unknown): boolean {
  return error instanceof Error && 'code' in error && neverSent.test(String(error.code));
}
