import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CseOptions } from '../../cse/create-cse.ts';
import { manualClock } from '../../environment/clock.ts';
import { exampleMoment, sampleCse } from '../../testing/sample-cse.ts';
import type { RequestPrimitive } from '../primitive.ts';

const everything = 63;
const instance = { operation: 'create', content: { 'm2m:cin': { con: 'x' } } } as const;

/** Two AEs, `Cme` with a container `c`, and `Cother`. */
async function lab(options: CseOptions = {}) {
  const clock = manualClock(exampleMoment);
  const cse = sampleCse({ dialect: 'onem2m', base: 'b', cseId: 'c', spId: 'sp', requireAuth: true, clock, ...options });
  const ask = async (request: Partial<RequestPrimitive>) => {
    const answer = await cse.core.request({ operation: 'retrieve', to: 'b/me/c', from: 'Cother', ...request });
    const content = JSON.parse(JSON.stringify(answer.content ?? {}));
    return {
      code: answer.status.code,
      content,
      attributes: (Object.values(content)[0] ?? {}) as Record<string, unknown>,
    };
  };
  const code = async (request: Partial<RequestPrimitive>) => (await ask(request)).code;
  const make = (from: string, to: string, content: object) => ask({ operation: 'create', to, from, content });
  const update = (to: string, content: object, from = 'Cme') => ask({ operation: 'update', to, from, content });
  /** A policy `b/<rn>` with these rules, which `Cme` may change. */
  const policy = async (rn: string, acr: readonly object[]) => {
    const acp = { rn, pv: { acr }, pvs: { acr: [{ acor: ['Cme'], acop: everything }] } };
    assert.equal((await make('Cme', 'b', { 'm2m:acp': acp })).code, 2001);
    return `b/${rn}`;
  };
  await make('Cme', 'b', { 'm2m:ae': { rn: 'me', api: 'N', rr: true } });
  await make('Cother', 'b', { 'm2m:ae': { rn: 'other', api: 'N', rr: true } });
  await make('Cme', 'b/me', { 'm2m:cnt': { rn: 'c' } });
  return { clock, ask, code, make, update, policy, perform: cse.core.services.perform };
}

for (const dialect of ['onem2m', 'documented'] as const) {
  test(`a resource without policy inherits those above, up to the AE: ${dialect}`, async () => {
    const { code, make, update, policy } = await lab({ dialect });
    await make('Cme', 'b/me/c', { 'm2m:cnt': { rn: 'deep' } });
    await make('Cme', 'b/me/c/deep', { 'm2m:cin': { rn: 'i', con: 'x', cnf: 'text/plain:0' } });
    const deep = { operation: 'delete', to: 'b/me/c/deep/i' } as const;
    assert.equal(await code(deep), 4103);
    await update('b/me', { 'm2m:ae': { acpi: [await policy('p', [{ acor: ['Cother'], acop: 1 + 2 + 8 }])] } });
    assert.equal(await code({ ...instance, to: 'b/me/c/deep', from: 'Cthird' }), 4103);
    assert.equal(await code({ ...instance, to: 'b/me/c/deep' }), 2001);
    await update('b/me/c', { 'm2m:cnt': { acpi: [await policy('q', [{ acor: ['Cother'], acop: 2 }])] } });
    assert.equal(await code(deep), 4103);
    await update('b/me/c', { 'm2m:cnt': { acpi: [await policy('r', [{ acor: ['Cother'], acop: 8 }])] } });
    assert.equal(await code(deep), 2002);
  });
}

test('everybody learns where an AE registers, and that nobody creates a request', async () => {
  const { code } = await lab();
  const application = { 'm2m:ae': { api: 'N', rr: true, srv: ['4'] } };
  assert.equal(await code({ operation: 'create', to: 'b/me', from: 'C', content: application }), 4108);
  assert.equal(await code({ operation: 'create', to: 'b', from: 'Cother', content: { 'm2m:req': {} } }), 4005);
  assert.equal(await code({ operation: 'create', to: 'b/me', from: 'Cother', content: { 'm2m:cnt': {} } }), 4103);
});

