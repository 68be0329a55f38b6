/** Who may do what, by the one policy that has a say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  absent,
  ae,
  container,
  content,
  judge,
  one,
  refused,
  type StandardAnswer,
  type Step,
  times,
} from '../testing/standard.ts';

const safe = '/cse-in/app/safe';
const guarded = { ...container, ri: 'cnt5', rn: 'safe', acpi: ['acp0'], lbl: absent };
const denied: StandardAnswer = { status: 403, code: 4103 };
const done: StandardAnswer = {};
const label = { 'm2m:cnt': { lbl: ['x'] } };
const own = { acor: ['Capp'], acop: 63 };
const owner = { acr: [own] };

interface Case {
  /** What the policy says beside the rule of who created it; of others, and of itself. */
  readonly pv?: readonly object[];
  readonly pvs?: readonly object[];
  /** What the container is given beside its name. */
  readonly given?: Readonly<Record<string, unknown>>;
  readonly after?: readonly Step[];
  readonly from?: string;
}

/** What is broken by a request of another application entity. */
function broken(
  { pv = [], pvs = [], given = {}, after = [], from = 'Cother' }: Case,
  [line, sent, told]: Step,
): string[] {
  const judging = judge();
  const rights = { pv: { acr: [own, ...pv] }, pvs: { acr: [own, ...pvs] } };
  const all = { acpi: ['acp0'], ...given };
  const policy = { ...times, ri: 'acp0', rn: 'p', ty: 1, pi: 'Capp', ...rights };
  const other = { ...ae, ri: from, aei: from, rn: 'other', lbl: absent };
  const before: readonly Step[] = [
    ['POST /cse-in/app', { 'm2m:acp': { rn: 'p', ...rights } }, { body: { 'm2m:acp': policy } }],
    ['GET /cse-in/app/p', absent, { body: { 'm2m:acp': policy } }],
    ['POST /cse-in/app', { 'm2m:cnt': { rn: 'safe', ...all } }, { body: { 'm2m:cnt': { ...guarded, ...all } } }],
    [`POST ${safe}`, one, content({ pi: 'cnt5' })],
    ['POST /cse-in', { 'm2m:ae': { rn: 'other', api: 'Na', rr: false } }, { body: { 'm2m:ae': other }, from }],
    ...after,
  ];
  for (const step of before) judging.broken(...step);
  return judging.broken(line, sent, { ...told, from });
}

const may = (acop: number): Case => ({ pv: [{ acor: ['Cother'], acop }] });
const another = { 'm2m:cin': { con: 'x' } };
const labelled = { 'm2m:cin': { rn: 'x', con: 'x', cnf: 'text/plain:0', lbl: ['a'] } };
const listing: StandardAnswer = { body: { 'm2m:uril': ['cse-in/app/safe/one'] } };
const empty: StandardAnswer = { body: { 'm2m:uril': [] } };

const wrong: ReadonlyArray<readonly [requirement: string, about: Case, ...Step]> = [
  ['std.access.operation.retrieve', may(2), `GET ${safe}`, absent, denied],
  ['std.access.operation.create', may(1), `POST ${safe}`, another, denied],
  ['std.access.operation.create', may(1), `POST ${safe}`, labelled, denied],
  ['std.access.operation.update', may(4), `PUT ${safe}`, label, denied],
  ['std.access.operation.delete', may(8), `DELETE ${safe}`, absent, denied],
  ['std.access.instance.allowed', may(2), `GET ${safe}/one`, absent, denied],
  ['std.access.instance.allowed', may(8), `DELETE ${safe}/one`, absent, denied],
  [
    'std.access.operation.retrieve.refused',
    may(61),
    `GET ${safe}`,
    absent,
    { body: { 'm2m:cnt': { ...guarded, cni: 1, cbs: 3, st: 1 } } },
  ],
  ['std.access.operation.create.refused', may(62), `POST ${safe}`, another, done],
  ['std.access.operation.update.refused', may(59), `PUT ${safe}`, label, done],
  ['std.access.operation.delete.refused', may(55), `DELETE ${safe}`, absent, done],
  ['std.access.instance.refused', may(61), `GET ${safe}/one`, absent, content({ pi: 'cnt5' })],
  ['std.access.not-named', {}, `DELETE ${safe}`, absent, done],
  ['std.access.not-named', {}, `POST ${safe}`, { 'm2m:cnt': { rn: 'x', mni: 3 } }, done],
  ['std.policy.itself.pv', may(63), 'DELETE /cse-in/app/p', absent, done],
  ['std.policy.itself.pv', { pvs: [{ acor: ['Cother'], acop: 2 }] }, 'DELETE /cse-in/app/p', absent, done],
  ['std.discovery.without-right', may(31), `GET ${safe}?fu=1`, absent, listing],
  ['std.discovery.without-right', {}, `GET ${safe}?fu=1`, absent, listing],
];

