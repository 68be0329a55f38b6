import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScenarioResult } from '../engine/results/result.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { comparedWith, shippedBehaviour } from './behaviour.ts';
import { check } from './check.ts';

const ids = ['ae.aei', 'errors.body', 'errors.unknown-path', 'rcn.retrieve', 'latest'];
const result = await lastOf(check({ target: { kind: 'in-process' }, ids, again: false }));
const gaps = result.requirements.flatMap((one) => one.gaps);

test('what the reference CSE does is told as its way', () => {
  assert.ok(gaps.length > 5);
  assert.deepEqual(
    gaps.filter(({ asReference }) => !asReference),
    [],
  );
});

/** The scenarios of the run with another answer, which each check of a gap permits as well. */
function otherwise(actual: string): ScenarioResult[] {
  return result.scenarios.map((scenario) => ({
    ...scenario,
    steps: scenario.steps.map((step) => ({
      ...step,
      checks: step.checks.map((one) => (one.level === 'gap' ? { ...one, actual, state: 'passed' as const } : one)),
    })),
  }));
}

test('another outcome that a check permits is not told as the way of the reference CSE', () => {
  const checks = comparedWith(shippedBehaviour(), otherwise('status 418, RSC 4999'), result).flatMap((scenario) =>
    scenario.steps.flatMap((step) => step.checks.filter(({ level }) => level === 'gap')),
  );
  assert.equal(checks.length, gaps.length);
  assert.deepEqual(
    checks.filter(({ asReference }) => asReference !== false),
    [],
  );
});

test('of a scenario that was never seen nothing is said', () => {
  const [first] = result.scenarios;
  assert.ok(first);
  const own = { ...first, id: 'constructor' };
  assert.deepEqual(comparedWith(shippedBehaviour(), [own], result), [own]);
});