test('one of several policies is enough', async () => {
  const { code, update, policy } = await lab();
  const acpi = [
    await policy('p', []),
    await policy('q', [
      { acor: ['Cx'], acop: 2 },
      { acor: ['Cother'], acop: 2 },
    ]),
  ];
  await update('b/me/c', { 'm2m:cnt': { acpi } });
  assert.equal(await code({}), 2000);
  assert.equal(await code({ operation: 'delete' }), 4103);
});

test('a changed policy applies at once', async () => {
  const { code, update, policy } = await lab();
  await update('b/me/c', { 'm2m:cnt': { acpi: [await policy('p', [{ acor: ['Cother'], acop: 2 }])] } });
  assert.equal(await code({}), 2000);
  await update('b/p', { 'm2m:acp': { pv: { acr: [] } } });
  assert.equal(await code({}), 4103);
});

test('a group in a rule means its members', async () => {
  const { code, make, update, policy } = await lab();
  const { ri } = (await make('CAdmin', 'b', { 'm2m:grp': { rn: 'g', mnm: 2, mid: ['b/other'] } })).attributes;
  for (const [place, acor] of [ri, 'b/g', `/c/${ri}`, '//sp/c/b/g'].entries()) {
    await update('b/me/c', { 'm2m:cnt': { acpi: [await policy(`p${place}`, [{ acor: [acor], acop: 2 }])] } });
    assert.equal(await code({}), 2000, String(acor));
    assert.equal(await code({ from: 'Cthird' }), 4103, String(acor));
  }
  await update('b/g', { 'm2m:grp': { mid: [] } }, 'CAdmin');
  assert.equal(await code({}), 4103);
});

for (const dialect of ['onem2m', 'documented'] as const) {
  test(`a member of a group can be an AE or a CSE, by whatever address: ${dialect}`, async () => {
    const { code, make, update, policy, perform } = await lab({ dialect });
    const csr = { rn: 'far', csi: '/far', cb: '/far/b', rr: true };
    perform({ operation: 'create', to: 'b', content: { 'm2m:csr': csr } });
    await make('Cme', 'b/me', { 'm2m:grp': { rn: 'g', mnm: 3, mid: ['b/other', 'b/far', 'b/me/c'] } });
    for (const rn of ['x', 'y', 'z']) await make('Cme', 'b/me/c', { 'm2m:cnt': { rn } });
    await update('b/me/c', { 'm2m:cnt': { acpi: [await policy('p', [{ acor: ['b/me/g'], acop: 8 }])] } });
    const remove = (rn: string, from: string) => code({ operation: 'delete', to: `b/me/c/${rn}`, from });
    assert.equal(await remove('x', 'Cother'), 2002);
    assert.equal(await remove('y', '/far'), 2002);
    assert.equal(await remove('z', '/near'), 4103);
  });
}

test('object details: the type of the target, then the types of children that may be created', async () => {
  const { code, update, policy } = await lab();
  const acod = [{ ty: 3, chty: [3] }];
  await update('b/me/c', { 'm2m:cnt': { acpi: [await policy('p', [{ acor: ['Cother'], acop: 3, acod }])] } });
  assert.equal(await code({}), 2000);
  assert.equal(await code(instance), 4103);
  assert.equal(await code({ operation: 'create', content: { 'm2m:cnt': {} } }), 2001);
  const elsewhere = [{ ty: 2, chty: [4] }];
  await update('b/p', { 'm2m:acp': { pv: { acr: [{ acor: ['Cother'], acop: 3, acod: elsewhere }] } } });
  assert.equal(await code({}), 4103);
  const wrong = { acr: [{ acor: ['Cother'], acop: 3, acod: [{ ty: [4], chty: [3] }] }] };
  assert.equal((await update('b/p', { 'm2m:acp': { pv: wrong } })).code, 4000);
});

