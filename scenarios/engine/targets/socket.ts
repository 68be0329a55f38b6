import { connect as connectTcp, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, TLSSocket } from 'node:tls';
import type { Exchange, ReceivedAnswer, TlsFacts } from '../messages/exchange.ts';
import { AnswerReader } from './answer-reader.ts';
import { deadline } from './deadline.ts';
import { cutShort, type Failure, failureOf, timeoutFailure, untrusted } from './failure.ts';
import { alertIn, factsOf, type Trust } from './tls.ts';

export interface SocketOptions {
  readonly host: string;
  readonly port: number;
  /** Absent: plain TCP. */
  readonly tls?: { readonly options: ConnectionOptions; readonly trust: Trust };
  /** Method of the request: it decides whether the answer has a body. */
  readonly method: string;
  /** Milliseconds for connecting and the whole answer. */
  readonly timeout: number;
  /** Milliseconds to wait after the answer for the target to close the connection; 0: do not look. */
  readonly watchConnection: number;
}

export interface SocketResult {
  readonly answer?: ReceivedAnswer;
  readonly failure?: Failure;
  readonly connection?: NonNullable<Exchange['connection']>;
  /** Bytes that came after the answer, as far as they were waited for. */
  readonly surplus?: number;
  readonly tls?: TlsFacts;
}

/** Sends bytes over a connection of their own and reads one answer. Ends in bounded time and never rejects. */
export function exchangeBytes(bytes: Uint8Array, options: SocketOptions): Promise<SocketResult> {
  return new Promise((resolve) => new ByteExchange(bytes, options, resolve));
}

/** Milliseconds to wait for a ticket. */
const ticketWait = 250;

class ByteExchange {
  readonly #bytes: Uint8Array;
  readonly #options: SocketOptions;
  readonly #resolve: (result: SocketResult) => void;
  readonly #reader: AnswerReader;
  readonly #socket: Socket;
  readonly #stopDeadline: () => void;
  #watching: NodeJS.Timeout | undefined;
  #stopWaiting = (): void => {};
  #facts: TlsFacts | undefined;
  #over = false;
  #isClosed = false;

  constructor(bytes: Uint8Array, options: SocketOptions, resolve: (result: SocketResult) => void) {
    this.#bytes = bytes;
    this.#options = options;
    this.#resolve = resolve;
    this.#reader = new AnswerReader(options.method);
    this.#socket = openSocket(options);
    this.#stopDeadline = deadline(options.timeout, () => this.#finish(this.#expired()));
    this.#listen();
  }

