import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckResult } from '../engine/results/result.ts';
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

/** The checks of gaps with another outcome, as they are told. */
function told(change: (check: CheckResult) => Partial<CheckResult>): CheckResult[] {
  const changed = result.scenarios.map((scenario) => ({
    ...scenario,
    steps: scenario.steps.map((step) => ({
      ...step,
      checks: step.checks.map((one) => (one.level === 'gap' ? { ...one, ...change(one) } : one)),
    })),
  }));
  const checks = comparedWith(shippedBehaviour(), changed, result).flatMap((scenario) =>
    scenario.steps.flatMap((step) => step.checks.filter(({ level }) => level === 'gap')),
  );
  assert.equal(checks.length, gaps.length);
  return checks;
}

test('another outcome that a check permits is not told as the way of the reference CSE', () => {
  const checks = told(() => ({ actual: 'status 418, RSC 4999', state: 'passed' }));
  assert.deepEqual(
    checks.filter(({ asReference }) => asReference !== false),
    [],
  );
});

test('a check that failed is not told as the way of the reference CSE, whatever its outcome has in common', () => {
  assert.deepEqual(
    told(() => ({ state: 'failed' })).filter(({ asReference }) => asReference !== false),
    [],
  );
});

test('what is to the letter the only expected outcome is the way of the reference CSE', () => {
  const checks = told(() => {
    const lt = 'attribute lt is "20261201T035647"';
    return { actual: lt.replace(' is', ', RSC 2000 is'), expected: [lt], state: 'passed' };
  });
  assert.deepEqual(
    checks.filter(({ asReference }) => asReference !== true),
    [],
  );
});

test('of a scenario that was never seen nothing is said', () => {
  const [first] = result.scenarios;
  assert.ok(first);
  const own = { ...first, id: 'constructor' };
  assert.deepEqual(comparedWith(shippedBehaviour(), [own], result), [own]);
});
