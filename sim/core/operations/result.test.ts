import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CseOptions } from '../../cse/create-cse.ts';
import { manualClock } from '../../environment/clock.ts';
import { exampleMoment, sampleCse } from '../../testing/sample-cse.ts';
import type { RequestPrimitive } from '../primitive.ts';
import { shapeOf } from './result.ts';

/** An AE with two containers, `c1` with instances `i1` and `i2`, `c2` with `i3`. */
async function lab(options: CseOptions = {}) {
  const cse = sampleCse({ dialect: 'onem2m', base: 'b', cseId: 'c', requireAuth: false, ...options });
  const ask = async (request: Partial<RequestPrimitive>) => {
    const answer = await cse.core.request({ operation: 'retrieve', to: 'b/app', from: 'Cme', ...request });
    return { ...answer, code: answer.status.code, content: JSON.parse(JSON.stringify(answer.content ?? null)) };
  };
  const make = (to: string, content: object) => ask({ operation: 'create', to, content });
  await make('b', { 'm2m:ae': { rn: 'app', api: 'N', rr: true } });
  for (const [container, names] of [
    ['c1', ['i1', 'i2']],
    ['c2', ['i3']],
  ] as const) {
    await make('b/app', { 'm2m:cnt': { rn: container, lbl: [container] } });
    for (const rn of names) await make(`b/app/${container}`, { 'm2m:cin': { rn, con: `value of ${rn}`, lbl: [rn] } });
  }
  return { ask, make };
}

const names = (list: readonly { nm?: string; rn?: string }[]) => list.map(({ nm, rn }) => nm ?? rn);

test('references are to everything below, and with criteria to matches', async () => {
  const { ask } = await lab();
  const references = async (filterCriteria?: RequestPrimitive['filterCriteria']) => {
    const { content } = await ask({ resultContent: 6, ...(filterCriteria && { filterCriteria }) });
    return names(content['m2m:rrl'].rrf);
  };
  assert.deepEqual(await references(), ['c1', 'i1', 'i2', 'c2', 'i3']);
  assert.deepEqual(await references({ level: 1 }), ['c1', 'c2']);
  assert.deepEqual(await references({ level: 2 }), ['c1', 'i1', 'i2', 'c2', 'i3']);
  assert.deepEqual(await references({ resourceTypes: [4] }), ['i1', 'i2', 'i3']);
  assert.deepEqual(await references({ resourceTypes: [3, 4], level: 1 }), ['c1', 'c2']);
  assert.deepEqual(await references({ attributes: [['con', '*of i2']] }), ['i2']);
  assert.deepEqual(await references({ attributes: [['cni', '1']] }), ['c2']);
  assert.deepEqual(await references({ resourceTypes: [4], limit: 1, offset: 2 }), ['i2']);
  assert.deepEqual(await references({ resourceTypes: [4], offset: 2 }), ['i2', 'i3']);
  assert.deepEqual(await references({ resourceTypes: [4], offset: 4 }), []);
});

test('an address in a reference is structured or not, as requested', async () => {
  const { ask } = await lab();
  const first = async (drt: 1 | 2) =>
    (await ask({ resultContent: 6, desiredIdentifierResultType: drt })).content['m2m:rrl'].rrf[0].val;
  assert.equal(await first(1), 'b/app/c1');
  assert.match(await first(2), /^cnt\w+$/);
});

test('rcn 9 shows what the CSE has set, and what differs from the request', async () => {
  const { ask } = await lab();
  const create = async (to: string, attributes: object) =>
    (await ask({ operation: 'create', to, content: { 'm2m:cnt': attributes }, resultContent: 9 })).content['m2m:cnt'];
  const kept = await create('b/app', { rn: 'c3', et: '20170302T170000', lbl: ['x'] });
  assert.deepEqual([kept.et, kept.rn, kept.lbl, typeof kept.ri], [undefined, undefined, undefined, 'string']);
  const bounded = await create('b/app/c3', { rn: 'c', et: '20170302T180000', cr: null });
  assert.deepEqual([bounded.et, bounded.cr], ['20170302T170000,000000', 'Cme']);
});

