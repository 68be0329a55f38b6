import type { Catalogue } from '../files/catalogue.ts';
import type { LoadedCheck, LoadedScenario } from '../files/load.ts';

/** The release of a target that says none. */
const usualRelease = '3';

/**
 * A scenario as it is for a target of a release (`1`, `2`, `2a`, `3` …): what the standard states since a later one is not
 * applicable, and what it permitted before that release is permitted no longer.
 */
export function ofRelease(
  scenario: LoadedScenario,
  { requirements }: Catalogue,
  release = usualRelease,
): LoadedScenario {
  const steps = scenario.steps.map((step) => ({
    ...step,
    checks: step.checks.map((check) => aged(check, requirements.get(check.requirement)?.since, release)),
  }));
  const reasons = steps.flatMap((step) => step.checks.map(({ inapplicable }) => inapplicable));
  const idle = reasons.length > 0 && reasons.every((reason) => reason !== undefined);
  if (!idle || scenario.inapplicable !== undefined) return { ...scenario, steps };
  return { ...scenario, steps, inapplicable: [...new Set(reasons)].join('; ') };
}

function aged(loaded: LoadedCheck, since: string | undefined, release: string): LoadedCheck {
  const { check } = loaded;
  if (since !== undefined && isBefore(release, since) && loaded.inapplicable === undefined) {
    const inapplicable = `the standard states it since release ${since}, and the target is of release ${release}`;
    return { ...loaded, inapplicable };
  }
  const permitted = check['one of']?.filter(({ before }) => before === undefined || isBefore(release, before));
  return permitted === undefined ? loaded : { ...loaded, check: { ...check, 'one of': permitted } };
}

function isBefore(release: string, other: string): boolean {
  return Number.parseInt(release, 10) < Number.parseInt(other, 10);
}
