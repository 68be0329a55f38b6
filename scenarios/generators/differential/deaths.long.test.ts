import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastOf } from '../../engine/running/last-of.ts';
import {
  type CrashingReference,
  crashingReference,
  creating,
} from '../../engine/targets/embedded/testing/crashing-reference.ts';
import { type DiffSide, diff } from './diff.ts';
import type { DiffResult } from './difference.ts';

const isNode = creating('m2m:cin');

function side({ url, restart }: CrashingReference): DiffSide {
  return { target: { kind: 'url', url, waitForTarget: 0 }, safety: {}, restart };
}

const compared = (targets: readonly [DiffSide, DiffSide]): Promise<DiffResult> =>
  lastOf(diff({ targets, seed: 3, runs: 12, jobs: 4 }));

test('it is said which of the two died, and of what; the other goes on, and nothing is left at either', async (t) => {
  const living = await crashingReference(t, () => false);
  const dying = await crashingReference(t, isNode);
  const before = [living.size(), dying.size()];
  const { deaths = [], exit } = await compared([side(living), side(dying)]);
  assert.ok(deaths.length > 0 && deaths.every((one) => one.side === 'B'));
  const [{ culprit, backAfter } = {}] = deaths;
  assert.match(culprit?.curl ?? '', /m2m:cin/);
  assert.equal(culprit?.seen, 'again');
  assert.equal(typeof backAfter, 'number');
  assert.equal(exit.code, 1);
  assert.match(exit.reason, /^B: the target died/);
  assert.deepEqual([living.size(), dying.size()], before);
});

test('after a death that nothing causes again everything is compared', async (t) => {
  const living = await crashingReference(t, () => false);
  const dying = await crashingReference(t, (request, deaths) => deaths === 0 && isNode(request));
  const { deaths, differences, sequences, exit } = await compared([side(dying), side(living)]);
  assert.deepEqual(
    deaths?.map((one) => [one.side, one.culprit]),
    [['A', undefined]],
  );
  assert.deepEqual(differences, []);
  assert.equal(sequences, 12);
  assert.equal(exit.code, 3);
  assert.match(exit.reason, /^A: the target died with .* under way, culprit not proved$/);
});

test('a target that stays dead ends it, and the other is left as it was', async (t) => {
  const living = await crashingReference(t, () => false);
  const dying = await crashingReference(t, isNode);
  const before = living.size();
  const { deaths, exit } = await compared([side(living), { ...side(dying), restart: async () => {} }]);
  assert.equal(deaths?.length, 1);
  assert.match(exit.reason, /^B: the target died .*, and it has not come back$/);
  assert.notEqual(exit.code, 0);
  assert.equal(living.size(), before);
});
