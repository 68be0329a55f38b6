/** What a request to all members of a group is answered with, where each of them certainly does it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  absent,
  agreeing,
  besideBox,
  box,
  container,
  group,
  grown,
  instance,
  judge,
  one,
  refused,
  relabelled,
  type Step,
} from '../testing/standard.ts';

const fopt = '/cse-in/app/g/fopt';
const both = group('g', 'cnt0', 'cnt1');
const done = (rsc: number, count = 2) => agreeing(...Array.from({ length: count }, () => ({ rsc })));
const shown = (root: string, ...names: readonly string[]) =>
  agreeing(...names.map((rn) => ({ rsc: 2000, pc: { [root]: { rn } } })));
const { rn: _, ...nameless } = one['m2m:cin'];
const create = { 'm2m:cin': nameless };
const other = { ...instance, rn: 'other', ri: 'cin9', pi: 'cnt1' };
const inBin: Step = [
  'POST /cse-in/app/bin',
  { 'm2m:cin': { ...one['m2m:cin'], rn: 'other' } },
  { body: { 'm2m:cin': other } },
];

const wrong: ReadonlyArray<readonly [requirement: string, before: readonly Step[], ...Step]> = [
  ['std.fan-out.retrieve', [both], `GET ${fopt}`, absent, done(2000, 1)],
  ['std.fan-out.update', [both], `PUT ${fopt}`, relabelled, done(2004, 1)],
  ['std.fan-out.update', [both], `PUT ${fopt}`, relabelled, { ...done(2004), code: 2001 }],
  ['std.fan-out.update.each', [both], `PUT ${fopt}`, relabelled, done(2000)],
  ['std.fan-out.delete', [both], `DELETE ${fopt}`, absent, done(2002, 3)],
  ['std.fan-out.delete.each', [both], `DELETE ${fopt}`, absent, done(2000)],
  ['std.fan-out.create', [grown, both], `POST ${fopt}`, create, done(2001, 1)],
  ['std.fan-out.create.each', [grown, both], `POST ${fopt}`, create, done(4000)],
  ['std.fan-out.virtual', [grown, inBin, both], `GET ${fopt}/la`, absent, shown('m2m:cin', 'one')],
  ['std.fan-out.virtual.content', [grown, inBin, both], `GET ${fopt}/la`, absent, shown('m2m:cin', 'one', 'one')],
  ['std.fan-out.retrieve.content', [both], `GET ${fopt}`, absent, shown('m2m:cnt', 'box', 'one')],
];

for (const [requirement, before, line, sent, told] of wrong)
  test(`${line} answered ${JSON.stringify(told)} breaks ${requirement}`, () => {
    const { broken } = judge();
    for (const step of [besideBox, ...before]) broken(...step);
    const found = broken(line, sent, told);
    assert.ok(found.includes(requirement), found.join(' '));
  });

const label = (lbl: unknown, more: object = {}) => ({ 'm2m:cnt': { lbl, ...more } });
const guarded = { rn: 'g', mnm: 9, mid: ['cnt0', 'cnt1'], macp: ['acp0'] };
const within: Step = [
  `POST ${box}`,
  { 'm2m:cnt': { rn: 'in' } },
  { body: { 'm2m:cnt': { ...container, ri: 'cnt2', rn: 'in', pi: 'cnt0', lbl: absent } } },
];
const ofInner = group('g', 'cnt0', 'cse-in/app/box/in');
const few = agreeing({ rsc: 4000 });
const open: ReadonlyArray<readonly [why: string, before: readonly Step[], ...Step]> = [
  ['all did it', [both], `PUT ${fopt}`, relabelled, done(2004)],
  ['all did it, and the whole says OK', [both], `PUT ${fopt}`, relabelled, { ...done(2004), code: 2000 }],
  ['codes are texts', [both], `DELETE ${fopt}`, absent, agreeing({ rsc: '2002' }, { rsc: '2002' })],
  ['the latest of each are shown', [grown, inBin, both], `GET ${fopt}/la`, absent, shown('m2m:cin', 'other', 'one')],
  ['one of them has none', [grown, both], `GET ${fopt}/la`, absent, few],
  ['a policy of members has a say', [['POST /cse-in/app', { 'm2m:grp': guarded }]], `GET ${fopt}`, absent, few],
  [
    'an update named others',
    [both, ['PUT /cse-in/app/g', { 'm2m:grp': { mid: ['cnt0'] } }]],
    `GET ${fopt}`,
    absent,
    few,
  ],
  ['a member may be gone', [both, [`DELETE ${box}`, absent, refused]], `GET ${fopt}`, absent, few],
  ['another asks', [both], `GET ${fopt}`, absent, { ...few, from: 'Cother' }],
  ['a label may not be permitted', [both], `PUT ${fopt}`, label(['a b']), few],
  ['labels are no list', [both], `PUT ${fopt}`, label('a'), few],
  ['more than labels is updated', [both], `PUT ${fopt}`, label(['a'], { or: 'x' }), few],
  ['what is created has a name', [grown, both], `POST ${fopt}`, one, few],
  ['what is created says nothing', [grown, both], `POST ${fopt}`, { 'm2m:cin': {} }, few],
  ['the like was never created', [both], `POST ${fopt}`, create, few],
  ['a container is created', [both], `POST ${fopt}`, { 'm2m:cnt': { lbl: ['c'] } }, few],
  ['one goes with another', [within, ofInner], `DELETE ${fopt}`, absent, agreeing({ rsc: 2002 }, { rsc: 4004 })],
  ['members are no containers', [group('g', 'Capp')], `GET ${fopt}`, absent, done(4000, 2)],
  ['a group has no members', [group('g')], `GET ${fopt}`, absent, few],
  // A group has each of its members once (TS-0004 7.4.13.2.1).
  ['a member was given twice', [group('g', 'cnt0', 'cnt0')], `GET ${fopt}`, absent, shown('m2m:cnt', 'box')],
  ['a member was given in two ways', [group('g', 'cnt0', 'cse-in/app/box')], `PUT ${fopt}`, relabelled, done(2004, 1)],
];

for (const [why, before, line, sent, told] of open)
  test(`a fan-out may have another response if ${why}`, () => {
    const { broken } = judge();
    for (const step of [besideBox, ...before]) broken(...step);
    assert.deepEqual(broken(line, sent, told), []);
  });