test('a right that is limited to attributes shows no others, and deletes only what has no others', async () => {
  const { ask, code, update, policy } = await lab();
  const acr = (acop: number, aca: readonly string[]) => [{ acor: ['Cother'], acop, aca }];
  await update('b/me/c', { 'm2m:cnt': { acpi: [await policy('p', acr(1 + 4 + 8, ['rn', 'lbl', 'mni']))] } });
  const made = await ask({ operation: 'create', content: { 'm2m:cnt': { rn: 'x', mni: 3 } } });
  assert.deepEqual([made.code, made.attributes], [2001, { rn: 'x', mni: 3 }]);
  assert.equal(await code({ operation: 'create', content: { 'm2m:cnt': { maxByteSize: 3 } } }), 4103);
  const updated = await ask({ operation: 'update', content: { 'm2m:cnt': { labels: ['l'] } } });
  assert.deepEqual([updated.code, updated.attributes], [2004, { rn: 'c', lbl: ['l'] }]);
  assert.equal(await code({ operation: 'delete' }), 4103);
  const all = ['rn', 'ty', 'ri', 'pi', 'ct', 'lt', 'et', 'lbl', 'acpi', 'cni', 'cbs', 'st'];
  await update('b/p', { 'm2m:acp': { pv: { acr: acr(2 + 8, all) } } });
  assert.equal(await code({}), 2000);
  assert.equal(await code({ operation: 'delete' }), 2002);
});

test('resources below are shown if the right covers all their attributes', async () => {
  const { ask, make, policy } = await lab();
  const aca = ['rn', 'ty', 'ri', 'pi', 'ct', 'lt', 'et', 'acpi', 'cni', 'cbs', 'st'];
  await make('Cme', 'b/me', {
    'm2m:cnt': { rn: 'd', acpi: [await policy('p', [{ acor: ['Cother'], acop: 2, aca }])] },
  });
  for (const attributes of [{ rn: 'x' }, { rn: 'y', mni: 1 }, { rn: 'z' }])
    await make('CAdmin', 'b/me/d', { 'm2m:cnt': attributes });
  const { attributes } = await ask({ to: 'b/me/d', resultContent: 4 });
  const names = (attributes['m2m:cnt'] as { rn: string }[]).map(({ rn }) => rn);
  assert.deepEqual(names, ['x', 'z']);
});

test('a right that is limited to attributes is enough to be found, and shows itself as it was changed', async () => {
  const { ask, make, update, policy } = await lab();
  const acpi = [await policy('p', [{ acor: ['Cother'], acop: 32 + 4, aca: ['lbl', 'mni'] }])];
  await make('Cme', 'b/me', { 'm2m:cnt': { rn: 'd', acpi } });
  const found = await ask({ to: 'b', filterCriteria: { filterUsage: 1, resourceTypes: [3] } });
  assert.deepEqual(found.content, { 'm2m:uril': ['b/me/d'] });
  const updated = await update('b/me/d', { 'm2m:cnt': { mni: 1 } }, 'Cother');
  assert.deepEqual(updated.attributes, { mni: 1 });
});

test('a circle holds for an AE located in it; what cannot be evaluated never holds', async () => {
  const { code, update, policy } = await lab();
  const rule = (acco: object) => ({ acr: [{ acor: ['all'], acop: 2, acco: [acco] }] });
  await update('b/me/c', {
    'm2m:cnt': { acpi: [await policy('p', rule({ aclr: { accr: [52.5, 13.4, 1000] } }).acr)] },
  });
  assert.equal(await code({}), 4103);
  const be = (crd: unknown, typ = 1) => update('b/other', { 'm2m:ae': { loc: { typ, crd } } }, 'Cother');
  for (const [crd, expected] of [
    ['[13.405, 52.505]', 2000],
    [[13.414, 52.5], 2000],
    [[13.416, 52.5], 4103],
    [[13.4, 52.508], 2000],
    [[13.4, 52.50896], 2000],
    [[13.4, 52.50902], 4103],
    [[-166.6, -52.5], 4103],
  ] as const) {
    await be(crd);
    assert.equal(await code({}), expected, String(crd));
  }
  const line = [13.4, 52.5];
  assert.equal((await be([line, line], 2)).code, 2004);
  assert.equal(await code({}), 4103, 'a line is nowhere in particular');
  await be(line);
  const shapeless = [{ accc: ['DE'] }, {}, { accr: [-52.5, -166.6] }].map((aclr) => ({ aclr }));
  for (const unknowable of [{ acui: ['u'] }, { acl: 3 }, { acec: {} }, ...shapeless]) {
    await update('b/p', { 'm2m:acp': { pv: rule({ actw: ['* * * * * *'], ...unknowable }) } });
    assert.equal(await code({}), 4103, JSON.stringify(unknowable));
  }
  await update('b/p', { 'm2m:acp': { pv: rule({ actw: ['* * * * * *'] }) } });
  assert.equal(await code({}), 2000);
});

