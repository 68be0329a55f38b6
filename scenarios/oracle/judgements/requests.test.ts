import assert from 'node:assert/strict';
import { test } from 'node:test';
import { absent, box, group, instance, judge, one, type Step } from '../testing/standard.ts';

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
