import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunResult } from '../results/result.ts';
import { fileOf, planOf, runPlan, type TestRequest, testCse } from '../test-cse.ts';
import { crashingCse } from './testing/crashing-cse.ts';

const create = (name: string, requirement: string) =>
  `- create: ae\n  in: /\${base}\n  attributes: { rn: "\${name}-${name}" }\n  check: { ${requirement}: { status: 201 } }`;
const read = '- retrieve: /${base}\n  check: { doc.two: { status: 200 } }';
const reads = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`read${index}`, read]));
const isBad = ({ method, body }: TestRequest) => method === 'POST' && body.includes('-bad');
const choice = { waitForTarget: 5000 };

const states = ({ scenarios }: RunResult) => scenarios.map(({ id, state }) => `${id.replace('file/', '')} ${state}`);
const verdictOn = ({ requirements }: RunResult, id: string) => requirements.find((one) => one.id === id)?.verdict;

test('a request that kills the target is found, is not sent a third time, and all others are checked', async (t) => {
  const cse = await crashingCse(t, isBad);
  const text = fileOf({ good: create('good', 'doc.three'), bad: create('bad', 'doc.one'), ...reads(6) });
  const { result, events } = await runPlan(planOf(t, text), cse.url, { jobs: 4, choice, clock: cse.clock });
  assert.deepEqual(states(result), [
    'good passed',
    'bad failed',
    ...Object.keys(reads(6)).map((one) => `${one} passed`),
  ]);
  assert.deepEqual([cse.deaths(), result.deaths?.length], [2, 1]);
  const [death] = result.deaths ?? [];
  const { method, path, scenario, step, seen, curl } = death?.culprit ?? {};
  assert.deepEqual([method, path, scenario, step, seen], ['POST', '/onem2m', 'file/bad', 0, 'again']);
  assert.match(curl ?? '', /^curl .*-bad/s);
  assert.equal(typeof death?.backAfter, 'number');
  assert.equal(verdictOn(result, 'doc.one'), 'violated');
  assert.equal(result.exit.code, 1);
  assert.match(result.exit.reason, /^the target died: POST \/onem2m killed it, and again alone; 1 documented/);
  assert.deepEqual(
    events.map(({ type }) => type).filter((type) => type.startsWith('target')),
    ['target died', 'target back', 'target back'],
  );
});

test('what was under way beside the culprit runs from its start, and nothing is said to be left behind', async (t) => {
  const cse = await crashingCse(t, isBad);
  const chain = `${create('one', 'doc.one')}\n- retrieve: /\${base}/\${name}-one\n  check: { doc.two: { status: 200 } }`;
  const text = fileOf({ one: chain, bad: create('bad', 'doc.three'), two: chain, three: chain });
  const { result } = await runPlan(planOf(t, text), cse.url, { jobs: 4, choice, clock: cse.clock });
  assert.deepEqual(states(result), ['one passed', 'bad failed', 'two passed', 'three passed']);
  assert.deepEqual([verdictOn(result, 'doc.one'), verdictOn(result, 'doc.two')], ['satisfied', 'satisfied']);
  assert.deepEqual(
    result.scenarios.slice(0, 1).flatMap(({ leftBehind }) => leftBehind),
    [],
  );
});

test('a death without a check on the request is a finding all the same', async (t) => {
  const cse = await crashingCse(t, isBad);
  const given = create('bad', 'doc.one').replace(/\n {2}check.*/, '');
  const { result } = await runPlan(planOf(t, fileOf({ bad: `${given}\n${read}`, ...reads(2) })), cse.url, {
    ...{ jobs: 1, choice, clock: cse.clock },
  });
  assert.deepEqual(states(result), ['bad lost', 'read0 passed', 'read1 passed']);
  assert.equal(result.exit.code, 1);
  assert.match(result.exit.reason, /^the target died: POST \/onem2m killed it, and again alone; 1 of 3 scenarios/);
});

test('a target that stays dead ends the run; what it did not answer is lost, and counted, and nothing is proved', async (t) => {
  const cse = await crashingCse(t, isBad, { stays: true });
  const text = fileOf({ good: create('good', 'doc.three'), bad: create('bad', 'doc.one'), ...reads(3) });
  const { result } = await runPlan(planOf(t, text), cse.url, { jobs: 1, choice, clock: cse.clock });
  assert.deepEqual(states(result), ['good passed', 'bad lost', 'read0 lost', 'read1 lost', 'read2 lost']);
  assert.deepEqual([verdictOn(result, 'doc.one'), verdictOn(result, 'doc.two')], ['lost', 'lost']);
  assert.equal(result.summary.scenarios.lost, 4);
  assert.equal(result.deaths?.[0]?.culprit, undefined);
  assert.equal(result.exit.code, 3);
  assert.match(
    result.exit.reason,
    /^the target died with POST \/onem2m under way, culprit not proved, and it has not come back; 4 of 5 scenarios and 2 requirements lost/,
  );
  assert.match(result.scenarios[4]?.reason ?? '', /has not come back within 5 s$/);
});

