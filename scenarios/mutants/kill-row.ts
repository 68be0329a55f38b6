import type { Requirement } from '../engine/files/catalogue.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { Answered } from '../engine/processes/crew.ts';
import type { FaultFacts } from '../engine/targets/embedded/simulated-faults.ts';
import type { Mutant, Sight, Violation } from './mutant.ts';

/**
 * `named`: the requirement that the fault violates is among those found violated. `killed`: others are, and it is not.
 * `equivalent`: nothing was found, and it is written why nobody can find anything. `not killed`: nothing was found.
 * `not judged`: the worker died, hung, or could not run anything.
 */
export type KillVerdict = 'named' | 'killed' | 'equivalent' | 'not killed' | 'not judged';

export const killVerdicts: readonly KillVerdict[] = ['named', 'killed', 'equivalent', 'not killed', 'not judged'];

/** What the harness makes of one fault. */
export interface KillRow {
  readonly fault: FaultFacts;
  readonly level: Requirement['level'];
  readonly dialect: Dialect;
  readonly verdict: KillVerdict;
  /** What was found, that of the violated requirement first; its neighbours and what is unrelated after it. */
  readonly violations: readonly Violation[];
  /** Requirements found violated that the fault has nothing to do with. */
  readonly noise: readonly string[];
  /** Why it is not judged, or what went wrong beside. */
  readonly reason?: string;
  /** Scenarios that were run, and those that could have been in this dialect. */
  readonly scenarios: number;
  readonly possible: number;
  /** Milliseconds. */
  readonly took: number;
}

interface Surroundings {
  readonly level: Requirement['level'];
  readonly possible: number;
}

export function rowOf({ fault, dialect }: Mutant, answered: Answered<Sight>, around: Surroundings): KillRow {
  const about = { fault, dialect, ...around };
  if (!('sight' in answered)) return { ...about, ...unjudged, reason: reasonOf(answered) };
  const { violations, troubles, scenarios, took } = answered.sight;
  const found = violations.map(({ requirement }) => requirement);
  const related = new Set([fault.violates, ...(fault.also ?? [])]);
  const noise = found.filter((requirement) => !related.has(requirement));
  const verdict = verdictOn(fault, found, { scenarios, troubles });
  const reason = reasonBeside(fault, found, troubles);
  return {
    ...{ ...about, verdict, noise, scenarios, took },
    violations: violations.toSorted((a, b) => rank(a) - rank(b)),
    ...(reason !== undefined && { reason }),
  };

  function rank({ requirement }: Violation): number {
    return requirement === fault.violates ? 0 : related.has(requirement) ? 1 : 2;
  }
}

function reasonBeside(
  { equivalent }: FaultFacts,
  found: readonly string[],
  [first, ...more]: readonly string[],
): string | undefined {
  if (first !== undefined) return more.length > 0 ? `${first} (and ${more.length} more)` : first;
  return equivalent !== undefined && found.length > 0 ? `it is said that nobody can see it: ${equivalent}` : undefined;
}

/** Where the harness could not run all of it, that nothing was found says nothing. */
function verdictOn(
  { violates, equivalent }: FaultFacts,
  found: readonly string[],
  { scenarios, troubles }: Pick<Sight, 'scenarios' | 'troubles'>,
): KillVerdict {
  if (found.includes(violates)) return 'named';
  if (found.length > 0) return 'killed';
  if (scenarios === 0 || troubles.length > 0) return 'not judged';
  return equivalent === undefined ? 'not killed' : 'equivalent';
}

const unjudged = { verdict: 'not judged', violations: [], noise: [], scenarios: 0, took: 0 } as const;

function reasonOf(answered: Exclude<Answered<Sight>, { readonly sight: Sight }>): string {
  if ('died' in answered) return `the worker died: ${answered.died}`;
  return 'hung' in answered ? `the worker hung: ${answered.hung}` : `the harness failed: ${answered.failed}`;
}
