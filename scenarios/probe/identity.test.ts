import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testCse } from '../engine/test-cse.ts';
import { findAddresses } from './addresses.ts';
import type { Asker } from './asker.ts';
import { type Base, findBase } from './find-base.ts';
import { identityOf, releaseFor } from './identity.ts';
import { askerAt } from './testing/asker-at.ts';

/** A CSE base with these attributes, as it is read at a CSE that answers no absolute address but with this SP-ID. */
async function found(t: Parameters<typeof testCse>[0], attributes: object, spId?: string, remote?: object) {
  const cse = await testCse(t, ({ path }) => {
    if (path.startsWith('/onem2m?'))
      return { status: 200, body: { 'm2m:uril': remote === undefined ? [] : ['onem2m/far'] } };
    if (path === '/onem2m/far' && remote !== undefined) return { status: 200, body: remote };
    const absolute = spId !== undefined && path === `/_/${spId}/a/onem2m`;
    if (path !== '/onem2m' && !absolute) return { status: 404 };
    return { status: 200, body: { 'm2m:cb': { rn: 'onem2m', csi: '/a', ...attributes } } };
  });
  const asker: Asker = await askerAt(t, cse.url);
  const search = await findBase(asker, { first: 'onem2m', originators: [] });
  assert.equal(search.kind, 'base');
  const base: Base = search.base;
  return { asker, base, log: cse.log };
}

const absolute = 'PICS_ABSOLUTE_RESOURCE_ID_FORMAT';

test('the SP-ID is what spi says, or an absolute form of its own CSE-ID anywhere in its CSE base', async (t) => {
  const rows: ReadonlyArray<readonly [object, string | undefined, string]> = [
    [{ spi: '//one.example' }, 'one.example', 'a'],
    [{ csi: '//two.example/a' }, 'two.example', 'a'],
    [{ acpi: ['//three.example/a/onem2m/policy'] }, 'three.example', 'a'],
    [{ acpi: ['//other.example/b/onem2m/policy'] }, undefined, 'a'],
    [{}, undefined, 'a'],
  ];
  for (const [attributes, spId, cseId] of rows) {
    const { base } = await found(t, attributes);
    const identity = identityOf(base);
    assert.deepEqual([identity.spId, identity.cseId], [spId, cseId], JSON.stringify(attributes));
  }
});

test('an SP-ID that nobody told is tried, and where none leads anywhere nothing is said of absolute addresses', async (t) => {
  const { asker, base } = await found(t, {});
  const { findings, spId } = await findAddresses(asker, base, identityOf(base), ['guessed.example']);
  assert.equal(spId, undefined);
  const finding = findings.find(({ id }) => id === absolute);
  assert.equal(finding?.found, 'unknown');
  assert.match(finding?.evidence ?? '', /its SP-ID is not known; GET \/_\/guessed\.example\/a\/onem2m/);
});

test('one that leads to the CSE base, while another does not, is its SP-ID', async (t) => {
  const { asker, base } = await found(t, {}, 'third.example');
  const given = ['first.example', 'third.example'];
  const { findings, spId } = await findAddresses(asker, base, identityOf(base), given);
  assert.equal(spId, 'third.example');
  assert.equal(findings.find(({ id }) => id === absolute)?.found, 'yes');
});

test('an absolute address of another service provider in its CSE base is tried as well', async (t) => {
  const { asker, base } = await found(t, { poa: ['//other.example/b/onem2m'] }, 'other.example');
  const { spId } = await findAddresses(asker, base, identityOf(base), ['guessed.example']);
  assert.equal(spId, 'other.example');
});

test('a CSE that is registered there may tell the service provider', async (t) => {
  const remote = { 'm2m:csr': { rn: 'far', csi: '//remote.example/far', cb: '//remote.example/far/onem2m' } };
  const { asker, base } = await found(t, {}, 'remote.example', remote);
  const { spId } = await findAddresses(asker, base, identityOf(base), ['guessed.example']);
  assert.equal(spId, 'remote.example');
});

test('where its SP-ID is told and absolute addresses lead nowhere, a run judges that', async (t) => {
  const { asker, base } = await found(t, { spi: '//one.example' });
  const { findings } = await findAddresses(asker, base, identityOf(base), []);
  const finding = findings.find(({ id }) => id === absolute);
  assert.equal(finding?.found, 'unknown');
  assert.match(finding?.evidence ?? '', /GET \/_\/one\.example\/a\/onem2m/);
});

test('the release is the newest that srv lists and the catalogue of requirements speaks of', () => {
  const rows: ReadonlyArray<readonly [readonly string[], string | undefined]> = [
    [['2a', '3', '4', '5'], '4'],
    [['3', '4'], '4'],
    [['3'], '3'],
    [['2a'], '2a'],
    [['5'], '5'],
    [[], undefined],
  ];
  for (const [known, release] of rows) assert.equal(releaseFor(known), release, known.join());
});

test('srv may be numbers, or one text', async (t) => {
  for (const srv of [[3, 4], ['3', '4'], '3 4']) {
    const { base } = await found(t, { srv });
    assert.deepEqual(identityOf(base).releases, ['3', '4'], JSON.stringify(srv));
  }
});
