import { isDeath } from './death.ts';
import type { AnyOperation } from './language.ts';
import { type Chosen, type Found, numbered } from './seeded.ts';
import { lostBy, type SequenceOutcome } from './sequence-run.ts';

export type RunSequence = (operations: readonly AnyOperation[]) => Promise<SequenceOutcome>;

/** What came of a sequence that fails. */
export type FailedOutcome = SequenceOutcome & Required<Pick<SequenceOutcome, 'failure'>>;

export type FoundSequence = Found<AnyOperation[], FailedOutcome>;

export function hasFailed(outcome: SequenceOutcome): outcome is FailedOutcome {
  return outcome.failure !== undefined;
}

export interface Searched {
  readonly found?: FoundSequence;
  /** Those whose last request was under way when the target died, in order. */
  readonly suspects: readonly FoundSequence[];
  /** Number of the first sequence that has not been begun. */
  readonly next: number;
  /** Why the target is lost, and the number of the first sequence that did not come to its end by that. */
  readonly lost?: { readonly says: string; readonly at: number };
}

export interface SearchOptions extends Chosen<AnyOperation[]> {
  /** Sequences at the same time. */
  readonly jobs: number;
  readonly enough: () => boolean;
}

/** Runs the sequences of a seed until one fails, or the target is lost. Of several at the same time the first in order is told. */
export async function search(options: SearchOptions, run: RunSequence): Promise<Searched> {
  const { path, jobs, enough } = options;
  const waiting = numbered(options);
  const all: FoundSequence[] = [];
  let lost: Searched['lost'];
  let next = path === undefined ? (options.from ?? 0) : 1;
  const attempt = async (number: number, operations: AnyOperation[]): Promise<void> => {
    try {
      const shown = await run(operations);
      if (hasFailed(shown)) all.push({ path: path ?? String(number), one: operations, shown });
    } catch (error) {
      const { message: says } = lostBy(error);
      if (lost === undefined || number < lost.at) lost = { says, at: number };
    }
  };
  // Who stops does not end the generator for the others.
  const shared = { [Symbol.iterator]: () => ({ next: () => waiting.next() }) };
  const work = async (): Promise<void> => {
    for (const [number, operations] of shared) {
      next = Math.max(next, number + 1);
      await attempt(number, operations);
      if (all.length > 0 || lost !== undefined || enough()) return;
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  all.sort((a, b) => Number(a.path) - Number(b.path));
  const found = all.find(({ shown }) => !isDeath(shown.failure));
  const suspects = all.filter(({ shown }) => isDeath(shown.failure));
  return { ...(found && { found }), suspects, next, ...(lost !== undefined && { lost }) };
}
