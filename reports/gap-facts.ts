import type { GapObservation } from '../scenarios/index.ts';
import { groupedBy } from './grouped.ts';

/** One behaviour of the target where the specification leaves it open, with every check that saw it. */
export interface GapFact extends Pick<GapObservation, 'actual' | 'asReference' | 'variant'> {
  readonly seen: readonly GapObservation[];
}

/** The same behaviour seen in several scenarios is one fact; what differs from the reference CSE comes first. */
export function gapFacts(gaps: readonly GapObservation[]): GapFact[] {
  const alike = groupedBy(gaps, ({ actual, asReference, variant }) => JSON.stringify([actual, asReference, variant]));
  return [...alike.values()]
    .flatMap((seen) => seen.slice(0, 1).map((first): GapFact => ({ ...first, seen })))
    .sort((a, b) => Number(a.asReference) - Number(b.asReference));
}
