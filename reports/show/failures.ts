/** The failed checks of a report, each with a short id that stays the same from run to run. */
import { didYouMean, type RequirementResult, type RunResult, UsageError } from '../../scenarios/words.ts';
import { type CheckEvidence, evidenceIn, failureId, indexEvidence } from '../facts/evidence.ts';

export interface ListedFailure {
  /** Seven hexadecimal digits. */
  readonly id: string;
  readonly requirement: RequirementResult | undefined;
  readonly evidence: CheckEvidence;
}

/** In the order of the report: failures that count, then advice. */
export function failuresOf(result: RunResult): ListedFailure[] {
  const index = indexEvidence(result);
  const requirements = result.requirements.toSorted((a, b) => Number(isAdvice(a)) - Number(isAdvice(b)));
  return requirements.flatMap((requirement) =>
    index.at(requirement.violations).map((evidence) => ({ id: failureId(evidence), requirement, evidence })),
  );
}

function isAdvice({ verdict }: RequirementResult): boolean {
  return verdict === 'advisory';
}

/**
 * What an id means: a failure by its short id or the beginning of it, a requirement, or a scenario. The first is shown; the others
 * are more of the same. If nothing failed, all checks are returned. Throws UsageError for an id that is not in the report.
 */
export function findFailures(result: RunResult, id: string): [ListedFailure, ...ListedFailure[]] {
  const failures = failuresOf(result);
  const [first, ...others] = candidates(result, failures, id);
  if (first !== undefined) return [first, ...others];
  const words = [...result.requirements, ...result.scenarios].map((one) => one.id);
  if (words.includes(id)) throw new UsageError(`nothing of "${id}" was checked in this report`);
  throw new UsageError(
    `there is no failure, requirement or scenario "${id}" in this report${didYouMean(id, words)}; without an id, show lists the failures`,
  );
}

function candidates(result: RunResult, failures: readonly ListedFailure[], id: string): ListedFailure[] {
  if (/^[0-9a-f]{4,7}$/.test(id)) {
    const short = failures.filter((one) => one.id.startsWith(id));
    const ids = [...new Set(short.map((one) => one.id))];
    if (ids.length > 1) throw new UsageError(`"${id}" begins several ids: ${ids.join(', ')}`);
    if (short.length > 0) return short;
  }
  const isMatch = ({ check, scenario }: CheckEvidence) => check.requirement === id || scenario.id === id;
  const own = failures.filter(({ evidence }) => isMatch(evidence));
  if (own.length > 0) return own;
  // Nothing failed: all checks, gaps included.
  const requirements = new Map(result.requirements.map((one) => [one.id, one]));
  return result.scenarios
    .flatMap(evidenceIn)
    .filter(isMatch)
    .map((one) => ({ id: failureId(one), requirement: requirements.get(one.check.requirement), evidence: one }));
}