test('a CSE registers itself, sees where, and owns what is below its registration', async () => {
  const { code, make } = await lab();
  const csr = { 'm2m:csr': { rn: 'far', cb: '/far/b', csi: '/far', rr: true } };
  assert.equal((await make('Cme', 'b', csr)).code, 4005);
  assert.equal((await make('/near', 'b', csr)).code, 4103);
  assert.equal((await make('/near', 'b', { 'm2m:csr': { cb: '/near/b', 'CSE-ID': '/far', rr: true } })).code, 4103);
  // Who does not say which CSE it is means itself (TS-0004, clause 7.4.4.2.1).
  assert.equal((await make('/near', 'b', { 'm2m:csr': { cb: '/near/b', rr: true } })).attributes.csi, '/near');
  assert.equal(await code({ to: 'b', from: '/far' }), 4103);
  assert.equal((await make('//sp/far', 'b', csr)).code, 2001);
  assert.equal(await code({ to: 'b', from: '/far' }), 2000);
  assert.equal((await make('/far', 'b/far', { 'm2m:cnt': {} })).code, 2001);
  assert.equal((await make('Cme', 'b/far', { 'm2m:cnt': {} })).code, 4103);
  // A notification from a registered CSE is let through, though nobody is there to take it.
  const notify = { operation: 'notify', to: 'b/me', content: { 'm2m:sgn': {} } } as const;
  assert.equal(await code({ ...notify, from: '/far' }), 5103);
  assert.equal(await code({ ...notify, from: 'Cother' }), 4103);
});

test('a policy of another CSE can be named, and is ignored here', async () => {
  const { code, update } = await lab();
  assert.equal((await update('b/me/c', { 'm2m:cnt': { acpi: ['/far/acp1'] } })).code, 2004);
  assert.equal(await code({}), 4103);
  assert.equal(await code({ from: 'Cme' }), 2000);
});

test('the first policies of a resource are for its owner to name', async () => {
  const { code, update, policy } = await lab();
  const acpi = [await policy('p', [{ acor: ['all'], acop: everything }])];
  assert.equal((await update('b/me/c', { 'm2m:cnt': { acpi } }, 'Cother')).code, 4103);
  assert.equal((await update('b/me', { 'm2m:ae': { acpi } })).code, 2004);
  // All rights that the AE's policy gives are not the right to give policies.
  assert.equal(await code({ operation: 'update', content: { 'm2m:cnt': { mni: 3 } } }), 2004);
  assert.equal((await update('b/me/c', { 'm2m:cnt': { acpi } }, 'Cother')).code, 4103);
});

test('what the CSE does by itself needs no right', async () => {
  const { perform } = await lab();
  for (const [operation, content, code] of [
    ['retrieve', undefined, 2000],
    ['update', { 'm2m:cnt': { mni: 1 } }, 2004],
    ['create', { 'm2m:cin': { con: '1' } }, 2001],
    ['delete', undefined, 2002],
  ] as const) {
    assert.equal(perform({ operation, to: 'b/me/c', content }).status.code, code, operation);
  }
});

test('a refusal says which right is missing', async () => {
  const { ask } = await lab();
  assert.match((await ask({})).content['m2m:dbg'], /Cother lacks the right RETRIEVE at b\/me\/c/);
  assert.match((await ask(instance)).content['m2m:dbg'], /CREATE of m2m:cin/);
});

