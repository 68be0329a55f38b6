import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckResult, RunResult } from '../../scenarios/index.ts';
import { sampleRun } from '../sample-run.ts';
import { sampleScenarios } from '../sample-scenarios.ts';
import { renderTerminal } from './terminal-reporter.ts';

const plain = { color: false, columns: 80, verbose: false };

test('failures are told by cause: the leading requirement in full, with the others of its cause', () => {
  const text = renderTerminal(causedBy(1), plain);
  assert.match(text, /^Violated: 3 requirements, 1 cause$/m);
  assert.equal(text.match(/^✗ /gm)?.length, 1);
  assert.match(text, /^ {2}with it 2 requirements:\n {4}\S+\n {6}\S/m);
});

test('of many causes the first is told in full and the others in a few lines, unless all is asked for', () => {
  const many = causedBy(60);
  const text = renderTerminal(many, plain);
  assert.match(text, /^Violated: 180 requirements, 60 causes$/m);
  assert.equal(text.match(/^ {2}request /gm)?.length, 1);
  assert.equal(text.match(/^✗ \S+ {2}[0-9a-f]{7}$/gm)?.length, 59);
  assert.match(text, /^ {2}with {4}state-tag-1\.second, state-tag-1\.third$/m);
  assert.match(text, /^cselab show REPORT ID tells all about one\./m);
  const verbose = renderTerminal(many, { ...plain, verbose: true });
  assert.equal(verbose.match(/^ {2}request /gm)?.length, 60);
});

/** So many causes, each of three requirements that one exchange violates. */
function causedBy(count: number): RunResult {
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
