import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  absent,
  box,
  container,
  content,
  group,
  instance,
  judge,
  one,
  type Step,
  type Told,
  times,
} from '../testing/standard.ts';

const created = { status: 201, code: 2001 };
const mistaken: ReadonlyArray<readonly [requirement: string, ...Step]> = [
  ['std.create.unknown-attribute', `POST ${box}`, { 'm2m:cnt': { rn: 'x', nosuch: 1 } }, created],
  ['std.create.wrong-type', `POST ${box}`, { 'm2m:cnt': { rn: 'x', lbl: 'x' } }, created],
  ['std.create.wrong-child', 'POST /cse-in/app', { 'm2m:cin': { con: 'x' } }, created],
  ['std.content.two-roots', `POST ${box}`, { 'm2m:cnt': { rn: 'x' }, 'm2m:grp': {} }, created],
  ['std.latest.reserved', `POST ${box}`, { 'm2m:cnt': { rn: 'la' } }, created],
  ['std.create.rcn.refused', `POST ${box}?rcn=4`, { 'm2m:cnt': { rn: 'x' } }, created],
  ['std.retrieve.rcn.refused', `GET ${box}?rcn=2`, absent, {}],
  ['std.update.read-only', `PUT ${box}`, { 'm2m:cnt': { ct: '20200101T000000' } }, {}],
  ['std.update.foreign', `PUT ${box}`, { 'm2m:cnt': { exc: 5 } }, {}],
  ['std.update.wrong-root', `PUT ${box}`, { 'm2m:grp': { lbl: ['x'] } }, {}],
  ['std.discovery.invalid-value', `GET ${box}?fu=1&cra=yesterday`, absent, {}],
  ['std.retrieve.not-found', `GET ${box}/nowhere`, absent, {}],
  ['std.create.not-found', `POST ${box}/nowhere`, { 'm2m:cnt': { rn: 'x' } }, created],
  ['std.discovery.not-found', `GET ${box}/nowhere?fu=1`, absent, {}],
  ['std.address.case', 'GET /cse-in/app/BOX', absent, {}],
];

for (const [requirement, line, sent, told] of mistaken) {
  test(`${requirement}: what is wrong in one way is refused`, () => {
    const found = judge().broken(line, sent, told);
    assert.ok(found.includes(requirement), String(found));
    const isNowhere = requirement.endsWith('not-found') || requirement.endsWith('case');
    const code = requirement === 'std.create.wrong-child' ? 4108 : isNowhere ? 4004 : 4000;
    const refusal = { status: code === 4004 ? 404 : 400, code };
    assert.deepEqual(judge().broken(line, sent, refusal), []);
  });
}

test('what certainly meets the criteria of a discovery is found, and what certainly does not is left out', () => {
  const listing = (...names: readonly string[]): Told => ({
    body: { 'm2m:uril': names.map((name) => `cse-in/app/${name}`) },
  });
  const found = (query: string, ...names: readonly string[]) => {
    const { broken } = judge();
    broken(`POST ${box}`, one, content({}));
    broken(
      `POST ${box}`,
      { 'm2m:cin': { rn: 'two', con: 'abcdef' } },
      content({ rn: 'two', ri: 'cin9', con: 'abcdef', cs: 6, cnf: absent }),
    );
    return broken(`GET /cse-in/app?fu=1&${query}`, absent, listing(...names));
  };
  assert.deepEqual(found('lbl=a', 'box'), []);
  assert.deepEqual(found('lbl=a'), ['std.discovery.label']);
  assert.deepEqual(found('lbl=a', 'box', 'box/one'), ['std.discovery.label']);
  assert.deepEqual(found('lbl=x&lbl=b'), ['std.filter.lbl.several']);
  assert.deepEqual(found('lbl=x+b'), []);
  assert.deepEqual(found('ty=4', 'box/one', 'box/two'), []);
  assert.deepEqual(found('ty=4', 'box', 'box/one', 'box/two'), ['std.filter.ty']);
  assert.deepEqual(found('cra=20261122T100000', 'box'), []);
  assert.deepEqual(found('cra=20261122T090000', 'box'), ['std.filter.cra']);
  // It may have been created at any moment of the second that it shows.
  assert.deepEqual(found('cra=20261122T100000,999998', 'box'), []);
  assert.deepEqual(found('cra=20261122T100000,999999', 'box'), ['std.filter.cra']);
  assert.deepEqual(found('crb=20261122T100000', 'box'), ['std.filter.crb']);
  assert.deepEqual(found('ty=4&sza=5', 'box/one', 'box/two'), ['std.filter.sza']);
  assert.deepEqual(found('ty=4&szb=5', 'box/two'), ['std.filter.szb']);
  assert.deepEqual(found('ty=3&lbl=x', 'box'), ['std.filter.and']);
  assert.deepEqual(found('ty=3&lbl=x&fo=2'), ['std.filter.or']);
  assert.deepEqual(found('lvl=1', 'box', 'box/one'), ['std.filter.lvl']);
  assert.deepEqual(found('ty=4&lim=1', 'box/one', 'box/two'), ['std.filter.lim']);
  assert.deepEqual(found('ty=4&lim=1', 'box/one'), ['std.filter.lim.partial']);
  assert.deepEqual(found('ty=4&ofst=2', 'box/one'), []);
  assert.deepEqual(found('ty=4&ofst=2', 'box/one', 'box/two'), ['std.filter.ofst']);
  assert.deepEqual(found('ty=4&cty=text', 'box'), []);
  assert.deepEqual(found('lbl=nowhere'), []);
});

