import { type Cause, causesOf, type RequirementResult, type RunResult } from '../scenarios/index.ts';
import { type Evidence, indexEvidence } from './evidence.ts';

/** A cause with what every report tells of it. */
export interface CauseFacts {
  readonly cause: Cause;
  /** The one that leads. */
  readonly requirement: RequirementResult;
  readonly others: readonly RequirementResult[];
  /** The failure that the fewest steps lead to. */
  readonly shown: Evidence;
  /** The other failures of the leading requirement, without those that a baseline knows of one that is new. */
  readonly elsewhere: readonly Evidence[];
}

/** What a run found wrong, by cause; what is new before what a baseline knows. */
export function causeFacts(result: RunResult): CauseFacts[] {
  const index = indexEvidence(result);
  const stated = new Map(result.requirements.map((one) => [one.id, one]));
  return causesOf(result).flatMap((cause) => {
    const requirement = stated.get(cause.requirement);
    const shown = index.at(cause.shown);
    if (requirement === undefined || shown === undefined) return [];
    const failures = requirement.violations.flatMap((at) => index.at(at) ?? []);
    const elsewhere = failures.filter(
      ({ check }) => check !== shown.check && (check.known === undefined || cause.known === true),
    );
    return [{ cause, requirement, others: cause.others.flatMap((id) => stated.get(id) ?? []), shown, elsewhere }];
  });
}

/** Those of a verdict, without what a baseline knows. */
export function newCauses(all: readonly CauseFacts[], verdict: Cause['verdict']): CauseFacts[] {
  return all.filter(({ cause }) => cause.verdict === verdict && cause.known !== true);
}

/** Requirements that causes violate. */
export function requirementsOf(causes: readonly CauseFacts[]): number {
  return causes.reduce((sum, { others }) => sum + others.length + 1, 0);
}