test('of several requests under way none is accused when the target does not come back', async (t) => {
  const cse = await crashingCse(t, isBad, { stays: true });
  const text = fileOf({ a: create('bad', 'doc.one'), b: create('bad', 'doc.two'), c: create('bad', 'doc.three') });
  const { result } = await runPlan(planOf(t, text), cse.url, { jobs: 3, choice, clock: cse.clock });
  assert.deepEqual(states(result), ['a lost', 'b lost', 'c lost']);
  assert.equal(result.deaths?.[0]?.culprit, undefined);
  assert.equal(result.deaths?.[0]?.inFlight.length, 3);
  assert.equal(result.exit.code, 3);
  assert.match(
    result.exit.reason,
    /^the target died with POST \/onem2m under way, culprit not proved, and it has not come back; 3 of 3/,
  );
});

test('a target that stays dead is restarted where its user says how', async (t) => {
  const cse = await crashingCse(t, isBad, { stays: true });
  const { restart } = cse;
  const text = fileOf({ bad: create('bad', 'doc.one'), ...reads(2) });
  const { result } = await runPlan(planOf(t, text), cse.url, { jobs: 1, choice, clock: cse.clock, restart });
  assert.deepEqual(states(result), ['bad failed', 'read0 passed', 'read1 passed']);
  assert.equal(result.deaths?.[0]?.restarted, true);
});

test('a hanging target is reported after one request, which is named', async (t) => {
  const cse = await crashingCse(t, isBad, { hangs: true, stays: true });
  const text = fileOf({ bad: create('bad', 'doc.one'), ...reads(4) });
  const { result } = await runPlan(planOf(t, text), cse.url, {
    ...{ jobs: 1, timeout: 200, choice: { waitForTarget: 200 }, clock: cse.clock },
  });
  assert.equal(cse.log.filter((line) => line.startsWith('POST')).length, 1);
  assert.equal(result.deaths?.[0]?.kind, 'hangs');
  assert.match(
    result.exit.reason,
    /^the target hung: .* with POST \/onem2m under way, culprit not proved, and it has not come back; 5 of 5/,
  );
  assert.equal(result.exit.code, 3);
});

test('whatever kills, and kills again, ends in bounded time, and what did not run is counted', async (t) => {
  const cse = await crashingCse(t, ({ method }) => method === 'POST');
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`s${index}`, create('x', 'doc.one')]));
  const options = { jobs: 1, mostDeaths: 5, choice, clock: cse.clock };
  const { result } = await runPlan(planOf(t, fileOf(many)), cse.url, options);
  assert.match(result.exit.reason, /^the target died 5 times: POST \/onem2m killed it; 8 of 12 scenarios and 0/);
  assert.equal(cse.deaths(), 9);
});

test('one 503 or one lost answer blocks a scenario for a moment only', async (t) => {
  const seen = new Set<string>();
  const cse = await testCse(t, ({ method, path, body }) => {
    const name = /-(busy|cut)"/.exec(body)?.[1];
    if (method !== 'POST' || path !== '/onem2m' || name === undefined || seen.has(name)) return undefined;
    seen.add(name);
    return name === 'cut' ? 'hang up' : { status: 503 };
  });
  const steps = (name: string) => `${create(name, 'doc.one').replace(/\n {2}check.*/, '')}\n${read}`;
  const text = fileOf({ busy: steps('busy'), cut: steps('cut') });
  const { result } = await runPlan(planOf(t, text), cse.url, { jobs: 1 });
  assert.deepEqual(states(result), ['busy passed', 'cut passed']);
  assert.equal(result.deaths, undefined);
});

/** Answers so many reads of each name by cutting the connection, as one of several processes does that dies. */
function cutting(times: Readonly<Record<string, number>>) {
  const left = new Map(Object.entries(times));
  return ({ method, path, body }: TestRequest): boolean | 'cut' => {
    if (method === 'POST' && body.includes('-bad')) return true;
    const name = path.split('/').at(-1) ?? '';
    const more = left.get(name) ?? 0;
    if (method === 'GET' && more > 0) left.set(name, more - 1);
    return method === 'GET' && more > 0 ? 'cut' : false;
  };
}

const readOf = (name: string, requirement: string) =>
  `- retrieve: /\${base}/${name}\n  expect: either\n  check: { ${requirement}: { status: 404 } }`;

test('where the target dies, an answer that fails to come is neither for nor against, unless it never comes', async (t) => {
  const cse = await crashingCse(t, cutting({ a: 1, b: 2, c: 1, d: 1, never: 99 }));
  const once = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, `${read}\n${readOf(name, 'doc.two')}`]));
  const never = { never: `${read}\n${readOf('never', 'doc.three')}` };
  const text = fileOf({ bad: create('bad', 'doc.one'), ...once, ...never });
  const { result } = await runPlan(planOf(t, text), cse.url, { jobs: 1, choice, clock: cse.clock });
  const [bad, ...others] = states(result);
  assert.equal(bad, 'bad failed');
  assert.deepEqual(others, ['a passed', 'b passed', 'c passed', 'd passed', 'never failed']);
  const verdicts = ['doc.one', 'doc.two', 'doc.three'].map((one) => verdictOn(result, one));
  assert.deepEqual(verdicts, ['violated', 'satisfied', 'violated']);
  assert.equal(cse.log.filter((line) => line.endsWith('/b')).length, 3);
});

