import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CseOptions } from '../../cse/create-cse.ts';
import { manualClock } from '../../environment/clock.ts';
import { exampleMoment, sampleCse } from '../../testing/sample-cse.ts';
import type { RequestPrimitive } from '../primitive.ts';

const everything = 63;

/** Two AEs, `Cme` with a container `c` and `Cother`. */
async function lab(options: CseOptions = {}) {
  const clock = manualClock(exampleMoment);
  const cse = sampleCse({ dialect: 'onem2m', base: 'b', cseId: 'c', spId: 'sp', requireAuth: true, clock, ...options });
  const ask = async (request: Partial<RequestPrimitive>) => {
    const answer = await cse.core.request({ operation: 'retrieve', to: 'b/me/c', from: 'Cother', ...request });
    return { code: answer.status.code, content: JSON.parse(JSON.stringify(answer.content ?? null)) };
  };
  const code = async (request: Partial<RequestPrimitive>) => (await ask(request)).code;
  const make = (from: string, to: string, content: object) => ask({ operation: 'create', to, from, content });
  await make('Cme', 'b', { 'm2m:ae': { rn: 'me', api: 'N', rr: true } });
  await make('Cother', 'b', { 'm2m:ae': { rn: 'other', api: 'N', rr: true } });
  await make('Cme', 'b/me', { 'm2m:cnt': { rn: 'c' } });
  /** A policy with these rules, on the container. */
  const policy = async (acr: readonly object[], pvs: readonly object[] = [{ acor: ['Cme'], acop: everything }]) => {
    await ask({ operation: 'delete', to: 'b/me/p', from: 'CAdmin' });
    const made = await make('Cme', 'b/me', { 'm2m:acp': { rn: 'p', pv: { acr }, pvs: { acr: pvs } } });
    assert.equal(made.code, 2001, JSON.stringify(made));
    const content = { 'm2m:cnt': { acpi: [made.content['m2m:acp'].ri] } };
    assert.equal(await code({ operation: 'update', from: 'CAdmin', content }), 2004);
  };
  return { core: cse.core, clock, ask, code, make, policy };
}

const instance = { operation: 'create', content: { 'm2m:cin': { con: 'x' } } } as const;

test('without a policy the creator and the admin may do everything, anybody else nothing', async () => {
  const { code } = await lab();
  for (const from of ['Cme', '/c/Cme', '//sp/c/Cme', 'CAdmin', '/c']) assert.equal(await code({ from }), 2000, from);
  for (const from of ['Cother', 'Cnobody', '', '/x/Cme', '//else/c/Cme'])
    assert.equal(await code({ from }), 4103, from);
  assert.equal(await code({ ...instance, from: 'Cother' }), 4103);
  assert.equal(await code({ ...instance, from: 'Cme' }), 2001);
});

test('a custodian stands in for the creator', async () => {
  const { make, code } = await lab();
  await make('Cme', 'b/me', { 'm2m:cnt': { rn: 'kept', cstn: 'Cother' } });
  assert.equal(await code({ to: 'b/me/kept' }), 2000);
  assert.equal(await code({ to: 'b/me/kept', from: 'Cme' }), 4103);
});

test('a policy grants single operations, also below the resource without other policies', async () => {
  const { policy, code } = await lab();
  await policy([{ acor: ['Cother'], acop: 1 + 2 }]);
  assert.equal(await code({}), 2000);
  assert.equal(await code(instance), 2001);
  assert.equal(await code({ to: 'b/me/c/la' }), 2000);
  assert.equal(await code({ operation: 'update', content: { 'm2m:cnt': { mni: 3 } } }), 4103);
  assert.equal(await code({ operation: 'delete' }), 4103);
  // Where a policy stands, it decides for the creator too.
  assert.equal(await code({ from: 'Cme' }), 4103);
});

test('originators: everybody, wildcards, every form of an identifier, but no claimed role', async () => {
  const { policy, code, core } = await lab();
  for (const [acor, expected] of [
    [['all'], 2000],
    [['Cot*'], 2000],
    [['C?ther'], 2000],
    [['*her'], 2000],
    [['Cot*x'], 4103],
    [['/c/Cother'], 2000],
    [['//sp/c/Cother'], 2000],
    [['/x/Cother'], 4103],
    [['guests'], 4103],
  ] as const) {
    await policy([{ acor, acop: everything }]);
    assert.equal(await code({ roles: ['guests'] }), expected, acor[0]);
  }
  // Who has no name is everybody, and nobody in particular.
  for (const [acor, expected] of [
    [['all'], 2000],
    [['?*'], 4103],
  ] as const) {
    await policy([{ acor, acop: everything }]);
    const answer = await core.request({ operation: 'retrieve', to: 'b/me/c' });
    assert.equal(answer.status.code, expected, acor[0]);
  }
});