for (const [requirement, about, ...step] of wrong)
  test(`${requirement}: ${step[0]} answered ${JSON.stringify(step[2])}, with ${JSON.stringify(about)}`, () => {
    assert.deepEqual(broken(about, step), [requirement]);
  });

const inner: Step = [`POST ${safe}`, { 'm2m:cnt': { rn: 'in' } }];
/** Neither a refusal nor a success breaks anything where it is not certain who may do what. */
const open: ReadonlyArray<readonly [why: string, about: Case, ...Step]> = [
  ['the right to discover is there', may(32), `GET ${safe}?fu=1`, absent, listing],
  ['nothing is found without the right', may(31), `GET ${safe}?fu=1`, absent, empty],
  ['a discovery without the right is refused', may(31), `GET ${safe}?fu=1`, absent, denied],
  ['what stands below may be open', { after: [inner] }, `GET ${safe}?fu=1`, absent, listing],
  ['another policy has a say', { given: { acpi: ['acp0', 'acp1'] } }, `DELETE ${safe}`, absent, done],
  ['no policy has', { given: { acpi: absent } }, `DELETE ${safe}`, absent, done],
  [
    'an update named another policy',
    { after: [[`PUT ${safe}`, { 'm2m:cnt': { acpi: ['acp0'] } }]] },
    `DELETE ${safe}`,
    absent,
    done,
  ],
  ['a custodian has a say', { given: { cstn: 'Cother' } }, `DELETE ${safe}`, absent, done],
  ['rights are asked for elsewhere', { given: { daci: ['d0'] } }, `DELETE ${safe}`, absent, done],
  [
    'an update set the custodian',
    { after: [[`PUT ${safe}`, { 'm2m:cnt': { cstn: 'Cother' } }]] },
    `DELETE ${safe}`,
    absent,
    done,
  ],
  ['a rule has a context', { pv: [{ acor: ['Cthird'], acop: 2, acco: [] }] }, `DELETE ${safe}`, absent, done],
  ['a rule is for all', { pv: [{ acor: ['all'], acop: 63 }] }, `DELETE ${safe}`, absent, done],
  ['a rule names nobody', { pv: [{ acop: 63 }] }, `DELETE ${safe}`, absent, done],
  ['rights are no number', { pv: [{ acor: ['Cother'], acop: '2' }] }, `DELETE ${safe}`, absent, done],
  ['a policy may be gone', { after: [['DELETE /cse-in/app/p', absent, refused]] }, `DELETE ${safe}`, absent, done],
  [
    'an update changed the policy',
    { after: [['PUT /cse-in/app/p', { 'm2m:acp': { pv: owner } }]] },
    `DELETE ${safe}`,
    absent,
    done,
  ],
  ['who asks stands for others', { from: 'S0' }, `DELETE ${safe}`, absent, done],
  ['what is created asks for more', may(1), `POST ${safe}`, { 'm2m:cnt': { rn: 'x' } }, denied],
  ['what is referred to asks for more', may(4), `PUT ${safe}`, { 'm2m:cnt': { acpi: ['acp1'] } }, denied],
  ['its policy speaks for itself', { pvs: [{ acor: ['Cother'], acop: 8 }] }, 'DELETE /cse-in/app/p', absent, denied],
  ['who may change the policy does', { pvs: [{ acor: ['Cother'], acop: 8 }] }, 'DELETE /cse-in/app/p', absent, done],
  ['it is an application entity', {}, 'PUT /cse-in/app', { 'm2m:ae': { lbl: ['x'] } }, done],
  ['the last one is addressed', {}, `GET ${safe}/la`, absent, content({ pi: 'cnt5' })],
  ['a slash ends the address', {}, `DELETE ${safe}/`, absent, done],
  ['a dash stands for the CSE base', {}, 'DELETE /-/app/safe', absent, done],
  [
    'it may be gone',
    { after: [[`DELETE ${safe}`, absent, { status: 500, code: 5000 }]] },
    `DELETE ${safe}`,
    absent,
    done,
  ],
];

for (const [why, about, ...step] of open)
  test(`no right is certain if ${why}`, () => {
    assert.deepEqual(broken(about, step), []);
  });