test('children that meet the criteria are in their nearest ancestor that is shown', async () => {
  const { ask } = await lab();
  const nested = (await ask({ resultContent: 4 })).content['m2m:ae'];
  assert.deepEqual(
    nested['m2m:cnt'].map((one: Record<string, []>) => names(one['m2m:cin'] ?? [])),
    [['i1', 'i2'], ['i3']],
  );
  const flat = (await ask({ resultContent: 8, filterCriteria: { resourceTypes: [4] } })).content['m2m:ae'];
  assert.deepEqual([names(flat['m2m:cin']), flat['m2m:cnt'], flat.rn], [['i1', 'i2', 'i3'], undefined, undefined]);
});

test('a path that applies to matches puts what it leads to in their place', async () => {
  const { ask } = await lab();
  const found = async (applyRelativePath: string, resourceTypes = [3]) =>
    (await ask({ filterCriteria: { filterUsage: 1, resourceTypes, applyRelativePath } })).content['m2m:uril'];
  assert.deepEqual(await found('i3'), ['b/app/c2/i3']);
  // The example of TS-0001, table 8.1.2-1, goes up, and to the newest instance.
  assert.deepEqual(await found('la'), ['b/app/c1/i2', 'b/app/c2/i3']);
  assert.deepEqual(await found('../c1/ol'), ['b/app/c1/i1']);
  assert.deepEqual(await found('../../../..'), []);
  await ask({ operation: 'update', to: 'b/app/c2', content: { 'm2m:cnt': { disr: true } } });
  assert.deepEqual(await found('../c2/la'), []);
});

test('a discovery says whether its limit has cut something off, and where the rest begins', async () => {
  const { ask } = await lab();
  const partOf = async (limit: number, offset = 1) =>
    (await ask({ filterCriteria: { filterUsage: 1, resourceTypes: [4], limit, offset } })).partial;
  assert.deepEqual(await partOf(2), { nextOffset: 3 });
  assert.equal(await partOf(3), undefined);
  assert.equal(await partOf(2, 2), undefined);
});

test('criteria on parent and children', async () => {
  const { ask } = await lab();
  const found = async (filterCriteria: RequestPrimitive['filterCriteria']) =>
    (await ask({ filterCriteria: { filterUsage: 1, ...filterCriteria } })).content['m2m:uril'];
  assert.deepEqual(await found({ childLabels: ['i3'] }), ['b/app/c2']);
  assert.deepEqual(await found({ parentLabels: ['c1'], resourceTypes: [4] }), ['b/app/c1/i1', 'b/app/c1/i2']);
  assert.deepEqual(await found({ childResourceTypes: [4] }), ['b/app/c1', 'b/app/c2']);
  assert.deepEqual(await found({ parentResourceTypes: [2] }), ['b/app/c1', 'b/app/c2']);
});

