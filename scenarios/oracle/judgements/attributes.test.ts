/** What a representation has to show, by the tables of the types, and what they leave open. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attributeTables, isKept } from '../observation/attribute-tables.ts';
import {
  absent,
  application,
  box,
  container,
  containerWith,
  content,
  exchange,
  judge,
  one,
  type StandardAnswer,
  type Step,
  times,
} from '../testing/standard.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A resource below the application entity, with what else of it is shown. */
function made(root: string, ty: number, given: Fields, more: Fields = {}) {
  const shown = { ...times, ri: `${given.rn}0`, ty, pi: 'Capp', ...given, ...more };
  const told = (changed: Fields = {}): StandardAnswer => ({ body: { [root]: { ...shown, ...changed } } });
  const path = `/cse-in/app/${given.rn}`;
  return {
    created: ['POST /cse-in/app', { [root]: given }, told()] as Step,
    createdAs: (changed: Fields): Step => ['POST /cse-in/app', { [root]: given }, told(changed)],
    read: (changed: Fields = {}): Step => [`GET ${path}`, absent, told(changed)],
    update: (own: Fields, changed: Fields = own): Step => [`PUT ${path}`, { [root]: own }, told(changed)],
  };
}

const sub = made('m2m:sub', 23, { rn: 's', nu: ['Capp'] });
const grp = made('m2m:grp', 9, { rn: 'g', mnm: 9, mid: ['cnt0'] }, { mt: 0, cnm: 1 });
const mixed = made('m2m:grp', 9, { rn: 'g', mnm: 9, mid: ['cnt0', 'cnt1'], mt: 3 }, { cnm: 2 });
const lamp = made('cod:lamp', 28, { rn: 'lamp', cnd: 'org.lamp', on: true }, { cs: 1, st: 0 });
const series = made('m2m:ts', 29, { rn: 't', pei: 10 }, { cni: 0, cbs: 0 });
const counting = made('m2m:sub', 23, { rn: 's', nu: ['Capp'], exc: 9 });
const limited = made('m2m:cnt', 3, { rn: 'in', mni: 9 }, { cni: 0, cbs: 0, st: 0 });
const base = { ct: times.ct, lt: times.lt, ri: 'cb0', rn: 'cse-in', ty: 5, csi: '/id-in', srt: [2] };
const cse = (more: Fields = {}): Step => ['GET /cse-in', absent, { body: { 'm2m:cb': { ...base, ...more } } }];
const relabel: Step = [`PUT ${box}`, { 'm2m:cnt': { lbl: ['c'] } }, containerWith({ lbl: ['c'], st: 1 })];
const timed = (fraction: string, more: Fields = {}): StandardAnswer =>
  containerWith({ lt: `20261122T100000,${fraction}`, st: 1, lbl: ['c'], ...more });
const readAt = (...time: Parameters<typeof timed>): Step => [`GET ${box}`, absent, timed(...time)];
const again = (fraction: string, st = 1): Step => [relabel[0], relabel[1], timed(fraction, { st })];
const put = (attributes: Fields): Step => [
  `PUT ${box}`,
  { 'm2m:cnt': attributes },
  containerWith({ ...attributes, st: 1 }),
];

