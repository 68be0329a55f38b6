import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../engine/results/exchange.ts';
import { Judge } from './judge.ts';
import { rulesOf } from './rules.ts';

const names = { base: 'cse-in', cseId: 'id-in', spId: 'sp.example.com' };
const times = { ct: '20261122T100000', lt: '20261122T100000', et: '20261122T110000' };
const ae = { ...times, ri: 'Capp', rn: 'app', ty: 2, pi: 'cb0', aei: 'Capp', api: 'Na', rr: false, lbl: ['one'] };
const container = { ...times, ri: 'cnt0', rn: 'box', ty: 3, pi: 'Capp', cni: 0, cbs: 0, st: 0, lbl: ['a', 'b'] };
const instance = { ...times, ri: 'cin0', rn: 'one', ty: 4, pi: 'cnt0', con: 'abc', cnf: 'text/plain:0', cs: 3, st: 1 };
const types = new Map([
  ['m2m:ae', 2],
  ['m2m:cnt', 3],
  ['m2m:cin', 4],
  ['m2m:sub', 23],
  ['m2m:grp', 9],
  ['m2m:acp', 1],
  ['m2m:nod', 14],
  ['m2m:csr', 16],
  ['cod:lamp', 28],
]);
const codes = new Map([
  ['POST', 2001],
  ['GET', 2000],
  ['PUT', 2004],
  ['DELETE', 2002],
]);

interface Told {
  readonly status?: number;
  readonly code?: number;
  readonly body?: unknown;
  /** The X-M2M-RI of the answer. */
  readonly echo?: string;
  readonly from?: string;
  /** In place of `application/json`; null for none. */
  readonly accept?: string | null;
}

function exchange(line: string, sent: Readonly<Record<string, unknown>> | undefined, told: Told): Exchange {
  const [method = '', path = ''] = line.split(' ');
  const ty = types.get(Object.keys(sent ?? {})[0] ?? '');
  const type = method === 'POST' ? `application/json;ty=${ty}` : 'application/json';
  const { status = method === 'POST' ? 201 : 200, code = codes.get(method), body, echo = 'r', from = 'Capp' } = told;
  const { accept = 'application/json' } = told;
  return {
    request: {
      method,
      path,
      headers: [
        ['X-M2M-Origin', from],
        ['X-M2M-RI', 'r'],
        ['X-M2M-RVI', '3'],
        ...(accept === null ? [] : [['Accept', accept] as const]),
        ...(sent === undefined ? [] : [['Content-Type', type] as const]),
      ],
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    },
    answer: {
      status,
      headers: [
        ['X-M2M-RI', echo],
        ['X-M2M-RSC', String(code)],
      ],
      body: body === undefined ? '' : JSON.stringify(body),
    },
    ...{ at: 0, took: 1, curl: '' },
  };
}

const box = '/cse-in/app/box';
const one = { 'm2m:cin': { rn: 'one', con: 'abc', cnf: 'text/plain:0' } };

/** A judge that has seen an application entity with a container be created and read. */
function judge(looksAtPolicies = true) {
  const about = { dialect: 'onem2m' as const, names, looksAtPolicies, levelOf: () => 'standard' as const };
  const judging = new Judge({ rules: rulesOf('onem2m'), ...about });
  const broken = (line: string, sent?: Readonly<Record<string, unknown>>, told: Told = {}) =>
    judging.judge(exchange(line, sent, told)).map(({ requirement }) => requirement);
  const { api, rr, lbl } = ae;
  const sound = [
    broken('POST /cse-in', { 'm2m:ae': { rn: 'app', api, rr, lbl } }, { body: { 'm2m:ae': ae } }),
    broken('GET /cse-in/app', undefined, { body: { 'm2m:ae': ae } }),
    broken('POST /cse-in/app', { 'm2m:cnt': { rn: 'box', lbl: ['a', 'b'] } }, { body: { 'm2m:cnt': container } }),
    broken(`GET ${box}`, undefined, { body: { 'm2m:cnt': container } }),
  ];
  assert.deepEqual(sound.flat(), []);
  return { judging, broken };
}

type Row = readonly [requirement: string, line: string, told: Told, before?: Step];
type Step = readonly [line: string, sent?: Readonly<Record<string, unknown>> | undefined, told?: Told];

