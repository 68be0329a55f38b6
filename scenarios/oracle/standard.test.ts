import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Judge } from './judge.ts';
import { rulesOf } from './rules.ts';
import {
  absent,
  ae,
  application,
  box,
  container,
  containerWith,
  content,
  exchange,
  grown,
  instance,
  judge,
  names,
  one,
  type Row,
  refused,
  type StandardAnswer,
  type Step,
  times,
  updated,
} from './testing/standard.ts';

const wrong: readonly Row[] = [
  ['std.headers.ri', `GET ${box}`, { ...containerWith({}), echo: 'other' }],
  ['std.http.2000', `GET ${box}?rcn=1`, { ...containerWith({}), status: 203 }],
  ['std.container.retrieve', `GET ${box}`, refused],
  ['std.container.retrieve', `GET ${box}`, { ...containerWith({}), code: 2004 }],
  ['std.address.structured.sp-relative', `GET /~/id-in${box}`, refused],
  ['std.address.structured.absolute', `GET /_/sp.example.com/id-in${box}`, refused],
  ['std.container.retrieve', 'GET /cnt0', refused],
  ['std.ae.retrieve', 'GET /cse-in/app', refused],
  ['std.ae.deregister', 'DELETE /cse-in/app', { status: 500, code: 5000 }],
  ['std.container.delete', `DELETE ${box}`, { status: 500, code: 5000 }],
  ['std.delete.gone', `GET ${box}`, containerWith({}), [`DELETE ${box}`]],
  ['std.delete.gone', `GET ${box}`, containerWith({}), ['DELETE /cse-in/app']],
  ['std.retrieve.not-found', `GET ${box}`, { status: 400, code: 4000 }, [`DELETE ${box}`]],
  ['std.delete.not-found', `DELETE ${box}`, { status: 400, code: 4000 }, [`DELETE ${box}`]],
  ['std.common.ri', `GET ${box}`, containerWith({ ri: 'cnt7' })],
  ['std.common.ri', `GET ${box}`, containerWith({ ri: absent })],
  ['std.ae.retrieve.ri', 'GET /cse-in/app', application({ ri: absent })],
  ['std.ae.retrieve.aei', 'GET /cse-in/app', application({ aei: 'Cother' })],
  ['std.common.pi', `GET ${box}`, containerWith({ pi: 'cb0' })],
  ['std.common.ct', `GET ${box}`, containerWith({ ct: '2026-11-22T10:00:00' })],
  ['std.common.lt', `GET ${box}`, containerWith({ lt: absent })],
  ['std.update.lt', `GET ${box}`, containerWith({ lt: '20261122T095959' })],
  ['std.create.et.answered', `GET ${box}`, containerWith({ et: '20261122T120000' })],
  ['std.common.rn', `GET ${box}`, containerWith({ rn: 'Box' })],
  ['std.common.ty', `GET ${box}`, containerWith({ ty: 4 })],
  ['std.ae.retrieve.api', 'GET /cse-in/app', application({ api: 'na' })],
  ['std.ae.retrieve.rr', 'GET /cse-in/app', application({ rr: true })],
  ['std.ae.attribute.lbl', 'GET /cse-in/app', application({ lbl: ['ONE'] })],
  ['std.container.optional', `GET ${box}`, containerWith({ lbl: ['a'] })],
  ['std.update.change.kept', `GET ${box}`, containerWith({ st: 1 }), updated],
  ['std.update.remove.gone', `GET ${box}`, containerWith({ lbl: ['c'], or: 'http://o', st: 1 }), updated],
  ['std.update.others-stay', `PUT ${box}`, containerWith({ rn: 'Box', st: 1 })],
  ['std.delete.gone', 'GET /cse-in?fu=1', { body: { 'm2m:uril': ['cse-in/app/box'] } }, [`DELETE ${box}`]],
  ['std.container.counters', `GET ${box}`, containerWith({ cni: 1 })],
  ['std.container.cni.grows', `GET ${box}`, containerWith({ cbs: 3, st: 1 }), grown],
  ['std.container.cbs.grows', `GET ${box}`, containerWith({ cni: 1, st: 1 }), grown],
  ['std.latest.retrieve', `GET ${box}/la`, content({ ri: 'cin7' }), grown],
  ['std.oldest.retrieve', `GET ${box}/ol`, content({ ri: 'cin7' }), grown],
  ['std.content-instance.kept', `GET ${box}/one`, content({ con: 'ABC' }), grown],
  ['std.content-instance.kept', `GET ${box}/one`, content({ con: 'ab', cs: 2 }), [grown[0], one]],
  ['std.content-instance.optional', `GET ${box}/one`, content({ cnf: 'text/plain' }), grown],
  ['std.content-instance.cs', `GET ${box}/one`, content({ cs: 4 }), grown],
];

