/** Which of several reasons a request is refused for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleMoment, sampleCse } from '../testing/sample-cse.ts';
import type { RequestPrimitive } from './primitive.ts';

/** Two AEs, `Cme` with an empty container `c` and `Cother`. */
async function lab() {
  const cse = sampleCse({ dialect: 'onem2m', base: 'b', cseId: 'c', spId: 'sp', requireAuth: true });
  const ask = (request: Partial<RequestPrimitive>) =>
    cse.core.request({ operation: 'retrieve', to: 'b/me/c', from: 'Cme', ...request });
  const code = async (request: Partial<RequestPrimitive>) => (await ask(request)).status.code;
  const make = (from: string, to: string, content: object) => code({ operation: 'create', to, from, content });
  for (const name of ['me', 'other']) await make(`C${name}`, 'b', { 'm2m:ae': { rn: name, api: 'N', rr: true } });
  await make('Cme', 'b/me', { 'm2m:cnt': { rn: 'c' } });
  return { ask, code, make };
}

test('that a container is empty is not revealed without the right', async () => {
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

test('a number that no resource type can have is refused whatever the rights', async () => {
  const { code } = await lab();
  const create = { operation: 'create', resourceType: 9999, content: { 'm2m:cnt': {} } } as const;
  for (const from of ['Cme', 'Cother']) assert.equal(await code({ ...create, from }), 4000, from);
});

test('rights for one type of child apply by its number', async () => {
  const { code, make } = await lab();
  const rules = { acr: [{ acor: ['Cother'], acop: 1, acod: [{ chty: [28] }] }] };
  const pvs = { acr: [{ acor: ['Cme'], acop: 63 }] };
  await make('Cme', 'b/me', { 'm2m:acp': { rn: 'p', pv: rules, pvs } });
  await make('Cme', 'b/me', { 'm2m:cnt': { rn: 'open', acpi: ['b/me/p'] } });
  const create = { operation: 'create', to: 'b/me/open', from: 'Cother', content: { 'cod:none': {} } } as const;
  assert.equal(await code({ ...create, resourceType: 28 }), 4125);
  assert.equal(await code({ ...create, resourceType: 18 }), 4103);
});

test('a lack of the right to update is reported before a malformed body', async () => {
  const { code } = await lab();
  for (const content of [undefined, [], { 'm2m:cnt': {}, 'm2m:ae': {} }]) {
    const update = { operation: 'update', ...(content !== undefined && { content }) } as const;
    assert.equal(await code(update), 4000);
    assert.equal(await code({ ...update, from: 'Cother' }), 4103);
  }
});

test('a lack of the right to read the subscribed-to resource is reported before its attributes', async () => {
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

test('a policy with a malformed time window is refused, new or changed', async () => {
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

test('a refusal of a malformed body says what it lacks', async () => {
  const cse = sampleCse();
  const says = async (body: unknown) => (await cse.send('POST', '/onem2m', body)).text;
  assert.match(await says([]), /one JSON object with one root key/);
  assert.match(await says({}), /exactly one root key, not 0/);
  assert.match(await says({ 'm2m:ae': {}, 'm2m:cnt': {} }), /exactly one root key, not 2/);
  assert.match(await says({ 'm2m:ae': [] }), /The value of m2m:ae must be an object/);
});

test('the CSE base accepts a notification that names its subscription (TS-0004, clause 6.3.5.13)', async () => {
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

const past = exampleMoment - 1;
const update = (content: object, to = 'b/me/c') => ({ operation: 'update', to, content }) as const;
const create = (content: object, to = 'b/me') => ({ operation: 'create', to, content }) as const;

for (const [request, code, says] of [
  [{ to: 'b/none' }, 4004, 'There is no resource at b/none.'],
  [{ to: '/else/b' }, 4004, 'No CSE is known as /else.'],
  [{ to: '//sp/else/b' }, 4004, 'No CSE is known as //sp/else.'],
  [{ to: '/c' }, 4000, '/c names a CSE and nothing in it; its base is /c/b.'],
  [{ resultContent: 7 }, 4000, 'rcn 7 is for announced resources.'],
  [{ filterCriteria: { labels: ['x'] } }, 4004, /^The resource does not meet the filter criteria; add fu=1 .+\.$/],
  [{ attributeList: ['no'] }, 4000, '"no" is not an attribute of m2m:cnt (atrl).'],
  [{ requestExpiration: past }, 4008, 'The request expires before it can be executed (RET).'],
  [{ resultExpiration: past }, 4008, 'The result has expired already (RST).'],
  [
    { resultExpiration: exampleMoment + 1, requestExpiration: exampleMoment + 2 },
    4000,
    'The result would expire before the request (RST before RET).',
  ],
  [{ operation: 'notify', content: {} }, 4005, 'Only an AE receives notifications.'],
  [{ operation: 'update', to: 'b/me/c/la', content: {} }, 4005, 'update is not allowed here.'],
  [create({ 'm2m:cnt': { rn: 'a b' } }), 4000, 'rn must be made of letters, digits and - . _ ~ only.'],
  [create({ 'm2m:cnt': { rn: 'la' } }), 4105, 'The name la is reserved; choose another rn.'],
  [create({ 'm2m:cnt': { rn: 'c' } }), 4105, 'b/me already has a child named c.'],
  [create({ 'm2m:cin': { con: '' } }), 4108, 'm2m:cin cannot be a child of m2m:ae.'],
  [create({ 'm2m:cnt': { acpi: [] } }), 4000, 'acpi must not be empty; null removes it.'],
  [create({ 'm2m:cnt': { et: '20170302T161253' } }), 4000, 'et must be in the future.'],
  [create({ 'm2m:none': {} }), 4000, '"m2m:none" is not the root key of a known resource type.'],
  [{ ...create({ 'm2m:sch': {} }), resourceType: 18 }, 5001, 'Resource type 18 is not implemented here.'],
  [{ ...create({ 'cod:none': {} }), resourceType: 28 }, 4125, 'No definition is known for "cod:none".'],
  [
    { ...create({ 'cod:tempe': {} }), resourceType: 58 },
    4005,
    /^Only the CSE creates instances of a flexible container/,
  ],
  [
    { ...create({ 'm2m:cnt': {} }), resourceType: 4 },
    4000,
    /^ty=4 in the Content-Type contradicts .+ m2m:cnt \(3\)\.$/,
  ],
  [create({ 'm2m:cnt': { ri: null } }), 4000, 'ri cannot be given in a create.'],
  [create({ 'm2m:cnt': { none: null } }), 4000, '"none" is not an attribute of m2m:cnt.'],
  [create({ 'm2m:cnt': { maxNrOfInstances: -1 } }), 4000, 'mni must be a non-negative integer.'],
  [{ operation: 'delete', filterCriteria: { labels: ['x'] } }, 4004, /^The resource does not meet the filter criteria/],
  [{ ...update({ 'm2m:cnt': {} }), filterCriteria: { labels: ['x'] } }, 4004, /^The resource does not meet the filter/],
  [update({ 'm2m:ae': {} }), 4000, 'The root key must be m2m:cnt, the type of the resource.'],
  [update({ 'm2m:cnt': { acpi: ['b/p'], mni: 1 } }), 4000, 'acpi is changed by an update of its own.'],
  [update({ 'm2m:cnt': { acpi: ['b/me'] } }), 4000, 'acpi names "b/me", which is no access control policy here.'],
  [update({ 'm2m:ae': { et: '20170302T161300' } }, 'b/me'), 4000, 'et is earlier than that of its child c.'],
  [update({ 'm2m:cnt': { cr: null } }), 4000, 'cr cannot be given in an update.'],
  [update({ 'm2m:ae': { api: 'x' } }, 'b/me'), 4000, 'api cannot be given in an update.'],
  [update({ 'm2m:ae': { rr: null } }, 'b/me'), 4000, 'rr cannot be removed.'],
  [update({ 'm2m:cnt': { none: null } }), 4000, '"none" is not an attribute of m2m:cnt.'],
  [{ from: '' }, 4103, 'An originator without a name lacks the right RETRIEVE at b/me/c.'],
] as readonly (readonly [Partial<RequestPrimitive>, number, string | RegExp])[]) {
  test(`the refusal ${code} says: ${says}`, async () => {
    const { ask } = await lab();
    const { status, content } = await ask(request);
    const { 'm2m:dbg': sentence } = content as { 'm2m:dbg': string };
    assert.equal(status.code, code, sentence);
    if (typeof says === 'string') assert.equal(sentence, says);
    else assert.match(sentence, says);
  });
}

test('the numbers of resource types are 1 to 99, and 10001 to 10099 for announced ones', async () => {
  const { code } = await lab();
  const asked = (resourceType: number) =>
    code({ operation: 'create', to: 'b/me', resourceType, content: { 'm2m:unknown': {} } });
  for (const ty of [99, 10_018, 10_099]) assert.equal(await asked(ty), 5001, String(ty));
  for (const ty of [0, 100, 10_000, 10_100, 20_001, 3]) assert.equal(await asked(ty), 4000, String(ty));
});