const wrong: ReadonlyArray<readonly [requirement: string, before: readonly Step[], ...wrong: Step]> = [
  ['std.every.attribute.stays', [cse()], ...cse({ rn: 'other' })],
  ['std.every.attribute.stays', [], ...cse({ rn: 'other' })],
  ['std.every.attribute.always', [], ...cse({ ty: 3 })],
  ['std.every.attribute.stays', [cse()], ...cse({ csi: '/other' })],
  ['std.every.attribute.always', [], ...cse({ csi: absent })],
  ['std.every.members.counted', [], ...grp.createdAs({ cnm: 2 })],
  ['std.every.members.counted', [grp.created], ...grp.read({ cnm: 0 })],
  ['std.every.attribute.given', [grp.created], ...grp.read({ mid: ['cnt1'] })],
  ['std.group.kept', [grp.created], ...grp.read({ mnm: 8 })],
  ['std.every.attribute.always', [grp.created], ...grp.read({ mt: absent })],
  ['std.every.attribute.updated', [sub.created], ...sub.update({ nu: ['Cother'] }, {})],
  ['std.every.attribute.given', [sub.created], ...sub.update({ pn: 1 }, { pn: 1, nu: ['Cother'] })],
  ['std.every.attribute.always', [series.created], ...series.read({ cni: absent })],
  ['std.every.attribute.given', [series.created], ...series.read({ pei: 11 })],
  ['std.every.attribute.given', [lamp.created], ...lamp.read({ on: false })],
  ['std.every.attribute.given', [lamp.created], ...lamp.read({ cnd: 'org.other' })],
  ['std.every.attribute.absent', [lamp.created], ...lamp.read({ dim: 3, or: 'http://o' })],
  ['std.every.attribute.stays', [lamp.created, lamp.read()], ...lamp.read({ cs: 2 })],
  ['std.every.state-tag', [lamp.created], ...lamp.read({ st: 1 })],
  ['std.every.state-tag', [relabel], `GET ${box}`, absent, containerWith({ lbl: ['c'], st: 2 })],
  ['std.every.state-tag', [], `PUT ${box}`, { 'm2m:cnt': { lbl: ['c'] } }, containerWith({ lbl: ['c'] })],
  ['std.flex-container.st.zero', [], ...lamp.createdAs({ st: 1 })],
  ['std.every.attribute.updated', [counting.created], ...counting.update({ exc: 500 }, { exc: 501 })],
  ['std.every.attribute.updated', [counting.created], ...counting.update({ exc: 500 }, { exc: 483 })],
  ['std.every.attribute.given', [limited.created], ...limited.read({ mni: 'many' })],
  ['std.create.lt', [], ...sub.createdAs({ lt: '20261122T100001' })],
  ['std.update.remove.gone', [put({ lbl: null })], `GET ${box}`, absent, containerWith({ st: 1, lbl: ['z'] })],
  ['std.every.modified', [again('000123'), readAt('000123')], ...again('000123', 2)],
  [
    'std.every.modified',
    [again('000123'), readAt('000123'), [`PUT ${box}`, { 'm2m:cnt': { lbl: ['d'] } }]],
    ...readAt('000123', { lbl: ['d'], st: 2 }),
  ],
];

/** What an exchange breaks first: what follows from a value that is wrong is another matter. */
for (const [requirement, before, line, sent, told] of wrong)
  test(`${line} answered ${JSON.stringify(told?.body)} breaks ${requirement}${before.length > 0 ? `, after ${before[0]?.[0]}` : ''}`, () => {
    const { broken } = judge();
    for (const step of before) broken(...step);
    const found = broken(line, sent, told);
    assert.ok(found.includes(requirement), found.join(' '));
  });

