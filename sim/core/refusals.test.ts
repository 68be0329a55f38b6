/** Which of several reasons a request is refused for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleCse } from '../sample-cse.ts';
import type { RequestPrimitive } from './primitive.ts';

/** Two AEs, `Cme` with an empty container `c` and `Cother`. */
async function lab() {
  const cse = sampleCse({ dialect: 'onem2m', base: 'b', requireAuth: true });
  const code = async (request: Partial<RequestPrimitive>) =>
    (await cse.core.request({ operation: 'retrieve', to: 'b/me/c', from: 'Cme', ...request })).status.code;
  const make = (from: string, to: string, content: object) => code({ operation: 'create', to, from, content });
  for (const name of ['me', 'other']) await make(`C${name}`, 'b', { 'm2m:ae': { rn: name, api: 'N', rr: true } });
  await make('Cme', 'b/me', { 'm2m:cnt': { rn: 'c' } });
  return { code, make };
}

test('an empty container is not told to be empty to somebody without the right', async () => {
  const { code } = await lab();
  for (const to of ['b/me/c/la', 'b/me/c/ol']) {
    for (const operation of ['retrieve', 'delete'] as const) {
      assert.equal(await code({ to, operation }), 4004, operation);
      assert.equal(await code({ to, operation, from: 'Cother' }), 4103, operation);
    }
    for (const operation of ['create', 'update', 'notify'] as const) {
      assert.equal(await code({ to, operation, content: { 'm2m:cin': { con: 'x' } } }), 4005, operation);
    }
  }
});

test('nobody creates a CSE base, whatever his rights', async () => {
  const { make } = await lab();
  for (const from of ['Cme', 'Cnobody', 'CAdmin']) {
    for (const to of ['b', 'b/me']) assert.equal(await make(from, to, { 'm2m:cb': { csi: '/x' } }), 4005, from);
  }
});

test('a policy whose time window is none is refused, new or changed', async () => {
  const { code, make } = await lab();
  const rules = (actw: string) => ({ acr: [{ acor: ['Cme'], acop: 63, acco: [{ actw: [actw] }] }] });
  const policy = (actw: string) => ({ 'm2m:acp': { rn: 'p', pv: rules(actw), pvs: rules('* * * * * *') } });
  assert.equal(await make('Cme', 'b/me', policy('* * *')), 4000);
  assert.equal(await make('Cme', 'b/me', policy('* * 8-16 * * 1-5')), 2001);
  const change = (actw: string) =>
    code({ operation: 'update', to: 'b/me/p', content: { 'm2m:acp': { pv: rules(actw) } } });
  assert.equal(await change('never'), 4000);
  assert.equal(await change('0 0 * * * *'), 2004);
});
