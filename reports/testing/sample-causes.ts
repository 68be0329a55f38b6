import assert from 'node:assert/strict';
import type { CheckResult, RunResult } from '../../scenarios/words.ts';
import { sampleRun } from './sample-run.ts';
import { sampleScenarios } from './sample-scenarios.ts';

/** So many causes, each of three requirements that one exchange violates. */
export function sampleCauses(count: number): RunResult {
  const failing = sampleScenarios.filter(({ steps }) => steps.some(({ exchange }) => exchange?.answer?.status === 500));
  const [scenario] = failing;
  const [requirement] = sampleRun.requirements.filter(({ verdict }) => verdict === 'violated');
  const [failed] = scenario?.steps.flatMap((one) => one.checks.filter(({ state }) => state === 'failed')) ?? [];
  assert.ok(scenario && requirement && failed);
  const numbers = Array.from({ length: count }, (_, at) => at);
  const idsOf = (at: number) => ['first', 'second', 'third'].map((word) => `state-tag-${at}.${word}`);
  const checks = (at: number) =>
    idsOf(at).map(
      (id): CheckResult => ({ ...failed, requirement: id, actual: `attribute a${at} is absent`, level: 'documented' }),
    );
  const step = scenario.steps.findIndex((one) => one.checks.some(({ state }) => state === 'failed'));
  return {
    ...sampleRun,
    scenarios: numbers.map((at) => ({
      ...scenario,
      id: `s${at}`,
      steps: scenario.steps.map((one, index) => ({ ...one, checks: index === step ? checks(at) : [] })),
    })),
    requirements: numbers.flatMap((at) =>
      idsOf(at).map((id, check) => ({ ...requirement, id, violations: [{ scenario: `s${at}`, step, check }] })),
    ),
  };
}