  #listen(): void {
    const socket = this.#socket;
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('end', () => this.#cut());
    socket.once('close', () => {
      this.#isClosed = true;
      this.#cut();
    });
    socket.on('error', (error) => this.#cut(error));
    if (socket instanceof TLSSocket) socket.on('secureConnect', () => this.#secured(socket));
    else socket.on('connect', () => this.#feed());
  }

  #secured(socket: TLSSocket): void {
    const { trust = {} } = this.#options.tls ?? {};
    this.#facts = factsOf(socket, trust);
    const failure = untrusted(this.#facts, trust);
    if (failure !== undefined) this.#finish({ failure });
    else this.#stopWaiting = whenTicketCame(socket, () => this.#feed());
  }

  #feed(): void {
    feed(this.#socket, this.#bytes, () => this.#reader.started);
  }

  #read(chunk: Buffer): void {
    this.#reader.push(chunk);
    const { state } = this.#reader;
    if (state.kind === 'malformed') this.#finish({ failure: { kind: 'malformed', message: state.message } });
    if (state.kind !== 'complete' || this.#watching !== undefined) return;
    const { answer } = state;
    const { watchConnection } = this.#options;
    if (watchConnection === 0) this.#finish({ answer });
    else this.#watching = setTimeout(() => this.#finish({ answer, connection: 'open' }), watchConnection);
  }

  /** The target ended the connection, in one way or another. */
  #cut(error?: unknown): void {
    const result = error === undefined ? ended(this.#reader) : broken(this.#reader, error);
    const { kind } = result.failure ?? {};
    const inTls = this.#options.tls !== undefined && result.answer === undefined && !this.#reader.started;
    const connected = kind !== 'refused' && kind !== 'unreachable';
    this.#finish(inTls && connected ? this.#cutInTls(result, alertIn(error)) : result);
  }

  #expired(): SocketResult {
    const { timeout } = this.#options;
    const { state, started } = this.#reader;
    if (state.kind === 'complete') return { answer: state.answer, connection: 'open' };
    const inHandshake = this.#options.tls !== undefined && this.#facts === undefined && !this.#socket.connecting;
    const stage = inHandshake ? 'handshake' : started ? 'answer' : undefined;
    return { failure: timeoutFailure(timeout, stage), connection: 'open' };
  }

  #cutInTls(result: SocketResult, alert: string | undefined): SocketResult {
    const secured = this.#facts !== undefined;
    const handshake = secured ? 'dropped' : 'refused';
    this.#facts = { ...this.#facts, handshake, ...(alert !== undefined && { alert }) };
    if (secured || result.failure?.kind === 'tls') return result;
    return { ...result, failure: { kind: 'tls', message: 'the target cut the connection in the handshake' } };
  }

  /** The first result counts, and is told when the connection is closed: until then it is one of those that are open. */
  #finish(result: SocketResult): void {
    if (this.#over) return;
    this.#over = true;
    this.#stopDeadline();
    clearTimeout(this.#watching);
    this.#stopWaiting();
    this.#socket.destroy();
    const tls = this.#options.tls === undefined ? {} : { tls: this.#facts ?? {} };
    const { surplus } = this.#reader;
    const told = { ...result, ...(result.answer && surplus > 0 && { surplus }), ...tls };
    // What node calls closed may still have its handle.
    if (this.#isClosed) this.#resolve(told);
    else this.#socket.once('close', () => this.#resolve(told));
  }
}

/**
 * Goes on at once, over TLS 1.3 when the ticket came that follows a handshake. A target that refuses the client's certificate says so
 * instead; its alert would be lost if the request were on its way already. Returns what ends the waiting.
 */
export function whenTicketCame(socket: TLSSocket, goOn: () => void): () => void {
  if (socket.getProtocol() !== 'TLSv1.3') {
    goOn();
    return () => {};
  }
  const stop = () => {
    clearTimeout(waiting);
    socket.off('session', soon);
  };
  const go = () => {
    stop();
    if (!socket.destroyed) goOn();
  };
  // What is written while node tells of the ticket is lost.
  const soon = () => setImmediate(go);
  const waiting = setTimeout(go, ticketWait);
  socket.once('session', soon);
  return stop;
}

export function openSocket({ tls, host, port }: Pick<SocketOptions, 'tls' | 'host' | 'port'>): Socket {
  if (tls === undefined) return connectTcp({ host, port, noDelay: true });
  return connectTls({
    host,
    port,
    ALPNProtocols: ['http/1.1'],
    ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
    ...tls.options,
    // Looked at when the handshake is over, so that a report can say what was wrong.
    rejectUnauthorized: false,
  });
}

/** Bytes written at a time. */
const piece = 64 * 1024;

/** Writes piece by piece and stops when the answer begins: a target that refuses a long body may not read the rest. */
function feed(socket: Socket, bytes: Uint8Array, answered: () => boolean): void {
  let written = 0;
  const more = (): void => {
    while (written < bytes.length && !answered() && !socket.destroyed) {
      const room = socket.write(bytes.subarray(written, written + piece));
      written += piece;
      if (!room) {
        socket.once('drain', more);
        return;
      }
    }
  };
  more();
}

/** The target ended the connection. */
function ended(reader: AnswerReader): SocketResult {
  reader.end();
  if (reader.state.kind === 'complete') return { answer: reader.state.answer, connection: 'closed' };
  const failure: Failure = { kind: 'closed', message: 'the target closed the connection without an answer' };
  return { failure: reader.started ? cutShort(failure) : failure, connection: 'closed' };
}

/** An error after a complete answer only says that the connection is gone. */
function broken(reader: AnswerReader, error: unknown): SocketResult {
  if (reader.state.kind === 'complete') return { answer: reader.state.answer, connection: 'closed' };
  const failure = failureOf(error) ?? { kind: 'unreachable', message: String(error) };
  const ends = failure.kind === 'reset' || failure.kind === 'tls';
  return { failure: reader.started ? cutShort(failure) : failure, ...(ends ? { connection: 'closed' } : {}) };
}
