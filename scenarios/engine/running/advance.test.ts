import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Need } from '../grammar/vocabulary.ts';
import { type TargetClock, virtualClock, waitBudget } from '../targets/exchanging/clocks.ts';
import { type Installation, noCertificates, type Offer } from '../targets/installation.ts';
import { collect, fileOf, gatewayOf, openTestTarget, planOf, runPlan, type TestAnswer, testCse } from '../test-cse.ts';
import { Installations } from './scenario/installations.ts';

const steps = (duration: string) => `- retrieve: /\${base}
- advance: ${duration}
- retrieve: /\${base}
  expect: either
  check: { doc.one: { status: 404 } }`;

const good = '- retrieve: /${base}\n  check: { doc.one: { status: 200 } }';

/** A CSE whose base is gone after an hour of the clock that is moved. With each opening begins a life of its own. */
async function judge(t: TestContext, scenarios: Readonly<Record<string, string>>, lives = true) {
  let hours = 0;
  const closed: number[] = [];
  const cse = await testCse(t, ({ method, path }): TestAnswer | undefined =>
    method === 'GET' && path === '/onem2m' && hours >= 1 && lives ? { status: 404 } : undefined,
  );
  const gateway = gatewayOf(await openTestTarget({ url: cse.url }, { connections: 2, timeout: 2000, startedAt: 0 }));
  const has = new Set<Need>(['clock']);
  let opened = 0;
  const open = async (): Promise<Installation> => {
    opened += 1;
    hours = 0;
    const number = opened;
    const clock = virtualClock(async (duration) => {
      hours += Number.parseInt(duration, 10);
    });
    const close = async () => void closed.push(number);
    return {
      name: 'moved',
      has,
      gateway: { ...gateway, close },
      dialect: 'documented',
      release: '3',
      clock,
      certificates: noCertificates,
    };
  };
  const offers: Offer[] = [{ name: 'moved', has, ownForEach: true, open }];
  const installations = new Installations({ offers, lacking: String, close: async () => gateway.close() });
  const { result } = await collect(
    planOf(t, fileOf(scenarios)),
    async () => ({ description: gateway.description, installations }),
    { jobs: 1 },
  );
  return { result, opened, closed };
}

test('each scenario that lets time pass has an installation of its own, which ends with it', async (t) => {
  const { result, opened, closed } = await judge(t, { one: steps('2h'), two: steps('1h') });
  assert.deepEqual(
    result.scenarios.map(({ state }) => state),
    ['passed', 'passed'],
  );
  assert.deepEqual([opened, closed], [2, [1, 2]]);
  assert.deepEqual(result.scenarios[0]?.steps[1]?.passed, { duration: '2h', how: 'virtual' });
  assert.deepEqual(
    result.installations.map(({ name }) => name),
    ['moved'],
  );
});

test('what should be over and is not fails', async (t) => {
  const { result } = await judge(t, { one: steps('2h') }, false);
  assert.deepEqual([result.scenarios[0]?.state, result.exit.code], ['failed', 1]);
});

test('a live target is waited for, as long as the budget lasts', async (t) => {
  const cse = await testCse(t);
  const scenarios = { short: steps('1ms').replace('404', '200'), long: steps('1h') };
  const { scenario, result } = await runPlan(planOf(t, fileOf(scenarios)), cse.url, { choice: { waitBudget: 10 } });
  assert.equal(scenario('short').state, 'passed');
  assert.deepEqual(scenario('short').steps[1]?.passed, { duration: '1ms', how: 'waited' });
  assert.equal(scenario('long').state, 'not testable');
  assert.match(
    scenario('long').reason ?? '',
    /^needs 1 h of waiting; a run may wait 10 ms, of which 9 ms are left. Give --wait-budget$/,
  );
  assert(scenario('long').steps.every(({ exchange }) => exchange === undefined));
  assert.equal(result.exit.code, 0);
});

test('the budget is one for all scenarios, and says what is left', () => {
  const clock: TargetClock = waitBudget(30_000);
  assert.equal(clock.reserve(20_000), undefined);
  assert.equal(
    clock.reserve(15_000),
    'needs 15 s of waiting; a run may wait 30 s, of which 10 s are left. Give --wait-budget',
  );
  assert.equal(clock.reserve(10_000), undefined);
});

test('an interrupted run waits no longer', async () => {
  const interruption = new AbortController();
  const waited = waitBudget(1e9).advance('2h', interruption.signal);
  interruption.abort();
  await waited;
  await waitBudget(1e9).advance('2h', interruption.signal);
});

test('time that was cut short by an interruption is not said to have passed', async (t) => {
  const interruption = new AbortController();
  const cse = await testCse(t, ({ body }) => {
    // The last request before the wait: what comes after it is interrupted.
    if (body.includes('m2m:ae')) setTimeout(() => interruption.abort(), 50);
    return undefined;
  });
  const waiting = '- create: ae\n  in: /${base}\n  attributes: { rn: "${name}" }\n- advance: 1h\n';
  const chosen = planOf(t, fileOf({ one: `${waiting}${good}` }));
  const { scenario } = await runPlan(chosen, cse.url, { signal: interruption.signal, choice: { waitBudget: 1e7 } });
  const [, advance] = scenario('one').steps;
  assert.deepEqual([advance?.passed, advance?.problem], [undefined, 'the run was interrupted']);
  assert.deepEqual([...cse.tree.keys()], ['/onem2m']);
});
