import type { Exchange, ReceivedAnswer, TlsFacts } from '../messages/exchange.ts';
import { cutShort, type Failure, failureOf, timeoutFailure } from './failure.ts';
import { type Address, Line } from './socket.ts';
import { alertIn } from './tls.ts';

export interface SocketOptions extends Address {
  /** Method of the request: it decides whether the answer has a body. */
  readonly method: string;
  /** Milliseconds for connecting and the whole answer. */
  readonly timeout: number;
  /** Milliseconds to wait after the answer for the target to close the connection; 0: do not look. */
  readonly watchConnection: number;
}

interface SocketResult {
  readonly answer?: ReceivedAnswer;
  readonly failure?: Failure;
  readonly connection?: NonNullable<Exchange['connection']>;
  /** Bytes that came after the answer, as far as they were waited for. */
  readonly surplus?: number;
  readonly tls?: TlsFacts;
}

/** Sends bytes over a connection of their own and reads one answer. Ends in bounded time and never rejects. */
export async function exchangeBytes(bytes: Uint8Array, options: SocketOptions): Promise<SocketResult> {
  const { method, timeout, watchConnection, tls } = options;
  const line = new Line(options, 1);
  line.methods.push(method);
  void line.until(() => line.isReady, timeout).then(() => line.isReady && feed(line, bytes));
  await line.until(() => line.answers.length > 0, timeout);
  if (line.answers.length > 0 && watchConnection > 0) await line.until(() => false, watchConnection);
  const { facts = {}, surplus } = line;
  const result = resultOf(line, options);
  await line.close();
  return { ...(tls && { tls: facts }), ...result, ...(result.answer && surplus > 0 && { surplus }) };
}

/** Bytes written at a time. */
const piece = 64 * 1024;

/** Writes piece by piece and stops when the answer begins: a target that refuses a long body may not read the rest. */
function feed(line: Line, bytes: Uint8Array): void {
  const { socket } = line;
  let written = 0;
  const more = (): void => {
    while (written < bytes.length && !line.isAnswered && !socket.destroyed) {
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

function resultOf(line: Line, { timeout, watchConnection, tls }: SocketOptions): SocketResult {
  const { answers, failure, end, facts } = line;
  const [answer] = answers;
  if (failure !== undefined) return { failure };
  if (answer !== undefined && watchConnection === 0) return { answer, ...(end?.completes && { connection: 'closed' }) };
  if (answer !== undefined) return { answer, connection: end === undefined ? 'open' : 'closed' };
  if (end !== undefined) return cutOff(line, end.error, tls !== undefined);
  const inHandshake = tls !== undefined && facts === undefined && !line.socket.connecting;
  const stage = inHandshake ? 'handshake' : line.isAnswered ? 'answer' : undefined;
  return { failure: timeoutFailure(timeout, stage), connection: 'open' };
}

/** The target ended the connection before its answer was complete. */
function cutOff({ isAnswered, facts }: Line, error: unknown, isSecure: boolean): SocketResult {
  const failure = error === undefined ? closed : (failureOf(error) ?? { kind: 'unreachable', message: String(error) });
  const { kind } = failure;
  const connection = kind === 'closed' || kind === 'reset' || kind === 'tls' ? ({ connection: 'closed' } as const) : {};
  if (isAnswered) return { failure: cutShort(failure), ...connection };
  if (!isSecure || kind === 'refused' || kind === 'unreachable') return { failure, ...connection };
  const alert = alertIn(error);
  const handshake = facts === undefined ? 'refused' : 'dropped';
  const tls: TlsFacts = { ...facts, handshake, ...(alert !== undefined && { alert }) };
  const isSaid = facts !== undefined || kind === 'tls';
  return { failure: isSaid ? failure : cutInHandshake, ...connection, tls };
}

const closed: Failure = { kind: 'closed', message: 'the target closed the connection without an answer' };
const cutInHandshake: Failure = { kind: 'tls', message: 'the target cut the connection in the handshake' };