test('in the documented dialect a policy without self-privileges is its creator’s', async () => {
  const { code, make, ask } = await lab({ dialect: 'documented' });
  const made = await make('//sp/c/Cme', 'b/me', {
    'm2m:acp': { rn: 'p', pv: [{ acor: ['Cother'], acop: [2] }], pvs: [] },
  });
  assert.deepEqual(made.attributes.pvs, { acr: [{ acor: ['//sp/c/Cme', '/c'], acop: 63 }] });
  assert.equal(await code({ to: 'b/me/p', from: 'Cme' }), 2000);
  assert.equal(await code({ to: 'b/me/p', from: 'Cother' }), 4103);
  const nothing = {
    operation: 'create',
    to: 'b/me',
    from: 'Cme',
    content: { 'm2m:acp': { pv: [], pvs: { acr: [] } } },
  } as const;
  assert.equal((await ask(nothing)).code, 4000);
});

test('object details: the definition of a flexible container, and what a management object manages', async () => {
  const { code, make, policy } = await lab();
  const cnd = 'org.onem2m.common.moduleclass.temperature';
  await make('CAdmin', 'b', { 'm2m:nod': { rn: 'node', ni: 'n' } });
  for (const [place, [to, root, attributes, spty, expected]] of [
    ['b/me', 'cod:tempe', { cnd, curT0: 1 }, { cnd }, 2000],
    ['b/me', 'cod:tempe', { cnd, curT0: 1 }, { cnd: 'other' }, 4103],
    ['b/node', 'm2m:bat', { mgd: 1006, btl: 1, bts: 1 }, { mgd: 1006 }, 2000],
    ['b/node', 'm2m:bat', { mgd: 1006, btl: 1, bts: 1 }, { mgd: 1007 }, 4103],
  ].entries() as Iterable<[number, [string, string, object, object, number]]>) {
    const rn = `r${place}`;
    const acpi = [await policy(`p${place}`, [{ acor: ['Cother'], acop: 2, acod: [{ spty, chty: [] }] }])];
    assert.equal((await make('CAdmin', to, { [root]: { rn, ...attributes, acpi } })).code, 2001);
    assert.equal(await code({ to: `${to}/${rn}` }), expected, JSON.stringify(spty));
  }
});

test('a match with its own policies is checked by them', async () => {
  const { ask, make, policy, perform } = await lab();
  const acpi = [await policy('p', [{ acor: ['Cother'], acop: 32 }])];
  const acod = [{ spty: { cnd: 'open' }, chty: [] }];
  await make('Cme', 'b/me', {
    'm2m:cnt': { rn: 'flex', acpi: [await policy('q', [{ acor: ['Cother'], acop: 32, acod }])] },
  });
  const pvs = (acor: string) => ({ pv: {}, pvs: { acr: [{ acor: [acor], acop: everything }] } });
  const ae = { api: 'N', rr: true };
  for (const [from, to, root, closed, open, alsoClosed] of [
    ['Cme', 'b/me', 'm2m:cnt', {}, { acpi }, {}],
    ['Cme', 'b/me', 'm2m:cnt', {}, { cstn: 'Cother' }, {}],
    ['CAdmin', 'b/me/flex', 'm2m:gis', { cnd: 'x', gisn: 'x' }, { cnd: 'open', gisn: 'x' }, { cnd: 'y', gisn: 'x' }],
    ['Cme', 'b/me', 'm2m:acp', pvs('Cme'), pvs('Cother'), pvs('Cme')],
    ['C', 'b', 'm2m:ae', ae, ae, ae],
  ] as const) {
    const labels = [`${root} ${Object.keys(open)[0]}`];
    const make1 = (attributes: object) => make(from, to, { [root]: { ...attributes, lbl: labels } });
    await make1(closed);
    const { code, attributes } = await make1(open);
    await make1(alsoClosed);
    assert.equal(code, 2001, labels[0]);
    const finder = String(attributes.aei ?? 'Cother');
    const found = await ask({ to: 'b', from: finder, filterCriteria: { filterUsage: 1, labels } });
    assert.deepEqual(found.content, { 'm2m:uril': [`${to}/${attributes.rn}`] }, labels[0]);
  }
  await make('Cme', 'b/me', {
    'm2m:cnt': { rn: 'shared', acpi: [await policy('r', [{ acor: ['Cother'], acop: 1 }])] },
  });
  for (const from of ['Cme', 'Cother', 'Cme']) await make(from, 'b/me/shared', { 'm2m:cnt': { rn: from } });
  for (const from of ['Cother', 'CAdmin']) await make(from, 'b/me/shared/Cother', { 'm2m:cnt': { rn: from } });
  const own = await ask({ to: 'b/me/shared', filterCriteria: { filterUsage: 1 } });
  assert.deepEqual(own.content, { 'm2m:uril': ['b/me/shared/Cother', 'b/me/shared/Cother/Cother'] });
  // As the CSE itself enters those that are registered from the start.
  for (const rn of ['far', 'near', 'further']) {
    const csr = { rn, csi: `/${rn}`, cb: `/${rn}/b`, rr: true };
    perform({ operation: 'create', to: 'b', content: { 'm2m:csr': csr } });
  }
  const found = await ask({ to: 'b', from: '/near', filterCriteria: { filterUsage: 1, resourceTypes: [16] } });
  assert.deepEqual(found.content, { 'm2m:uril': ['b/near'] });
});

