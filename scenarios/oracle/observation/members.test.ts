import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  absent,
  agreeing,
  besideBox,
  bin,
  box,
  container,
  containerWith,
  content,
  group,
  judge,
  one,
  refused,
  relabelled,
  type Step,
  times,
  toAll,
} from '../testing/standard.ts';

/** A request to the members of a group leaves the others as they are. */
const reached: ReadonlyArray<readonly [what: string, before: readonly Step[]]> = [
  ['names', [group('g', 'cse-in/app/bin'), toAll]],
  ['the identifier of the CSE and names', [group('g', '/id-in/cse-in/app/bin'), toAll]],
  ['absolute names', [group('g', '//sp.example.com/id-in/cse-in/app/bin'), toAll]],
  ['identifiers', [group('g', 'cnt1'), toAll]],
  ['what an update gave', [group('g', 'cnt0'), ['PUT /cse-in/app/g', { 'm2m:grp': { mid: ['cnt1'] } }], toAll]],
  ['what stands below', [group('g', 'cnt1'), ['DELETE /cse-in/app/g/fopt/inner', absent, { status: 404, code: 4004 }]]],
];

for (const [what, before] of reached) {
  test(`a fan-out leaves other resources certain, with members by ${what}`, () => {
    const { broken } = judge();
    for (const step of [besideBox, ...before]) assert.deepEqual(broken(...step), []);
    assert.deepEqual(broken('GET /cse-in/app/bin', absent, { body: { 'm2m:cnt': { ...bin, lbl: ['all'] } } }), []);
    assert.deepEqual(broken(`GET ${box}`, absent, containerWith({ lbl: ['all'] })), ['std.container.optional']);
  });
}

const outer: Step = group('g', 'cnt1', 'cse-in/app/h');

/** Nobody can tell whom it reached. */
const unreached: ReadonlyArray<readonly [why: string, before: readonly Step[]]> = [
  ['it is a member', [group('g', 'cnt1', 'cnt0'), toAll]],
  ['what it stands below is a member', [group('g', 'Capp'), toAll]],
  ['one of the members is not known', [group('g', 'cnt1', 'cnt7'), toAll]],
  ['a member is at another CSE', [group('g', 'cnt1', '/other/cse-in/app/box'), toAll]],
  ['a member is a group', [group('h', 'cnt0'), outer, toAll]],
  ['a member stands for those of another group', [group('h', 'cnt0'), group('g', 'cse-in/app/h/fopt'), toAll]],
  ['one group after another is addressed', [group('g', 'cnt1'), ['PUT /cse-in/app/g/fopt/h/fopt', relabelled]]],
  ['the group may be another one', [group('g', 'cnt1'), ['DELETE /cse-in/app/g', absent, refused], toAll]],
  ['it may be done later', [group('g', 'cnt1'), [toAll[0], relabelled, { status: 202, code: 1001 }]]],
  [
    'an update of the group may have failed',
    [group('g', 'cnt1'), ['PUT /cse-in/app/g', { 'm2m:grp': { mid: ['cnt0'] } }, { status: 500, code: 5000 }], toAll],
  ],
  [
    'what an update gave is no list',
    [
      group('h', 'cnt1'),
      group('g', 'cnt1'),
      ['PUT /cse-in/app/h', { 'm2m:grp': { mid: 'cnt0' } }],
      ['PUT /cse-in/app/h/fopt', relabelled],
    ],
  ],
];

for (const [why, before] of unreached) {
  test(`nothing is certain after a fan-out if ${why}`, () => {
    const { broken } = judge();
    for (const step of [besideBox, ...before]) broken(...step);
    assert.deepEqual(broken(`GET ${box}`, absent, containerWith({ lbl: ['all'] })), []);
  });
}

test('a fan-out may end sibling subscriptions of the members', () => {
  const { broken } = judge();
  const watching: Step = ['POST /cse-in/app', { 'm2m:sub': { rn: 's', nu: ['Capp'], enc: { net: [4] }, exc: 1 } }];
  for (const step of [besideBox, watching, group('g', 'cnt1'), ['DELETE /cse-in/app/g/fopt'] as const]) broken(...step);
  assert.deepEqual(broken('GET /cse-in/app/s', absent, refused), []);
});

