import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  absent,
  box,
  container,
  containerWith,
  content,
  exchange,
  grown,
  judge,
  one,
  type StandardAnswer,
  type Step,
} from '../testing/standard.ts';

test('a discovery finds what certainly matches its criteria, and nothing that certainly does not', () => {
  const listing = (...names: readonly string[]): StandardAnswer => ({
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
  assert.deepEqual(found('cra=20261122T100000,999999', 'box'), []);
  assert.deepEqual(found('cra=20261122T100001', 'box'), ['std.filter.cra']);
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

const inner = { ...container, ri: 'cnt2', rn: 'in', pi: 'cnt0', lbl: absent };
const limited = (limits: object): Step => [
  `POST ${box}`,
  { 'm2m:cnt': { rn: 'in', ...limits } },
  { body: { 'm2m:cnt': { ...inner, ...limits } } },
];
const stored = (rn: string): Step => [
  `POST ${box}/in`,
  { 'm2m:cin': { rn, con: 'x' } },
  content({ rn, ri: `cin-${rn}`, pi: 'cnt2', con: 'x', cs: 1, cnf: absent }),
];
/** One of two instances of a container for one has gone. */
const crowded = [limited({ mni: 1 }), stored('first'), stored('second')];
const within = [limited({}), stored('deep')];
/** Whoever asks need not find what another has created. */
const anothers: Step = [`POST ${box}`, { 'm2m:cin': { rn: 'x', con: 'x' } }, { from: 'Cother' }];
const relabelled: Step = [
  `PUT ${box}`,
  { 'm2m:cnt': { lbl: ['c'] } },
  containerWith({ lbl: ['c'], cni: 2, cbs: 9, st: 3 }),
];
const shownWrong = (more: object): Step => [`GET ${box}`, absent, containerWith({ cni: 2, cbs: 9, st: 2, ...more })];
/** Of an application entity with a container that has the labels a and b, and holds instances of 3 and of 6 bytes. */
const discoveries: ReadonlyArray<
  readonly [query: string, listed: readonly string[], requirement?: string | undefined, ...before: readonly Step[]]
> = [
  ['ty=3&ty=4', ['box', 'box/one', 'box/two']],
  ['ty=3&ty=4', ['box', 'box/one'], 'std.filter.ty.several'],
  ['sza=3', ['box/two'], 'std.filter.sza'],
  ['sza=4', ['box/one', 'box/two'], 'std.filter.sza'],
  ['sza=4', ['box/two']],
  ['szb=6', ['box/one', 'box/two'], 'std.filter.szb'],
  ['szb=7', ['box/one'], 'std.filter.szb'],
  ['sza=4&szb=7', [], 'std.filter.and'],
  ['ty=4&sza=4&szb=7', [], 'std.filter.and'],
  ['ty=4&lbl=a&fo=2', ['box', 'box/one', 'box/two']],
  ['ty=4&lbl=a&fo=2', ['box/one', 'box/two'], 'std.filter.or'],
  ['ty=3&sza=4&fo=2', ['box', 'box/one', 'box/two'], 'std.filter.or'],
  // How big a container is, nobody says.
  ['lbl=a&sza=0', []],
  ['lbl=a&sza=0', ['box']],
  ['lbl=x&sza=0', ['box'], 'std.filter.and'],
  ['lbl=x&sza=9&fo=2', ['box']],
  ['lvl=1', ['box']],
  ['lvl=1', [], 'std.filter.lvl'],
  ['lvl=2', ['box'], 'std.filter.lvl'],
  ['lim=2&ty=4', ['box/one', 'box/two']],
  ['lim=1&ty=4', []],
  ['ofst=1&ty=4', ['box/one', 'box/two']],
  ['ofst=1&ty=4', ['box/two']],
  ['ofst=1&ty=4', [], 'std.filter.ofst'],
  ['ofst=2&ty=4', []],
  ['cra=20261122T095959', [], 'std.filter.cra'],
  ['crb=20261122T100001', [], 'std.filter.crb'],
  ['crb=20261122T100000,500000', ['box']],
  ['crb=20261122T100000,500000', []],
  ['drt=2&ty=3', [], 'std.discovery.unstructured'],
  ['drt=1&ty=3', [], 'std.filter.ty'],
  // What an update gave counts, and what nobody knows does not.
  ['lbl=c', [], 'std.discovery.label', relabelled],
  ['lbl=a', ['box'], 'std.discovery.label', relabelled],
  ['lbl=c', [], undefined, [`PUT ${box}`, { 'm2m:cnt': { lbl: ['c'] } }, { status: 500, code: 5003 }]],
  ['lbl=a', ['box'], 'std.discovery.label', [`PUT ${box}`, { 'm2m:cnt': { lbl: null } }]],
  ['lbl=a', [], undefined, shownWrong({ lbl: ['x'] })],
  ['cra=20261122T090000', ['box/one', 'box/two'], undefined, shownWrong({ ct: 'yesterday' })],
  ['lbl=a', [], undefined, [`DELETE ${box}`, absent, { status: 404, code: 4004 }]],
  ['ty=4', ['box/one', 'box/two'], undefined, anothers],
  ['ty=4', ['box/one', 'box/two'], undefined, ...crowded],
  ['ty=4', ['box/one'], 'std.filter.ty', ...crowded],
  ['lvl=3&ty=4', ['box/one', 'box/two'], 'std.filter.lvl', ...within],
  ['lvl=2&ty=4', ['box/one', 'box/two'], undefined, ...within],
  // What has another reading, or none.
  ...[
    ...[
      'cra=20261122T090000&cra=20261122T090000',
      'cra=2026',
      'lbl=',
      'lbl=a*',
      'lbl=a&fo=3',
      'lbl=a&drt=3',
      'ty=three',
    ],
    ...['cra=20270101T000000', 'crb=20270101T000000', 'sza=3', 'szb=3'].map((one) => `ty=3&${one}&${one}&fo=2`),
    ...['sza=3&szb=x', 'lbl=a&drt=1&drt=1'],
    ...['lbl=a&lvl=1&lvl=1', 'lbl=a&lim=1&lim=1', 'ty=4&ofst=1&ofst=2', 'ty=4&fu=1', 'lbl=a+b', 'lbl=a&lvl=x'],
    ...['lbl=a&lvl=0', 'lbl=a&lvl=100', 'lbl=a&lim=0', 'lbl=a&ofst=0', 'lbl=a&rcn=1', 'lbl=a&fo=1&fo=2', 'lbl=a&fu=2'],
  ].map((query) => [query, []] as const),
];

for (const [query, listed, requirement, ...before] of discoveries)
  test(`a discovery by ${query} that lists ${listed} breaks ${requirement ?? 'nothing'}${before.length > 0 ? ` after ${before[0]}` : ''}`, () => {
    const { broken } = judge();
    const two = { rn: 'two', ri: 'cin9', con: 'abcdef', cs: 6, cnf: absent };
    broken(`POST ${box}`, one, content({}));
    broken(`POST ${box}`, { 'm2m:cin': { rn: 'two', con: 'abcdef' } }, content(two));
    for (const step of before) broken(...step);
    const told = { body: { 'm2m:uril': listed.map((name) => `cse-in/app/${name}`) } };
    const found = broken(`GET /cse-in/app?fu=1&${query}`, absent, told);
    assert.deepEqual(
      found.filter((one) => one !== 'std.filter.lim.partial'),
      requirement === undefined ? [] : [requirement],
    );
  });

test('a truncated list is marked as partial, and may lack resources', () => {
  const found = (query: string, status: string | undefined, ...names: readonly string[]) => {
    const { broken, judging } = judge();
    broken(...grown);
    broken(`POST ${box}`, { 'm2m:cin': { rn: 'two', con: 'x' } }, content({ rn: 'two', ri: 'cin9', con: 'x', cs: 1 }));
    const listed = exchange(`GET /cse-in/app?fu=1&${query}`, absent, { body: { 'm2m:uril': names } });
    const headers = [...(listed.answer?.headers ?? []), ...(status ? [['X-M2M-CTS', status] as const] : [])];
    const answer = { status: 200, body: '', ...listed.answer, headers };
    return judging.judge({ ...listed, answer }).map(({ requirement }) => requirement);
  };
  assert.deepEqual(found('ty=4', '1', 'cse-in/app/box/one'), []);
  assert.deepEqual(found('ty=4', absent, 'cse-in/app/box/one'), ['std.filter.ty']);
  assert.deepEqual(found('ty=4', '1', 'cse-in/app/box'), ['std.filter.ty']);
  assert.deepEqual(found('ty=4&ofst=1', '1', 'cse-in/app/box/one'), []);
  assert.deepEqual(found('ty=4&lim=1', '1', 'cse-in/app/box/one'), []);
  assert.deepEqual(found('ty=4&lim=2', absent, 'cse-in/app/box/one', 'cse-in/app/box/two'), []);
  assert.deepEqual(found('drt=2&ty=3', absent, 'cnt0'), []);
  assert.deepEqual(found('drt=2&ty=3', absent, '/id-in/cnt0'), []);
});

test('if nothing matches the criteria, nothing is missing', () => {
  const { broken } = judge();
  broken(`POST ${box}`, one, content({}));
  const gone = { status: 404, code: 4004 };
  assert.deepEqual(broken(`GET ${box}?fu=1&ty=3`, absent, { body: { 'm2m:uril': [] } }), []);
  for (const invalid of ['cra=yesterday', 'ty=container'])
    assert.deepEqual(broken(`GET ${box}?fu=1&${invalid}`, absent, { status: 400, code: 4000 }), []);
  assert.deepEqual(broken(`GET ${box}?fu=1&ty=4`, absent, gone), []);
  assert.deepEqual(broken('GET /cse-in/app/none?fu=1&ty=3', absent, gone), []);
  assert.deepEqual(judge().broken(`GET ${box}?fu=1&ty=3`, absent, gone), []);
  broken(`POST ${box}`, { 'm2m:cin': { rn: 'two', con: 'x' } });
  broken(`DELETE ${box}/two`, absent, gone);
  // It may be there, and so may be what is asked for.
  assert.deepEqual(broken(`GET ${box}?fu=1&ty=3`, absent, gone), []);
  const other = judge().broken;
  other(`POST ${box}`, one, content({}));
  other(`POST ${box}`, { 'm2m:cin': { rn: 'two', con: 'x' } }, content({ rn: 'two', ri: 'cin9', con: 'x', cs: 1 }));
  other(`DELETE ${box}/two`);
  assert.deepEqual(other(`GET ${box}?fu=1&ty=3`, absent, gone), ['std.discovery.none']);
});

test('a resource with its own policy, and its descendants, need not be found', () => {
  const governed = limited({ acpi: ['acp0'] });
  const updated: Step = [`PUT ${box}/in`, { 'm2m:cnt': { acpi: ['acp0'] } }];
  const found = (...before: readonly Step[]) => {
    const { broken } = judge();
    for (const step of before) broken(...step);
    return broken('GET /cse-in/app?fu=1', absent, { body: { 'm2m:uril': ['cse-in/app/box'] } });
  };
  assert.deepEqual(found(limited({})), ['std.discovery.all']);
  for (const before of [[governed], [limited({}), updated]]) {
    assert.deepEqual(found(...before), []);
    assert.deepEqual(found(...before, stored('one')), []);
  }
});
