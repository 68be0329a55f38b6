import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCse, serveHttp } from '../../../sim/index.ts';
import { lastOf } from '../../engine/running/last-of.ts';
import { explore } from '../exploring/explore.ts';
import type { ExploreOptions } from '../search/explore-options.ts';
import { type ExpectedDeviation, expectFound } from '../testing/deviations-found.ts';

const inProcess = (deviations: readonly string[] = []) => ({ kind: 'in-process', deviations }) as const;

const explored = (options: Omit<ExploreOptions, 'dialect'>) => lastOf(explore({ ...options, dialect: 'onem2m' }));

test('generated sequences of the onem2m dialect find nothing on the reference CSE', async () => {
  const result = await explored({ target: inProcess(), seed: 31, runs: 60 });
  assert.equal(result.counterexample?.scenario, undefined);
  assert.equal(result.exit.code, 0);
  assert.ok(result.steps >= 1_500, String(result.steps));
  assert.ok(Object.keys(result.exercised.requirements).every((id) => id.startsWith('std.')));
});

const found: readonly ExpectedDeviation[] = [
  ['std.container.cni.shrinks.ever', 'std.container.cni.shrinks', 5, 2],
  ['std.retention.mni.create.ok', 'std.retention.mni.create', 4, 1],
  ['std.latest.retrieve.second', 'std.latest.retrieve', 6, 2],
  ['std.notification.event.create-child.as-update', 'std.notification.event.create-child', 4, 3],
  ['std.notification.event.delete-child.as-deletion', 'std.notification.event.delete-child', 6, 2],
  ['std.fan-out.create.done.first-only', 'std.fan-out.create.done', 6, 2],
  ['std.access.operation.update.refused.with-all-others', 'std.access.operation.update.refused', 5, 3],
];

test('deviations are found, and the scenario that is left of each fails there and passes on the reference CSE', (t) =>
  expectFound(t, found, { explore: explored, dialect: 'onem2m' }));

test('a form of address that is known not to be understood says nothing of requests by it', async () => {
  const target = inProcess(['std.address.unstructured.absolute.update']);
  const { exit } = await explored({ target, seed: 5, runs: 120, except: ['std.address.unstructured.absolute'] });
  assert.equal(exit.code, 0, exit.reason);
});

test('a form of address that is excepted says nothing of a creation below it, by a name that was used before', async () => {
  const target = inProcess(['std.address.dash.not-known']);
  const { exit } = await explored({ target, seed: 1, runs: 60, except: ['std.address.dash'] });
  assert.deepEqual([exit.code, exit.reason.slice(0, 12)], [0, 'no deviation']);
});

test('a target with a URL is checked over HTTP, with its notifications, and left as it was', async () => {
  const identity = { base: 'cse-in', cseId: 'id-in', spId: 'openmtc.org', admin: 'CAdmin' };
  const { http, core } = createCse({ ...identity, dialect: 'onem2m' });
  const server = await serveHttp(http, { port: 0 });
  try {
    const before = core.tree.size;
    const target = { kind: 'url', url: `http://127.0.0.1:${server.port}`, ...identity } as const;
    const { counterexample, notes, exit, exercised } = await explored({ target, seed: 8, runs: 8, safety: {} });
    assert.equal(counterexample?.scenario, undefined);
    assert.deepEqual([exit.code, notes], [0, []]);
    assert.ok(Number(exercised.requirements['std.notification.event.create-child']) > 0);
    assert.equal(core.tree.size, before);
  } finally {
    await server.close();
  }
});
