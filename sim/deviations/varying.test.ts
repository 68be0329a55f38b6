import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleCse } from '../sample-cse.ts';
import { drawVariations } from './draw-variations.ts';
import type { Variation } from './variation.ts';
import { wordsForVariations } from './variation.ts';

/** The answers to a create, a retrieve, a discovery and a delete. */
async function answers(...variations: Variation[]) {
  const { send } = sampleCse({ variations });
  return {
    created: await send('POST', '/onem2m', { 'm2m:ae': { rn: 'App', api: 'N.äpp/lication', rr: 'TRUE' } }),
    other: await send('POST', '/onem2m', { 'm2m:ae': { rn: 'B', api: 'N.b', rr: 'TRUE' } }),
    found: await send('GET', '/onem2m?fu=1'),
    limited: await send('GET', '/onem2m?fu=1&lim=1'),
    deleted: await send('DELETE', '/onem2m/B'),
  };
}

test('the same is said in other words', async () => {
  const usual = await answers();
  const cases: readonly Variation[] = [
    ...[{ keys: 'reversed' }, { keys: 'sorted' }, { space: 'indented' }, { space: 'tabs' }, { space: 'around' }],
    ...[{ escapes: 'beyond ASCII' }, { escapes: 'slashes' }, { escapes: 'letters' }],
  ] as Variation[];
  for (const variation of cases) {
    const varied = await answers(variation);
    assert.notEqual(varied.created.text, usual.created.text, wordsForVariations([variation]));
    assert.deepEqual(varied.created.json, usual.created.json, wordsForVariations([variation]));
    assert.deepEqual(varied.found.json, usual.found.json);
  }
});

test('headers, lists and the answer to a DELETE differ where nothing says how they are', async () => {
  const usual = await answers();
  const upper = await answers({ header: 'in upper case' }, { type: 'with a charset' });
  assert.equal(upper.created.headers['X-M2M-RSC'], '2001');
  assert.equal(upper.created.headers['CONTENT-TYPE'], `${usual.created.headers['Content-Type']};charset=utf-8`);
  assert.equal((await answers({ header: 'added' })).created.headers.Via, '1.1 gate');
  const listIn = (json: unknown) => (json as { 'm2m:uril': string[] })['m2m:uril'];
  const reversed = await answers({ found: 'reversed' });
  assert.deepEqual(listIn(reversed.found.json), listIn(usual.found.json).toReversed());
  assert.deepEqual(listIn(reversed.limited.json), listIn(reversed.found.json).slice(0, 1));
  assert.notDeepEqual(listIn(reversed.limited.json), listIn(usual.limited.json));
  assert.equal((await answers({ deleted: 'an object' })).deleted.text, '{}');
  const empty = (await answers({ deleted: 'empty' })).deleted;
  assert.deepEqual([empty.text, empty.status, empty.headers['Content-Type']], ['', 200, undefined]);
});

test('a seed draws one to three of different kinds, the same each time', () => {
  const drawn = (seed: number) => {
    const endless = drawVariations('documented', seed);
    return Array.from({ length: 200 }, () => endless.next().value ?? []);
  };
  assert.deepEqual(drawn(3), drawn(3));
  assert.notDeepEqual(drawn(3), drawn(4));
  const all = drawn(1);
  assert.deepEqual([...new Set(all.map(({ length }) => length))].sort(), [1, 2, 3]);
  for (const one of all) assert.equal(new Set(one.flatMap((variation) => Object.keys(variation))).size, one.length);
  assert.equal(new Set(all.flat().flatMap((one) => Object.keys(one))).size, 7);
});
