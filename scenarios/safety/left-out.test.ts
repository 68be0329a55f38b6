import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dryRun } from '../checking/dry-run.ts';
import { loadScenarios } from '../engine/files/load.ts';
import { plan } from '../engine/files/plan.ts';
import { prepareUrl } from '../engine/targets/url-choice.ts';
import { fileOf, planOf, runPlan, testCse } from '../engine/test-cse.ts';
import { withoutMarked } from './risks.ts';

const read = '- retrieve: /${base}\n  check: { doc.one: { status: 200 } }';
const head = '- raw: { method: HEAD, path: "/${base}" }\n  check: { doc.two: { status: 404 } }';
const marked = `- retrieve: /\${base}/marked
  expect: either
  risky: { kills: "X 1.0: its process ends" }
  check: { doc.three: { status: 200 } }`;
const scenarios = { head, both: `${head.replace('check:', 'expect: either\n  check:')}\n${read}`, marked };

test('what is known to kill a product is left out at a live target, counted, and fails nothing', async (t) => {
  const { url, log } = await testCse(t);
  const { result, scenario } = await runPlan(withoutMarked(planOf(t, fileOf(scenarios)), {}), url);
  assert.deepEqual(
    log.filter((line) => /^HEAD|marked/.test(line)),
    [],
  );
  const verdicts = result.requirements.map(({ id, verdict }) => [id, verdict]).slice(0, 3);
  assert.deepEqual(verdicts, [
    ['doc.one', 'satisfied'],
    ['doc.two', 'left out'],
    ['doc.three', 'left out'],
  ]);
  const kills = 'a request whose method is none of GET, POST, PUT, DELETE and OPTIONS kills tinyIoT 832205f';
  assert.equal(result.requirements[1]?.reason, `${kills} (its process ends); --risky sends it`);
  assert.match(result.requirements[2]?.reason ?? '', /^it kills a deployed CSE \(X 1\.0: its process ends\)/);
  assert.deepEqual([scenario('head').state, scenario('both').state], ['left out', 'passed']);
  const { verdicts: all, checks, scenarios: states } = result.summary;
  assert.deepEqual([all['left out'], checks['left out'], states['left out']], [2, 3, 2]);
  assert.equal(result.exit.code, 0, result.exit.reason);
  assert.match(result.notes?.join() ?? '', /^left out as a risk: 2 × a request whose method/);
});

test('where it is allowed it is sent and checked', async (t) => {
  const { url, log } = await testCse(t, ({ method }) => (method === 'HEAD' ? { status: 404 } : undefined));
  const choice = { risky: 'all' } as const;
  const { result } = await runPlan(withoutMarked(planOf(t, fileOf(scenarios)), choice), url, { choice });
  assert.equal(log.filter((line) => line.startsWith('HEAD')).length, 2);
  assert.equal(result.summary.verdicts['left out'], 0);
});

test('a run of which everything is left out is not called conformant', async (t) => {
  const { url } = await testCse(t);
  const { result } = await runPlan(planOf(t, fileOf({ head })), url);
  assert.equal(result.exit.code, 4);
  assert.match(result.exit.reason, /nothing was checked: no check was testable, applicable, and without risk/);
});

test('a scenario that is a risk as a whole sends nothing', async (t) => {
  const { url, log } = await testCse(t);
  const text = fileOf({ whole: read }).replace(
    'title: whole',
    'title: whole\n    risky: { corrupts: "X 1.0: it stops" }',
  );
  const plan = withoutMarked(planOf(t, text), {});
  const { scenario } = await runPlan(plan, url);
  assert.equal(scenario('whole').state, 'left out');
  assert.deepEqual(log, ['GET /onem2m'], 'which finds out whether it is there');
  const { skipped } = await dryRun(plan, await prepareUrl({ url }));
  assert.deepEqual(
    skipped.map(({ scenario: id, state }) => [id, state]),
    [['file/whole', 'left out']],
  );
});

test('a dry run lists what is left out, with its reason', async (t) => {
  const plan = withoutMarked(planOf(t, fileOf(scenarios)), {});
  const { requests } = await dryRun(plan, await prepareUrl({ url: 'http://127.0.0.1:1' }));
  const told = requests
    .filter(({ leftOut }) => leftOut)
    .map(({ scenario, objection }) => [scenario, objection?.slice(0, 25)]);
  assert.deepEqual(told, [
    ['file/head', 'left out: a request whose'],
    ['file/both', 'left out: a request whose'],
    ['file/marked', 'left out: it kills a depl'],
  ]);
});

test('each attribute of an instance is tried at live targets, too', async () => {
  const chosen = plan(loadScenarios(), { dialect: 'onem2m', ids: ['standard/every-instance'] });
  const url = await prepareUrl({ url: 'http://127.0.0.1:1', dialect: 'onem2m' });
  const { requests } = await dryRun(withoutMarked(chosen, {}), url);
  assert.ok(requests.length > 300, String(requests.length));
  assert.deepEqual(
    requests.flatMap(({ leftOut, objection }) => (leftOut ? [objection] : [])),
    [],
  );
});
