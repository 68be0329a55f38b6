import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCse } from '../cse/create-cse.ts';
import { subscriptionElsewhere } from './retargeting.ts';

async function cseWithApplication(dialect: 'documented' | 'onem2m') {
  const { core } = createCse({ dialect, cseId: 'in-cse-1', registrars: ['*'] });
  const content = { 'm2m:ae': { rn: 'GUI', api: 'NGui', rr: true, ...(dialect === 'onem2m' && { srv: ['3'] }) } };
  const common = { from: 'CGui', requestIdentifier: '1', releaseVersionIndicator: '3', parameters: {} };
  await core.request({ ...common, operation: 'create', to: core.tree.base.name, resourceType: 2, content });
  return core;
}

const elsewhere = (body: string, to: string, cse: Awaited<ReturnType<typeof cseWithApplication>>) =>
  Buffer.from(subscriptionElsewhere(Buffer.from(body), to, cse)).toString();

test('targets that are applications of this CSE are called by its name, everything else stays', async () => {
  const cse = await cseWithApplication('documented');
  const nu = ['CGui', 'onem2m/GUI', 'COther', 'onem2m/GUI/c', '/mn-cse-1/CGui', 'http://127.0.0.1:9/CGui', 7];
  const rest = { rn: 's', enc: { net: [3] }, exc: null };
  const body = JSON.stringify({ 'm2m:sub': { ...rest, nu, su: 'CGui' } });
  const of = (prefix: string) => ({
    'm2m:sub': { ...rest, nu: [`${prefix}CGui`, `${prefix}onem2m/GUI`, ...nu.slice(2)], su: `${prefix}CGui` },
  });
  assert.deepEqual(JSON.parse(elsewhere(body, '/mn-cse-1/onem2m', cse)), of('/in-cse-1/'));
  assert.deepEqual(JSON.parse(elsewhere(body, '//openmtc.org/mn-cse-1/onem2m', cse)), of('//openmtc.org/in-cse-1/'));
});

test('what is no subscription stays as it is, letter by letter', async () => {
  const cse = await cseWithApplication('documented');
  for (const body of [
    '{"m2m:cnt": {"nu": ["CGui"], "lbl": ["\\"m2m:sub\\""]}}',
    '{"m2m:sub": {"nu": ["CGui"]}',
    '{"m2m:sub": {"nu": ["COther"], "su": "COther", "su": "COther"}}',
    '{"m2m:sub": {"nu": ["CGui"]}, "m2m:ae": {}}',
    '{"m2m:sub": ["CGui"]}',
    '{"m2m:sub": null}',
  ]) {
    assert.equal(elsewhere(body, '/mn-cse-1/onem2m', cse), body);
  }
});

test('in the onem2m dialect the originator has to name the targets as the other CSE knows them', async () => {
  const cse = await cseWithApplication('onem2m');
  const body = '{"m2m:sub": {"nu": ["CGui"]}}';
  assert.ok(cse.tree.byAlias('CGui') ?? cse.tree.byId('CGui'));
  assert.equal(elsewhere(body, '/mn-cse-1/onem2m', cse), body);
});