test('contexts: a time window and an IP address must hold together, one of several contexts is enough', async () => {
  const { policy, code, clock } = await lab();
  const network = { acip: { ipv4: ['192.0.2.0/24'], ipv6: ['2001:db8::/32'] } };
  const rule = (...acco: object[]) => policy([{ acor: ['all'], acop: everything, acco }]);
  // The clock shows 2017-03-02, a Thursday, 16:12:53 UTC.
  await rule({ actw: ['* * 16 * * *'], ...network });
  assert.equal(await code({ address: '192.0.2.7' }), 2000);
  assert.equal(await code({ address: '::ffff:192.0.2.7' }), 2000);
  assert.equal(await code({ address: '2001:db8::1' }), 2000);
  assert.equal(await code({ address: '192.0.3.7' }), 4103);
  assert.equal(await code({}), 4103);
  await clock.advance('1h');
  assert.equal(await code({ address: '192.0.2.7' }), 4103);
  await rule({ actw: ['* * 16 * * *'] }, network);
  assert.equal(await code({ address: '192.0.2.7' }), 2000);
  for (const [actw, expected] of [
    ['* */2 * * * 4', 2000],
    ['* * * * 3-5 1-5', 2000],
    ['* * * * * 0,6', 4103],
    ['* 12-30/9 17 2 3 * 2017', 2000],
  ] as const) {
    await rule({ actw: [actw] });
    assert.equal(await code({}), expected, actw);
  }
  await rule({ aclr: { accc: ['DE'] } });
  assert.equal(await code({}), 4103);
});

test('an address is in the networks that begin as it does, of its own family', async () => {
  const { policy, code } = await lab();
  for (const [network, inside, outside] of [
    ['192.0.2.7', ['192.0.2.7'], ['192.0.2.6', '192.0.2', '192.0.2.7.1', '']],
    ['192.0.2.0/25', ['192.0.2.127'], ['192.0.2.128', '192.0.2.x']],
    ['192.0.2.6/31', ['192.0.2.7', '::FFFF:192.0.2.7'], ['192.0.2.5', '192.0.2.8']],
    ['0.0.0.0/0', ['255.255.255.255'], ['256.0.0.1', '::1', 'x']],
    ['192.0.2.0/x', [], ['192.0.2.0']],
    ['192.0.2.0/1.5', [], ['192.0.2.0']],
    ['192.0.2.0/-1', [], ['192.0.2.0']],
    ['192.0.2.0/256', ['192.0.2.0'], ['192.0.2.1']],
    ['192.0.2.256', [], ['192.0.2.255']],
    ['192..2.7', [], ['192.0.2.7']],
    ['2001:db8::1', ['2001:DB8:0:0::0:1', '2001:db8:0:0:0:0:0:1'], ['2001:db8::', '2001:db8:1', '2001:db8::0::1']],
    ['2001:db8::/33', ['2001:db8:7fff::'], ['2001:db8:8000::', '2001:db8:g::', '2001:db8:00001::']],
    [
      '::/0',
      ['::', '1::', '1:2:3:4:5:6:7:8'],
      ['0.0.0.0', '1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7:8::9', '1::2::3'],
    ],
  ] as const) {
    const acip = network.includes(':') ? { ipv6: [network] } : { ipv4: [network] };
    await policy([{ acor: ['all'], acop: everything, acco: [{ acip }] }]);
    for (const address of inside) assert.equal(await code({ address }), 2000, `${address} in ${network}`);
    for (const address of outside) assert.equal(await code({ address }), 4103, `${address} in ${network}`);
  }
});

test('object details and attributes narrow a rule', async () => {
  const { policy, code } = await lab();
  await policy([{ acor: ['all'], acop: everything, acod: [{ chty: [4] }] }]);
  assert.equal(await code(instance), 2001);
  assert.equal(await code({ operation: 'create', content: { 'm2m:cnt': {} } }), 4103);
  await policy([{ acor: ['all'], acop: everything, aca: ['mni', 'lbl'] }]);
  assert.equal(await code({}), 4103);
  assert.equal(await code({ operation: 'update', content: { 'm2m:cnt': { mni: 3 } } }), 2004);
  assert.equal(await code({ attributeList: ['mni'] }), 2000);
  assert.equal(await code({ operation: 'update', content: { 'm2m:cnt': { mbs: 3 } } }), 4103);
  await policy([{ acor: ['all'], acop: everything, acaf: true }]);
  assert.equal(await code({}), 4103);
  assert.equal(await code({ authenticated: true }), 2000);
});

test('a policy itself is subject to its self-privileges', async () => {
  const { policy, code } = await lab();
  await policy([{ acor: ['all'], acop: everything }], [{ acor: ['Cother'], acop: 2 + 4 }]);
  assert.equal(await code({ to: 'b/me/p' }), 2000);
  assert.equal(await code({ to: 'b/me/p', from: 'Cme' }), 4103);
  assert.equal(await code({ to: 'b/me/p', operation: 'delete' }), 4103);
});

