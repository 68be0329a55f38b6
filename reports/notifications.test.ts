import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckResult, ReceivedRequest, RequirementResult, RunResult, ScenarioResult } from '../scenarios/index.ts';
import { renderHtml } from './html/html-reporter.ts';
import { renderJson } from './json/json-reporter.ts';
import { Report } from './json/schema.ts';
import { renderJunit } from './junit/junit-reporter.ts';
import { runOf } from './sample-run.ts';
import { renderTerminal } from './terminal/terminal-reporter.ts';

const place = { file: 'scenarios/standard/notification-events.yaml', line: 12, column: 9 };
const body = JSON.stringify({
  'm2m:sgn': { nev: { net: 3, rep: { 'm2m:cin': { con: '21' } } }, sur: 'cse-in/app/watch' },
});
const received: ReceivedRequest = { method: 'POST', path: '/cl-1/watcher', headers: [['X-M2M-RI', 'n1']], body, at: 5 };
const tooMany: CheckResult = {
  requirement: 'std.notification.once',
  state: 'failed',
  level: 'standard',
  expected: ['number of notifications is 1'],
  actual: 'number of notifications is 3',
  place,
};
const advice: CheckResult = {
  ...tooMany,
  requirement: 'std.notification.advised',
  level: 'advisory',
  actual: 'no alarm',
};

const scenario: ScenarioResult = {
  id: 'standard/notification-events/once',
  feature: 'Notifications',
  title: 'Each child is told once',
  tags: [],
  place,
  installation: 'moved clock',
  state: 'failed',
  steps: [
    { phase: 'step', title: 'let 1h pass', passed: { duration: '1h', how: 'virtual' }, checks: [] },
    {
      phase: 'step',
      title: 'await 1 event notification at watcher',
      notifications: { inbox: 'watcher', count: 3, shown: [received, received, received] },
      checks: [tooMany, advice],
    },
  ],
  leftBehind: [],
  took: 12,
};

function requirement(check: CheckResult, verdict: RequirementResult['verdict'], index: number): RequirementResult {
  return {
    id: check.requirement,
    level: 'standard',
    section: 'Notifications',
    source: 'TS-0001 10.2.10.6',
    says: 'A new child is told to whoever subscribed to it, and once only, however long that takes to be said here.',
    answers: ['SUB/CRE/005'],
    verdict,
    observations: 0,
    violations: [{ scenario: scenario.id, step: 1, check: index }],
    gaps: [],
  };
}

const plain = runOf([scenario], { code: 1, reason: '1 requirement of the standard violated: std.notification.once' });
const run: RunResult = {
  ...plain,
  dialect: 'onem2m',
  requirements: [requirement(tooMany, 'violated', 0), requirement(advice, 'advisory', 1)],
  summary: { ...plain.summary, verdicts: { ...plain.summary.verdicts, violated: 1, advisory: 1 } },
};
const text = renderTerminal(run, { color: false, columns: 80, verbose: false });

test('every report shows what came to an inbox, and after which time', () => {
  for (const report of [text, renderHtml(run).replaceAll('&quot;', '"'), renderJunit(run).replaceAll('&quot;', '"')]) {
    for (const part of ['POST /cl-1/watcher', '"sur": "cse-in/app/watch"', 'after 1h of virtual time']) {
      assert.ok(report.includes(part), part);
    }
  }
  assert.match(text, /and 1 more notification/);
});

test('advice is told apart from violations and fails nothing', () => {
  assert.match(text, /^Advisory: 1 requirement$/m);
  assert.match(text, /△ std\.notification\.advised\n[^✗]*· no alarm/);
  assert.match(text, /^Violated: 1 requirement$/m);
  assert.match(text, /1 violated, 1 advisory/);
  const junit = renderJunit(run);
  assert.equal(junit.match(/<failure /g)?.length, 1);
  assert.match(junit, /advisory: standard\/notification-events\/once, step 2: no alarm/);
  assert.match(renderHtml(run), /id="view-advisory"/);
});

test('lines of the report stay within 80 columns', () => {
  const long = text.split('\n').filter((line) => line.length > 80);
  assert.deepEqual(long, []);
});

test('the JSON report keeps notifications, time and test purposes', () => {
  const report = Report.parse(JSON.parse(renderJson(run)));
  const [waited, looked] = report.scenarios[0]?.steps ?? [];
  assert.deepEqual(waited?.passed, { duration: '1h', how: 'virtual' });
  assert.equal(looked?.notifications?.count, 3);
  assert.deepEqual(report.requirements[0]?.answers, ['SUB/CRE/005']);
});

test('a report of a run in which nothing is advised says nothing of advice', () => {
  const without = { ...run, requirements: run.requirements.filter(({ verdict }) => verdict !== 'advisory') };
  assert.doesNotMatch(renderTerminal(without, { color: false, columns: 80, verbose: false }), /Advisory/);
  assert.doesNotMatch(renderHtml(without), /view-advisory/);
});