test('a fan-out may have created or deleted siblings of the members', () => {
  const { broken } = judge();
  for (const step of [besideBox, group('g', 'cnt1'), toAll]) broken(...step);
  assert.deepEqual(broken('GET /cse-in/app?fu=1', absent, { body: { 'm2m:uril': [] } }), []);
});

test('the success that each member reported counts', () => {
  const { broken } = judge();
  broken(...group('g', 'cnt0'));
  broken('POST /cse-in/app/g/fopt', one, agreeing({ rsc: 2001 }));
  assert.deepEqual(broken(`GET ${box}/la`, absent, content({})), []);
  assert.deepEqual(broken(`GET ${box}/la`, absent, content({ con: 'other' })), ['std.fan-out.create.done']);
});

const fopt = '/cse-in/app/g/fopt';
const bothGone = agreeing({ rsc: 2002 }, { rsc: 4004 });
const spread: ReadonlyArray<readonly [requirement: string | undefined, ...Step]> = [
  [undefined, `GET ${fopt}`, absent, agreeing({ rsc: 2000, pc: { 'm2m:cnt': bin } }, { rsc: 2000, pc: box0() })],
  ['std.fan-out.retrieve', `GET ${fopt}`, absent, agreeing({ rsc: 2000, pc: { 'm2m:cnt': bin } })],
  [
    'std.fan-out.retrieve.content',
    `GET ${fopt}`,
    absent,
    agreeing({ rsc: 2000, pc: box0() }, { rsc: 2000, pc: box0() }),
  ],
  ['std.fan-out.update.each', `PUT ${fopt}`, relabelled, agreeing({ rsc: 2004 }, { rsc: 4103 })],
  ['std.fan-out.delete.each', `DELETE ${fopt}`, absent, bothGone],
  // Nobody knows whether what is given is taken, or what a query makes of it.
  [undefined, `PUT ${fopt}`, { 'm2m:cnt': { mni: 3 } }, agreeing({ rsc: 4000 }, { rsc: 4000 })],
  [undefined, `GET ${fopt}?rcn=4`, absent, agreeing({ rsc: 4000 })],
  [undefined, `GET ${fopt}/la`, absent, agreeing({ rsc: 4004 }, { rsc: 4004 })],
];

function box0(): object {
  return { 'm2m:cnt': container };
}

for (const [requirement, line, sent, told] of spread) {
  test(`in a fan-out ${line} breaks ${requirement ?? 'nothing'}`, () => {
    const { broken } = judge();
    for (const step of [besideBox, group('g', 'cnt0', 'cnt1')]) broken(...step);
    assert.deepEqual(broken(line, sent, told), requirement === undefined ? [] : [requirement]);
  });
}

test('names after the identifier of a group are implementation-defined', () => {
  const { broken } = judge();
  broken(...besideBox);
  const given = { rn: 'g', mnm: 9, mid: ['cnt0', 'cnt1'] };
  const shown = {
    body: { 'm2m:grp': { ...times, ...given, ri: 'grp0', ty: 9, pi: 'Capp', mt: 3, cnm: 2, mtv: true } },
  };
  broken('POST /cse-in/app', { 'm2m:grp': given }, shown);
  broken('GET /cse-in/app/g', absent, shown);
  assert.deepEqual(broken('GET /grp0/fopt', absent, shown), []);
  assert.deepEqual(broken(`GET ${fopt}`, absent, shown), ['std.fan-out.retrieve']);
});

test('a deleted member, or a descendant of another, may respond differently', () => {
  const { broken } = judge();
  for (const step of [besideBox, group('g', 'cnt0', 'cnt1')]) broken(...step);
  broken('DELETE /cse-in/app/bin');
  assert.deepEqual(broken(`DELETE ${fopt}`, absent, bothGone), []);
});

test('a member recreated, or created after the group, need not be a member', () => {
  const only = agreeing({ rsc: 2000, pc: box0() });
  const { broken } = judge();
  for (const step of [besideBox, group('g', 'cse-in/app/box', 'cse-in/app/bin')]) broken(...step);
  broken('DELETE /cse-in/app/bin');
  broken(...besideBox);
  assert.deepEqual(broken(`GET ${fopt}`, absent, only), []);
  const other = judge().broken;
  for (const step of [group('g', 'cse-in/app/box', 'cse-in/app/bin'), besideBox]) other(...step);
  assert.deepEqual(other(`GET ${fopt}`, absent, only), []);
});