test('where the target dies and nothing runs again, what was not answered is lost', async (t) => {
  const cse = await crashingCse(t, cutting({ a: 1 }));
  const text = fileOf({ bad: create('bad', 'doc.one'), a: readOf('a', 'doc.two') });
  const { result } = await runPlan(planOf(t, text), cse.url, { jobs: 1, choice, clock: cse.clock, again: false });
  assert.deepEqual(states(result), ['bad failed', 'a lost']);
  assert.equal(verdictOn(result, 'doc.two'), 'lost');
});

test('a request under which the target happens to die twice in a run is not accused, and runs again', async (t) => {
  const victims = ['/onem2m/nowhere', '/onem2m/x'];
  const cse = await crashingCse(t, ({ path }) => path === victims[0] && victims.shift() !== undefined);
  const steps = ['x', 'nowhere'].map((name) => readOf(name, 'doc.two')).join('\n');
  const { result } = await runPlan(planOf(t, fileOf({ two: steps })), cse.url, { jobs: 1, choice, clock: cse.clock });
  assert.deepEqual(states(result), ['two passed']);
  assert.deepEqual(
    result.deaths?.map(({ culprit, inFlight }) => [culprit, inFlight.map(({ path }) => path)]),
    [
      [undefined, ['/onem2m/nowhere']],
      [undefined, ['/onem2m/x']],
    ],
  );
  assert.equal(result.exit.code, 3);
  assert.match(result.exit.reason, /^the target died 2 times, culprit not proved/);
});

const isRemoval = ({ method, path }: TestRequest) => method === 'DELETE' && path.endsWith('-bad');
const plain = create('bad', 'doc.one');

test('a death in the clean-up counts like another: its request is the culprit, and is not sent a third time', async (t) => {
  const cse = await crashingCse(t, isRemoval);
  const text = fileOf({ good: create('good', 'doc.two'), bad: plain, ...reads(2) });
  const { result } = await runPlan(planOf(t, text), cse.url, { jobs: 1, choice, clock: cse.clock });
  const { method, path, seen } = result.deaths?.[0]?.culprit ?? {};
  assert.deepEqual([method, path?.endsWith('-bad'), seen], ['DELETE', true, 'again']);
  assert.equal(cse.log.filter((line) => /^DELETE .*-bad$/.test(line)).length, 2);
  assert.equal(result.exit.code, 1);
});

test('a request in the clean-up is told that is dropped again though the target is always alive, and is left', async (t) => {
  const cse = await crashingCse(t, (request) => (isRemoval(request) ? 'cut' : false));
  const { result, scenario } = await runPlan(planOf(t, fileOf({ bad: plain, ...reads(2) })), cse.url, {
    ...{ jobs: 1, choice, clock: cse.clock },
  });
  const [death, another] = result.deaths ?? [];
  assert.equal(another, undefined);
  assert.deepEqual([death?.kind, death?.culprit?.method, death?.inFlight.length], ['drops', 'DELETE', 2]);
  assert.equal(cse.log.filter((line) => /^DELETE .*-bad$/.test(line)).length, 2);
  assert.equal(scenario('bad').leftBehind.length, 2);
  assert.equal(result.exit.code, 1);
  assert.match(
    result.exit.reason,
    /^the target dropped connections, .*: DELETE \/onem2m\/.*-bad killed it, and again alone/,
  );
});

test('requests of a clean-up that are dropped once each are told, and none is accused', async (t) => {
  const twice = `${plain}\n${create('worse', 'doc.two')}`;
  const left = ['-bad', '-worse'];
  const cse = await crashingCse(t, ({ method, path }) => {
    const isNext = method === 'DELETE' && path.endsWith(left[0] ?? '-');
    return isNext && left.shift() !== undefined ? 'cut' : false;
  });
  const { result } = await runPlan(planOf(t, fileOf({ twice })), cse.url, { jobs: 1, choice, clock: cse.clock });
  const [death] = result.deaths ?? [];
  assert.deepEqual([death?.kind, death?.culprit, death?.inFlight.length], ['drops', undefined, 2]);
  assert.equal(result.exit.code, 3);
  assert.match(result.exit.reason, /under way, culprit not proved;/);
});

test('one request of a clean-up that is dropped by accident is no death', async (t) => {
  let left = 1;
  const cse = await crashingCse(t, (request) => (isRemoval(request) && left-- > 0 ? 'cut' : false));
  const { result } = await runPlan(planOf(t, fileOf({ bad: plain })), cse.url, { jobs: 1, choice, clock: cse.clock });
  assert.equal(result.deaths, undefined);
  assert.equal(result.exit.code, 0, result.exit.reason);
});
