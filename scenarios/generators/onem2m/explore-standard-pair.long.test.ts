import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastOf } from '../../engine/running/last-of.ts';
import { explore } from '../exploring/explore.ts';
import type { ExploreOptions } from '../search/explore-options.ts';
import { type ExpectedDeviation, expectFound } from '../testing/deviations-found.ts';

const inProcess = (deviations: readonly string[] = []) => ({ kind: 'in-process', deviations }) as const;

const explored = (options: Omit<ExploreOptions, 'dialect' | 'pair'>) =>
  lastOf(explore({ ...options, dialect: 'onem2m', pair: true }));

test('generated sequences of the onem2m dialect find nothing on the reference pair', async () => {
  const result = await explored({ target: inProcess(), seed: 32, runs: 60 });
  assert.equal(result.counterexample?.scenario, undefined);
  assert.equal(result.exit.code, 0);
  assert.ok(result.steps >= 1_500, String(result.steps));
  const { operations, requirements } = result.exercised;
  for (const does of ['create', 'update', 'delete', 'discover', 'retrieve: default', 'fan out: update']) {
    assert.ok(operations[`${does} through the other CSE`], does);
  }
  assert.ok(Number(requirements['std.notification.event.create-child']) > 0);
  assert.ok(Object.keys(requirements).every((id) => id.startsWith('std.')));
});

const found: readonly ExpectedDeviation[] = [
  ['pair.handed-on.creation-uncounted', 'std.container.cni.grows', 4, 1],
  ['pair.handed-on.update-creates-anew', 'std.common.ct', 4, 6],
  ['pair.renewal.loses-labels', 'std.container.optional', 4, 4],
];

test('deviations are found, and the scenario that is left of each fails there and passes on the reference pair', (t) => {
  // Where scenarios run, registrations are renewed only once an hour.
  const failsAlone = (scenario: string) => !/advance: /.test(scenario);
  return expectFound(t, found, { explore: explored, dialect: 'onem2m', failsAlone });
});

test('its path replays what is found', async () => {
  const target = inProcess(['pair.handed-on.creation-uncounted']);
  const { counterexample } = await explored({ target, seed: 1, runs: 60 });
  const again = await explored({ target, seed: 1, path: counterexample?.path ?? '' });
  assert.equal(again.counterexample?.requirement, 'std.container.cni.grows');
});

test('a pair of this dialect is tried in process only', async () => {
  const target = { kind: 'url', url: 'http://127.0.0.1:9', backend: { url: 'http://127.0.0.1:8' } } as const;
  await assert.rejects(explored({ target }), { name: 'UsageError', message: /--in-process/ });
});
