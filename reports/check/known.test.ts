import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunResult } from '../../scenarios/words.ts';
import { renderJunit } from '../formats/junit-reporter.ts';
import { sampleRun } from '../testing/sample-run.ts';
import { renderTerminal } from './run-text.ts';

const known = { reason: 'vendor knows', ticket: 'GW-12', owner: 'platform team', expires: '2027-03-31' };
const problem = { kind: 'stale', scenario: 'documented/ae/x', requirement: 'ae.ri', says: 'it passes now' } as const;

/** The sample with every failure known, but for those of the requirement that is `fresh`. */
function withKnown(fresh?: string): RunResult {
  return {
    ...sampleRun,
    baseline: { file: 'known.yaml', known: 1, problems: [problem] },
    requirements: sampleRun.requirements.map((one) =>
      one.verdict === 'violated' && one.id !== fresh ? { ...one, known: true } : one,
    ),
    scenarios: sampleRun.scenarios.map((scenario) => ({
      ...scenario,
      steps: scenario.steps.map((step) => ({
        ...step,
        checks: step.checks.map((check) =>
          check.state === 'failed' && check.requirement !== fresh ? { ...check, known } : check,
        ),
      })),
    })),
  };
}

const options = { color: false, columns: 100, verbose: false };

test('known deviations stand apart from new ones, with who answers for them', () => {
  const all = renderTerminal(withKnown(), options);
  assert.match(all, /^Known deviations: \d+ checks?$/m);
  assert.match(all, /· vendor knows \(GW-12, owner platform team, until 2027-03-31\)/);
  assert.doesNotMatch(all, /^Violated:/m);
  const fresh = sampleRun.requirements.find(({ verdict }) => verdict === 'violated')?.id ?? '';
  const some = renderTerminal(withKnown(fresh), options);
  assert.match(some, /^Violated: 1 requirement$/m);
  assert.ok(some.includes(`\n✗ ${fresh}\n`), some);
});

test('invalid entries of the baseline are reported', () => {
  assert.match(
    renderTerminal(withKnown(), options),
    /^Baseline known\.yaml: invalid entries\n {2}✗ stale: it passes now$/m,
  );
});

test('in JUnit a known deviation is skipped, and an entry that cannot stand fails', () => {
  const text = renderJunit(withKnown());
  assert.match(text, /<skipped>known deviation: vendor knows \(GW-12, owner platform team, until 2027-03-31\): /);
  assert.doesNotMatch(text, /type="violated"/);
  assert.match(text, /<failure type="stale" message="it passes now">/);
});