const node = { ...times, ri: 'nod0', rn: 'dev', ty: 14, pi: 'cb0', ni: '007', hcl: '/other' };
const made: Step = [
  'POST /cse-in',
  { 'm2m:nod': { rn: 'dev', ni: '007', hcl: '/other' } },
  { body: { 'm2m:nod': node } },
];
const device = (attributes: Readonly<Record<string, unknown>>): StandardAnswer => ({
  body: { 'm2m:nod': { ...node, ...attributes } },
});
const again: Step = ['POST /cse-in/app', { 'm2m:cnt': { rn: 'bin', lbl: ['a', 'b'] } }, { status: 403, code: 4103 }];

const lamp = { ...times, ri: 'fcnt0', rn: 'lamp', ty: 28, pi: 'Capp', st: 0, cs: 1, cnd: 'org.lamp', on: true };
const subscription = { ...times, ri: 's0', rn: 's', ty: 23, pi: 'Capp', nu: ['Capp'], exc: 5 };
const left = (exc: number | undefined): StandardAnswer => ({ body: { 'm2m:sub': { ...subscription, exc } } });
const subscribed: Step = ['POST /cse-in/app', { 'm2m:sub': { rn: 's', nu: ['Capp'], exc: 5 } }, left(5)];

const far = { rn: 'far', cb: '/far/base', csi: '/far', rr: false };
const registered = (from: string, csi: string): Step => {
  const shown = { ...times, ...far, ri: 'csr0', ty: 16, pi: 'cb0', csi };
  return ['POST /cse-in', { 'm2m:csr': far }, { body: { 'm2m:csr': shown }, from }];
};

const cb = { ct: times.ct, lt: times.lt, ri: 'cb0', rn: 'cse-in', ty: 5, csi: '/id-in' };
const based = (srt: readonly number[], pi?: string): StandardAnswer => ({ body: { 'm2m:cb': { ...cb, srt, pi } } });

const placed: Step = [
  'POST /cse-in/app',
  { 'cod:lamp': { rn: 'lamp', cnd: 'org.lamp', on: true } },
  { body: { 'cod:lamp': lamp } },
];
const counting = (counters: Readonly<Record<string, unknown>>): Step => [
  'GET /cse-in/app/lamp',
  absent,
  { body: { 'cod:lamp': { ...lamp, cni: 1, cbs: 1, ...counters } } },
];

const policy = (acor: readonly string[]) => ({ pv: {}, pvs: { acr: [{ acor, acop: 63 }] } });
const governed = (acor: readonly string[]): Step => [
  'POST /cse-in/app',
  { 'm2m:acp': { rn: 'p', ...policy(acor) } },
  { body: { 'm2m:acp': { ...times, ri: 'acp0', rn: 'p', ty: 1, pi: 'Capp', ...policy(acor) } } },
];

/** A group of these members, of which the answer shows the first. */
function grouped(...mid: readonly string[]): Step {
  const shown = { ...times, ri: 'g', rn: 'g', ty: 9, pi: 'Capp', mt: 0, cnm: 1, mnm: 9, mid: mid.slice(0, 1) };
  return ['POST /cse-in/app', { 'm2m:grp': { rn: 'g', mnm: 9, mid } }, { body: { 'm2m:grp': shown } }];
}