const open: ReadonlyArray<readonly [why: string, before: readonly Step[], ...Step]> = [
  [
    'an update makes it bigger',
    [lamp.created, lamp.read()],
    ...lamp.update({ on: false }, { on: false, cs: 2, st: 1 }),
  ],
  ['a CSE base learns of other types', [cse({ lbl: ['x'] })], ...cse({ lbl: ['x'], cbl: 1 })],
  ['what the CSE base shows later is not known before', [cse()], ...cse({ spi: 'sp' })],
  ['a group of several types keeps whom it will', [mixed.created], ...mixed.read({ mid: ['cnt0'], cnm: 1 })],
  [
    'an update of a group may have other members',
    [grp.created],
    ...grp.update({ mid: ['cnt0', 'x/cnt0'] }, { mid: ['cnt0'] }),
  ],
  ['a limit may be set otherwise', [limited.createdAs({ mni: 8 })], ...limited.read({ mni: 8 })],
  ['an attribute that must be there is not removed', [sub.created], ...sub.update({ nu: null }, { nu: ['Capp'] })],
  ['a flexible container may not be without', [lamp.created], ...lamp.update({ on: null }, { on: false, st: 1 })],
  [
    'an empty list may be none',
    [[`PUT ${box}`, { 'm2m:cnt': { lbl: [] } }, containerWith({ st: 1, lbl: absent })]],
    `GET ${box}`,
    absent,
    containerWith({ st: 1, lbl: absent }),
  ],
  ['a period follows another attribute', [series.created, series.read({ peid: 5 })], ...series.read({ peid: 6 })],
  ['so does a time to detect', [series.created, series.read({ mdt: 5 })], ...series.read({ mdt: 6 })],
  [
    'reads are counted down',
    [[`POST ${box}`, { 'm2m:cin': { ...one['m2m:cin'], dcnt: 3 } }, content({ dcnt: 3 })]],
    `GET ${box}/one`,
    absent,
    content({ dcnt: 2 }),
  ],
  [
    'content that is a number may come back as text',
    [],
    `POST ${box}`,
    { 'm2m:cin': { rn: 'one', con: 7 } },
    content({ con: '7', cnf: absent, cs: 1 }),
  ],
  [
    'what holds a reference in braces is no name',
    [put({ or: '${x}' })],
    `GET ${box}`,
    absent,
    containerWith({ or: 'y', st: 1 }),
  ],
  ['notifications are counted down', [counting.created], ...counting.update({ exc: 500 }, { exc: 484 })],
  [
    'an application entity comes and goes',
    [['GET /cse-in/app', absent, { body: {} }]],
    'GET /cse-in/app',
    absent,
    { body: {} },
  ],
  ['a time that tells milliseconds may be the same', [again('123'), readAt('123')], ...again('123', 2)],
  ['a time that ends in zeros may be cut', [again('123000'), readAt('123000')], ...again('123000', 2)],
  ['the state tag of an instance may be that of before', [], `POST ${box}`, one, content({ st: 0 })],
];

for (const [why, before, line, sent, told] of open)
  test(`nothing fails if ${why}`, () => {
    const { broken } = judge();
    for (const step of before) broken(...step);
    assert.deepEqual(broken(line, sent, told), []);
  });

const node = made('m2m:nod', 14, { rn: 'dev', ni: '7' });
test('attributes that are set once stay as returned', () => {
  for (const name of ['ri', 'pi', 'rn', 'ct', 'aei', 'cs', 'cr', 'csi', 'cnd', 'mgd', 'cnf']) {
    const { broken } = judge();
    broken(...node.createdAs({ [name]: name === 'rn' ? 'dev' : 'one' }));
    assert.ok(broken(...node.read({ [name]: 'two' })).includes('std.every.attribute.stays'), name);
  }
  for (const name of ['ri', 'pi', 'ct', 'csi', 'cst', 'csz', 'ici', 'lbl', 'poa', 'spi', 'srt', 'srv']) {
    const { broken } = judge();
    broken(...cse({ [name]: ['one'] }));
    assert.ok(broken(...cse({ [name]: ['two'] })).includes('std.every.attribute.stays'), name);
  }
});

const restless = [
  made('m2m:nod', 14, { rn: 'a', ni: '7' }),
  made('m2m:pch', 15, { rn: 'b' }),
  made('m2m:csr', 16, { rn: 'c', cb: '/o/b', csi: 'Capp', rr: false }),
  made('m2m:sub', 23, { rn: 'd', nu: ['Capp'] }),
  made('m2m:ts', 29, { rn: 'e' }, { cni: 0, cbs: 0 }),
];
test('events elsewhere may modify a resource without an update', () => {
  const later = { lt: '20261122T100001' };
  for (const { created, read } of restless) {
    const { broken } = judge();
    for (const step of [created, read()]) broken(...step);
    assert.deepEqual(broken(...read(later)), [], created[0] + JSON.stringify(created[1]));
  }
  const { broken } = judge();
  assert.deepEqual(broken('GET /cse-in/app', absent, application({})), []);
  assert.deepEqual(broken('GET /cse-in/app', absent, application(later)), []);
});