const asked = (attributes: Readonly<Record<string, unknown>>): Told => ({
  body: { 'm2m:cnt': { ...container, ...attributes } },
});
const application = (attributes: Readonly<Record<string, unknown>>): Told => ({
  body: { 'm2m:ae': { ...ae, ...attributes } },
});
const content = (attributes: Readonly<Record<string, unknown>>): Told => ({
  body: { 'm2m:cin': { ...instance, ...attributes } },
});
const absent = undefined;
const refused: Told = { status: 404, code: 4004 };
const updated: Step = [`PUT ${box}`, { 'm2m:cnt': { lbl: ['c'], or: null } }];
const grown: Step = [`POST ${box}`, one, content({})];

const wrong: readonly Row[] = [
  ['std.headers.ri', `GET ${box}`, { ...asked({}), echo: 'other' }],
  ['std.http.2000', `GET ${box}?rcn=1`, { ...asked({}), status: 203 }],
  ['std.container.retrieve', `GET ${box}`, refused],
  ['std.container.retrieve', `GET ${box}`, { ...asked({}), code: 2004 }],
  ['std.address.structured.sp-relative', `GET /~/id-in${box}`, refused],
  ['std.address.structured.absolute', `GET /_/sp.example.com/id-in${box}`, refused],
  ['std.container.retrieve', 'GET /cnt0', refused],
  ['std.ae.retrieve', 'GET /cse-in/app', refused],
  ['std.ae.deregister', 'DELETE /cse-in/app', { status: 500, code: 5000 }],
  ['std.container.delete', `DELETE ${box}`, { status: 500, code: 5000 }],
  ['std.delete.gone', `GET ${box}`, asked({}), [`DELETE ${box}`]],
  ['std.delete.gone', `GET ${box}`, asked({}), ['DELETE /cse-in/app']],
  ['std.retrieve.not-found', `GET ${box}`, { status: 400, code: 4000 }, [`DELETE ${box}`]],
  ['std.delete.not-found', `DELETE ${box}`, { status: 400, code: 4000 }, [`DELETE ${box}`]],
  ['std.common.ri', `GET ${box}`, asked({ ri: 'cnt7' })],
  ['std.common.ri', `GET ${box}`, asked({ ri: absent })],
  ['std.ae.retrieve.ri', 'GET /cse-in/app', application({ ri: absent })],
  ['std.ae.retrieve.aei', 'GET /cse-in/app', application({ aei: 'Cother' })],
  ['std.common.pi', `GET ${box}`, asked({ pi: 'cb0' })],
  ['std.common.ct', `GET ${box}`, asked({ ct: '2026-11-22T10:00:00' })],
  ['std.common.lt', `GET ${box}`, asked({ lt: absent })],
  ['std.update.lt', `GET ${box}`, asked({ lt: '20261122T095959' })],
  ['std.create.et.answered', `GET ${box}`, asked({ et: '20261122T120000' })],
  ['std.common.rn', `GET ${box}`, asked({ rn: 'Box' })],
  ['std.common.ty', `GET ${box}`, asked({ ty: 4 })],
  ['std.ae.retrieve.api', 'GET /cse-in/app', application({ api: 'na' })],
  ['std.ae.retrieve.rr', 'GET /cse-in/app', application({ rr: true })],
  ['std.ae.attribute.lbl', 'GET /cse-in/app', application({ lbl: ['ONE'] })],
  ['std.container.optional', `GET ${box}`, asked({ lbl: ['a'] })],
  ['std.update.change.kept', `GET ${box}`, asked({ st: 1 }), updated],
  ['std.update.remove.gone', `GET ${box}`, asked({ lbl: ['c'], or: 'http://o', st: 1 }), updated],
  ['std.update.others-stay', `PUT ${box}`, asked({ rn: 'Box', st: 1 })],
  ['std.delete.gone', 'GET /cse-in?fu=1', { body: { 'm2m:uril': ['cse-in/app/box'] } }, [`DELETE ${box}`]],
  ['std.container.counters', `GET ${box}`, asked({ cni: 1 })],
  ['std.container.cni.grows', `GET ${box}`, asked({ cbs: 3, st: 1 }), grown],
  ['std.container.cbs.grows', `GET ${box}`, asked({ cni: 1, st: 1 }), grown],
  ['std.latest.retrieve', `GET ${box}/la`, content({ ri: 'cin7' }), grown],
  ['std.oldest.retrieve', `GET ${box}/ol`, content({ ri: 'cin7' }), grown],
  ['std.content-instance.kept', `GET ${box}/one`, content({ con: 'ABC' }), grown],
  ['std.content-instance.optional', `GET ${box}/one`, content({ cnf: 'text/plain' }), grown],
  ['std.content-instance.cs', `GET ${box}/one`, content({ cs: 4 }), grown],
];