/** What the tables of the types demand; each with what was sent before, and the request that is answered wrongly. */
const byTables: ReadonlyArray<readonly [requirement: string, before: readonly Step[], wrong: Step]> = [
  ['std.every.attribute.given', [made], ['GET /cse-in/dev', absent, device({ ni: '7' })]],
  ['std.every.attribute.given', [], [made[0], made[1], device({ hcl: absent })]],
  ['std.every.attribute.given', [made, [`DELETE ${box}`]], ['GET /cse-in/dev', absent, device({ hcl: absent })]],
  ['std.every.attribute.updated', [made], ['PUT /cse-in/dev', { 'm2m:nod': { ni: '008' } }, device({})]],
  [
    'std.every.attribute.updated',
    [made, ['PUT /cse-in/dev', { 'm2m:nod': { hcl: null } }, device({ hcl: absent })]],
    ['GET /cse-in/dev', absent, device({})],
  ],
  ['std.every.attribute.always', [], ['GET /cse-in/dev', absent, device({ ni: absent })]],
  ['std.every.attribute.always', [], ['GET /cse-in/dev', absent, device({ ri: absent })]],
  ['std.every.attribute.always', [], ['GET /cse-in/dev', absent, device({ ty: 15 })]],
  ['std.every.attribute.always', [], [made[0], made[1], device({ ri: absent })]],
  [
    'std.every.attribute.always',
    [made],
    ['PUT /cse-in/dev', { 'm2m:nod': { ni: '008' } }, device({ ni: '008', ri: absent })],
  ],
  ['std.every.attribute.always', [], ['GET /cse-in/lamp', absent, { body: { 'cod:lamp': { ...lamp, ty: 29 } } }]],
  [
    'std.every.attribute.stays',
    [made],
    ['PUT /cse-in/dev', { 'm2m:nod': { ni: '008' } }, device({ ni: '008', ri: 'n1' })],
  ],
  [
    'std.every.attribute.stays',
    [made],
    ['PUT /cse-in/dev', { 'm2m:nod': { ni: '008' } }, device({ ni: '008', et: '20261122T120000' })],
  ],
  ['std.every.attribute.given', [subscribed], ['GET /cse-in/app/s', absent, left(6)]],
  ['std.every.attribute.given', [], registered('/far', '/other')],
  // The identifier of a CSE is written in full or not, and is no other.
  ['std.every.attribute.given', [made], ['GET /cse-in/dev', absent, device({ hcl: '/another' })]],
  [
    'std.every.attribute.updated',
    [subscribed],
    ['PUT /cse-in/app/s', { 'm2m:sub': { exc: 500 } }, { ...left(100), code: 2004 }],
  ],
  ['std.every.attribute.given', [subscribed], ['GET /cse-in/app/s', absent, left(absent)]],
  [
    'std.every.attribute.stays',
    [[`GET ${box}`, absent, containerWith({})]],
    ['GET /cnt0', absent, containerWith({ lt: '20261122T100001' })],
  ],
  ['std.every.attribute.absent', [], [made[0], made[1], device({ nty: 5 })]],
  ['std.every.attribute.absent', [], [`GET ${box}`, absent, containerWith({ or: 'http://o' })]],
  ['std.content-instance.st', [], [grown[0], one, content({ st: 2 })]],
  ['std.every.attribute.stays', [grown], [`GET ${box}/one`, absent, content({ st: 2 })]],
  ['std.every.attribute.stays', [['GET /cse-in', absent, based([2, 3])]], ['GET /cse-in', absent, based([2])]],
  [
    'std.container.cbs.grows',
    [grown],
    [`PUT ${box}`, { 'm2m:cnt': { lbl: ['c'] } }, containerWith({ lbl: ['c'], cni: 1, cbs: 0, st: 2 })],
  ],
  [
    'std.container.counters',
    [],
    [`PUT ${box}`, { 'm2m:cnt': { lbl: ['c'] } }, containerWith({ lbl: ['c'], cbs: 7, st: 1 })],
  ],
  ['std.create.lt', [], [made[0], made[1], device({ lt: '20261122T100001' })]],
  ['std.every.state-tag', [grown], [`GET ${box}`, absent, containerWith({ cni: 1, cbs: 3, st: 0 })]],
  ['std.every.create', [], [made[0], made[1], { ...device({}), status: 200, code: 2000 }]],
  [
    'std.every.update',
    [made],
    ['PUT /cse-in/dev', { 'm2m:nod': { ni: '008' } }, { ...device({ ni: '008' }), code: 2000 }],
  ],
  ['std.every.delete', [made], ['DELETE /cse-in/dev', absent, { code: 2000 }]],
  ['std.every.attribute.given', [], grouped('cnt0', 'cnt1')],
  ['std.every.create.again', [], again],
  ['std.create.name-taken', [], [again[0], { 'm2m:cnt': { rn: 'box', lbl: ['a', 'b'] } }, { status: 400, code: 4000 }]],
  [
    'std.every.update.again',
    [[`PUT ${box}`, { 'm2m:cnt': { lbl: ['c'] } }, containerWith({ lbl: ['c'], st: 1 })]],
    [`PUT ${box}`, { 'm2m:cnt': { lbl: ['c'] } }, { status: 404, code: 4004 }],
  ],
  ['std.every.found.once', [], ['GET /cse-in/app?fu=1', absent, { body: { 'm2m:uril': [box, box] } }]],
  [
    'std.every.found.once',
    [],
    ['GET /cse-in/app?rcn=5', absent, application({ ch: [{ val: 'cnt0' }, { val: 'cnt0' }] })],
  ],
  ['std.discovery.all', [], ['GET /cse-in/app?fu=1', absent, { body: { 'm2m:uril': [] } }]],
  ['std.every.attribute.stays', [placed, counting({})], counting({ cbs: absent })],
  ['std.every.attribute.stays', [['GET /cse-in', absent, based([2], '')]], ['GET /cse-in', absent, based([2])]],
  ['std.every.retrieve.there', [governed(['Capp'])], ['GET /cse-in/app/p', absent, { status: 403, code: 4103 }]],
  ['std.privilege.retrieve', [], [`GET ${box}`, absent, { ...refused, from: 'Cother' }]],
  ['std.privilege.retrieve', [], ['GET /cse-in', absent, { ...refused, from: 'Cother' }]],
];

for (const [requirement, before, [line, sent, told]] of byTables) {
  test(`${line} answered ${JSON.stringify(told)} breaks ${requirement}, by the tables`, () => {
    const { broken } = judge();
    for (const step of before) assert.deepEqual(broken(...step), []);
    assert.deepEqual(broken(line, sent, told), [requirement]);
  });
}

const lampAsked = (children: Readonly<Record<string, unknown>> = {}): StandardAnswer => ({
  body: { 'cod:lamp': { ...lamp, ...children } },
});

