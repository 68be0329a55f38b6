import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCse, serveHttp } from '../../../sim/index.ts';
import { lastOf } from '../../engine/running/last-of.ts';
import type { ExploreOptions } from '../search/explore-options.ts';
import { violatedBy } from '../testing/violated-by.ts';
import type { ExploreEvent, ExploreResult } from './exploration.ts';
import { explore } from './explore.ts';

const inProcess = (deviations: readonly string[] = []) => ({ kind: 'in-process', deviations }) as const;

const explored = (options: ExploreOptions, onEvent?: (event: ExploreEvent) => void): Promise<ExploreResult> =>
  lastOf(explore(options), onEvent);

test('1,000 requests find nothing on the reference CSE', async () => {
  const result = await explored({ target: inProcess(), seed: 11, runs: 25 });
  assert.equal(result.counterexample?.scenario, undefined);
  assert.equal(result.exit.code, 0);
  assert.ok(result.steps >= 1000, String(result.steps));
});

test('what the reference CSE does in the gaps is what the model takes it to do', async () => {
  const result = await explored({ target: inProcess(), seed: 12, runs: 50, level: 'gap' });
  assert.equal(result.counterexample?.scenario, undefined);
});

const found: ReadonlyArray<readonly [deviation: string, requirement: string, steps: number]> = [
  ['container.cni.one-behind', 'container.cni.counts', 4],
  ['latest.newest-but-one', 'latest.newest', 5],
  ['ae.delete.ghost', 'lifecycle.removed-is-gone', 3],
  ['discovery.created-after.inclusive', 'discovery.created-after.leaves-out-earlier', 2],
  ['ae.aei.changes', 'ae.aei.stable', 2],
  ['sp-relative.create.elsewhere', 'sp-relative.create.same-tree', 4],
];

for (const [deviation, requirement, steps] of found) {
  test(`${deviation} is found, and the scenario that is left fails there and nowhere else`, async () => {
    const { counterexample, exit } = await explored({ target: inProcess([deviation]), seed: 5, runs: 300 });
    assert.equal(counterexample?.requirement, requirement);
    assert.equal(exit.code, 1);
    assert.equal(counterexample?.confirmed, true);
    assert.ok((counterexample?.steps.length ?? 99) <= steps, counterexample?.scenario);
    const { scenario = '' } = counterexample ?? {};
    assert.deepEqual(await violatedBy([scenario], { deviations: [deviation] }), [requirement]);
    assert.deepEqual(await violatedBy([scenario], { deviations: [] }), []);
  });
}

test('the same seed finds the same, and seed and path replay the shortest sequence alone', async () => {
  const target = inProcess(['latest.oldest']);
  const [one, other] = [await explored({ target, seed: 9 }), await explored({ target, seed: 9 })];
  assert.deepEqual(one.counterexample?.operations, other.counterexample?.operations);
  const { path = '' } = one.counterexample ?? {};
  const again = await explored({ target, seed: 9, path });
  assert.equal(again.sequences, 1);
  assert.deepEqual(again.counterexample?.operations.left, one.counterexample?.operations.left);
  assert.equal((await explored({ target: inProcess(), seed: 9, path })).exit.code, 0);
});

test('with a focus only what it names is checked', async () => {
  const target = inProcess(['container.cni.one-behind']);
  const elsewhere = await explored({ target, seed: 5, runs: 40, focus: ['ae', 'latest'] });
  assert.equal(elsewhere.exit.code, 0);
  assert.ok(Object.keys(elsewhere.exercised.requirements).every((id) => /^(ae|latest)\./.test(id)));
  await assert.rejects(explored({ target, focus: ['container.cnj'] }), { name: 'UsageError' });
});

