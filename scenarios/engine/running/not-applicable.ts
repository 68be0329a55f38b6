import type { LoadedScenario } from '../files/load.ts';
import { unsentCheck } from '../judging/check.ts';
import type { CheckLevel, ScenarioResult } from '../result.ts';
import { titleOf } from './step-title.ts';

/**
 * The result of a scenario of which nothing is sent and nothing judged: it needs what the target has not, or is known to damage
 * a deployed CSE.
 */
export function notApplicable(
  scenario: LoadedScenario,
  reason: string,
  levelOf: (requirement: string) => CheckLevel,
  kind: 'not applicable' | 'left out' = 'not applicable',
): ScenarioResult {
  const { id, feature, title, tags, place, byChoice, denied } = scenario;
  const steps = scenario.steps.map(({ step, place: at, checks }) => ({
    phase: 'step' as const,
    title: titleOf(step, new Map()),
    ...(step.note !== undefined && { note: step.note }),
    place: at,
    checks: checks.map((check) => ({
      ...unsentCheck(check, levelOf(check.requirement), { reason, kind }),
      ...(byChoice && { byChoice }),
      ...(denied && { denied }),
    })),
  }));
  return { id, feature, title, tags, place, state: kind, reason, steps, leftBehind: [], took: 0 };
}
