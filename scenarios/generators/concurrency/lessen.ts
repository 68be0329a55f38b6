import type { Judges } from './changes.ts';
import { explain, type Verdict } from './explain.ts';
import type { Call, History } from './history.ts';

export interface Unexplained {
  readonly history: History;
  readonly verdict: Extract<Verdict, { kind: 'unexplained' }>;
}

/** Undefined where some order explains the history, or it cannot be decided whether one does. */
export function unexplained(history: History, judges: Judges): Unexplained | undefined {
  const verdict = explain(history, judges);
  return verdict.kind === 'unexplained' ? { history, verdict } : undefined;
}

/**
 * Leaves out what has nothing to do with it: requests that changed nothing. Whatever explains a history explains it without them, so
 * that a history that stays unexplained was so before.
 */
export function lessened(given: Unexplained, judges: Judges): Unexplained {
  let best = given;
  const { requirement } = given.verdict;
  for (const call of given.history.calls.toReversed()) {
    if (!isHarmless(call)) continue;
    const calls = best.history.calls.filter((one) => one !== call);
    const less = unexplained({ ...best.history, calls }, judges);
    if (less?.verdict.requirement === requirement) best = less;
  }
  return best;
}

function isHarmless({ outcome, action: { does } }: Call): boolean {
  return outcome === 'refused' || does === 'discover' || does.startsWith('retrieve');
}
