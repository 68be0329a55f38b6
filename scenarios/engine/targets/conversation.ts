import { TLSSocket } from 'node:tls';
import { failureOf } from './failure.ts';
import { type Address, Line } from './socket.ts';
import type { Conversation, Turn } from './target.ts';

/** Milliseconds between two segments, lest they are read as one. */
const apart = 2;
/** Answers that are read; more are those of a target that pours. */
const mostAnswers = 1000;

/** Opens a connection, takes the turns in order, and reads what comes. Ends in bounded time and never rejects. */
export async function converse(turns: readonly Turn[], address: Address): Promise<Conversation> {
  const line = new Line(address, mostAnswers);
  await line.until(() => line.isReady, turns[0]?.within ?? 0);
  for (const turn of turns) {
    if (line.isOver || !line.isReady || line.answers.length === mostAnswers) break;
    await say(turn, line);
    await line.until(() => line.answers.length >= line.methods.length, turn.within);
  }
  const heard = heardOn(line);
  await line.close();
  return heard;
}

async function say({ bytes, cuts = [], methods, afterwards }: Turn, line: Line): Promise<void> {
  const { socket } = line;
  line.methods.push(...methods);
  let from = 0;
  for (const to of [...cuts, bytes.length]) {
    if (from > 0) await new Promise((resolve) => setTimeout(resolve, apart));
    if (line.isOver) return;
    socket.write(bytes.subarray(from, to));
    from = to;
  }
  if (afterwards === 'end') socket.end();
  if (afterwards === 'reset') {
    await line.until(() => socket.writableLength === 0, apart);
    // What runs over TLS cannot be reset; it is cut without a farewell.
    if (socket instanceof TLSSocket) socket.destroy();
    else socket.resetAndDestroy();
  }
}

const pours: Conversation['failure'] = { kind: 'malformed', message: `${mostAnswers} answers came` };

function heardOn(line: Line): Conversation {
  const { answers, end, isReady } = line;
  // What was answered before is what counts: a reset then only says that nothing more comes.
  if (end !== undefined) line.readToEnd();
  const cause = isReady || end?.error === undefined ? undefined : failureOf(end.error);
  const failure = answers.length === mostAnswers ? pours : (line.failure ?? cause);
  const how = end === undefined ? 'open' : end.error === undefined ? 'closed' : 'reset';
  return { answers, end: how, ...(failure && { failure }) };
}