test('without any policy resources of others belong to the AE above, and its channel to it alone', async () => {
  const { code, make } = await lab();
  await make('CAdmin', 'b/me', { 'm2m:cnt': { rn: 'made' } });
  await make('Cme', 'b/me', { 'm2m:pch': { rn: 'p' } });
  const { aei } = (await make('C', 'b', { 'm2m:ae': { rn: 'named', api: 'N', rr: true } })).attributes;
  for (const [to, from, expected] of [
    ['b/named', String(aei), 2000],
    ['b/named', 'C', 4103],
    ['b/me/made', 'Cme', 2000],
    ['b/me/made', 'Cother', 4103],
    ['b/me/p', 'Cme', 2000],
    ['b/me/p', 'Cother', 4103],
  ] as const) {
    assert.equal(await code({ to, from }), expected, `${from} at ${to}`);
  }
});

test('an announced policy can be seen by those whom its self-privileges name', async () => {
  const { code, make } = await lab();
  await make('/far', 'b', { 'm2m:csr': { cb: '/far/b', csi: '/far', rr: true } });
  await make('/far', 'b', { 'm2m:cbA': { rn: 'far', lnk: '/far/b' } });
  assert.equal((await make('Cme', 'b', { 'm2m:cbA': { rn: 'mine', lnk: '/mine/b' } })).code, 4103);
  const acpA = { rn: 'p', lnk: '/far/acp1', pv: {}, pvs: { acr: [{ acor: ['Cother'], acop: 2 }] } };
  assert.equal((await make('/far', 'b/far', { 'm2m:acpA': acpA })).code, 2001);
  assert.equal(await code({ to: 'b/far/p' }), 2000);
  assert.equal(await code({ to: 'b/far/p', from: 'Cme' }), 4103);
  assert.equal(await code({ to: 'b/far/p', from: '/far' }), 2000);
  assert.equal((await make('/far', 'b/far', { 'm2m:acpA': { rn: 'q', lnk: '/far/acp2' } })).code, 2001);
  assert.equal(await code({ to: 'b/far/q' }), 4103);
});

test('a registered CSE announces where its AEs with a service-provider identifier are (TS-0004, clause 7.4.5.2.1)', async () => {
  const { code, make } = await lab({ cseType: 'IN-CSE' });
  await make('/far', 'b', { 'm2m:csr': { cb: '/far/b', csi: '/far', rr: true } });
  const announce = (from: string) => make(from, 'b', { 'm2m:aeA': { lnk: `${from.slice(0, 4)}/x`, api: 'N' } });
  assert.equal((await announce('/far/S1')).code, 2001);
  for (const from of ['/far/C1', '/foe/S1', '/far/x/S1']) assert.equal((await announce(from)).code, 4103, from);
  assert.equal((await make('/far/S1', 'b', { 'm2m:cnt': {} })).code, 4103);
  const tell = (from: string, to = 'S1') =>
    code({ operation: 'update', to, from, content: { 'm2m:aeA': { lnk: 'INACTIVE' } } });
  assert.equal(await tell('/far/S2'), 4103);
  assert.equal(await tell('/far/S1', 'b/me'), 4103);
  assert.equal(await code({ operation: 'delete', to: 'S1', from: '/far/S1' }), 4103);
  assert.equal(await tell('/far/S1'), 2004);
});
