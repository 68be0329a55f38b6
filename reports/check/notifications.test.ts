import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  CheckResult,
  ReceivedRequest,
  RequirementResult,
  RunResult,
  ScenarioResult,
} from '../../scenarios/words.ts';
import { renderPage } from '../document/html.tsx';
import { Report, renderJson } from '../formats/json-reporter.ts';
import { renderJunit } from '../formats/junit-reporter.ts';
import { unpack } from '../html/testing/unpack.ts';
import { runOf } from '../testing/sample-run.ts';
import { runDocument } from './run-document.ts';
import { renderTerminal } from './run-text.ts';

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

const inbox = 'http://127.0.0.1:41000/cl-1/watcher';

const scenario: ScenarioResult = {
  id: 'standard/notification-events/once',
  feature: 'Notifications',
  title: 'Each child is told once',
  tags: [],
  place,
  installation: 'virtual time',
  state: 'failed',
  steps: [
    {
      phase: 'step',
      title: 'create content instance in /cse-in/app',
      exchange: {
        request: { method: 'POST', path: '/cse-in/app', headers: [] },
        answer: { status: 201, headers: [], body: '' },
        at: 1,
        took: 2,
        curl: "curl -i -X POST 'http://127.0.0.1:8080/cse-in/app'",
      },
      checks: [],
    },
    { phase: 'step', title: 'let 1h pass', passed: { duration: '1h', how: 'virtual' }, checks: [] },
    {
      phase: 'step',
      title: 'await 1 event notification at watcher',
      notifications: { inbox: 'watcher', url: inbox, waited: 140, count: 3, shown: [received, received, received] },
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
    violations: [{ scenario: scenario.id, step: 2, check: index }],
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

/** The three reports that people read, without what belongs to their format. */
function readable(result: RunResult): string[] {
  const reports = [
    renderTerminal(result, { color: false, columns: 80, verbose: false }),
    unpack(renderPage(runDocument(result))),
  ];
  const decoded = [...reports, renderJunit(result)].map((report) => report.replaceAll('&quot;', '"'));
  return decoded.map((report) => report.replaceAll('&#39;', "'").replaceAll('&apos;', "'").replace(/\s+/g, ' '));
}

const trigger = 'cselab replay REPORT ';

test('every report shows what came to an inbox, and when, and the request before it', () => {
  const parts = ['POST /cl-1/watcher', '"sur": "cse-in/app/watch"', 'after 1h of virtual time'];
  parts.push(`3 notifications came to watcher, ${inbox}, in 140 ms`, '4 ms after step 1 was sent', trigger);
  for (const report of readable(run)) for (const part of parts) assert.ok(report.includes(part), part);
  assert.match(text, /and 1 more notification/);
});

test('where nothing came, every report says for how long, and shows the request that was to cause it', () => {
  const empty = { inbox: 'watcher', url: inbox, waited: 5012, count: 0, shown: [] };
  const steps = scenario.steps.map((step) => (step.notifications ? { ...step, notifications: empty } : step));
  const silent = { ...run, scenarios: [{ ...scenario, steps }] };
  for (const report of readable(silent)) {
    for (const part of [`nothing came to watcher, ${inbox}, in 5.0 s`, trigger]) assert.ok(report.includes(part), part);
  }
});

test('advice is distinguished from violations and fails nothing', () => {
  assert.match(text, /^Advisory: 1 requirement$/m);
  assert.match(text, /△ std\.notification\.advised\n[^✗]*· no alarm/);
  assert.match(text, /^Violated: 1 requirement$/m);
  assert.match(text, /1 violated, 1 advisory/);
  const junit = renderJunit(run);
  assert.equal(junit.match(/<failure /g)?.length, 1);
  assert.match(junit, /advisory: standard\/notification-events\/once, step 3: no alarm/);
  assert.match(unpack(renderPage(runDocument(run))), /id="view-advisory"/);
});

test('lines of the report stay within 80 columns', () => {
  const long = text.split('\n').filter((line) => line.length > 80);
  assert.deepEqual(long, []);
});

test('the JSON report keeps notifications, time and test purposes', () => {
  const report = Report.parse(JSON.parse(renderJson(run)));
  const [, waited, looked] = report.scenarios[0]?.steps ?? [];
  assert.deepEqual(waited?.passed, { duration: '1h', how: 'virtual' });
  assert.deepEqual([looked?.notifications?.count, looked?.notifications?.waited], [3, 140]);
  assert.deepEqual(report.requirements[0]?.answers, ['SUB/CRE/005']);
});

test('a report of a run in which nothing is advised says nothing of advice', () => {
  const without = { ...run, requirements: run.requirements.filter(({ verdict }) => verdict !== 'advisory') };
  assert.doesNotMatch(renderTerminal(without, { color: false, columns: 80, verbose: false }), /Advisory/);
  assert.doesNotMatch(unpack(renderPage(runDocument(without))), /view-advisory/);
});