test('what is excepted is not checked, and it goes on past that', async () => {
  const target = inProcess(['container.cni.one-behind', 'latest.oldest']);
  const first = await explored({ target, seed: 5 });
  const { requirement = '' } = first.counterexample ?? {};
  const past = await explored({ target, seed: 5, except: [requirement] });
  assert.notEqual(past.counterexample?.requirement ?? requirement, requirement);
  assert.match(past.counterexample?.command ?? '', new RegExp(`--except ${requirement} `));
  assert.equal(past.exercised.requirements[requirement], undefined);
  await assert.rejects(explored({ target, except: ['container.cnj'] }), { name: 'UsageError' });
});

test('what is known to be broken says nothing else of the answer', async () => {
  const target = inProcess(['wire.body.container.list']);
  const { exit, exercised } = await explored({ target, seed: 5, runs: 40, except: ['wire.answer-is-json'] });
  assert.deepEqual([exit.code, exit.reason.slice(0, 12)], [0, 'no deviation']);
  assert.equal(exercised.requirements['wire.answer-is-json'], undefined);
});

test('neither do the expectations of a move, of an answer that a rule finds known to be broken', async () => {
  const target = inProcess(['std.ae.retrieve.api.missing']);
  const except = ['std.ae.retrieve.api', 'std.every.attribute.always'];
  const { exit } = await explored({ target, dialect: 'onem2m', seed: 5, runs: 20, except });
  assert.deepEqual([exit.code, exit.reason.slice(0, 12)], [0, 'no deviation']);
});

test('an interruption while it shrinks still reports the best that was found', async () => {
  const interrupt = new AbortController();
  const onEvent = ({ type }: ExploreEvent) => type === 'failure found' && interrupt.abort();
  const target = inProcess(['container.cni.stays-zero']);
  const { counterexample, exit } = await explored({ target, seed: 5, signal: interrupt.signal }, onEvent);
  assert.equal(exit.code, 130);
  assert.equal(counterexample?.requirement, 'container.cni.counts');
  assert.equal(counterexample?.smallest, false);
});

test('a target with a URL is left as it was', async () => {
  const { http, core } = createCse({ deviations: ['container.cbs.stays-zero'] });
  const server = await serveHttp(http, { port: 0 });
  try {
    const before = core.tree.size;
    const url = `http://127.0.0.1:${server.port}`;
    const { counterexample, notes } = await explored({ target: { kind: 'url', url }, seed: 4, runs: 40, safety: {} });
    assert.equal(counterexample?.requirement, 'container.cbs.counts');
    assert.equal(counterexample?.confirmed, true);
    assert.deepEqual(notes, []);
    assert.equal(core.tree.size, before);
  } finally {
    await server.close();
  }
});

test('a target that does not answer is no deviation', async () => {
  const target = { kind: 'url', url: 'http://127.0.0.1:9', waitForTarget: 0 } as const;
  const { exit } = await explored({ target, runs: 1 });
  assert.equal(exit.code, 3);
});

test('what was seen only once is reported with its answer, and is not called violated', async () => {
  const { http } = createCse();
  let created = 0;
  const slipping: typeof http = {
    ...http,
    handle: async (request) => {
      const answer = await http.handle(request);
      if (request.method !== 'POST' || answer.status !== 201) return answer;
      created += 1;
      // The first one is tried before the sequences, for its lifetime.
      return created === 2 ? { ...answer, status: 202 } : answer;
    },
  };
  await using server = await serveHttp(slipping);
  const { counterexample, exit } = await explored({ target: { kind: 'url', url: server.url }, seed: 4, runs: 5 });
  assert.equal(counterexample?.confirmed, false);
  assert.match(counterexample.expected, /status 201/);
  assert.match(counterexample.actual, /status 202/);
  assert.deepEqual(exit, {
    code: 4,
    reason: `${counterexample.requirement} failed once, and not when it was sent again`,
  });
});

test('shrinking ends after so many attempts, however long they take', async () => {
  const target = inProcess(['container.cni.stays-zero']);
  const { counterexample } = await explored({ target, seed: 5, shrinkAttempts: 3 });
  assert.deepEqual([counterexample?.attempts, counterexample?.smallest], [3, false]);
});
