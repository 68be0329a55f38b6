import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestPrimitive, ResponsePrimitive } from '../core/primitive.ts';
import { CseError, statuses } from '../core/status.ts';
import type { CseOptions } from '../cse/create-cse.ts';
import { manualClock } from '../environment/clock.ts';
import { exampleMoment, sampleCse } from '../testing/sample-cse.ts';

/** An AE `Cme` with two containers and a flexible container, and another AE. */
async function lab(options: CseOptions = {}) {
  const clock = manualClock(exampleMoment);
  const cse = sampleCse({ dialect: 'onem2m', base: 'b', cseId: 'c', spId: 'sp', clock, ...options });
  const ask = async (request: Partial<RequestPrimitive>) => {
    const answer = await cse.core.request({ operation: 'retrieve', to: 'b/me', from: 'Cme', ...request });
    const content = JSON.parse(JSON.stringify(answer.content ?? {}));
    return { code: answer.status.code, attributes: (Object.values(content)[0] ?? {}) as Record<string, unknown> };
  };
  const make = (to: string, content: object, from = 'Cme') => ask({ operation: 'create', to, from, content });
  const group = (attributes: object) => make('b/me', { 'm2m:grp': { rn: 'g', mnm: 5, ...attributes } });
  const change = (attributes: object) => ask({ operation: 'update', to: 'b/me/g', content: { 'm2m:grp': attributes } });
  await make('b', { 'm2m:ae': { rn: 'me', api: 'N', rr: true } });
  await make('b', { 'm2m:ae': { rn: 'other', api: 'N', rr: true } }, 'Cother');
  const first = String((await make('b/me', { 'm2m:cnt': { rn: 'c1' } })).attributes.ri);
  const second = String((await make('b/me', { 'm2m:cnt': { rn: 'c2' } })).attributes.ri);
  return { cse, clock, ask, make, group, change, first, second };
}

test('a group has its members once each, by their identifiers, and counts them', async () => {
  const { group, first, second } = await lab();
  const { code, attributes } = await group({
    mid: ['b/me/c1', first, `/c/${first}`, '//sp/c/b/me/c1', 'b/me/c2'],
    cr: null,
  });
  assert.equal(code, 2001);
  const { mid, cnm, mnm, mt, mtv, cr, st } = attributes;
  assert.deepEqual(
    { mid, cnm, mnm, mt, mtv, cr, st },
    {
      ...{ mid: [first, second], cnm: 2, mnm: 5, mt: 0, mtv: true, cr: 'Cme', st: undefined },
    },
  );
});

test('in the documented dialect members stay as requested', async () => {
  const { group, change } = await lab({ dialect: 'documented' });
  const { attributes } = await group({ mid: ['b/me/c1', 'cnt0', 'cnt1'] });
  assert.deepEqual([attributes.mid, attributes.cnm], [['b/me/c1', 'cnt1'], 2]);
  assert.deepEqual((await change({ mid: [], gn: 'x' })).attributes.mid, ['b/me/c1', 'cnt1']);
});

test('a group may be empty, but cannot be without a limit and keeps its list', async () => {
  const { group, make, change } = await lab();
  assert.equal((await group({ mid: [] })).code, 2001);
  assert.equal((await make('b/me', { 'm2m:grp': { mid: [] } })).code, 4000);
  assert.equal((await make('b/me', { 'm2m:grp': { mnm: 1 } })).code, 4000);
  for (const wrong of [{ mnm: null }, { mid: null }, { mt: 3 }, { csy: 1 }, { cnm: 3 }, { mtv: true }]) {
    assert.equal((await change(wrong)).code, 4000, JSON.stringify(wrong));
  }
});

test('more members than the limit are refused, and a limit below their number', async () => {
  const { group, change } = await lab();
  assert.equal((await group({ mnm: 1, mid: ['b/me/c1', 'b/me/c2'] })).code, 6010);
  assert.equal((await group({ mnm: 2, mid: ['b/me/c1', 'b/me/c2', 'b/me/c1'] })).code, 2001);
  assert.equal((await change({ mnm: 1 })).code, 6010);
  assert.equal((await change({ mid: ['b/me', 'b/me/c1', 'b/me/c2'] })).code, 6010);
  assert.equal((await change({ mid: ['b/me', 'b/me/c1', 'b/me/c2'], mnm: 3 })).code, 2004);
});

test('an update checks the types of members before their number, a create after it', async () => {
  const { group, change } = await lab();
  const kind = { mt: 3, csy: 2, mnm: 1 };
  assert.equal((await group({ ...kind, mid: ['b/me/c1', 'b/me'] })).code, 6010);
  await group({ ...kind, mid: ['b/me/c1'] });
  assert.equal((await change({ mid: ['b/me/c1', 'b/me'] })).code, 4110);
});

