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
  readonly faults: readonly string[];
}

interface FloodOptions {
  readonly requests: FloodRequests;
  /** So many requests at least. */
  readonly count: number;
  readonly connect: () => Socket;
}

/** Connections at the same time. */
const lanes = 16;
/** Milliseconds after which a connection whose client has nothing more to say has to have ended. */
const limit = 15_000;
const mostFaults = 20;

/** Each connection carries a batch; its client then closes its side, and reads until the server does. */
export async function flood({ requests, count, connect }: FloodOptions): Promise<FloodReport> {
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  let sent = 0;
  let connections = 0;
  const work = async (): Promise<void> => {
    while (sent < count && faults.length < mostFaults) {
      const batch = requests.batch();
      sent += batch.length;
      connections += 1;
      const { answers, fault } = await exchange(connect(), batch);
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const found = fault ?? faultIn(batch, answers);
      if (found !== undefined) faults.push(`${found}: ${batch.map(({ bytes }) => shown(bytes)).join(' | ')}`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  const good = [...statuses].filter(([status]) => status >= 200 && status < 300);
  const successes = good.reduce((sum, [, times]) => sum + times, 0) / sent;
  return { requests: sent, connections, statuses, successes, faults };
}

/** Of each request so many characters. */
const shown = (bytes: string): string => escapedBytes(bytes.length > 1000 ? `${bytes.slice(0, 1000)}...` : bytes);

interface Came {
  readonly answers: readonly ReceivedAnswer[];
  readonly fault?: string;
}

function exchange(socket: Socket, batch: readonly FloodRequest[]): Promise<Came> {
  return new Promise((resolve) => {
    const answers: ReceivedAnswer[] = [];
    let reader = readerFor(batch, 0);
    const finish = (fault?: string): void => {
      clearTimeout(patience);
      socket.destroy();
      resolve({ answers, ...(fault !== undefined && { fault }) });
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
function faultIn(batch: readonly FloodRequest[], answers: readonly ReceivedAnswer[]): string | undefined {
  for (const [at, { status, headers }] of answers.entries()) {
    if (status === 500) return 'answered by 500';
    const request = batch[at];
    if (request === undefined && status < 300) return 'one success more than there are requests';
    const told = headers.find(([name]) => name === 'x-m2m-ri')?.[1];
    const { identifier } = request ?? {};
    if (told !== undefined && identifier !== undefined && told !== identifier) {
      return `the answer to ${identifier} is that to ${told}`;
    }
  }
  return undefined;
}