/** What the tables leave open. */
const open: ReadonlyArray<readonly [why: string, before: readonly Step[], after: Step]> = [
  [
    'what ends earlier takes what stands below along',
    [['PUT /cse-in/app', { 'm2m:ae': { et: '20261122T103000' } }, application({ et: '20261122T103000' })]],
    [`GET ${box}`, absent, containerWith({ et: '20261122T103000' })],
  ],
  [
    'notifications count down',
    [subscribed, ['GET /cse-in/app/s', absent, left(4)]],
    ['GET /cse-in/app/s', absent, left(1)],
  ],
  [
    'nobody refers to what was removed',
    [
      ['POST /cse-in', { 'm2m:nod': { rn: 'dev', ni: '007', hcl: '/id-in/cnt0' } }, device({ hcl: '/id-in/cnt0' })],
      [`DELETE ${box}`],
    ],
    ['GET /cse-in/dev', absent, device({ hcl: absent })],
  ],
  ['a group has each of its members once', [], grouped('cnt0', '/id-in/cnt0')],
  ['an address is written in full', [made], ['GET /cse-in/dev', absent, device({ hcl: '/other' })]],
  [
    'the CSE sets limits',
    [
      [
        `POST ${box}`,
        { 'm2m:cnt': { rn: 'in', mni: 9 } },
        { body: { 'm2m:cnt': { ...container, ri: 'c2', rn: 'in', pi: 'cnt0', mni: 5, lbl: absent } } },
      ],
    ],
    [
      `GET ${box}/in`,
      absent,
      { body: { 'm2m:cnt': { ...container, ri: 'c2', rn: 'in', pi: 'cnt0', mni: 5, lbl: absent } } },
    ],
  ],
  [
    'only what changed is answered',
    [made],
    ['PUT /cse-in/dev?rcn=9', { 'm2m:nod': { ni: '008' } }, { body: { 'm2m:nod': { lt: times.lt } } }],
  ],
  [
    'less is answered than there is',
    [made],
    ['PUT /cse-in/dev', { 'm2m:nod': { ni: '008' } }, { body: { 'm2m:nod': { lt: times.lt, ni: '008' } } }],
  ],
  [
    'children shown along are attributes',
    [
      ['POST /cse-in/app', { 'cod:lamp': { rn: 'lamp', cnd: 'org.lamp', on: true } }, lampAsked()],
      ['GET /cse-in/app/lamp?rcn=5', absent, lampAsked({ ch: [] })],
      ['GET /cse-in/app/lamp?rcn=4', absent, lampAsked({ 'm2m:cnt': [container] })],
    ],
    ['GET /cse-in/app/lamp', absent, lampAsked()],
  ],
  [
    'a flexible container is announced',
    [],
    ['GET /cse-in/x', absent, { body: { 'cod:lampAnnc': { ...lamp, ty: 10_028 } } }],
  ],
  [
    'what is made below modifies it, sooner or later',
    [grown, [`GET ${box}`, absent, containerWith({ cni: 1, cbs: 3, st: 1 })]],
    [`GET ${box}`, absent, containerWith({ cni: 1, cbs: 3, st: 1, lt: '20261122T100001' })],
  ],
  [
    'what was updated is not known',
    [['PUT /cse-in/app', { 'm2m:xyz': { et: '20261122T103000' } }]],
    [`GET ${box}`, absent, containerWith({ et: '20261122T103000' })],
  ],
  [
    'what was removed is not known',
    [
      ['POST /cse-in', { 'm2m:nod': { rn: 'dev', ni: '007', hcl: '/id-in/cnt7' } }, device({ hcl: '/id-in/cnt7' })],
      ['DELETE /cnt7'],
    ],
    ['GET /cse-in/dev', absent, device({ hcl: absent })],
  ],
  ['who registers is who asks, whatever it calls itself', [], registered('Capp', 'Capp')],
  ['a definition is not known', [], ['GET /cse-in/x', absent, { body: { 'm2m:xyz': { ri: 'x' } } }]],
  [
    'a policy keeps out who created it',
    [governed(['Cother'])],
    ['GET /cse-in/app/p', absent, { status: 403, code: 4103 }],
  ],
  [
    'the last notification removes the subscription',
    [subscribed],
    ['GET /cse-in/app/s', absent, { ...refused, from: 'Cother' }],
  ],
  [
    'without limits nothing is counted',
    [
      placed,
      counting({}),
      ['PUT /cse-in/app/lamp', { 'cod:lamp': { mni: null } }, { body: { 'cod:lamp': { ...lamp, cs: 1 } } }],
    ],
    ['GET /cse-in/app/lamp', absent, { body: { 'cod:lamp': { ...lamp, st: 1 } } }],
  ],
  [
    'another value was never taken',
    [made],
    ['PUT /cse-in/dev', { 'm2m:nod': { ni: '' } }, { status: 400, code: 4000 }],
  ],
];

for (const [why, before, [line, sent, told]] of open) {
  test(`the tables leave open that ${why}`, () => {
    const { broken } = judge();
    for (const step of before) assert.deepEqual(broken(...step), []);
    assert.deepEqual(broken(line, sent, told), []);
  });
}

for (const [requirement, line, told, before] of wrong) {
  test(`${line} answered ${JSON.stringify(told)} breaks ${requirement}`, () => {
    const { broken } = judge();
    if (before !== undefined) assert.deepEqual(broken(...before), []);
    assert.deepEqual(broken(line, undefined, told), [requirement]);
  });
}

