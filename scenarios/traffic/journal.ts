/** Exchanges as the journal of a CSE of this project writes them, one JSON value each. */
import { z } from 'zod';
import type { Exchange } from '../engine/messages/exchange.ts';
import type { Place } from '../engine/result.ts';
import { isForeign, type Recorded } from './recorded.ts';

const Headers = z.record(z.string(), z.string());

export const JournalEntry = z.object({
  number: z.int().positive().optional(),
  /** Number of the last request that had come when this one was answered. */
  until: z.int().positive().optional(),
  /** Microseconds since 1970 UTC. */
  at: z.number(),
  method: z.string().min(1),
  target: z.string().startsWith('/'),
  /** Of what the CSE itself has sent: to whom. */
  to: z.string().optional(),
  certificate: z.array(z.string()).optional(),
  headers: Headers,
  body: z.string().default(''),
  answer: z.object({ status: z.int(), headers: Headers, body: z.string().default('') }).optional(),
  problem: z.string().optional(),
  milliseconds: z.number().nonnegative().optional(),
});
export type JournalEntry = z.infer<typeof JournalEntry>;

/** Undefined for what the CSE itself has sent: that shows how somebody else answers. */
export function fromJournal(entry: JournalEntry, place: Place): Recorded | undefined {
  const { number, until, to, answer } = entry;
  if (to !== undefined) return undefined;
  const exchange = exchangeOf(entry);
  const isOver = answer !== undefined || entry.problem !== undefined;
  // Clocks of tests stand still; how many came meanwhile says the same.
  const span =
    number !== undefined && until !== undefined
      ? { from: number, to: until + 0.5 }
      : { from: exchange.at, to: isOver ? exchange.at + exchange.took : Number.POSITIVE_INFINITY };
  return {
    ...{ exchange, place, ...span, isWhole: !isForeign(exchange) },
    ...(number !== undefined && { number }),
  };
}

function exchangeOf({ number, until, at, milliseconds = 0, ...entry }: JournalEntry): Exchange {
  const { method, target, headers, body, answer, certificate, problem } = entry;
  return {
    request: { method, path: target, headers: Object.entries(headers), ...(body !== '' && { body }) },
    ...(answer && { answer: { status: answer.status, headers: Object.entries(answer.headers), body: answer.body } }),
    ...(problem !== undefined && { failure: { kind: 'closed', message: problem } }),
    ...(certificate && { certificate: certificate.join(' ') }),
    at: at / 1000,
    took: until !== undefined && until === number ? 0 : milliseconds,
    curl: '',
  };
}