test('each criterion is met on its side of the limit, and by nothing at it', async () => {
  const clock = manualClock(exampleMoment);
  const { ask, make } = await lab({ clock });
  await clock.advance('10s');
  // Of its creation; the update comes a microsecond later.
  const now = clock.now();
  const end = Date.UTC(2017, 2, 2, 16, 20) * 1000;
  await make('b/app', { 'm2m:cnt': { rn: 'late', lbl: ['late'], et: '20170302T162000' } });
  await ask({ operation: 'update', to: 'b/app/late', content: { 'm2m:cnt': { mni: 5 } } });
  await make('b/app/c2', { 'm2m:cin': { rn: 'five', con: '12345', cnf: 'text/plain:0' } });
  const only = { labels: ['late'] };
  for (const [criteria, expected] of [
    [{ createdAfter: now - 1 }, ['late', 'five']],
    [{ createdAfter: now - 1, attributes: [['rn', 'l*']], filterOperation: 1 }, ['late']],
    [{ ...only, createdAfter: now }, []],
    [{ ...only, createdBefore: now }, []],
    [{ ...only, createdBefore: now + 1 }, ['late']],
    [{ ...only, modifiedSince: now }, ['late']],
    [{ ...only, modifiedSince: now + 1 }, []],
    [{ ...only, unmodifiedSince: now + 1 }, []],
    [{ ...only, unmodifiedSince: now + 2 }, ['late']],
    [{ ...only, stateTagBigger: 0 }, ['late']],
    [{ ...only, stateTagBigger: 1 }, []],
    [{ ...only, stateTagSmaller: 1 }, []],
    [{ ...only, stateTagSmaller: 2 }, ['late']],
    [{ ...only, expireBefore: end }, []],
    [{ ...only, expireBefore: end + 1 }, ['late']],
    [{ ...only, expireAfter: end - 1 }, ['late']],
    [{ ...only, expireAfter: end }, []],
    [{ resourceTypes: [2], stateTagSmaller: 9 }, []],
    [{ sizeAbove: 5, sizeBelow: 6 }, ['five']],
    [{ sizeAbove: 6, sizeBelow: 6 }, []],
    [{ sizeAbove: 5, sizeBelow: 5 }, []],
    [{ contentTypes: ['x', 'text/plain'] }, ['five']],
    [{ contentTypes: ['text/plain:0'] }, ['five']],
    [{ contentTypes: ['text'] }, []],
    [{ childAttributes: [['con', '123*']] }, ['c2']],
    [{ parentAttributes: [['mni', '5']] }, []],
    [{ parentAttributes: [['cni', '2']] }, ['i1', 'i2', 'i3', 'five']],
    [{ labels: ['i3', 'none', 'i1'] }, ['i1', 'i3']],
    [{ labels: ['none'], createdBefore: now, filterOperation: 2 }, ['app', 'c1', 'i1', 'i2', 'c2', 'i3']],
    [{ labels: ['none'], createdAfter: now, filterOperation: 2 }, ['five']],
    [{ labels: ['i1'], sizeBelow: 6, filterOperation: 2 }, ['i1', 'five']],
    [{ labels: ['i1', 'i2'], attributes: [['con', '*i1']], filterOperation: 3 }, ['i2']],
  ] as const) {
    const { content } = await ask({ to: 'b', filterCriteria: { filterUsage: 1, ...criteria } });
    const found = content['m2m:uril'].map((path: string) => path.split('/').at(-1));
    assert.deepEqual(found, expected, JSON.stringify(criteria));
  }
});

test('a partial retrieve shows the attributes that it names and that are there', async () => {
  const { ask } = await lab();
  const part = await ask({ to: 'b/app/c1', attributeList: ['rn', 'lbl'] });
  assert.deepEqual(part.content, { 'm2m:cnt': { rn: 'c1', lbl: ['c1'] } });
  assert.deepEqual((await ask({ to: 'b/app', attributeList: ['lbl', 'rn'] })).content, { 'm2m:ae': { rn: 'app' } });
  assert.equal((await ask({ to: 'b/app', attributeList: ['mni'] })).code, 4000);
});

test('rcn 9 shows what the CSE has added to a request', async () => {
  const { ask } = await lab();
  const created = await ask({ operation: 'create', resultContent: 9, content: { 'm2m:cnt': { rn: 'c3', mni: 3 } } });
  const { rn, mni, st, ri } = created.content['m2m:cnt'];
  assert.deepEqual([rn, mni, st, typeof ri], [undefined, undefined, 0, 'string']);
});

test('rcn 9 of an update shows what has changed with it', async () => {
  const { ask } = await lab();
  const content = { 'm2m:cnt': { mni: 1, lbl: ['x'] } };
  const updated = await ask({ operation: 'update', to: 'b/app/c1', resultContent: 9, content });
  assert.deepEqual(Object.keys(updated.content['m2m:cnt']).sort(), ['cbs', 'cni', 'lt', 'st']);
});

test('a retrieve whose condition is not met finds nothing', async () => {
  const { ask } = await lab();
  const code = async (filterCriteria: NonNullable<RequestPrimitive['filterCriteria']>) =>
    (await ask({ filterCriteria })).code;
  assert.equal(await code({ createdAfter: 0 }), 2000);
  assert.equal(await code({ createdBefore: 0 }), 4004);
  assert.equal(await code({ resourceTypes: [3] }), 2000);
  assert.equal(await code({ resourceTypes: [3], filterUsage: 2 }), 4004);
});

