import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, wholePlan } from '../checking/check.ts';
import type { CheckResult, RunResult } from '../engine/results/result.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { judgeReport } from './judge-traffic.ts';
import { judgeMessages } from './rejudge-messages.ts';

const ids = ['documented/latest', 'documented/counters'];
const target = { kind: 'in-process', deviations: ['container.cni.one-behind'] } as const;
const result = await lastOf(check({ target, ids, again: false }));

function withChecks(change: (check: CheckResult) => CheckResult): RunResult {
  const steps = (some: RunResult['scenarios'][number]['steps']) =>
    some.map((step) => ({ ...step, checks: step.checks.map(change) }));
  return { ...result, scenarios: result.scenarios.map((one) => ({ ...one, steps: steps(one.steps) })) };
}

const verdictOf = ({ requirements }: RunResult, requirement: string) =>
  requirements.find(({ id }) => id === requirement)?.verdict;
const byRules = result.scenarios.flatMap(({ steps }) =>
  steps.flatMap(({ checks }) => checks.filter(({ byRule }) => byRule === true)),
);

test('by its messages alone a run comes to the same verdicts, in each check', () => {
  const again = judgeMessages(result, wholePlan({}));
  assert.deepEqual(again.result.requirements, result.requirements);
  assert.ok(again.again > 20, String(again.again));
});

test('a check whose verdict does not follow from its messages is what they say', () => {
  const turned = withChecks((one) => {
    if (one.byRule === true || (one.state !== 'passed' && one.state !== 'failed')) return one;
    return { ...one, state: one.state === 'passed' ? 'failed' : 'passed' };
  });
  const states = (of: RunResult) =>
    of.scenarios.flatMap(({ steps }) => steps.flatMap(({ checks }) => checks.map(({ state }) => state)));
  const again = judgeMessages(turned, wholePlan({}));
  assert.deepEqual(states(again.result), states(result));
});

test('what a rule found stays intermittent, or known, as the report has it', () => {
  assert.ok(byRules.length > 0);
  const intermittent = withChecks((one) => (one.state === 'failed' ? { ...one, intermittent: true } : one));
  assert.equal(verdictOf(judgeReport(intermittent), 'container.cni.counts'), 'intermittent');
});

test('what a rule of a team found stays, though that rule is not here', () => {
  const own = { ...(byRules[0] as CheckResult), requirement: 'acme.own' };
  const stated = result.requirements.find(({ id }) => id === 'container.cni.counts');
  const requirements = [...result.requirements, { ...stated, id: 'acme.own', verdict: 'violated' }];
  const report = { ...withChecks((one) => (one.byRule === true ? own : one)), requirements } as RunResult;
  assert.equal(verdictOf(judgeReport(report), 'acme.own'), 'violated');
});