test('where nothing meets the criteria, nothing is missing', () => {
  const { broken } = judge();
  broken(`POST ${box}`, one, content({}));
  const gone = { status: 404, code: 4004 };
  assert.deepEqual(broken(`GET ${box}?fu=1&ty=3`, absent, { body: { 'm2m:uril': [] } }), []);
  for (const invalid of ['cra=yesterday', 'ty=container'])
    assert.deepEqual(broken(`GET ${box}?fu=1&${invalid}`, absent, { status: 400, code: 4000 }), []);
  assert.deepEqual(broken(`GET ${box}?fu=1&ty=3`, absent, gone), ['std.discovery.none']);
});

test('a deletion that is to show what it deletes does', () => {
  const deleted = (body?: object) => {
    const { broken } = judge();
    broken(`POST ${box}`, one, content({}));
    return broken(`DELETE ${box}/one?rcn=1`, absent, { code: 2002, ...(body && { body }) });
  };
  assert.deepEqual(deleted({ 'm2m:cin': instance }), []);
  assert.deepEqual(deleted(), ['std.delete.rcn.1']);
});

test('a policy with several rules is taken, unless something else stands in them', () => {
  const acr = [
    { acor: ['Capp'], acop: 63 },
    { acor: ['Cother'], acop: 2 },
  ];
  const created = (pv: object) => {
    const pvs = { acr: acr.slice(0, 1) };
    return judge().broken('POST /cse-in/app', { 'm2m:acp': { rn: 'p', pv, pvs } }, { status: 400, code: 4000 });
  };
  assert.deepEqual(created({ acr }), ['std.policy.several-rules']);
  assert.deepEqual(created({ acr: [...acr, { acor: ['Cthird'], acop: 2, acco: [] }] }), []);
});

test('what is created is answered below the root of its type', () => {
  const created = (root: string) => judge().broken(`POST ${box}`, one, { status: 201, body: { [root]: instance } });
  assert.deepEqual(created('m2m:cin'), []);
  assert.deepEqual(created('m2m:contentInstance'), ['std.content-instance.create']);
});

test('without policies who created it may update it', () => {
  const refused = { status: 403, code: 4103 };
  const found = judge().broken(`PUT ${box}`, { 'm2m:cnt': { lbl: ['new'] } }, refused);
  assert.deepEqual(found, ['std.access.default.creator']);
  assert.deepEqual(judge().broken(`PUT ${box}`, { 'm2m:cnt': { acpi: ['acp0'] } }, refused), []);
  const { broken } = judge();
  broken(...group('g', 'cnt0'));
  // A member that cannot be read (TS-0004 7.4.13.2.2).
  assert.deepEqual(broken('PUT /cse-in/app/g', { 'm2m:grp': { mid: ['cnt0', 'cnt9'] } }, refused), []);
});

test('a read shows what the result content is that it asks for', () => {
  const shown = (query: string, body: object) => {
    const { broken } = judge();
    broken(`POST ${box}`, one, content({}));
    return broken(`GET ${box}?${query}`, absent, { body });
  };
  const grown = { ...container, cni: 1, cbs: 3, st: 1 };
  const child = { nm: 'one', typ: 4, val: 'cse-in/app/box/one' };
  const cnt = (more: object) => ({ 'm2m:cnt': more });
  assert.deepEqual(shown('rcn=1', cnt(grown)), []);
  assert.deepEqual(shown('rcn=1', cnt({ ...grown, ch: [child] })), ['std.retrieve.rcn.1.nothing-else']);
  assert.deepEqual(shown('rcn=4', cnt({ ...grown, 'm2m:cin': [instance] })), []);
  assert.deepEqual(shown('rcn=4', cnt(grown)), ['std.retrieve.rcn.4.children']);
  assert.deepEqual(shown('rcn=5', cnt({ ...grown, ch: [child] })), []);
  assert.deepEqual(shown('rcn=5', cnt({ ...grown, ch: [{ ...child, typ: 3 }] })), ['std.retrieve.rcn.5.children']);
  assert.deepEqual(shown('rcn=5', cnt({ ...grown, ch: [{ ...child, val: 'cin0' }] })), [
    'std.retrieve.references.structured',
  ]);
  assert.deepEqual(shown('rcn=4&ty=4', cnt({ ...grown, 'm2m:cin': [instance] })), []);
  assert.deepEqual(shown('rcn=4&ty=4', cnt(grown)), ['std.retrieve.filter.children']);
  assert.deepEqual(shown('rcn=6', { 'm2m:rrl': { rrf: [child] } }), []);
  assert.deepEqual(shown('rcn=6', { 'm2m:rrl': { rrf: [] } }), ['std.retrieve.rcn.6.children']);
  assert.deepEqual(shown('rcn=8', cnt({ 'm2m:cin': [instance] })), []);
  assert.deepEqual(shown('rcn=8', cnt({ ct: times.ct, 'm2m:cin': [instance] })), ['std.retrieve.rcn.8.nothing-else']);
  assert.deepEqual(shown('atrl=ty', cnt({ ty: 3 })), []);
  assert.deepEqual(shown('atrl=ty', cnt({ rn: 'box' })), ['std.partial.one', 'std.partial.nothing-else']);
});
