import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Exchange, ReceivedAnswer } from '../result.ts';
import { AnswerReader } from './answer-reader.ts';
import { type Failure, failureOf, timeoutFailure } from './failure.ts';

export interface SocketOptions {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
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
}

/** Sends bytes over a connection of their own and reads one answer. Ends in bounded time and never rejects. */
export function exchangeBytes(bytes: Uint8Array, options: SocketOptions): Promise<SocketResult> {
  return new Promise((resolve) => {
    const reader = new AnswerReader(options.method);
    const socket = open(options);
    let watching: NodeJS.Timeout | undefined;
    const finish = (result: SocketResult): void => {
      clearTimeout(deadline);
      clearTimeout(watching);
      socket.destroy();
      resolve(result);
    };
    const deadline = setTimeout(() => finish(expired(reader, options.timeout)), options.timeout);
    socket.on('data', (chunk) => {
      reader.push(chunk);
      if (reader.state.kind === 'malformed') finish(malformed(reader.state.message));
      if (reader.state.kind !== 'complete' || watching !== undefined) return;
      const { answer } = reader.state;
      if (options.watchConnection === 0) finish({ answer });
      else watching = setTimeout(() => finish({ answer, connection: 'open' }), options.watchConnection);
    });
    socket.on('end', () => finish(ended(reader)));
    socket.on('error', (error) => finish(broken(reader, error)));
    socket.on('close', () => finish(ended(reader)));
    socket.on(options.secure ? 'secureConnect' : 'connect', () => feed(socket, bytes, () => reader.started));
  });
}

function open({ secure, host, port }: SocketOptions): Socket {
  if (!secure) return connectTcp({ host, port, noDelay: true });
  return connectTls({
    host,
    port,
    ALPNProtocols: ['http/1.1'],
    ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
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
  const message = reader.started
    ? 'the target closed the connection in the middle of its answer'
    : 'the target closed the connection without an answer';
  return { failure: { kind: 'closed', message }, connection: 'closed' };
}

/** An error after a complete answer only says that the connection is gone. */
function broken(reader: AnswerReader, error: unknown): SocketResult {
  if (reader.state.kind === 'complete') return { answer: reader.state.answer, connection: 'closed' };
  const failure = failureOf(error) ?? { kind: 'unreachable', message: String(error) };
  return { failure, ...(failure.kind === 'reset' ? { connection: 'closed' } : {}) };
}

function expired(reader: AnswerReader, timeout: number): SocketResult {
  if (reader.state.kind === 'complete') return { answer: reader.state.answer, connection: 'open' };
  return { failure: timeoutFailure(timeout), connection: 'open' };
}

function malformed(message: string): SocketResult {
  return { failure: { kind: 'malformed', message } };
}