const bin = (st: number) => ({ 'm2m:cnt': { ...container, ri: 'cnt9', rn: 'bin', lbl: undefined, st } });

const silent: ReadonlyArray<
  readonly [why: string, before: Step | readonly Step[], line: string, told: StandardAnswer]
> = [
  ['who asks did not create it', grown, `GET ${box}`, { status: 403, code: 4103, from: 'Cother' }],
  ['a policy has a say', [`PUT ${box}`, { 'm2m:cnt': { acpi: ['acp0'] } }], `GET ${box}`, { status: 403, code: 4103 }],
  [
    'a subscription may block it',
    [`POST ${box}`, { 'm2m:sub': { rn: 's', nu: ['http://n'], enc: { net: [7] } } }],
    `GET ${box}`,
    { status: 403, code: 4103 },
  ],
  [
    'a subscriber that is asked first cannot be found',
    [`POST ${box}`, { 'm2m:sub': { rn: 's', nu: ['/id-in/Cgone'], enc: { net: [7] } } }],
    `PUT ${box}`,
    refused,
  ],
  [
    'it may have been called by the identifier of the CSE base',
    ['DELETE /cb0/app', undefined, { from: 'Cother' }],
    `GET ${box}`,
    refused,
  ],
  [
    'something unknown may have its name',
    [[`DELETE ${box}`], ['POST /cse-in/app', { 'cod:color': { rn: 'box' } }]],
    `GET ${box}`,
    { body: { 'cod:color': { ...lamp, rn: 'box' } } },
  ],
  [
    'something unknown may have its name below one that was made again',
    [['DELETE /cse-in/app'], ['POST /cse-in', { 'cod:color': { rn: 'app' } }]],
    `GET ${box}`,
    containerWith({}),
  ],
  [
    'what was made by an unconfirmed identifier may have gone by itself',
    [
      ['POST /cse-in/app', { 'm2m:cnt': { rn: 'bin' } }, { body: bin(0) }],
      ['POST /cnt9', one],
      ['GET /cse-in/app/bin', absent, { body: bin(1) }],
    ],
    'GET /cse-in/app/bin',
    { body: bin(2) },
  ],
  [
    'members of a group were addressed',
    ['POST /cse-in/app/g/fopt', one],
    `GET ${box}`,
    containerWith({ cni: 1, cbs: 3 }),
  ],
  [
    'an identifier was addressed that may be its own',
    [
      ['POST /cse-in/app', { 'm2m:cnt': { rn: 'bin', lbl: ['a'] } }],
      ['PUT /xyz', { 'm2m:cnt': { lbl: ['c'] } }],
    ],
    'GET /cse-in/app/bin',
    { body: { 'm2m:cnt': { ...container, ri: 'xyz', rn: 'bin', lbl: ['c'] } } },
  ],
  [
    'an update is done later',
    [`PUT ${box}`, { 'm2m:cnt': { lbl: ['c'] } }, { status: 202, code: 1001 }],
    `GET ${box}`,
    containerWith({}),
  ],
  [
    'content is encoded',
    [`POST ${box}`, { 'm2m:cin': { rn: 'one', con: 'YWJj', cnf: 'text/plain:1' } }],
    `GET ${box}`,
    containerWith({ cni: 1, cbs: 9, st: 1 }),
  ],
  ['an answer shows more', grown, `GET ${box}?rcn=4`, containerWith({ cni: 7, st: 1, 'm2m:cin': [instance] })],
  ['the CSE may set limits', [`PUT ${box}`, { 'm2m:cnt': { mni: 9 } }], `GET ${box}`, containerWith({ mni: 5, st: 1 })],
  [
    'a limit may remove',
    [`GET ${box}`, undefined, containerWith({ mni: 1 })],
    `GET ${box}`,
    containerWith({ mni: 1, cni: 0 }),
  ],
  ['it answers later', grown, `GET ${box}?rt=3`, { status: 204, code: 2000, echo: '' }],
  ['a creation without a type is none', [`POST ${box}`, {}], `GET ${box}`, containerWith({ cni: 1 })],
  ['a dash stands for the CSE base', grown, 'GET /-/app/box', { ...refused, from: 'Cother' }],
  [
    'it was created under another name',
    ['POST /cse-in/app', { 'm2m:cnt': { rn: 'in' } }, { body: { 'm2m:cnt': { ...container, rn: 'other' } } }],
    'GET /cse-in/app/in',
    { ...refused, from: 'Cother' },
  ],
];

function isSeveral(steps: Step | readonly Step[]): steps is readonly Step[] {
  return typeof steps[0] !== 'string';
}

for (const [why, before, line, told] of silent) {
  test(`nothing is certain if ${why}`, () => {
    const { broken } = judge();
    for (const step of isSeveral(before) ? before : [before]) broken(...step);
    assert.deepEqual(broken(line, undefined, told), []);
  });
}

