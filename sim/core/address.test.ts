import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sampleCse } from '../testing/sample-cse.ts';

const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  // What the CSE refuses as a name is no address: rules.test.ts has those.
  .filter((text) => !/[\p{Cc}/]/u.test(text) && !/^(\.\.?|la|ol|latest|oldest|fopt|pcu)$/.test(text));

test('a resource is the same by names, by identifier, and in each scope, whatever its name', async () => {
  await fc.assert(
    fc.asyncProperty(name, name, async (outer, inner) => {
      const cse = sampleCse();
      await cse.send('POST', '/onem2m', { 'm2m:cnt': { rn: outer } });
      const created = await cse.send('POST', '/cnt0', { 'm2m:cnt': { rn: inner } });
      assert.equal(created.status, 201, created.text);
      const path = `onem2m/${encodeURIComponent(outer)}/${encodeURIComponent(inner)}`;
      for (const relative of [path, 'cnt1', `cnt0/${encodeURIComponent(inner)}`, `${path}/`]) {
        for (const scope of ['/', '/~/mn-cse-1/', '/_/openmtc.org/mn-cse-1/']) {
          const read = await cse.send('GET', scope + relative);
          assert.deepEqual(read.json, created.json, scope + relative);
        }
      }
      assert.equal(created.headers['Content-Location'], `/${path}`);
    }),
    { numRuns: 60 },
  );
});

test('addresses from a discovery can be retrieved, in the scope of its request', async () => {
  await fc.assert(
    fc.asyncProperty(name, async (rn) => {
      const cse = sampleCse();
      await cse.send('POST', '/', { 'm2m:cnt': { rn } });
      for (const [scope, back] of [
        ['/onem2m', (address: string) => `/${address}`],
        ['/~/mn-cse-1/onem2m', (address: string) => `/~${address}`],
        ['/_/openmtc.org/mn-cse-1/onem2m', (address: string) => `/_${address.slice(1)}`],
      ] as const) {
        for (const form of [1, 2]) {
          const listed = (await cse.send('GET', `${scope}?fu=1&drt=${form}`)).json as { 'm2m:uril': string[] };
          assert.equal(listed['m2m:uril'].length, 1);
          const read = await cse.send('GET', back(listed['m2m:uril'][0] ?? ''));
          assert.equal(read.attributes.rn, rn);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('each address allows the operations of its resource', () => {
  const { core } = sampleCse({ dialect: 'onem2m', base: 'b' });
  const make = (to: string, content: object) => core.perform({ operation: 'create', to, content });
  make('b', { 'm2m:cnt': { rn: 'c' } });
  make('b/c', { 'm2m:cin': { rn: 'i', con: '1' } });
  make('b', { 'm2m:grp': { rn: 'g', mnm: 1, mid: ['b/c'] } });
  for (const [to, operations] of [
    ['b', ['create', 'retrieve']],
    ['b/c', ['create', 'retrieve', 'update', 'delete']],
    ['b/c/i', ['retrieve', 'delete']],
    ['b/c/la', ['retrieve', 'delete']],
    ['b/g/fopt', ['create', 'retrieve', 'update', 'delete', 'notify']],
  ] as const) {
    assert.deepEqual([...core.allowedOperations(to)].sort(), [...operations].sort(), to);
  }
});