test('members that are not there refuse the group', async () => {
  const { group } = await lab();
  for (const mid of [['b/me/nothing'], ['b/me/c1', 'cnt77'], ['b/me/c1/fopt'], ['b/me/la'], ['b/me/c1/fopt/x']]) {
    assert.equal((await group({ mid })).code, 5105, mid[0]);
  }
});

test('unreadable members refuse a group of one type, whatever its strategy', async () => {
  const { group, change, first } = await lab();
  for (const csy of [1, 2, 3]) {
    assert.equal((await group({ mt: 2, csy, mid: ['b/other'] })).code, 5105, `csy ${csy}`);
  }
  assert.equal((await group({ mt: 3, csy: 3, mid: ['b/other'] })).code, 5105);
  await group({ mt: 3, csy: 3, mid: ['b/me/c1'] });
  assert.equal((await change({ mid: ['b/other'] })).code, 5105);
  assert.deepEqual((await change({ mid: ['b/me/c1', 'b/me'] })).attributes.mid, [first, 'Cme']);
  assert.equal((await change({ mid: ['b/other'] })).code, 2004);
});

test('the types of members of a mixed group are not checked', async () => {
  const { group, change, far, asked } = await withRemote();
  far.answer = () => ({ status: statuses.ORIGINATOR_HAS_NO_PRIVILEGE });
  const made = await group({ mid: ['b/other', '/far/x'] });
  assert.deepEqual([made.code, made.attributes.mid, made.attributes.mtv], [2001, ['Cother', '/far/x'], true]);
  assert.equal((await change({ mid: ['/far/y', 'b/other'] })).code, 2004);
  assert.deepEqual(asked, []);
});

for (const [csy, what, refused, kept, mt] of [
  [undefined, 'left out', false, ['c1'], 3],
  [1, 'left out', false, ['c1'], 3],
  [2, 'refused', true, [], 3],
  [3, 'taken, and the group is mixed', false, ['c1', 'me'], 0],
] as const) {
  test(`members of another kind are ${what} with the strategy ${csy ?? 'that is usual'}, in a create and in an update`, async () => {
    const { group, change, first } = await lab();
    const kind = { mt: 3, ...(csy !== undefined && { csy }) };
    const mid = kept.map((name) => (name === 'me' ? 'Cme' : first));
    const made = await group({ ...kind, mid: ['b/me/c1', 'b/me'] });
    assert.deepEqual([made.code, made.attributes.mid], refused ? [4110, undefined] : [2001, mid]);
    if (refused) await group({ ...kind, mid: ['b/me/c1'] });
    const { code, attributes } = await change({ mid: ['b/me/c1', 'b/me'] });
    assert.deepEqual([code, attributes.mid, attributes.mt], refused ? [4110, undefined, undefined] : [2004, mid, mt]);
  });
}

test('a group of a specialisation has no other', async () => {
  const { make, group } = await lab();
  const cnd = 'org.onem2m.common.moduleclass.temperature';
  await make('b/me', { 'cod:tempe': { rn: 't', cnd, curT0: 1 } });
  const wanted = { mt: 28, csy: 2, mid: ['b/me/t'] };
  assert.equal((await group({ ...wanted, spty: { cnd: 'some.other' } })).code, 4110);
  assert.equal((await group({ ...wanted, spty: { cnd } })).code, 2001);
});

test('a fan-out point is a member of the type of its group, an instance name one of its own type', async () => {
  const { group, make, ask } = await lab();
  await group({ mt: 3, mid: ['b/me/c1'] });
  const { ri } = (await ask({ to: 'b/me/g' })).attributes;
  const outer = { mt: 3, mnm: 5, csy: 2 };
  const nested = await make('b/me', { 'm2m:grp': { ...outer, mid: ['b/me/g/fopt', `${ri}/fopt`] } });
  assert.deepEqual(nested.attributes.mid, [`${ri}/fopt`]);
  assert.equal((await make('b/me', { 'm2m:grp': { ...outer, mid: ['b/me/g'] } })).code, 4110);
  assert.equal((await make('b/me', { 'm2m:grp': { ...outer, mt: 4, mid: ['b/me/c1/la'] } })).code, 2001);
  assert.equal((await make('b/me', { 'm2m:grp': { ...outer, mid: ['b/me/c1/la'] } })).code, 4110);
});

test('a member that is removed leaves its groups', async () => {
  const { group, ask, second } = await lab();
  await group({ mid: ['b/me/c1', 'b/me/c2'] });
  await ask({ operation: 'delete', to: 'b/me/c1' });
  const { mid, cnm } = (await ask({ to: 'b/me/g' })).attributes;
  assert.deepEqual([mid, cnm], [[second], 1]);
});

