import { type ServerResponse, STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpRequest, HttpResponse, HttpService } from '../dialects/http-message.ts';
import { serviceFailed } from './admission.ts';
import type { Detour, DetourFor } from './detour.ts';
import { incident, type OnIncident } from './parse-error.ts';

interface PendingRequest {
  readonly request: HttpRequest;
  readonly response: ServerResponse;
  /** Set when it was served; undefined where the service got no request, or has failed. */
  answer: HttpResponse | Promise<HttpResponse> | undefined;
  detour: Detour | undefined;
  /** What the service threw. */
  failure: { readonly error: unknown } | undefined;
}

export interface ServingHooks {
  readonly onError: (error: unknown) => void;
  readonly onIncident: OnIncident;
  /** Whether connections are to be closed after their answers. */
  readonly isClosing: () => boolean;
  /** Ends a connection by a TCP reset. */
  readonly reset: (socket: Socket) => void;
  readonly detour: DetourFor | undefined;
}

/**
 * Hands complete requests to the service and writes its answers. All requests of one turn of the event loop are served
 * in their order, and answered only then: each answer is a call of the system, after which the processor has to fetch
 * the code and the data of the service anew. With sixteen clients this nearly halves the time for a request.
 */
export class Serving {
  readonly #service: HttpService;
  readonly #hooks: ServingHooks;
  #pending: PendingRequest[] = [];

  constructor(service: HttpService, hooks: ServingHooks) {
    this.#service = service;
    this.#hooks = hooks;
  }

  enqueue(request: HttpRequest, response: ServerResponse): void {
    // With all its members: an object that grows later is slower to make.
    this.#pending.push({ request, response, answer: undefined, detour: undefined, failure: undefined });
    if (this.#pending.length === 1) setImmediate(this.#servePending);
  }

  readonly #servePending = (): void => {
    const served = this.#pending;
    this.#pending = [];
    for (const request of served) this.#serve(request);
    for (const request of served) this.#answer(request);
  };

  #serve(waiting: PendingRequest): void {
    waiting.detour = this.#hooks.detour?.(waiting.request);
    if (waiting.detour?.isServed === false) return;
    try {
      waiting.answer = this.#service.handle(waiting.request);
    } catch (error) {
      waiting.failure = { error };
    }
  }

  #answer({ response, answer, detour, failure }: PendingRequest): void {
    if (failure !== undefined) this.#fail(failure.error, response);
    else if (!(answer instanceof Promise)) this.#send(answer, response, detour);
    else {
      answer.then((late) => this.#send(late, response, detour)).catch((error) => this.#fail(error, response));
    }
  }

  #send(answer: HttpResponse | undefined, response: ServerResponse, detour: Detour | undefined): void {
    if (detour === undefined) {
      if (answer !== undefined) this.#write(answer, response);
      return;
    }
    const write = (written: HttpResponse): void => this.#write(written, response);
    detour.take(answer, { response, write, reset: () => this.#hooks.reset(response.req.socket) });
  }

  #write(answer: HttpResponse, response: ServerResponse): void {
    // The client disconnected, or the server was closed before the service had finished.
    if (response.destroyed) {
      this.#hooks.onIncident(incident(response.req.socket, 'the client disconnected before its answer'));
      return;
    }
    try {
      writeAnswer(answer, response, this.#hooks.isClosing());
    } catch (error) {
      this.#fail(error, response);
    }
  }

  /** A failure of the service, or an answer that cannot be written, becomes an answer too; if that fails, a closed connection. */
  #fail(error: unknown, response: ServerResponse): void {
    const { onError, isClosing } = this.#hooks;
    onError(error);
    if (response.destroyed) return;
    try {
      writeAnswer(this.#service.refuse(serviceFailed()), response, isClosing());
    } catch (further) {
      onError(further);
      response.req.socket.destroy();
    }
  }
}

/** Writes the whole answer. Throws node's error, with nothing sent, for a header that HTTP does not permit. */
function writeAnswer(answer: HttpResponse, response: ServerResponse, closing: boolean): void {
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

/** Characters that a header cannot have (RFC 9110, clause 5.5). */
const unwritable = /[^\t\x20-\x7e\x80-\xff]/;
/** Headers that node writes itself, or reads to decide how a body ends. */
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

interface StatusLine {
  /** 1.1 unless given. */
  readonly version?: string;
  /** The usual one of the status unless given. */
  readonly reason?: string | undefined;
}

/**
 * The bytes of an answer that ends its connection, for a request that has no response object of node's.
 * Throws node's TypeError when a header is not valid.
 */
export function lastMessage(answer: HttpResponse, withoutBody: boolean, line?: StatusLine): Buffer {
  const body = bodyOf(answer);
  const head = lastHead(answer, `Content-Length: ${body.length}`, line);
  return withoutBody ? head : Buffer.concat([head, body]);
}

/** Its head alone; `framing` is the header line that says how the body ends. Throws as above. */
export function lastHead(answer: HttpResponse, framing: string, { version = '1.1', reason }: StatusLine = {}): Buffer {
  const lines = [`HTTP/${version} ${answer.status} ${reason ?? STATUS_CODES[answer.status] ?? ''}`];
  for (const [name, value] of Object.entries(answer.headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    lines.push(`${name}: ${value}`);
  }
  lines.push(framing, `Date: ${new Date().toUTCString()}`, 'Connection: close');
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

export function bodyOf({ body }: HttpResponse): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body) : body;
}
