/** Which of several reasons a request is refused for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleCse } from '../testing/sample-cse.ts';
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

/** What is wrong with each, and by which code somebody with the right hears of it. */
const wrongKinds: readonly (readonly [what: string, request: Partial<RequestPrimitive>, code: number])[] = [
  ['a root key of no kind', { content: { 'm2m:none': {} } }, 4000],
  ['a kind that is not implemented', { content: { 'm2m:sch': {} }, resourceType: 18 }, 5001],
  ['a definition that is not known', { content: { 'cod:none': { cnd: 'none' } }, resourceType: 28 }, 4125],
  ['a root key of another kind', { content: { 'm2m:cin': { con: 'x' } }, resourceType: 3 }, 4000],
  ['instances of a flexible container', { content: { 'cod:tempe': {} }, resourceType: 58 }, 4005],
  ['no body', {}, 4000],
];

for (const [what, request, expected] of wrongKinds) {
  test(`who may not create hears of that, not of ${what}`, async () => {
    const { code } = await lab();
    const create = { ...request, operation: 'create' } as const;
    assert.equal(await code(create), expected);
    assert.equal(await code({ ...create, from: 'Cother' }), 4103);
  });
}

test('a number that no kind can have is refused whatever the rights', async () => {
  const { code } = await lab();
  const create = { operation: 'create', resourceType: 9999, content: { 'm2m:cnt': {} } } as const;
  for (const from of ['Cme', 'Cother']) assert.equal(await code({ ...create, from }), 4000, from);
});

test('rights that are for one kind of child show themselves by its number', async () => {
  const { code, make } = await lab();
  const rules = { acr: [{ acor: ['Cother'], acop: 1, acod: [{ chty: [28] }] }] };
  const pvs = { acr: [{ acor: ['Cme'], acop: 63 }] };
  await make('Cme', 'b/me', { 'm2m:acp': { rn: 'p', pv: rules, pvs } });
  await make('Cme', 'b/me', { 'm2m:cnt': { rn: 'open', acpi: ['b/me/p'] } });
  const create = { operation: 'create', to: 'b/me/open', from: 'Cother', content: { 'cod:none': {} } } as const;
  assert.equal(await code({ ...create, resourceType: 28 }), 4125);
  assert.equal(await code({ ...create, resourceType: 18 }), 4103);
});

test('who may not update hears of that, not of a body that is none', async () => {
  const { code } = await lab();
  for (const content of [undefined, [], { 'm2m:cnt': {}, 'm2m:ae': {} }]) {
    const update = { operation: 'update', ...(content !== undefined && { content }) } as const;
    assert.equal(await code(update), 4000);
    assert.equal(await code({ ...update, from: 'Cother' }), 4103);
  }
});

test('who may create a subscription but not read what it watches hears of that, not of its attributes', async () => {
  const { code, make } = await lab();
  const rules = { acr: [{ acor: ['Cother'], acop: 1 }] };
  const pvs = { acr: [{ acor: ['Cme'], acop: 63 }] };
  await make('Cme', 'b/me', { 'm2m:acp': { rn: 'p', pv: rules, pvs } });
  await make('Cme', 'b/me', { 'm2m:cnt': { rn: 'dark', acpi: ['b/me/p'] } });
  const create = { operation: 'create', to: 'b/me/dark', from: 'Cother' } as const;
  for (const attributes of [{ nu: ['Cother'] }, { nu: [] }, { none: 1 }, {}]) {
    assert.equal(await code({ ...create, content: { 'm2m:sub': attributes } }), 4103, JSON.stringify(attributes));
  }
  assert.equal(await code({ ...create, content: { 'm2m:cnt': {} } }), 2001);
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

test('a body that is none is told what it lacks', async () => {
  const cse = sampleCse();
  const says = async (body: unknown) => (await cse.send('POST', '/onem2m', body)).text;
  assert.match(await says([]), /one JSON object with one root key/);
  assert.match(await says({}), /exactly one root key, not 0/);
  assert.match(await says({ 'm2m:ae': {}, 'm2m:cnt': {} }), /exactly one root key, not 2/);
  assert.match(await says({ 'm2m:ae': [] }), /The value of m2m:ae must be an object/);
});

test('the CSE base takes a notification of a subscription, which it names (TS-0004, clause 6.3.5.13)', async () => {
  const { code } = await lab();
  const notify = { operation: 'notify', to: 'b', from: 'CAdmin' } as const;
  assert.equal(await code({ ...notify, content: { 'm2m:sgn': { sur: '/x/sub1' } } }), 2000);
  assert.equal(await code({ ...notify, content: { 'm2m:agn': { 'm2m:sgn': [] } } }), 2000);
  assert.equal(await code({ ...notify, content: { 'm2m:sgn': {} } }), 4000);
  assert.equal(await code({ ...notify, from: 'Cme', content: { 'm2m:sgn': { sur: '/x/sub1' } } }), 4103);
  assert.equal(await code({ ...notify, to: 'b/me/c', content: { 'm2m:sgn': { sur: '/x/sub1' } } }), 4005);
  const content = { 'm2m:sgn': { sur: '/x/sub1' } };
  const documented = await sampleCse().core.request({ operation: 'notify', to: 'onem2m', content });
  assert.equal(documented.status.code, 4005);
});

test('in the standard a name is made of unreserved characters (TS-0004, clause 6.2.4)', async () => {
  const { make } = await lab();
  for (const rn of ['a b', 'ä', 'a:b', 'a%20b', '(a)', ''])
    assert.equal(await make('Cme', 'b/me', { 'm2m:cnt': { rn } }), 4000, rn);
  for (const rn of ['a-b', 'a.b', 'a_b', '~', 'A9'])
    assert.equal(await make('Cme', 'b/me', { 'm2m:cnt': { rn } }), 2001, rn);
});