test('a pattern with many stars is compared in linear time', async () => {
  const { ask, make } = await lab();
  await make('b/app/c2', { 'm2m:cin': { rn: 'long', con: 'a'.repeat(100_000) } });
  const attributes = [['con', `${'*a'.repeat(200)}*b`]] as const;
  const { content } = await ask({ filterCriteria: { filterUsage: 1, attributes } });
  assert.deepEqual(content, { 'm2m:uril': [] });
});

test('an originator of another CSE gets addresses with the CSE-ID', async () => {
  const cse = sampleCse({ dialect: 'onem2m', base: 'b', cseId: 'c', requireAuth: false });
  await cse.send('POST', '/b', { 'm2m:cnt': { rn: 'x', lbl: ['found'] } });
  const discover = async (path: string, originator: string) =>
    (await cse.send('GET', `${path}?fu=1&lbl=found`, undefined, { 'x-m2m-origin': originator })).json;
  assert.deepEqual(await discover('/~/c/b', '/far/Cme'), { 'm2m:uril': ['/c/b/x'] });
  assert.deepEqual(await discover('/~/c/b', 'Cme'), { 'm2m:uril': ['b/x'] });
  assert.deepEqual(await discover('/b', 'Cme'), { 'm2m:uril': ['b/x'] });
});

/** TS-0001, table 8.1.2-1; in the documented dialect a discovery can ask for what a retrieve can. */
for (const [dialect, operation, possible] of [
  ['onem2m', 'create', [0, 1, 2, 3, 9]],
  ['onem2m', 'retrieve', [1, 4, 5, 6, 7, 8]],
  ['onem2m', 'update', [0, 1, 9]],
  ['onem2m', 'delete', [0, 1, 4, 5, 6, 8]],
  ['onem2m', 'notify', [0, 1]],
  ['onem2m', 'discover', [6, 11]],
  ['documented', 'create', [0, 1, 2, 3]],
  ['documented', 'retrieve', [1, 4, 5, 6, 8]],
  ['documented', 'update', [0, 1]],
  ['documented', 'delete', [0, 1, 4, 5, 6, 8]],
  ['documented', 'notify', [0, 1]],
  ['documented', 'discover', [1, 4, 5, 6, 8, 11]],
] as const) {
  test(`in the ${dialect} dialect ${operation} goes with the result contents ${possible.join(', ')}`, () => {
    for (let rcn = 0; rcn <= 12; rcn++) {
      const ask = () => shapeOf(operation, rcn, dialect);
      if ((possible as readonly number[]).includes(rcn)) assert.equal(typeof ask(), 'string', String(rcn));
      else assert.throws(ask, { message: `rcn ${rcn} is not for ${operation}; it can be ${possible.join(', ')}.` });
    }
  });
}

test('the instances of a container that is not to be retrieved are not found (TS-0001, clause 9.6.6)', async () => {
  const { ask, make } = await lab();
  await make('b/app', { 'm2m:cnt': { rn: 'dark', disr: true } });
  await make('b/app', { 'm2m:cnt': { rn: 'light', disr: false } });
  for (const name of ['dark', 'light']) await make(`b/app/${name}`, { 'm2m:cin': { rn: 'i', con: '1', lbl: ['new'] } });
  const { content } = await ask({ to: 'b', filterCriteria: { filterUsage: 1, labels: ['new'] } });
  assert.deepEqual(content, { 'm2m:uril': ['b/app/light/i'] });
});

test('a resource can expire with its children, not before them (TS-0004, clause 7.3.3.4)', async () => {
  const { ask, make } = await lab();
  const expire = async (to: string, root: string, et: string) =>
    (await ask({ operation: 'update', to, content: { [root]: { et } } })).code;
  await make('b/app', { 'm2m:ae': { et: '20170302T190000' } });
  for (const name of ['c1', 'c2']) {
    for (const { rn } of name === 'c1' ? [{ rn: 'i1' }, { rn: 'i2' }] : [{ rn: 'i3' }])
      await ask({ operation: 'delete', to: `b/app/${name}/${rn}` });
    assert.equal(await expire(`b/app/${name}`, 'm2m:cnt', '20170302T163000'), 2004);
  }
  assert.equal(await expire('b/app', 'm2m:ae', '20170302T162959'), 4000);
  assert.equal(await expire('b/app', 'm2m:ae', '20170302T163000'), 2004);
});

