import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { ScenarioResult } from '../results/result.ts';
import { urlTarget } from '../targets/exchanging/url.ts';
import { closedPort } from '../targets/test-servers.ts';
import { fileOf, gatewayOf, installationsOf, openTestTarget, planOf, runPlan, testCse } from '../test-cse.ts';
import { streamEvents } from './event-stream.ts';
import { lastOf } from './last-of.ts';
import { run } from './run.ts';
import type { RunOptions } from './workers.ts';

const good = '- retrieve: /${base}\n  check: { doc.one: { status: 200 } }';
const bad = '- retrieve: /${base}\n  check: { doc.two: { status: 201 } }';
const ae = '- create: ae\n  in: /${base}\n  attributes: { rn: "${name}" }\n  check: { doc.one: { status: 201 } }';

function many(count: number, steps: string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}`, steps]));
}

test('a run tells what it does and ends with its result', async (t) => {
  const cse = await testCse(t);
  const { events, result } = await runPlan(planOf(t, fileOf({ one: good, two: bad })), cse.url, { jobs: 1 });
  assert.deepEqual(
    events.map((event) => event.type),
    ['run started', 'scenario started', 'scenario finished', 'scenario started', 'scenario finished', 'run finished'],
  );
  const [first] = events;
  assert(first?.type === 'run started');
  assert.deepEqual([first.planned, first.target.cseId, first.run], [2, 'test-cse', result.run]);
  assert.deepEqual(
    result.scenarios.map(({ id, state }) => [id, state]),
    [
      ['file/one', 'passed'],
      ['file/two', 'failed'],
    ],
  );
  assert.deepEqual(result.summary.verdicts, {
    violated: 1,
    advisory: 0,
    satisfied: 1,
    'implementation-defined': 0,
    lost: 0,
    'not testable': 1,
    'not asked': 2,
    'left out': 0,
    'not applicable': 0,
    excluded: 0,
    'harness fault': 0,
    intermittent: 0,
  });
  assert.equal(result.summary.requests, 2);
  assert.deepEqual(result.exit, {
    code: 1,
    reason: '1 documented requirement violated: doc.two; 2 of 4 requirements checked',
  });
  const [violation] = result.requirements.find(({ id }) => id === 'doc.two')?.violations ?? [];
  assert.deepEqual(violation, { scenario: 'file/two', step: 0, check: 0 });
});

test('scenarios side by side do not meet, and results stand in the order of the plan', async (t) => {
  const cse = await testCse(t);
  const { result } = await runPlan(planOf(t, fileOf(many(20, ae))), cse.url, { jobs: 8 });
  assert.deepEqual(
    result.scenarios.map(({ id }) => id),
    Array.from({ length: 20 }, (_, index) => `file/s${index}`),
  );
  assert.equal(result.summary.scenarios.passed, 20);
  assert.deepEqual([...cse.tree.keys()], ['/onem2m']);
});

test('enough failures stop the run; what did not run is excluded, with the reason', async (t) => {
  const cse = await testCse(t);
  const text = fileOf({ one: bad, two: good, three: good });
  const { result } = await runPlan(planOf(t, text), cse.url, { jobs: 1, maxFail: 1 });
  assert.equal(result.scenarios.length, 1);
  const one = result.requirements.find(({ id }) => id === 'doc.one');
  assert.deepEqual([one?.verdict, one?.reason], ['excluded', 'the run stopped after one failed scenario']);
  assert.equal(result.exit.code, 1);
});

test('a failure that the baseline knows does not stop the run', async (t) => {
  const cse = await testCse(t);
  const known = (one: ScenarioResult): ScenarioResult => ({
    ...one,
    steps: one.steps.map((step) => ({ ...step, checks: step.checks.map((check) => ({ ...check, known: {} })) })),
  });
  const text = fileOf({ one: bad, two: bad, three: good });
  const mark: RunOptions['mark'] = (all) => ({
    scenarios: all.map((one) => (one.id === 'file/one' ? known(one) : one)),
    outcome: { file: 'known.yaml', known: 1, problems: [] },
  });
  const { result } = await runPlan(planOf(t, text), cse.url, { jobs: 1, maxFail: 1, mark });
  assert.deepEqual([result.scenarios.length, result.exit.code], [2, 1]);
});

test('an interrupted run finishes its requests, cleans up and says so', async (t) => {
  const interruption = new AbortController();
  const cse = await testCse(t, ({ method }) => {
    if (method === 'POST') interruption.abort();
    return undefined;
  });
  const text = fileOf({ one: `${ae}\n${good.replace('doc.one', 'doc.two')}`, two: good });
  const { result, scenario } = await runPlan(planOf(t, text), cse.url, { jobs: 1, signal: interruption.signal });
  assert.deepEqual(result.exit, { code: 130, reason: 'the run was interrupted; 1 of 4 requirements checked' });
  assert.deepEqual(
    result.scenarios.map(({ state }) => state),
    ['interrupted'],
  );
  assert.deepEqual(
    scenario('one').steps.map((step) => step.checks[0]?.state ?? step.phase),
    ['passed', 'not testable', 'cleanup'],
  );
  assert.deepEqual([...cse.tree.keys()], ['/onem2m']);
});

test('a run that is interrupted before it begins sends nothing', async (t) => {
  const cse = await testCse(t);
  const { result } = await runPlan(planOf(t, fileOf({ one: good })), cse.url, { signal: AbortSignal.abort() });
  assert.deepEqual([result.scenarios, result.exit.code], [[], 130]);
});

test('an interruption after the last scenario changes nothing', async (t) => {
  const cse = await testCse(t);
  const interruption = new AbortController();
  const { result } = await runPlan(planOf(t, fileOf({ one: good })), cse.url, {
    signal: interruption.signal,
    onEvent: (event) => event.type === 'scenario finished' && interruption.abort(),
  });
  assert.equal(result.exit.code, 0);
});

test('a reader that stops listening ends the run, and what it created is removed', async (t) => {
  const cse = await testCse(t);
  const events = run(
    planOf(t, fileOf(many(10, ae))),
    (startedAt, run) => openTestTarget({ url: cse.url }, { connections: 2, timeout: 2000, startedAt, run }),
    { jobs: 2 },
  );
  for await (const event of events) if (event.type === 'scenario finished') break;
  assert.deepEqual([...cse.tree.keys()], ['/onem2m']);
  assert(cse.log.filter((line) => line.startsWith('POST')).length < 10);
});

test('a reader that stops after the first event ends the run too', async (t) => {
  const cse = await testCse(t);
  let closed = false;
  const open = async (startedAt: number) => {
    const target = gatewayOf(await openTestTarget({ url: cse.url }, { connections: 2, timeout: 2000, startedAt }));
    const close = async () => {
      await target.close();
      closed = true;
    };
    const installations = installationsOf({ ...target, close });
    const offer = installations.choose(new Set());
    assert('open' in offer);
    await installations.open(offer);
    return { description: target.description, installations };
  };
  for await (const event of run(planOf(t, fileOf(many(10, ae))), open, { jobs: 2 }))
    if (event.type === 'run started') break;
  assert(closed);
  assert.deepEqual([...cse.tree.keys()], ['/onem2m']);
});

test('a closed port ends the run at once', async (t) => {
  const url = await closedPort(t);
  const { result, events } = await runPlan(planOf(t, fileOf({ one: good })), url);
  assert.equal(result.exit.code, 3);
  assert.match(result.exit.reason, /does not answer: the connection was refused/);
  assert.deepEqual(
    events.map((event) => event.type),
    ['run started', 'run finished'],
  );
  assert.deepEqual(result.requirements.find(({ id }) => id === 'doc.one')?.verdict, 'excluded');
});

test('a target that goes away during the run is no deviation', async (t) => {
  const cse = await testCse(t);
  const gone = await closedPort(t);
  const chosen = planOf(t, fileOf(many(30, good)));
  const open = async (startedAt: number) => {
    const limits = { connections: 2, timeout: 1000, startedAt };
    const alive = gatewayOf(await openTestTarget({ url: cse.url }, limits));
    const { description } = await openTestTarget({ url: gone }, limits);
    const away = urlTarget({ ...limits, description, keepAlive: true });
    let left = 3;
    const send: typeof away.send = (request) => (left-- > 0 ? alive.send(request) : away.send(request));
    const close = async () => void (await Promise.all([alive.close(), away.close()]));
    return { description, installations: installationsOf({ ...away, send, close }) };
  };
  const events = run(chosen, open, { jobs: 1 });
  const { exit, scenarios, summary } = await lastOf(events);
  assert.equal(exit.code, 3);
  assert.match(exit.reason, /^the target could not be reached any more: the connection was refused/);
  assert.equal(scenarios.length, 6);
  assert.equal(summary.checks.failed, 0);
});

test('events wait for their reader', async () => {
  const read: number[] = [];
  const second = new AbortController();
  const events = streamEvents<number, string>(
    async (tell) => {
      tell(1);
      tell(2);
      await once(second.signal, 'abort');
      tell(3);
      return 'over';
    },
    async () => {},
    undefined,
  );
  const result = await lastOf(events, (event) => {
    read.push(event);
    if (event === 2) second.abort();
  });
  assert.equal(result, 'over');
  assert.deepEqual(read, [1, 2, 3]);
});