test('a wrong value is reported once, and is no evidence for anything else', () => {
  const { broken } = judge();
  broken(...sub.created);
  assert.deepEqual(broken(...sub.read({ nu: ['Cother'] })), ['std.every.attribute.given']);
  assert.deepEqual(broken(...sub.read({ nu: ['Cother'] })), []);
});

test('a resource changed by others since the last retrieve may have another lt', () => {
  const { broken, judging } = judge();
  broken(`GET ${box}`, absent, containerWith({}));
  judging.doubtAll();
  const told = exchange(`GET ${box}`, absent, { body: { 'm2m:cnt': { ...container, lt: '20261122T100001' } } });
  assert.deepEqual(judging.judge(told), []);
});

const management = [
  ...['firmware', 'software', 'memory', 'area-network-info', 'area-network-device-info', 'battery'],
  ...['device-info', 'device-capability', 'reboot', 'event-log'],
];
/** Of each type: what no update may give (TS-0004 7.4, request NP), what one may, and what is always there (multiplicity 1). */
const tables: ReadonlyArray<readonly [type: string, fixed: string, changed: string, always: string]> = [
  ...management.map((type) => [type, 'mgd obis obps mgs', 'dc cmlk lbl', 'mgd ri pi et'] as const),
  ['device-info', 'hwv cnty', 'dlb man mod', 'mgd'],
  ['ae', 'api', 'apn rr poa acpi', 'aei api rr'],
  ['content-instance', 'con cnf or dcnt lbl', '', 'cs st'],
  ['time-series-instance', 'dgt con snr lbl', '', 'dgt con cs'],
  ['group', 'csy spty', 'mnm mid macp gn', 'mt cnm mnm mid'],
  ['remote-cse', 'cb csi cst', 'poa rr nl', 'cb csi rr'],
  ['subscription', 'psn su', 'enc exc nu nct nec', 'nu'],
  ['time-series', 'cnf', 'or pei mdd', 'cni cbs'],
  ['flex-container', 'cnd', 'or nl on', 'cnd cs st'],
  ['policy', '', 'pv pvs', 'pv pvs'],
  ['node', '', 'ni hcl hsl', 'ni'],
  ['polling-channel', '', 'rqag', 'ri'],
];
for (const [type, fixed, changed, always] of tables)
  test(`an update of a ${type} leaves ${fixed || 'nothing'} unchanged`, () => {
    const words = (text: string) => text.split(' ').filter(Boolean);
    for (const name of words(fixed))
      assert.deepEqual([isKept(type, name), isKept(type, name, true)], [true, false], name);
    for (const name of words(changed)) assert.ok(isKept(type, name, true), name);
    for (const name of words(always)) assert.ok(attributeTables.get(type)?.always.includes(name), name);
  });

test('each resource has the common attributes, and all but the CSE base et and pi', () => {
  for (const [type, { kept, always }] of attributeTables) {
    for (const name of ['ri', 'rn', 'ty', 'ct', 'lt']) assert.ok(always.includes(name), `${type} ${name}`);
    for (const name of ['pi', 'et']) assert.equal(always.includes(name), type !== 'base', `${type} ${name}`);
    assert.ok(kept.has('lbl'), type);
  }
  for (const name of ['acpi', 'daci', 'cstn']) assert.ok(isKept('container', name) && !isKept('base', name), name);
});

test('acpi of policies, instances and polling channels is not expected, and nothing of unknown types', () => {
  for (const type of ['policy', 'content-instance', 'time-series-instance', 'polling-channel'])
    assert.ok(!isKept(type, 'acpi'), type);
  assert.ok(!isKept('xyz', 'lbl') && !isKept('container', 'et') && !isKept('flex-container', 'mni'));
});