test('a removed expiration time becomes the default one, from now on', async () => {
  const clock = manualClock(exampleMoment);
  const { ask, make } = await lab({ clock, limits: { lifetime: 3600 } });
  const [longer, usual] = ['20170302T180000', '20170302T171303'];
  await ask({ operation: 'update', content: { 'm2m:ae': { et: longer } } });
  await make('b/app', { 'm2m:cnt': { rn: 'c3', et: '20170302T163000' } });
  await clock.advance('10s');
  const to = 'b/app/c3';
  const { content } = await ask({ operation: 'update', to, content: { 'm2m:cnt': { et: null } } });
  assert.equal(content['m2m:cnt'].et.slice(0, 15), usual);
});

test('a pattern fits texts and numbers, each element of a list, and nothing that has parts', async () => {
  const { ask, make } = await lab();
  await make('b/app/c1', { 'm2m:sub': { rn: 's', nu: ['Cme', 'b/app'], enc: { net: [3] } } });
  const found = async (name: string, pattern: string) =>
    (await ask({ filterCriteria: { filterUsage: 1, attributes: [[name, pattern]] } })).content['m2m:uril'];
  assert.deepEqual(await found('nu', 'b/*'), ['b/app/c1/s']);
  assert.deepEqual(await found('nct', '1'), ['b/app/c1/s']);
  assert.deepEqual(await found('enc', '*'), []);
  assert.deepEqual(await found('none', '*'), []);
});

test('whether there is more is checked among a thousand candidates, and assumed beyond', async () => {
  const { core } = sampleCse({ dialect: 'onem2m', base: 'b', requireAuth: false });
  const make = (attributes: object) =>
    core.perform({ operation: 'create', to: 'b', content: { 'm2m:cnt': attributes } });
  make({ mni: 1 });
  const partial = async () => {
    const filterCriteria = { filterUsage: 1, attributes: [['mni', '1']], limit: 1 } as const;
    return (await core.request({ operation: 'retrieve', to: 'b', from: 'Cme', filterCriteria })).partial;
  };
  for (let others = 0; others < 1000; others++) make({});
  assert.equal(await partial(), undefined);
  make({});
  assert.deepEqual(await partial(), { nextOffset: 2 });
});

test('changed or removed labels are not found any more', async () => {
  const { ask } = await lab();
  const found = async (label: string) =>
    (await ask({ filterCriteria: { filterUsage: 1, labels: [label] } })).content['m2m:uril'];
  const label = (lbl: readonly string[] | null) =>
    ask({ operation: 'update', to: 'b/app/c1', content: { 'm2m:cnt': { lbl } } });
  await label(['new', 'new']);
  assert.deepEqual([await found('c1'), await found('new')], [[], ['b/app/c1']]);
  await label(null);
  assert.deepEqual(await found('new'), []);
});

for (const [cnf, con, meets] of [
  ['application/json:0', '{"x":1}', true],
  ['application/senml+json:0', '{"x":1}', true],
  ['application/json:1', btoa('{"x":1}'), true],
  ['application/json:2', btoa('{"x":1}'), true],
  ['application/json:0:3', '{"x":1}', true],
  ['application/json:0', { x: 1 }, true],
  ['application/json:0', '{"x":2}', false],
  ['application/json:0', '{"x":', false],
  ['application/json:0', btoa('{"x":1}'), false],
  ['application/json:1', '{"x":1}', false],
  ['text/plain:0', '{"x":1}', false],
  ['application/jsonx:0', '{"x":1}', false],
  [undefined, { x: 1 }, false],
] as const) {
  const what = `${JSON.stringify(con)} as ${cnf ?? 'nobody knows what'}`;
  test(`a content query is ${meets ? '' : 'not '}met by ${what} (TS-0001, annex J.2)`, async () => {
    const { ask, make } = await lab();
    await make('b/app/c1', { 'm2m:cin': { rn: 'json', con, ...(cnf !== undefined && { cnf }) } });
    const filterCriteria = { filterUsage: 1, contentQuery: '$.x EQ 1' } as const;
    assert.deepEqual((await ask({ filterCriteria })).content, { 'm2m:uril': meets ? ['b/app/c1/json'] : [] });
  });
}
