import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse, validate } from 'ctrf';
import type { RunResult } from '../../scenarios/words.ts';
import { conformantRun, runOf, sampleRun } from '../testing/sample-run.ts';
import { renderCtrf } from './ctrf-reporter.ts';

test('the schema of the format accepts every kind of run', () => {
  const unreachable = runOf([], { code: 3, reason: 'the target refuses connections' });
  for (const run of [sampleRun, conformantRun, unreachable]) {
    const { valid, errors } = validate(JSON.parse(renderCtrf(run)));
    assert.ok(valid, JSON.stringify(errors));
  }
  assert.equal(validate({ reportFormat: 'CTRF', specVersion: '0.0.0' }).valid, false);
});

test('the summary is the sum of the tests', () => {
  const { summary, tests } = parse(renderCtrf(sampleRun)).results;
  const having = (status: string) => tests.filter((one) => one.status === status).length;
  assert.deepEqual(
    [summary.tests, summary.passed, summary.failed, summary.skipped, summary.other],
    [tests.length, having('passed'), having('failed'), having('skipped'), having('other')],
  );
  assert.ok(summary.failed > 0 && summary.other > 0 && summary.skipped > 0);
});

test('a check that passed once more alone is a flaky test that failed', () => {
  const scenarios = sampleRun.scenarios.map((scenario) => ({
    ...scenario,
    steps: scenario.steps.map((step) => ({
      ...step,
      checks: step.checks.map((check) => (check.state === 'failed' ? { ...check, intermittent: true } : check)),
    })),
  }));
  const run: RunResult = runOf(scenarios, sampleRun.exit);
  const flaky = parse(renderCtrf(run)).results.tests.filter((one) => one.flaky);
  assert.ok(flaky.some(({ status, retries }) => status === 'failed' && retries === 1));
});

test('a failure points at its line and tells the request', () => {
  const failed = parse(renderCtrf(sampleRun)).results.tests.find(({ status }) => status === 'failed');
  assert.equal(failed?.filePath, 'scenarios/documented/ae.yaml');
  assert.ok((failed?.line ?? 0) > 0);
  assert.match(failed?.trace ?? '', /curl /);
});
