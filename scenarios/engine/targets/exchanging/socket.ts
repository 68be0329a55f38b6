import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ConnectionOptions, connect as connectTls, TLSSocket } from 'node:tls';
import { factsOf, type Trust } from '../../messages/tls.ts';
import type { ReceivedAnswer, TlsFacts } from '../../results/exchange.ts';
import { AnswerReader } from './answer-reader.ts';
import { Waiters } from './deadline.ts';
import { type ExchangeFailure, untrusted } from './failure.ts';

/** The endpoint of a connection. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
  /** Absent: plain TCP. */
  readonly tls?: { readonly options: ConnectionOptions; readonly trust: Trust };
}

/** A connection to a target, and the answers on it. */
export class SocketWire {
  readonly socket: Socket;
  readonly answers: ReceivedAnswer[] = [];
  /** The methods of the requests, in the order of their answers: they decide which answers have a body. */
  readonly methods: string[] = [];
  /** Whether it can send. */
  isReady = false;
  /** Facts of the handshake. */
  facts: TlsFacts | undefined;
  /** Why it is not trusted, or what came that is no HTTP. */
  failure: ExchangeFailure | undefined;
  /** The end by the target, with its error if any, and whether it completed an answer. */
  end: { readonly error?: unknown; readonly completes: boolean } | undefined;
  /** Bytes after the last answer. */
  surplus = 0;
  readonly #trust: Trust;
  readonly #most: number;
  readonly #closed: Promise<unknown>;
  readonly #waiters = new Waiters();
  #reader: AnswerReader | undefined;

  /** `most`: answers to read. */
  constructor(endpoint: Endpoint, most: number) {
    this.#trust = endpoint.tls?.trust ?? {};
    this.#most = most;
    const socket = openSocket(endpoint);
    this.socket = socket;
    this.#closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('data', (bytes: Buffer) => this.#read(bytes));
    socket.on('error', (error) => this.#ended(error));
    for (const event of ['end', 'close']) socket.on(event, () => this.#ended());
    if (socket instanceof TLSSocket) socket.on('secureConnect', () => this.#secured(socket));
    else socket.on('connect', () => this.#ready());
  }

  get isOver(): boolean {
    return this.end !== undefined || this.failure !== undefined;
  }

  /** Whether an answer has begun. */
  get isAnswered(): boolean {
    return this.answers.length > 0 || this.#reader?.started === true;
  }

  /** Resolves when `isSo` holds, when the connection is over, or after so many milliseconds. */
  async until(condition: () => boolean, within: number): Promise<void> {
    await this.#waiters.wait(() => condition() || this.isOver || undefined, { within });
  }

  /** Completes an answer that ends with the connection. */
  readToEnd(): void {
    this.#reader?.end();
    this.#collect();
  }

  /** Resolves when it is closed: until then it counts as open. */
  async close(): Promise<void> {
    this.socket.destroy();
    await this.#closed;
  }

  #secured(socket: TLSSocket): void {
    this.facts = factsOf(socket, this.#trust);
    const failure = untrusted(this.facts, this.#trust);
    if (failure === undefined) void ticketOf(socket).then(() => this.#ready());
    else this.#ended();
    this.failure = failure;
  }

  #ready(): void {
    this.isReady = !this.socket.destroyed;
    this.#waiters.wake();
  }

  #read(bytes: Buffer): void {
    let rest = bytes;
    while (rest.length > 0 && this.failure === undefined && this.answers.length < this.#most) {
      this.#reader ??= new AnswerReader(this.methods[this.answers.length] ?? 'GET');
      this.#reader.push(rest);
      rest = this.#reader.rest;
      this.#collect();
    }
    this.surplus += rest.length;
    this.#waiters.wake();
  }

  #collect(): void {
    const { state } = this.#reader ?? {};
    if (state?.kind === 'malformed') this.failure = { kind: 'malformed', message: state.message };
    if (state?.kind !== 'complete') return;
    this.#reader = undefined;
    this.answers.push(state.answer);
  }

  #ended(error?: unknown): void {
    if (this.isOver) return;
    const before = this.answers.length;
    if (error === undefined) this.readToEnd();
    this.end = { ...(error !== undefined && { error }), completes: this.answers.length > before };
    this.#waiters.wake();
  }
}

/** Milliseconds to wait for a ticket. */
const ticketWait = 250;

/**
 * Resolves at once; over TLS 1.3 when the ticket after the handshake has come. A target that refuses the client's certificate sends
 * an alert instead, which would be lost if the request were under way already.
 */
async function ticketOf(socket: TLSSocket): Promise<void> {
  if (socket.getProtocol() !== 'TLSv1.3') return;
  await once(socket, 'session', { signal: AbortSignal.timeout(ticketWait) }).catch(() => {});
  // What is written during node's session event is lost.
  await nextTurn();
}

function openSocket({ tls, host, port }: Endpoint): Socket {
  if (tls === undefined) return connectTcp({ host, port, noDelay: true });
  return connectTls({
    host,
    port,
    ALPNProtocols: ['http/1.1'],
    ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
    ...tls.options,
    // Verified after the handshake, so that a report can say what was wrong.
    rejectUnauthorized: false,
  });
}