test('a resource created after everything became uncertain is certain, and so are its descendants', () => {
  const { broken } = judge();
  broken('PUT /cse-in/nobody/fopt', { 'm2m:cnt': { lbl: ['all'] } });
  assert.deepEqual(broken(`GET ${box}`, absent, containerWith({ lbl: [] })), []);
  const app = { ...ae, ri: 'Cnew', aei: 'Cnew', rn: 'new' };
  const { api, rr, lbl } = ae;
  broken('POST /cse-in', { 'm2m:ae': { rn: 'new', api, rr, lbl } }, { body: { 'm2m:ae': app }, from: 'Cnew' });
  const made = { 'm2m:cnt': { ...container, ri: 'cnt9', pi: 'Cnew', rn: 'box' } };
  broken('POST /cse-in/new', { 'm2m:cnt': { rn: 'box' } }, { body: made, from: 'Cnew' });
  assert.deepEqual(broken('GET /cse-in/new/box', absent, { ...refused, from: 'Cnew' }), ['std.container.retrieve']);
  assert.deepEqual(broken('GET /cse-in/new/none', absent, { body: made, from: 'Cnew' }), ['std.retrieve.not-found']);
});

const elsewhere: readonly Step[] = [
  ['PUT /xyz', { 'm2m:cnt': { lbl: ['c'] } }],
  ['POST /xyz', one],
  ['DELETE /xyz'],
  ['POST /cse-in/app', { 'm2m:sgn': {} }],
  ['POST /cse-in', { 'm2m:sgn': {} }],
];
for (const step of elsewhere)
  test(`${step[0]} cannot have changed a resource with another identifier`, () => {
    const { broken } = judge();
    broken(...step);
    assert.deepEqual(broken(`GET ${box}`, absent, containerWith({ lbl: ['c'] })), ['std.container.optional']);
  });

test('a resource created below the identifier of the CSE base is known', () => {
  const { broken } = judge();
  const again: Step = ['POST /cb0', made[1], device({})];
  assert.deepEqual(broken(...again), []);
  assert.deepEqual(broken('GET /cse-in/dev', absent, device({ ni: '7' })), ['std.every.attribute.given']);
  assert.deepEqual(broken(`GET ${box}`, absent, refused), ['std.container.retrieve']);
});

test('an earlier failed check makes dependent rules moot', () => {
  const { judging, broken } = judge();
  broken(...updated);
  judging.judge(exchange(`GET ${box}?rcn=1`, undefined, containerWith({})), { broken: ['std.update.several.kept'] });
  assert.deepEqual(broken(`GET ${box}`, undefined, containerWith({ or: 'http://o', st: 1 })), []);
});

test('a request that should have been refused is not blamed for missing attributes', () => {
  const { judging } = judge();
  const unlimited = { ...times, ri: 'g', rn: 'g', ty: 9, pi: 'Capp', mt: 0, cnm: 1, mid: ['cnt0'] };
  const create = exchange(
    'POST /cse-in/app',
    { 'm2m:grp': { rn: 'g', mid: ['cnt0'] } },
    { body: { 'm2m:grp': unlimited } },
  );
  assert.deepEqual(judging.judge(create, { broken: ['std.group.limit.mandatory'] }), []);
  const wrongRoot = exchange(
    `PUT ${box}`,
    { 'm2m:grp': { lbl: ['x'] } },
    { body: { 'm2m:grp': { ...container, lbl: ['x'], st: 1 } } },
  );
  assert.deepEqual(judging.judge(wrongRoot, { broken: ['std.update.wrong-root'] }), []);
});

test('a change of an unknown child may count in its parent', () => {
  const { broken } = judge();
  broken(`GET ${box}`, undefined, containerWith({}));
  broken(`PUT ${box}/unknown`, { 'm2m:cnt': { lbl: ['c'] } }, { body: { 'm2m:cnt': container } });
  assert.deepEqual(broken(`GET ${box}`, undefined, containerWith({ st: 1, lt: '20261122T100001' })), []);
});

test('a service may return attributes that were not requested as empty, and st of a new resource as 0', () => {
  const { broken } = judge();
  assert.deepEqual(broken(`GET ${box}`, absent, containerWith({ or: '' })), []);
  assert.deepEqual(broken(grown[0], one, content({ st: 0, loc: null })), []);
});

test('an instance beyond the limit is accepted: the returned limit, or else the requested one', () => {
  const shown = { body: { 'm2m:cnt': { ...container, ri: 'c2', rn: 'in', mni: 1, lbl: absent } } };
  for (const [mni, told] of [
    [5, shown],
    [1, {}],
  ] as const) {
    const { broken } = judge();
    assert.deepEqual(broken('POST /cse-in/app', { 'm2m:cnt': { rn: 'in', mni } }, told), []);
    const add = (rn: string, answer: StandardAnswer) =>
      broken('POST /cse-in/app/in', { 'm2m:cin': { rn, con: 'x' } }, answer);
    assert.deepEqual(add('one', {}), []);
    assert.deepEqual(add('two', { status: 200, code: 2000 }), ['std.retention.mni.create', 'std.every.create']);
  }
});

