import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastOf } from '../../engine/running/last-of.ts';
import { explore } from '../exploring/explore.ts';
import type { ExploreOptions } from '../search/explore-options.ts';
import { type ExpectedDeviation, expectFound } from '../testing/deviations-found.ts';

const inProcess = (deviations: readonly string[] = []) => ({ kind: 'in-process', deviations }) as const;

const explored = (options: Omit<ExploreOptions, 'pair'>) => lastOf(explore({ ...options, pair: true }));

for (const [seed, level] of [
  [21, 'documented'],
  [22, 'gap'],
] as const) {
  test(`nothing is found on the reference pair by checks of the ${level} level`, async () => {
    const { counterexample, exit, exercised } = await explored({ target: inProcess(), seed, runs: 40, level });
    assert.equal(counterexample?.scenario, undefined);
    assert.equal(exit.code, 0);
    const { operations, requirements } = exercised;
    for (const does of ['create', 'retrieve', 'update', 'delete', 'discover', 'retrieve newest or oldest']) {
      assert.ok(operations[`${does} through the other CSE`], does);
    }
    for (const requirement of ['forwarding.create', 'registration.exchange.at-gateway'])
      assert.equal(requirement in requirements, level === 'gap', requirement);
  });
}

const found: readonly ExpectedDeviation[] = [
  ['pair.handed-on.creation-uncounted', 'container.cni.counts', 4, 8],
  ['pair.handed-on.creation-not-discovered', 'discovery.label.finds', 4, 8],
  ['pair.handed-on.update-creates-anew', 'common.ct.stable', 3, 2],
  ['pair.for-the-other.creation-takes-the-name', 'ae.create.status', 2, 8],
];

test('deviations are found, and the scenario that is left of each fails there and passes on the reference pair', (t) =>
  expectFound(t, found, { explore: explored }));

test('what shows only when a registration is renewed is found, and its path replays it', async () => {
  const target = inProcess(['pair.renewal.loses-labels']);
  const { counterexample } = await explored({ target, seed: 4, runs: 60 });
  assert.equal(counterexample?.requirement, 'discovery.label.finds');
  assert.equal(counterexample?.confirmed, true);
  assert.match(counterexample?.scenario ?? '', /advance: /);
  const again = await explored({ target, seed: 4, path: counterexample?.path ?? '' });
  assert.equal(again.counterexample?.requirement, 'discovery.label.finds');
});

test('a deviation that needs no other CSE is found in a pair as well', async () => {
  const { counterexample } = await explored({ target: inProcess(['container.cni.one-behind']), seed: 5 });
  assert.equal(counterexample?.requirement, 'container.cni.counts');
  assert.equal(counterexample?.confirmed, true);
});

test('a target without a known backend is no pair', async () => {
  const target = { kind: 'url', url: 'http://127.0.0.1:9' } as const;
  await assert.rejects(explored({ target }), { name: 'UsageError', message: /--backend-url/ });
});
