import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastOf } from '../../engine/running/last-of.ts';
import {
  type CrashingReference,
  crashingReference,
  creating,
} from '../../engine/targets/embedded/testing/crashing-reference.ts';
import type { ExploreOptions } from '../search/explore-options.ts';
import type { ExploreEvent, ExploreResult } from './exploration.ts';
import { explore } from './explore.ts';

/** Sequences of a run. */
const runs = 8;

async function explored(cse: CrashingReference, options: Partial<ExploreOptions> = {}) {
  const told: ExploreEvent['type'][] = [];
  const target = { kind: 'url', url: cse.url, waitForTarget: 0, admin: 'CAdmin' } as const;
  const { restart } = cse;
  const result: ExploreResult = await lastOf(
    explore({ target, seed: 3, runs, jobs: 4, safety: {}, restart, ...options }),
    ({ type }) => told.push(type),
  );
  return { result, told };
}

test('a sequence that kills the target is a find of its own, shrunk and sent again, and nothing is left', async (t) => {
  const cse = await crashingReference(t, creating('m2m:cin'));
  const before = cse.size();
  const { result, told } = await explored(cse);
  const { counterexample, deaths, exit } = result;
  assert.equal(counterexample?.requirement, 'cselab.target');
  assert.equal(counterexample.confirmed, true);
  assert.ok(counterexample.steps.length <= 4, counterexample.scenario);
  assert.match(counterexample.curl ?? '', /m2m:cin/);
  assert.equal(deaths?.length, 1);
  const { method, seen, scenario } = deaths[0]?.culprit ?? {};
  assert.deepEqual([method, seen], ['POST', 'again']);
  assert.match(scenario ?? '', /^sequence \d+$/);
  assert.equal(exit.code, 1);
  assert.match(exit.reason, /^the target died: POST \/.* killed it, and again alone$/);
  assert.ok(told.includes('target died') && told.includes('target back'));
  assert.equal(cse.size(), before);
});

test('a death that no sequence causes again is reported with what was under way, and the rest is tried', async (t) => {
  const cse = await crashingReference(t, (request, deaths) => deaths === 0 && creating('m2m:cin')(request));
  const { result } = await explored(cse);
  assert.equal(result.counterexample, undefined);
  assert.equal(result.deaths?.length, 1);
  assert.equal(result.deaths[0]?.culprit, undefined);
  assert.ok(result.deaths[0]?.inFlight.some(({ curl }) => curl.includes('m2m:cin')));
  assert.equal(typeof result.deaths[0]?.backAfter, 'number');
  assert.ok(result.sequences >= runs, String(result.sequences));
  assert.equal(result.exit.code, 3);
  assert.match(result.exit.reason, /^the target died with .*POST .* under way, culprit not proved$/);
});

test('a target that is gone again before a suspect is sent once more accuses nobody', async (t) => {
  const kills = creating('m2m:cin');
  let isTidied = false;
  const cse = await crashingReference(t, (request, deaths) => {
    const tidies = deaths === 1 && request.method === 'DELETE' && !isTidied;
    isTidied ||= tidies;
    // Once more, before the suspects are sent: what they send first is refused.
    if (tidies) setImmediate(() => cse.suspend());
    return deaths === 0 && kills(request);
  });
  const { result } = await explored(cse);
  assert.equal(result.counterexample, undefined);
  assert.equal(result.deaths?.[0]?.culprit, undefined);
  assert.ok(result.sequences >= runs);
  assert.equal(result.exit.code, 3);
});

test('a target that stays dead ends it; the only request under way is named, and nothing more is sent', async (t) => {
  const cse = await crashingReference(t, creating('m2m:cin'));
  const { result } = await explored(cse, { jobs: 1, restart: async () => {} });
  assert.equal(cse.deaths(), 1);
  assert.equal(result.deaths?.[0]?.culprit?.seen, 'alone');
  assert.equal(result.counterexample?.confirmed, false);
  assert.match(result.exit.reason, /the only request under way, and it has not come back$/);
  assert.equal(result.exit.code, 1);
});

test('seed and path replay a death', async (t) => {
  const cse = await crashingReference(t, creating('m2m:cin'));
  const { result } = await explored(cse);
  const again = await explored(cse, { path: result.counterexample?.path ?? '' });
  assert.equal(again.result.exit.code, 1);
  assert.deepEqual(again.result.counterexample?.operations.left, result.counterexample?.operations.left);
});

test('so it is in the standard dialect', async (t) => {
  const cse = await crashingReference(t, creating('m2m:grp'), 'onem2m');
  const { result } = await explored(cse, { dialect: 'onem2m' });
  assert.equal(result.counterexample?.requirement, 'cselab.target');
  assert.equal(result.counterexample.confirmed, true);
  assert.equal(result.exit.code, 1);
});