test('the change of a child may count in its parent, or not', () => {
  const inner = { 'm2m:cnt': { ...container, ri: 'c2', rn: 'in', pi: 'cnt0', lbl: ['c'] } };
  for (const [st, expected] of [
    [1, []],
    [2, []],
    [3, ['std.every.state-tag']],
  ] as const) {
    const { broken } = judge();
    assert.deepEqual(broken(`POST ${box}`, { 'm2m:cnt': { rn: 'in', lbl: ['c'] } }, { body: inner }), []);
    assert.deepEqual(broken(`GET ${box}`, absent, containerWith({ st: 1 })), []);
    const changed = { 'm2m:cnt': { ...inner['m2m:cnt'], lbl: ['d'], st: 1 } };
    assert.deepEqual(broken(`PUT ${box}/in`, { 'm2m:cnt': { lbl: ['d'] } }, { body: changed }), []);
    assert.deepEqual(broken(`GET ${box}`, absent, containerWith({ st })), expected);
  }
});

test('an update without limits leaves the instances', () => {
  const { broken } = judge();
  broken(...grown);
  broken(`PUT ${box}`, { 'm2m:cnt': { lbl: ['c'] } }, containerWith({ lbl: ['c'], cni: 1, cbs: 3, st: 2 }));
  const smaller = containerWith({ lbl: ['c'], cni: 1, cbs: 2, st: 2 });
  assert.deepEqual(broken(`GET ${box}`, absent, smaller), ['std.container.cbs.grows']);
});

test('after time has advanced nothing is certain', () => {
  const { broken, judging } = judge();
  judging.passTime(86_400_000);
  assert.deepEqual(broken(`GET ${box}`, undefined, refused), []);
});

test('a limit may remove instances, each of which may count as a change', () => {
  const { broken } = judge();
  assert.deepEqual(broken(...grown), []);
  assert.deepEqual(broken(`GET ${box}`, undefined, containerWith({ cni: 1, cbs: 3, st: 1 })), []);
  const limited = containerWith({ cni: 0, cbs: 0, st: 5, mni: 0 });
  assert.deepEqual(broken(`PUT ${box}`, { 'm2m:cnt': { mni: 0 } }, { ...limited, code: 2004 }), []);
});

test('a resource type in a request that creates nothing may be refused', () => {
  const { judging } = judge();
  const removal = exchange(`DELETE ${box}`, undefined, { status: 400, code: 4000 });
  const { headers } = removal.request;
  const typed = (type: string) => ({
    ...removal,
    request: { ...removal.request, headers: [...headers, ['Content-Type', type] as const] },
  });
  assert.deepEqual(judging.judge(typed('application/json;ty=3')), []);
  const [first] = judging.judge(typed('application/json'));
  assert.equal(first?.requirement, 'std.container.delete');
});

const limits: ReadonlyArray<
  readonly [why: string, limits: Readonly<Record<string, unknown>>, broken: readonly string[]]
> = [
  ['a container that is full may have lost any of its instances', { mni: 0 }, []],
  ['so may one whose size is limited', { mbs: 2 }, []],
  ['instances may be too old', { mia: 1 }, []],
  ['nobody knows a limit that is no number', { mni: null }, []],
  [
    'what is within all limits is there',
    { mni: 3_000_000, mbs: 3_000_000, mia: 3_000_000 },
    ['std.content-instance.retrieve'],
  ],
];
for (const [why, shown, expected] of limits) {
  test(why, () => {
    const { broken } = judge();
    const told = { body: { 'm2m:cnt': { ...container, rn: 'in', ri: 'c2', pi: 'cnt0', ...shown } } };
    assert.deepEqual(broken(`POST ${box}`, { 'm2m:cnt': { rn: 'in', lbl: ['a', 'b'], ...shown } }, told), []);
    assert.deepEqual(broken(`POST ${box}/in`, one, content({ pi: 'c2' })), []);
    assert.deepEqual(broken(`GET ${box}/in/one`, absent, refused), expected);
  });
}

test('without Accept a response may have an unreadable serialization', () => {
  const judge = new Judge({ rules: rulesOf('onem2m'), dialect: 'onem2m', names, levelOf: () => 'documented' });
  const created = { 'm2m:ae': { rn: 'app', api: 'Na', rr: false, srv: ['3'], lbl: ['one'] } };
  judge.judge(exchange('POST /cse-in', created, { body: { 'm2m:ae': ae } }));
  judge.judge(exchange('GET /cse-in/app', undefined, { body: { 'm2m:ae': ae } }));
  const broken = (accept: string | null) =>
    judge.judge(exchange('GET /cse-in/app', undefined, { accept, body: 'CBOR' })).map(({ requirement }) => requirement);
  assert.deepEqual(broken(null), []);
  assert.deepEqual(broken('application/json'), ['std.ae.retrieve']);
});

