/** The failed checks of a report, each with a short id that stays the same from run to run. */
import { createHash } from 'node:crypto';
import { didYouMean, type RequirementResult, type RunResult, UsageError } from '../../scenarios/index.ts';
import { type Evidence, evidenceIn, indexEvidence } from '../evidence.ts';

export interface Failure {
  /** Seven hexadecimal digits. */
  readonly id: string;
  readonly requirement: RequirementResult | undefined;
  readonly evidence: Evidence;
}

/** In the order of the report: what counts first, then what only advises. */
export function failuresOf(result: RunResult): Failure[] {
  const index = indexEvidence(result);
  const requirements = result.requirements.toSorted((a, b) => Number(isAdvice(a)) - Number(isAdvice(b)));
  return requirements.flatMap((requirement) =>
    requirement.violations.flatMap((at) => {
      const evidence = index.at(at);
      return evidence === undefined ? [] : [{ id: failureId(evidence), requirement, evidence }];
    }),
  );
}

function isAdvice({ verdict }: RequirementResult): boolean {
  return verdict === 'advisory';
}

/** By requirement, scenario, and the positions of step and check in it; what rules find is told once in a scenario. */
export function failureId({ check, scenario, stepNumber, checkNumber }: Evidence): string {
  const place = check.byRule === true ? ['by rule'] : [stepNumber, checkNumber];
  const key = JSON.stringify([check.requirement, scenario.id, ...place]);
  return createHash('sha256').update(key).digest('hex').slice(0, 7);
}

/**
 * What an id means: a failure by its short id or the beginning of it, a requirement, or a scenario. The first is to be shown; the
 * others are more of the same. Where nothing failed, what was seen is given. Throws UsageError for an id that is not in the report.
 */
export function findFailures(result: RunResult, id: string): [Failure, ...Failure[]] {
  const failures = failuresOf(result);
  const [first, ...others] = candidates(result, failures, id);
  if (first !== undefined) return [first, ...others];
  const words = [...result.requirements, ...result.scenarios].map((one) => one.id);
  if (words.includes(id)) throw new UsageError(`nothing of "${id}" was judged in this report`);
  throw new UsageError(
    `there is no failure, requirement or scenario "${id}" in this report${didYouMean(id, words)}; without an id, show lists the failures`,
  );
}

function candidates(result: RunResult, failures: readonly Failure[], id: string): Failure[] {
  if (/^[0-9a-f]{4,7}$/.test(id)) {
    const short = failures.filter((one) => one.id.startsWith(id));
    if (new Set(short.map((one) => one.id)).size > 1) {
      throw new UsageError(`"${id}" begins several ids: ${[...new Set(short.map((one) => one.id))].join(', ')}`);
    }
    if (short.length > 0) return short;
  }
  const own = failures.filter(({ evidence: { check, scenario } }) => check.requirement === id || scenario.id === id);
  return own.length > 0 ? own : seen(result, id);
}

/** What was judged of a requirement or scenario in which nothing failed, what is left open among it. */
function seen(result: RunResult, id: string): Failure[] {
  const requirements = new Map(result.requirements.map((one) => [one.id, one]));
  return result.scenarios
    .flatMap(evidenceIn)
    .filter(({ check, scenario }) => check.requirement === id || scenario.id === id)
    .map((evidence) => ({
      id: failureId(evidence),
      requirement: requirements.get(evidence.check.requirement),
      evidence,
    }));
}