/** A remote CSE `/far`, whose answers are set. */
async function withRemote() {
  const far = {
    answer: (): Pick<ResponsePrimitive, 'status' | 'content'> => ({
      status: statuses.OK,
      content: { 'm2m:cnt': { ty: 3 } },
    }),
  };
  const asked: string[] = [];
  const sent: RequestPrimitive[] = [];
  const all = await lab({
    messenger: {
      async send(_url, request) {
        asked.push(request.to);
        sent.push(request);
        return far.answer();
      },
    },
  });
  const csr = { cb: '/far/b', csi: '/far', rr: true, poa: ['http://far'] };
  assert.equal((await all.make('b', { 'm2m:csr': csr }, '/far')).code, 2001);
  return { ...all, far, asked, sent };
}

const unreachable = (): never => {
  throw new CseError('TARGET_NOT_REACHABLE', 'Nobody is there.');
};

test('members at other CSEs are asked what they are', async () => {
  const { group, far, asked } = await withRemote();
  const made = await group({ mt: 3, mid: ['/far/x', 'b/me/c1'], csy: 2 });
  assert.deepEqual([made.code, made.attributes.mtv, asked], [2001, true, ['/far/x']]);
  far.answer = () => ({ status: statuses.OK, content: { 'm2m:ae': { ty: 2 } } });
  assert.equal((await group({ rn: 'h', mt: 3, mid: ['/far/x'], csy: 2 })).code, 4110);
  for (const status of [statuses.NOT_FOUND, statuses.ORIGINATOR_HAS_NO_PRIVILEGE]) {
    far.answer = () => ({ status });
    assert.equal((await group({ rn: 'h', mt: 3, mid: ['/far/x'] })).code, 5105);
  }
});

for (const [csy, outcome] of [
  [2, undefined],
  [1, { mid: [], mt: 3, mtv: true }],
  [3, { mid: ['/far/g/fopt'], mt: 0, mtv: true }],
] as const) {
  test(`a member that cannot be reached is examined when it can: a wrong one, with the strategy ${csy}`, async () => {
    const { group, far, ask, clock } = await withRemote();
    far.answer = unreachable;
    const made = await group({ mt: 3, csy, mid: ['/far/g/fopt'] });
    assert.deepEqual([made.code, made.attributes.mtv], [2001, false]);
    await clock.advance('1m');
    assert.equal((await ask({ to: 'b/me/g' })).attributes.mtv, false);
    far.answer = () => ({ status: statuses.OK, content: { 'm2m:grp': { ty: 9, mt: 4 } } });
    await clock.advance('2m');
    const { code, attributes } = await ask({ to: 'b/me/g' });
    if (outcome === undefined) assert.equal(code, 4004);
    else assert.deepEqual({ mid: attributes.mid, mt: attributes.mt, mtv: attributes.mtv }, outcome);
  });
}

test('a sub-group that can be reached again makes the group valid', async () => {
  const { group, change, far, ask, clock } = await withRemote();
  await group({ mt: 3, mid: [] });
  far.answer = unreachable;
  const changed = await change({ mid: ['/far/g/fopt'] });
  assert.deepEqual([changed.code, changed.attributes.mtv], [2004, false]);
  far.answer = () => ({ status: statuses.OK, content: { 'm2m:grp': { ty: 9, mt: 3 } } });
  await clock.advance('5s');
  assert.equal((await ask({ to: 'b/me/g' })).attributes.mtv, true);
});

test('groups and policies are announced', async () => {
  const { make, group, first, sent } = await withRemote();
  await group({ mid: ['b/me/c1'], at: ['/far'], aa: ['mid', 'gn'], gn: 'all' });
  const rules = { acr: [{ acor: ['Cme'], acop: 63 }] };
  await make('b/me', { 'm2m:acp': { pv: rules, pvs: rules, at: ['/far'] } });
  const namedFromAfar = { acr: [{ acor: ['/c/Cme'], acop: 63 }] };
  const [announcedGroup, announcedPolicy] = sent
    .map(({ resourceType, content }) => ({ resourceType, content: Object.values(content as object)[0] }))
    .filter(({ resourceType }) => resourceType !== 10_005);
  assert.equal(announcedGroup?.resourceType, 10_009);
  assert.deepEqual([announcedGroup?.content.mid, announcedGroup?.content.gn], [[`/c/${first}`], 'all']);
  assert.equal(announcedPolicy?.resourceType, 10_001);
  assert.deepEqual([announcedPolicy?.content.pv, announcedPolicy?.content.pvs], [namedFromAfar, namedFromAfar]);
});
