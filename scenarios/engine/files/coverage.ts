import { groupOf, testPurposes } from '../grammar/test-purposes.ts';
import { requirementsOf } from '../running/plan.ts';
import type { Requirement } from './catalogue.ts';
import type { Loaded } from './load.ts';

export interface MissingPurpose {
  readonly purpose: string;
  /** Why the statements that would answer it cannot be judged; empty where there is none. */
  readonly reasons: readonly string[];
}

/** The test purposes of one group of the conformance suite. */
export interface GroupCoverage {
  readonly group: string;
  readonly all: number;
  /** Those that a statement with a check answers. */
  readonly answered: number;
  readonly missing: readonly MissingPurpose[];
}

export interface UncheckedStatement {
  readonly id: string;
  /** Undefined where nobody says why there is no check. */
  readonly reason: string | undefined;
}

export interface Coverage {
  readonly groups: readonly GroupCoverage[];
  readonly unchecked: readonly UncheckedStatement[];
}

/** How far the scenarios answer the conformance suite, and what of the catalogue has no check. */
export function coverageOf({ scenarios, catalogue }: Loaded, purposes: Iterable<string> = testPurposes): Coverage {
  const checked = new Set(scenarios.flatMap(requirementsOf));
  const requirements = [...catalogue.requirements.values()];
  const answered = new Set(requirements.filter(({ id }) => checked.has(id)).flatMap(({ answers = [] }) => answers));
  const all = [...purposes];
  const groups = [...new Set(all.map(groupOf))].map((group) => {
    const own = all.filter((purpose) => groupOf(purpose) === group);
    const missing = own
      .filter((purpose) => !answered.has(purpose))
      .map((purpose) => ({ purpose, reasons: reasonsFor(purpose, requirements) }));
    return { group, all: own.length, answered: own.length - missing.length, missing };
  });
  const unchecked = requirements
    .filter(({ id }) => !checked.has(id))
    .map(({ id, untestable }) => ({ id, reason: untestable }));
  return { groups, unchecked };
}

function reasonsFor(purpose: string, requirements: readonly Requirement[]): string[] {
  const silent = requirements.filter(({ answers = [] }) => answers.includes(purpose));
  return [...new Set(silent.flatMap(({ untestable }) => untestable ?? []))];
}