const node = { ...times, ri: 'nod0', rn: 'dev', ty: 14, pi: 'cb0', ni: '007', hcl: '/other' };
const made: Step = [
  'POST /cse-in',
  { 'm2m:nod': { rn: 'dev', ni: '007', hcl: '/other' } },
  { body: { 'm2m:nod': node } },
];
const device = (attributes: Readonly<Record<string, unknown>>): Told => ({
  body: { 'm2m:nod': { ...node, ...attributes } },
});
const again: Step = ['POST /cse-in/app', { 'm2m:cnt': { rn: 'bin', lbl: ['a', 'b'] } }, { status: 403, code: 4103 }];

const lamp = { ...times, ri: 'fcnt0', rn: 'lamp', ty: 28, pi: 'Capp', st: 0, cs: 1, cnd: 'org.lamp', on: true };
const subscription = { ...times, ri: 's0', rn: 's', ty: 23, pi: 'Capp', nu: ['Capp'], exc: 5 };
const left = (exc: number | undefined): Told => ({ body: { 'm2m:sub': { ...subscription, exc } } });
const subscribed: Step = ['POST /cse-in/app', { 'm2m:sub': { rn: 's', nu: ['Capp'], exc: 5 } }, left(5)];

const far = { rn: 'far', cb: '/far/base', csi: '/far', rr: false };
const registered = (from: string, csi: string): Step => {
  const shown = { ...times, ...far, ri: 'csr0', ty: 16, pi: 'cb0', csi };
  return ['POST /cse-in', { 'm2m:csr': far }, { body: { 'm2m:csr': shown }, from }];
};

