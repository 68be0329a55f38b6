import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { CseOptions } from '../cse/create-cse.ts';
import { sampleCse } from '../testing/sample-cse.ts';
import { typeIn } from './resource-type.ts';

/** fast-check's own unit `binary` first writes down every character that there is, which takes a second. */
const anyText = fc.array(fc.nat(0x10ffff)).map((points) => String.fromCodePoint(...points).toWellFormed());

test('a representation is the JSON that JSON.stringify would write, whatever its texts hold', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), async (con, lbl) => {
      const cse = sampleCse();
      await cse.send('POST', '/', { 'm2m:cnt': { rn: 'c' } });
      const answer = await cse.send('POST', '/onem2m/c', { 'm2m:cin': { con: con.toWellFormed(), lbl } });
      assert.equal(answer.text, JSON.stringify(answer.json));
      assert.deepEqual([answer.attributes.con, answer.attributes.lbl], [con.toWellFormed(), lbl]);
    }),
  );
});

test('an attribute of the standard alone is none of the documented dialect', () => {
  const both = { type: 'text', create: 'optional', update: 'optional', announced: 'never' } as const;
  const attributes = { own: { ...both, only: 'onem2m' }, both } as const;
  const table = { ty: 99, root: 'm2m:x', longName: 'x', attributes };
  const named = (dialect: 'documented' | 'onem2m') => typeIn(dialect, table).entries.map(({ name }) => name);
  assert.deepEqual([named('documented'), named('onem2m')], [['both'], ['own', 'both']]);
});

test('in the standard the CSE base has its type, releases and serializations (TS-0001, table 9.6.3-2)', async () => {
  const ofCse = async (options: CseOptions) => {
    const { attributes } = await sampleCse({ base: 'b', cseId: 'c', spId: 'sp', ...options }).send('GET', '/b');
    const { csi, cst, srv, spi, ici, csz, poa } = attributes;
    return { csi, cst, srv, spi, ici, csz, poa };
  };
  const nothing = { srv: undefined, spi: undefined, ici: undefined, csz: undefined, poa: undefined };
  assert.deepEqual(await ofCse({}), { ...nothing, csi: '/c', cst: 2 });
  const csz = [
    ...['application/json', 'application/vnd.onem2m-res+json'],
    ...['application/cbor', 'application/vnd.onem2m-res+cbor'],
  ];
  const standard = { csi: '/c', srv: ['2a', '3', '4', '5'], spi: '//sp', csz, poa: undefined };
  assert.deepEqual(await ofCse({ dialect: 'onem2m', cseType: 'MN-CSE' }), { ...standard, cst: 2, ici: undefined });
  assert.deepEqual(await ofCse({ dialect: 'onem2m', cseType: 'IN-CSE' }), { ...standard, cst: 1, ici: '/c' });
});