for (const looksAtPolicies of [true, false, undefined])
  test(`an originator without the right is refused if policies are enforced: ${looksAtPolicies}`, () => {
    const { broken } = judge(looksAtPolicies === undefined ? {} : { looksAtPolicies });
    const only = (...ids: readonly string[]) => (looksAtPolicies === true ? ids : []);
    const acr = [
      { acor: ['Capp'], acop: 63 },
      { acor: ['Cother'], acop: 2 },
    ];
    const policy = { ...times, ri: 'acp0', rn: 'p', ty: 1, pi: 'Capp', pv: { acr }, pvs: { acr } };
    const guarded = { ...container, ri: 'cnt5', rn: 'safe', acpi: ['acp0'], lbl: absent };
    const asOther = (line: string, sent?: Readonly<Record<string, unknown>>, told: StandardAnswer = {}) =>
      broken(line, sent, { ...told, from: 'Cother' });
    broken('POST /cse-in/app', { 'm2m:acp': { rn: 'p', pv: { acr }, pvs: { acr } } }, { body: { 'm2m:acp': policy } });
    broken('GET /cse-in/app/p', absent, { body: { 'm2m:acp': policy } });
    broken('POST /cse-in/app', { 'm2m:cnt': { rn: 'safe', acpi: ['acp0'] } }, { body: { 'm2m:cnt': guarded } });
    const denied = { status: 403, code: 4103 };
    // Whoever is not registered may be one of the CSE's own.
    assert.deepEqual(asOther('DELETE /cse-in/app/safe', absent, denied), []);
    const other = { ...ae, ri: 'Cother', aei: 'Cother', rn: 'other', lbl: absent };
    asOther('POST /cse-in', { 'm2m:ae': { rn: 'other', api: 'Na', rr: false } }, { body: { 'm2m:ae': other } });
    assert.deepEqual(asOther('GET /cse-in/app/safe', absent, { body: { 'm2m:cnt': guarded } }), []);
    assert.deepEqual(asOther('GET /cse-in/app/safe', absent, denied), only('std.access.operation.retrieve'));
    assert.deepEqual(asOther('PUT /cse-in/app/safe', { 'm2m:cnt': { lbl: ['x'] } }, denied), []);
    assert.deepEqual(asOther('GET /cse-in/app/safe?fu=1', absent, { body: { 'm2m:uril': [] } }), []);
    assert.deepEqual(asOther('DELETE /cse-in/app/safe'), only('std.access.operation.delete.refused'));
  });

test('an update whose blocking subscriber is unreachable is one finding', () => {
  const { judging } = judge();
  const update = () => exchange(`PUT ${box}`, { 'm2m:cnt': { lbl: ['c'] } }, refused);
  const broken = (...checks: readonly string[]) =>
    judging.judge(update(), { broken: checks }).map(({ requirement }) => requirement);
  assert.deepEqual(broken('std.blocking-update.unreachable'), []);
  assert.deepEqual(broken(), ['std.privilege.update']);
});

test('an attribute returned as null without being requested is not known', () => {
  const { broken } = judge();
  const nothing = Object.fromEntries(Object.keys(container).map((name) => [name, null]));
  const part = { body: { 'm2m:cnt': { ...nothing, lbl: ['a', 'b'] } } };
  for (const _ of [1, 2]) broken(`GET ${box}?atrl=lbl`, absent, part);
  assert.deepEqual(broken(`GET ${box}`, absent, { body: { 'm2m:cnt': container } }), []);
});

test('a subscription that is notified afterwards blocks nothing', () => {
  const { broken } = judge();
  const told = { rn: 's', nu: ['http://n'], enc: { net: [3] } };
  broken(
    `POST ${box}`,
    { 'm2m:sub': told },
    { body: { 'm2m:sub': { ...times, ...told, ri: 'sub0', ty: 23, pi: 'cnt0' } } },
  );
  assert.deepEqual(broken(`GET ${box}`, absent, { status: 403, code: 4103 }), ['std.container.retrieve']);
});

test('a wrong identifier is no evidence for descendants', () => {
  const { broken } = judge();
  assert.deepEqual(broken(`GET ${box}`, absent, containerWith({ ri: 'cnt7' })), ['std.common.ri']);
  assert.deepEqual(broken(...grown), []);
  assert.deepEqual(broken(`GET ${box}/one`, absent, content({})), []);
});

test('attributes are checked if the response is certainly the resource', () => {
  const { ri: _, ...shown } = node;
  const created = (...names: readonly string[]) => {
    const others = Object.entries(shown).filter(([name]) => !['ty', 'pi', 'ct'].includes(name) || names.includes(name));
    return judge().broken(made[0], made[1], { body: { 'm2m:nod': Object.fromEntries(others) } });
  };
  for (const pair of [
    ['ty', 'pi'],
    ['ty', 'ct'],
    ['pi', 'ct'],
  ])
    assert.ok(created(...pair).includes('std.every.attribute.always'), pair.join());
  for (const one of ['ty', 'pi', 'ct']) assert.ok(!created(one).includes('std.every.attribute.always'), one);
});

test('of a subscription that should have been refused, since it has no targets, nothing more is demanded', () => {
  const { judging } = judge();
  const { nu: _, ...without } = subscription;
  const made = exchange('POST /cse-in/app', { 'm2m:sub': { rn: 's' } }, { body: { 'm2m:sub': without } });
  const read = exchange('GET /cse-in/app/s', absent, { body: { 'm2m:sub': without } });
  const broken = ['std.subscription.target.mandatory'];
  assert.deepEqual(judging.judge(made, { broken }), []);
  assert.deepEqual(judging.judge(read), []);
});