const cb = { ct: times.ct, lt: times.lt, ri: 'cb0', rn: 'cse-in', ty: 5, csi: '/id-in' };
const based = (srt: readonly number[], pi?: string): Told => ({ body: { 'm2m:cb': { ...cb, srt, pi } } });

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
    [[`GET ${box}`, absent, asked({})]],
    ['GET /cnt0', absent, asked({ lt: '20261122T100001' })],
  ],
  ['std.every.attribute.absent', [], [made[0], made[1], device({ nty: 5 })]],
  ['std.every.attribute.absent', [], [`GET ${box}`, absent, asked({ or: 'http://o' })]],
  ['std.content-instance.st', [], [grown[0], one, content({ st: 3 })]],
  ['std.every.attribute.stays', [grown], [`GET ${box}/one`, absent, content({ st: 2 })]],
  ['std.every.attribute.stays', [['GET /cse-in', absent, based([2, 3])]], ['GET /cse-in', absent, based([2])]],
  [
    'std.container.cbs.grows',
    [grown],
    [`PUT ${box}`, { 'm2m:cnt': { lbl: ['c'] } }, asked({ lbl: ['c'], cni: 1, cbs: 0, st: 2 })],
  ],
  ['std.container.counters', [], [`PUT ${box}`, { 'm2m:cnt': { lbl: ['c'] } }, asked({ lbl: ['c'], cbs: 7, st: 1 })]],
  ['std.create.lt', [], [made[0], made[1], device({ lt: '20261122T100001' })]],
  ['std.every.state-tag', [grown], [`GET ${box}`, absent, asked({ cni: 1, cbs: 3, st: 0 })]],
  ['std.every.create', [], [made[0], made[1], { ...device({}), status: 200, code: 2000 }]],
  [
    'std.every.update',
    [made],
    ['PUT /cse-in/dev', { 'm2m:nod': { ni: '008' } }, { ...device({ ni: '008' }), code: 2000 }],
  ],
  ['std.every.delete', [made], ['DELETE /cse-in/dev', absent, { code: 2000 }]],
  ['std.every.create.again', [], again],
  ['std.create.name-taken', [], [again[0], { 'm2m:cnt': { rn: 'box', lbl: ['a', 'b'] } }, { status: 400, code: 4000 }]],
  [
    'std.every.update.again',
    [[`PUT ${box}`, { 'm2m:cnt': { lbl: ['c'] } }, asked({ lbl: ['c'], st: 1 })]],
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

const lampAsked = (children: Readonly<Record<string, unknown>> = {}): Told => ({
  body: { 'cod:lamp': { ...lamp, ...children } },
});

/** What the tables leave open. */
const open: ReadonlyArray<readonly [why: string, before: readonly Step[], after: Step]> = [
  [
    'what ends earlier takes what stands below along',
    [['PUT /cse-in/app', { 'm2m:ae': { et: '20261122T103000' } }, application({ et: '20261122T103000' })]],
    [`GET ${box}`, absent, asked({ et: '20261122T103000' })],
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
    [grown, [`GET ${box}`, absent, asked({ cni: 1, cbs: 3, st: 1 })]],
    [`GET ${box}`, absent, asked({ cni: 1, cbs: 3, st: 1, lt: '20261122T100001' })],
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

const silent: ReadonlyArray<readonly [why: string, before: Step | readonly [Step, Step], line: string, told: Told]> = [
  ['who asks did not create it', grown, `GET ${box}`, { status: 403, code: 4103, from: 'Cother' }],
  ['a policy has a say', [`PUT ${box}`, { 'm2m:cnt': { acpi: ['acp0'] } }], `GET ${box}`, { status: 403, code: 4103 }],
  [
    'a subscription may block it',
    [`POST ${box}`, { 'm2m:sub': { rn: 's', nu: ['http://n'], enc: { net: [7] } } }],
    `GET ${box}`,
    { status: 403, code: 4103 },
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
    asked({}),
  ],
  ['members of a group were addressed', ['POST /cse-in/app/g/fopt', one], `GET ${box}`, asked({ cni: 1, cbs: 3 })],
  [
    'an unknown identifier was addressed',
    ['PUT /xyz', { 'm2m:cnt': { lbl: ['c'] } }],
    `GET ${box}`,
    asked({ lbl: ['c'] }),
  ],
  [
    'an update is done later',
    [`PUT ${box}`, { 'm2m:cnt': { lbl: ['c'] } }, { status: 202, code: 1001 }],
    `GET ${box}`,
    asked({}),
  ],
  [
    'content is encoded',
    [`POST ${box}`, { 'm2m:cin': { rn: 'one', con: 'YWJj', cnf: 'text/plain:1' } }],
    `GET ${box}`,
    asked({ cni: 1, cbs: 9, st: 1 }),
  ],
  ['an answer shows more', grown, `GET ${box}?rcn=4`, asked({ cni: 7, st: 1, 'm2m:cin': [instance] })],
  ['the CSE may set limits', [`PUT ${box}`, { 'm2m:cnt': { mni: 9 } }], `GET ${box}`, asked({ mni: 5, st: 1 })],
  ['a limit may remove', [`GET ${box}`, undefined, asked({ mni: 1 })], `GET ${box}`, asked({ mni: 1, cni: 0 })],
  ['it answers later', grown, `GET ${box}?rt=3`, { status: 204, code: 2000, echo: '' }],
  ['a creation without a type is none', [`POST ${box}`, {}], `GET ${box}`, asked({ cni: 1 })],
  ['a dash stands for the CSE base', grown, 'GET /-/app/box', { ...refused, from: 'Cother' }],
  [
    'it was created under another name',
    ['POST /cse-in/app', { 'm2m:cnt': { rn: 'in' } }, { body: { 'm2m:cnt': { ...container, rn: 'other' } } }],
    'GET /cse-in/app/in',
    { ...refused, from: 'Cother' },
  ],
];

function isTwo(steps: Step | readonly [Step, Step]): steps is readonly [Step, Step] {
  return typeof steps[0] !== 'string';
}

for (const [why, before, line, told] of silent) {
  test(`nothing is certain where ${why}`, () => {
    const { broken } = judge();
    for (const step of isTwo(before) ? before : [before]) broken(...step);
    assert.deepEqual(broken(line, undefined, told), []);
  });
}

const bin = { ...container, ri: 'cnt1', rn: 'bin', lbl: ['c'] };
const besideBox: Step = ['POST /cse-in/app', { 'm2m:cnt': { rn: 'bin', lbl: ['c'] } }, { body: { 'm2m:cnt': bin } }];
const group = (rn: string, ...mid: readonly string[]): Step => ['POST /cse-in/app', { 'm2m:grp': { rn, mnm: 9, mid } }];
const relabelled = { 'm2m:cnt': { lbl: ['all'] } };
const agreeing = (...rsp: readonly object[]): Told => ({ body: { 'm2m:agr': { 'm2m:rsp': rsp } } });
const toAll: Step = ['PUT /cse-in/app/g/fopt', relabelled, { code: 2004, ...agreeing({ rsc: 2004 }) }];

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
  test(`a request to all members leaves others in no doubt, with members by ${what}`, () => {
    const { broken } = judge();
    for (const step of [besideBox, ...before]) assert.deepEqual(broken(...step), []);
    assert.deepEqual(broken('GET /cse-in/app/bin', absent, { body: { 'm2m:cnt': { ...bin, lbl: ['all'] } } }), []);
    assert.deepEqual(broken(`GET ${box}`, absent, asked({ lbl: ['all'] })), ['std.container.optional']);
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
  test(`nothing is certain after a request to all members where ${why}`, () => {
    const { broken } = judge();
    for (const step of [besideBox, ...before]) broken(...step);
    assert.deepEqual(broken(`GET ${box}`, absent, asked({ lbl: ['all'] })), []);
  });
}

test('a request to all members may bring subscriptions beside them to their end', () => {
  const { broken } = judge();
  const watching: Step = ['POST /cse-in/app', { 'm2m:sub': { rn: 's', nu: ['Capp'], enc: { net: [4] }, exc: 1 } }];
  for (const step of [besideBox, watching, group('g', 'cnt1'), ['DELETE /cse-in/app/g/fopt'] as const]) broken(...step);
  assert.deepEqual(broken('GET /cse-in/app/s', absent, refused), []);
});

test('a request to all members may have made or removed what stands beside them', () => {
  const { broken } = judge();
  for (const step of [besideBox, group('g', 'cnt1'), toAll]) broken(...step);
  assert.deepEqual(broken('GET /cse-in/app?fu=1', absent, { body: { 'm2m:uril': [] } }), []);
});

test('what is created below the CSE base by its identifier is known', () => {
  const { broken } = judge();
  const again: Step = ['POST /cb0', made[1], device({})];
  assert.deepEqual(broken(...again), []);
  assert.deepEqual(broken('GET /cse-in/dev', absent, device({ ni: '7' })), ['std.every.attribute.given']);
  assert.deepEqual(broken(`GET ${box}`, absent, refused), ['std.container.retrieve']);
});

test('what a check found wrong before makes what follows from it moot', () => {
  const { judging, broken } = judge();
  broken(...updated);
  judging.judge(exchange(`GET ${box}?rcn=1`, undefined, asked({})), { broken: ['std.update.several.kept'] });
  assert.deepEqual(broken(`GET ${box}`, undefined, asked({ or: 'http://o', st: 1 })), []);
});

test('what was to be refused is not blamed for what is missing of it', () => {
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

test('a change of what is not known may count at what holds it', () => {
  const { broken } = judge();
  broken(`GET ${box}`, undefined, asked({}));
  broken(`PUT ${box}/unknown`, { 'm2m:cnt': { lbl: ['c'] } }, { body: { 'm2m:cnt': container } });
  assert.deepEqual(broken(`GET ${box}`, undefined, asked({ st: 1, lt: '20261122T100001' })), []);
});

test('a service may show that what nobody gave is empty, and the state tag of what is new as 0', () => {
  const { broken } = judge();
  assert.deepEqual(broken(`GET ${box}`, absent, asked({ or: '' })), []);
  assert.deepEqual(broken(grown[0], one, content({ st: 0, loc: null })), []);
});

test('what changes no limit leaves instances where they are', () => {
  const { broken } = judge();
  broken(...grown);
  broken(`PUT ${box}`, { 'm2m:cnt': { lbl: ['c'] } }, asked({ lbl: ['c'], cni: 1, cbs: 3, st: 2 }));
  const smaller = asked({ lbl: ['c'], cni: 1, cbs: 2, st: 2 });
  assert.deepEqual(broken(`GET ${box}`, absent, smaller), ['std.container.cbs.grows']);
});

test('after time has passed nothing is certain', () => {
  const { broken, judging } = judge();
  judging.passTime(86_400_000);
  assert.deepEqual(broken(`GET ${box}`, undefined, refused), []);
});

test('a limit may make instances go, and each of them may count as a change', () => {
  const { broken } = judge();
  assert.deepEqual(broken(...grown), []);
  assert.deepEqual(broken(`GET ${box}`, undefined, asked({ cni: 1, cbs: 3, st: 1 })), []);
  const limited = asked({ cni: 0, cbs: 0, st: 5, mni: 0 });
  assert.deepEqual(broken(`PUT ${box}`, { 'm2m:cnt': { mni: 0 } }, { ...limited, code: 2004 }), []);
});

test('a type that is said of what creates nothing may be refused', () => {
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

test('whoever does not say what he takes may be answered in what nobody here reads', () => {
  const judge = new Judge({ rules: rulesOf('onem2m'), dialect: 'onem2m', names, levelOf: () => 'documented' });
  const created = { 'm2m:ae': { rn: 'app', api: 'Na', rr: false, srv: ['3'], lbl: ['one'] } };
  judge.judge(exchange('POST /cse-in', created, { body: { 'm2m:ae': ae } }));
  judge.judge(exchange('GET /cse-in/app', undefined, { body: { 'm2m:ae': ae } }));
  const broken = (accept: string | null) =>
    judge.judge(exchange('GET /cse-in/app', undefined, { accept, body: 'CBOR' })).map(({ requirement }) => requirement);
  assert.deepEqual(broken(null), []);
  assert.deepEqual(broken('application/json'), ['std.ae.retrieve']);
});

for (const looksAtPolicies of [true, false])
  test(`who lacks the right is refused, where policies are looked at: ${looksAtPolicies}`, () => {
    const { broken } = judge(looksAtPolicies);
    const only = (...ids: readonly string[]) => (looksAtPolicies ? ids : []);
    const acr = [
      { acor: ['Capp'], acop: 63 },
      { acor: ['Cother'], acop: 2 },
    ];
    const policy = { ...times, ri: 'acp0', rn: 'p', ty: 1, pi: 'Capp', pv: { acr }, pvs: { acr } };
    const guarded = { ...container, ri: 'cnt5', rn: 'safe', acpi: ['acp0'], lbl: absent };
    const asOther = (line: string, sent?: Readonly<Record<string, unknown>>, told: Told = {}) =>
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

test('a subscription that is told afterwards lets everything pass', () => {
  const { broken } = judge();
  const told = { rn: 's', nu: ['http://n'], enc: { net: [3] } };
  broken(
    `POST ${box}`,
    { 'm2m:sub': told },
    { body: { 'm2m:sub': { ...times, ...told, ri: 'sub0', ty: 23, pi: 'cnt0' } } },
  );
  assert.deepEqual(broken(`GET ${box}`, absent, { status: 403, code: 4103 }), ['std.container.retrieve']);
});

test('what each member of a group said that it did is done', () => {
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
  test(`of what all members are asked for, ${line} breaks ${requirement ?? 'nothing'}`, () => {
    const { broken } = judge();
    for (const step of [besideBox, group('g', 'cnt0', 'cnt1')]) broken(...step);
    assert.deepEqual(broken(line, sent, told), requirement === undefined ? [] : [requirement]);
  });
}

test('whether names may follow the identifier of a group is left open', () => {
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

test('a member that has been removed, or stands below another, may answer otherwise', () => {
  const { broken } = judge();
  for (const step of [besideBox, group('g', 'cnt0', 'cnt1')]) broken(...step);
  broken('DELETE /cse-in/app/bin');
  assert.deepEqual(broken(`DELETE ${fopt}`, absent, bothGone), []);
});

test('a member that was removed and created again, or only after the group, need not be one', () => {
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
