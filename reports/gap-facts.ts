import type { GapObservation } from '../scenarios/index.ts';

/** One behaviour of the target where the specification leaves it open, with every check that saw it. */
export interface GapFact {
  readonly actual: string;
  readonly asReference: boolean;
  readonly variant?: string;
  readonly seen: readonly GapObservation[];
}

/** The same behaviour seen in several scenarios is one fact; what differs from the reference CSE comes first. */
export function gapFacts(gaps: readonly GapObservation[]): GapFact[] {
  const facts = new Map<string, GapFact & { seen: GapObservation[] }>();
  for (const gap of gaps) {
    const { actual, asReference, variant } = gap;
    const key = JSON.stringify([actual, asReference, variant]);
    const fact = facts.get(key) ?? { actual, asReference, ...(variant === undefined ? {} : { variant }), seen: [] };
    fact.seen.push(gap);
    facts.set(key, fact);
  }
  return [...facts.values()].sort((a, b) => Number(a.asReference) - Number(b.asReference));
}
