import { TLSSocket } from 'node:tls';
import type { Conversation, Turn, Way } from '../../messages/target.ts';
import { alertIn } from '../../messages/tls.ts';
import type { Exchange, TlsFacts } from '../../results/exchange.ts';
import { cutShort, type ExchangeFailure, failureOf, timeoutFailure } from './failure.ts';
import { type Endpoint, SocketWire } from './socket.ts';

interface SocketOptions extends Endpoint, Required<Pick<Way, 'timeout' | 'watchConnection'>> {
  /** Method of the request: it decides whether the answer has a body. */
  readonly method: string;
}

/** The part of an exchange that a connection shows; surplus bytes count while the connection is watched. */
type SocketResult = Pick<Exchange, 'answer' | 'failure' | 'connection' | 'surplus' | 'tls'>;

/** Sends bytes over a new connection and reads one answer. Ends in bounded time and never rejects. */
export async function exchangeBytes(bytes: Uint8Array, options: SocketOptions): Promise<SocketResult> {
  const { method, timeout, watchConnection, tls } = options;
  const wire = new SocketWire(options, 1);
  wire.methods.push(method);
  void wire.until(() => wire.isReady, timeout).then(() => wire.isReady && feed(wire, bytes));
  await wire.until(() => wire.answers.length > 0, timeout);
  if (wire.answers.length > 0 && watchConnection > 0) await wire.until(() => false, watchConnection);
  const { facts = {}, surplus } = wire;
  const result = resultOf(wire, options);
  await wire.close();
  return { ...(tls && { tls: facts }), ...result, ...(result.answer && surplus > 0 && { surplus }) };
}

/** Bytes written at a time. */
const piece = 64 * 1024;

/** Writes piece by piece and stops when the answer begins: a target that refuses a long body may not read the rest. */
function feed(wire: SocketWire, bytes: Uint8Array): void {
  const { socket } = wire;
  let written = 0;
  const more = (): void => {
    while (written < bytes.length && !wire.isAnswered && !socket.destroyed) {
      const hasCapacity = socket.write(bytes.subarray(written, written + piece));
      written += piece;
      if (!hasCapacity) {
        socket.once('drain', more);
        return;
      }
    }
  };
  more();
}

function resultOf(wire: SocketWire, { timeout, watchConnection, tls }: SocketOptions): SocketResult {
  const { answers, failure, end, facts } = wire;
  const [answer] = answers;
  if (failure !== undefined) return { failure };
  if (answer !== undefined && watchConnection === 0) return { answer, ...(end?.completes && { connection: 'closed' }) };
  if (answer !== undefined) return { answer, connection: end === undefined ? 'open' : 'closed' };
  if (end !== undefined) return cutOff(wire, end.error, tls !== undefined);
  const inHandshake = tls !== undefined && facts === undefined && !wire.socket.connecting;
  const stage = inHandshake ? 'handshake' : wire.isAnswered ? 'answer' : undefined;
  return { failure: timeoutFailure(timeout, stage), connection: 'open' };
}

/** The target ended the connection before its answer was complete. */
function cutOff({ isAnswered, facts }: SocketWire, error: unknown, isSecure: boolean): SocketResult {
  const failure = error === undefined ? closed : (failureOf(error) ?? { kind: 'unreachable', message: String(error) });
  const { kind } = failure;
  const connection = kind === 'closed' || kind === 'reset' || kind === 'tls' ? ({ connection: 'closed' } as const) : {};
  if (isAnswered) return { failure: cutShort(failure), ...connection };
  if (!isSecure || kind === 'refused' || kind === 'unreachable') return { failure, ...connection };
  const alert = alertIn(error);
  const handshake = facts === undefined ? 'refused' : 'dropped';
  const tls: TlsFacts = { ...facts, handshake, ...(alert !== undefined && { alert }) };
  const isExplained = facts !== undefined || kind === 'tls';
  return { failure: isExplained ? failure : cutInHandshake, ...connection, tls };
}

const closed: ExchangeFailure = { kind: 'closed', message: 'the target closed the connection without an answer' };
const cutInHandshake: ExchangeFailure = { kind: 'tls', message: 'the target cut the connection in the handshake' };

// Turns on one connection.

/** Milliseconds between two segments, so that they are not read as one. */
const segmentPause = 2;
/** Answers to read at most, even if a target floods the connection. */
const mostAnswers = 1000;

/** Opens a connection, sends the turns in order, and reads the answers. Ends in bounded time and never rejects. */
export async function converse(turns: readonly Turn[], endpoint: Endpoint): Promise<Conversation> {
  const wire = new SocketWire(endpoint, mostAnswers);
  await wire.until(() => wire.isReady, turns[0]?.within ?? 0);
  for (const turn of turns) {
    if (wire.isOver || !wire.isReady || wire.answers.length === mostAnswers) break;
    await sendTurn(turn, wire);
    await wire.until(() => wire.answers.length >= wire.methods.length, turn.within);
  }
  const conversation = conversationOn(wire);
  await wire.close();
  return conversation;
}

async function sendTurn({ bytes, cuts = [], methods, afterwards }: Turn, wire: SocketWire): Promise<void> {
  const { socket } = wire;
  wire.methods.push(...methods);
  let from = 0;
  for (const to of [...cuts, bytes.length]) {
    if (from > 0) await new Promise((resolve) => setTimeout(resolve, segmentPause));
    if (wire.isOver) return;
    socket.write(bytes.subarray(from, to));
    from = to;
  }
  if (afterwards === 'end') socket.end();
  if (afterwards === 'reset') {
    await wire.until(() => socket.writableLength === 0, segmentPause);
    // TLS cannot be reset; the connection is cut without close_notify.
    if (socket instanceof TLSSocket) socket.destroy();
    else socket.resetAndDestroy();
  }
}

const tooManyAnswers: Conversation['failure'] = { kind: 'malformed', message: `${mostAnswers} answers came` };

function conversationOn(wire: SocketWire): Conversation {
  const { answers, end, isReady } = wire;
  // Earlier answers count: a reset then only says that nothing more comes.
  if (end !== undefined) wire.readToEnd();
  const cause = isReady || end?.error === undefined ? undefined : failureOf(end.error);
  const failure = answers.length === mostAnswers ? tooManyAnswers : (wire.failure ?? cause);
  const how = end === undefined ? 'open' : end.error === undefined ? 'closed' : 'reset';
  return { answers, end: how, ...(failure && { failure }) };
}