test('a policy must leave somebody who can change it', async () => {
  const { make, ask } = await lab();
  const rules = { acr: [{ acor: ['Cme'], acop: everything }] };
  for (const pvs of [undefined, {}, { acr: [] }]) {
    assert.equal((await make('Cme', 'b/me', { 'm2m:acp': { pv: rules, pvs } })).code, 4000);
  }
  await make('Cme', 'b/me', { 'm2m:acp': { rn: 'p', pv: {}, pvs: rules } });
  for (const pvs of [null, {}]) {
    const content = { 'm2m:acp': { pvs } };
    assert.equal((await ask({ operation: 'update', to: 'b/me/p', from: 'Cme', content })).code, 4000);
  }
});

test('acpi is changed alone, by the self-privileges of the present policies, to existing policies', async () => {
  const { policy, code } = await lab();
  await policy([{ acor: ['all'], acop: everything }], [{ acor: ['Cme'], acop: 4 }]);
  const change = (from: string, cnt: object) => code({ operation: 'update', from, content: { 'm2m:cnt': cnt } });
  assert.equal(await change('Cme', { acpi: ['b/me/p'], lbl: ['x'] }), 4000);
  assert.equal(await change('Cme', { acpi: ['nowhere'] }), 4000);
  assert.equal(await change('Cme', { acpi: ['b/me'] }), 4000);
  assert.equal(await change('Cme', { acpi: [] }), 4000);
  assert.equal(await change('Cother', { acpi: ['b/me/p'] }), 4103);
  assert.equal(await change('Cme', { acpi: ['b/me/p'] }), 2004);
  assert.equal(await change('Cother', { acpi: null }), 4103);
  assert.equal(await change('Cme', { acpi: null }), 2004);
});

test('a lack of rights is reported before anything else', async () => {
  const { policy, code } = await lab();
  await policy([{ acor: ['Cother'], acop: 2 }]);
  for (const content of [{ ct: '20300101T000000' }, { nothing: 1 }, { mni: 'many' }, { acpi: ['nowhere'] }]) {
    assert.equal(await code({ operation: 'update', content: { 'm2m:cnt': content } }), 4103, JSON.stringify(content));
    assert.equal(await code({ operation: 'create', content: { 'm2m:cnt': content } }), 4103, JSON.stringify(content));
  }
  assert.equal(await code({ operation: 'update', content: { 'm2m:ae': {} } }), 4103);
  assert.equal(
    await code({ operation: 'update', from: 'Cme', content: { 'm2m:cnt': { acpi: ['b/me/p'], ct: 1 } } }),
    4000,
  );
});

test('an announced resource is changed and deleted by the CSE of its original alone', async () => {
  const { make, code } = await lab();
  const csr = { cb: '/far/b', csi: '/far', rr: true, poa: ['http://far'] };
  await make('/far', 'b', { 'm2m:csr': csr });
  await make('/far', 'b', { 'm2m:cbA': { rn: 'far', lnk: '/far/b' } });
  const policy = { acr: [{ acor: ['all'], acop: everything }] };
  await make('Cother', 'b', { 'm2m:acp': { rn: 'open', pv: policy, pvs: policy } });
  const made = await make('/far', 'b/far', { 'm2m:cntA': { rn: 'a', lnk: '/far/cnt7', acpi: ['b/open'] } });
  assert.equal(made.code, 2001, JSON.stringify(made));
  await make('/far', 'b/far', { 'm2m:cntA': { rn: 'nobodys', lnk: 'cnt8' } });
  const unknown = { operation: 'delete', to: 'b/far/nobodys' } as const;
  assert.deepEqual([await code(unknown), await code({ ...unknown, from: '/far' })], [4103, 2002]);
  const to = 'b/far/a';
  const change = (from: string) => code({ operation: 'update', to, from, content: { 'm2m:cntA': { lbl: ['x'] } } });
  assert.equal(await code({ to }), 2000);
  assert.equal(await change('Cother'), 4103);
  assert.equal(await code({ operation: 'delete', to }), 4103);
  assert.equal(await change('/far'), 2004);
  // Where the two keep each other up to date, the policies decide.
  await make('/far', 'b/far', { 'm2m:cntA': { rn: 'both', lnk: '/far/cnt9', acpi: ['b/open'], ast: 2 } });
  const both = { operation: 'update', to: 'b/far/both', content: { 'm2m:cntA': { lbl: ['x'] } } } as const;
  assert.equal(await code({ ...both, from: 'Cother' }), 2004);
  assert.equal(await code({ operation: 'delete', to, from: '/far' }), 2002);
});

