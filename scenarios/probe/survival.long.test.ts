import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crashingReference, creating } from '../engine/targets/embedded/testing/crashing-reference.ts';
import { probe } from './probe.ts';

test('a probe goes on after a read that kills the target, and names it', async (t) => {
  const cse = await crashingReference(t, ({ target }) => target.includes('fu=1'));
  const { restart } = cse;
  const { outcome, deaths, findings } = await probe({ url: cse.url, waitForTarget: 0 }, { restart });
  assert.equal(outcome, 'found');
  assert.match(deaths?.[0]?.culprit?.path ?? '', /fu=1/);
  assert.equal(typeof deaths?.[0]?.backAfter, 'number');
  // What is asked after that is answered.
  assert.ok(findings.some(({ topic, found }) => topic === 'implements' && found === 'yes'));
});

test('after a creation that kills the target no more is created, and what was is removed', async (t) => {
  const cse = await crashingReference(t, creating('m2m:grp'));
  const before = cse.size();
  const { restart } = cse;
  const { deaths, leftBehind } = await probe({ url: cse.url, waitForTarget: 0 }, { write: true, restart });
  assert.equal(cse.deaths(), 1);
  assert.equal(deaths?.[0]?.culprit?.method, 'POST');
  assert.deepEqual(leftBehind, []);
  assert.equal(cse.size(), before);
});

test('a target that stays dead ends a probe soon', async (t) => {
  const cse = await crashingReference(t, ({ target }) => target.includes('fu=1'));
  const { deaths, requests } = await probe({ url: cse.url, waitForTarget: 0 });
  assert.equal(deaths?.length, 1);
  assert.equal(deaths[0]?.backAfter, undefined);
  assert.ok(requests < 20, String(requests));
});
