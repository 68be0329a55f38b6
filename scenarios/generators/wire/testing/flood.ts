/** For tests: sends a flood of requests, and looks at every answer. */
import type { Socket } from 'node:net';
import type { ReceivedAnswer } from '../../../engine/results/exchange.ts';
import { AnswerReader } from '../../../engine/targets/exchanging/answer-reader.ts';
import { escapedBytes } from '../describe-found.ts';
import type { FloodRequest, FloodRequests } from './flood-requests.ts';

export interface FloodReport {
  readonly requests: number;
  readonly connections: number;
  /** By status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Share of the requests that were answered by 2xx. */
  readonly successes: number;
  /** What must not be: a 500, an answer to the wrong request, one that is no HTTP, a connection that does not end. */
  readonly failures: readonly string[];
}

interface FloodOptions {
  readonly requests: FloodRequests;
  /** So many requests at least. */
  readonly count: number;
  readonly connect: () => Socket;
}

/** Connections at the same time. */
const connectionsAtOnce = 16;
/** Milliseconds after which a connection whose client has nothing more to say has to have ended. */
const limit = 15_000;
const mostFailures = 20;

/** Each connection carries a batch; its client then closes its side, and reads until the server does. */
export async function flood({ requests, count, connect }: FloodOptions): Promise<FloodReport> {
  const statuses = new Map<number, number>();
  const failures: string[] = [];
  let sent = 0;
  let connections = 0;
  const work = async (): Promise<void> => {
    while (sent < count && failures.length < mostFailures) {
      const batch = requests.batch();
      sent += batch.length;
      connections += 1;
      const { answers, failure } = await exchange(connect(), batch);
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const found = failure ?? failureIn(batch, answers);
      if (found !== undefined) failures.push(`${found}: ${batch.map(({ bytes }) => excerpt(bytes)).join(' | ')}`);
    }
  };
  await Promise.all(Array.from({ length: connectionsAtOnce }, work));
  const good = [...statuses].filter(([status]) => status >= 200 && status < 300);
  const successes = good.reduce((sum, [, times]) => sum + times, 0) / sent;
  return { requests: sent, connections, statuses, successes, failures };
}

/** Of each request so many characters. */
const excerpt = (bytes: string): string => escapedBytes(bytes.length > 1000 ? `${bytes.slice(0, 1000)}...` : bytes);

interface BatchAnswers {
  readonly answers: readonly ReceivedAnswer[];
  readonly failure?: string;
}

function exchange(socket: Socket, batch: readonly FloodRequest[]): Promise<BatchAnswers> {
  return new Promise((resolve) => {
    const answers: ReceivedAnswer[] = [];
    let reader = readerFor(batch, 0);
    const finish = (failure?: string): void => {
      clearTimeout(patience);
      socket.destroy();
      resolve({ answers, ...(failure !== undefined && { failure }) });
    };
    const patience = setTimeout(() => finish('the connection does not end'), limit);
    socket.on('data', (bytes: Buffer) => {
      for (let rest = bytes; rest.length > 0; ) {
        reader.push(rest);
        const { state } = reader;
        rest = reader.rest;
        if (state.kind === 'malformed') finish(`no HTTP: ${state.message}`);
        if (state.kind !== 'complete') return;
        answers.push(state.answer);
        reader = readerFor(batch, answers.length);
      }
    });
    socket.on('error', () => {});
    socket.on('close', () => finish());
    socket.end(Buffer.from(batch.map(({ bytes }) => bytes).join(''), 'latin1'));
  });
}

const readerFor = (batch: readonly FloodRequest[], at: number) => new AnswerReader(batch[at]?.method ?? 'GET');

/** An answer has the request identifier of its request, in order; beyond the last request there is no success. */
function failureIn(batch: readonly FloodRequest[], answers: readonly ReceivedAnswer[]): string | undefined {
  for (const [at, { status, headers }] of answers.entries()) {
    if (status === 500) return 'answered by 500';
    const request = batch[at];
    if (request === undefined && status < 300) return 'one success more than there are requests';
    const echoed = headers.find(([name]) => name === 'x-m2m-ri')?.[1];
    const { identifier } = request ?? {};
    if (echoed !== undefined && identifier !== undefined && echoed !== identifier) {
      return `the answer to ${identifier} is that to ${echoed}`;
    }
  }
  return undefined;
}