test('a removed policy is ignored', async () => {
  const { policy, code } = await lab();
  await policy([{ acor: ['Cother'], acop: everything }]);
  assert.equal(await code({ operation: 'delete', to: 'b/me/p', from: 'Cme' }), 2002);
  assert.equal(await code({}), 4103);
  assert.equal(await code({ from: 'Cme' }), 2000);
});

test('discovery shows only what may be discovered', async () => {
  const { policy, ask } = await lab();
  const found = async () => (await ask({ to: 'b', filterCriteria: { filterUsage: 1, resourceTypes: [3] } })).content;
  assert.deepEqual(await found(), { 'm2m:uril': [] });
  await policy([{ acor: ['Cother'], acop: 32 }]);
  assert.deepEqual(await found(), { 'm2m:uril': ['b/me/c'] });
});

test('instances of one creator are found below the container that permits it, and nowhere else', async () => {
  const { make, policy, ask } = await lab();
  await policy([{ acor: ['Cother'], acop: 32 }]);
  await make('Cme', 'b/me', { 'm2m:cnt': { rn: 'closed' } });
  for (const to of ['b/me/c', 'b/me/closed']) await make('CAdmin', to, { 'm2m:cin': { rn: 'i', con: 'x' } });
  const found = await ask({ to: 'b', filterCriteria: { filterUsage: 1, resourceTypes: [4] } });
  assert.deepEqual(found.content, { 'm2m:uril': ['b/me/c/i'] });
});

test('resources below are shown only as far as they may be retrieved', async () => {
  const { make, ask } = await lab();
  const rules = { acr: [{ acor: ['Cother'], acop: 2 }] };
  await make('Cme', 'b/me', { 'm2m:acp': { rn: 'p', pv: rules, pvs: { acr: [{ acor: ['Cme'], acop: 63 }] } } });
  await make('Cme', 'b/me', { 'm2m:acp': { rn: 'q', pv: {}, pvs: { acr: [{ acor: ['Cme'], acop: 63 }] } } });
  await make('Cme', 'b/me', { 'm2m:cnt': { rn: 'open', acpi: ['b/me/p'] } });
  await make('Cme', 'b/me', { 'm2m:cnt': { rn: 'closed', acpi: ['b/me/q'] } });
  const { content } = await ask({
    operation: 'update',
    to: 'b/me',
    from: 'Cme',
    content: { 'm2m:ae': { acpi: ['b/me/p'] } },
  });
  assert.equal(content['m2m:ae'].rn, 'me');
  const shown = (await ask({ to: 'b/me', resultContent: 4 })).content['m2m:ae'];
  assert.deepEqual(
    shown['m2m:cnt'].map(({ rn }: { rn: string }) => rn),
    ['c', 'open'],
  );
});

test('registrars are configured separately; anybody may create a policy at the base', async () => {
  const { make, ask } = await lab();
  const ae = { 'm2m:ae': { api: 'N', rr: true } };
  for (const from of ['C', 'S', '', 'Cnew', 'Snew']) assert.equal((await make(from, 'b', ae)).code, 2001, from);
  assert.equal((await make('stranger', 'b', ae)).code, 4107);
  assert.equal((await make('Cnew', 'b', ae)).code, 4117);
  const rules = { acr: [{ acor: ['Cnew'], acop: 63 }] };
  assert.equal((await make('Cnew', 'b', { 'm2m:acp': { pv: rules, pvs: rules } })).code, 2001);
  assert.equal((await make('Cnew', 'b', { 'm2m:cnt': {} })).code, 4103);
  assert.equal((await ask({ to: 'b', from: 'Cnew' })).code, 2000);
  assert.equal((await ask({ to: 'b', from: 'Cunknown' })).code, 4103);
});

test('in the documented dialect everybody may read, the creator may write, and policies are inherited', async () => {
  const { ask, make, code } = await lab({ dialect: 'documented' });
  assert.equal(await code({}), 2000);
  const found = await ask({ to: 'b', filterCriteria: { filterUsage: 1, resourceTypes: [3] } });
  assert.deepEqual(found.content, { 'm2m:uril': ['b/me/c'] });
  assert.equal(await code({ ...instance }), 4103);
  assert.equal(await code({ ...instance, from: 'Cme' }), 2001);
  const rules = [{ acor: ['Cother'], acop: [1, 2] }];
  const acp = { rn: 'p', pv: rules, pvs: [{ acor: ['Cme'], acop: [1, 2, 4, 8] }] };
  const made = await make('Cme', 'b/me', { 'm2m:acp': acp });
  assert.deepEqual(made.content['m2m:acp'].pv, { acr: [{ acor: ['Cother'], acop: 3 }] });
  await ask({ operation: 'update', to: 'b/me', from: 'Cme', content: { 'm2m:ae': { acpi: ['b/me/p'] } } });
  assert.equal(await code(instance), 2001);
});
