import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { testCse } from '../engine/test-cse.ts';
import { type Asker, releases } from './asker.ts';
import { findBase } from './find-base.ts';
import { identityOf } from './identity.ts';
import { askerAt } from './testing/asker-at.ts';
import { findRelease } from './wording.ts';

/** A CSE that takes these releases, refuses others with 4001, and lists those of `srv`. */
async function cseOf(t: TestContext, taken: readonly string[], srv?: readonly string[]): Promise<Asker> {
  const cse = await testCse(t, ({ headers }) =>
    taken.includes(String(headers['x-m2m-rvi']))
      ? { status: 200, body: { 'm2m:cb': { rn: 'onem2m', csi: '/a', srv } } }
      : { status: 501, headers: { 'x-m2m-rsc': '4001' } },
  );
  return askerAt(t, cse.url);
}

async function found(asker: Asker, usual?: string) {
  const search = await findBase(asker, { first: 'onem2m', originators: [], releases: releases.toReversed() });
  assert.equal(search.kind, 'base');
  return findRelease(asker, search.base, { listed: identityOf(search.base).releases, usual });
}

test('requests name the newest release that the CSE base lists and takes', async (t) => {
  const all = ['2a', '3', '4', '5'];
  assert.equal((await found(await cseOf(t, all, all))).release, '4');
  assert.equal((await found(await cseOf(t, ['2a', '3'], all))).release, '3', 'it refuses what it lists');
  assert.equal((await found(await cseOf(t, all, ['2a']))).release, '2a');
});

test('the release of its target file is kept where the CSE base lists it, or lists nothing', async (t) => {
  const all = ['2a', '3', '4', '5'];
  assert.equal((await found(await cseOf(t, all, all), '3')).release, '3');
  assert.equal((await found(await cseOf(t, all), '2a')).release, '2a');
  assert.equal((await found(await cseOf(t, all, ['4']), '2a')).release, '4');
});

test('where nothing is listed it is the one that is taken, unless any is', async (t) => {
  assert.equal((await found(await cseOf(t, ['3']))).release, '3');
  assert.equal((await found(await cseOf(t, ['3', '99']))).release, undefined);
});

test('a CSE base that only another release reads is found', async (t) => {
  const asker = await cseOf(t, ['2a'], ['2a']);
  assert.equal((await found(asker)).release, '2a');
  assert.equal(asker.release, '2a', 'in which the probe goes on');
});
