import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  absent,
  agreeing,
  application,
  box,
  containerWith,
  content,
  exchange,
  group,
  grown,
  instance,
  judge,
  one,
  refused,
  type Step,
  toAll,
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
  ['std.update.not-found', `PUT ${box}/nowhere`, { 'm2m:cnt': { lbl: ['x'] } }, {}],
  ['std.delete.not-found', `DELETE ${box}/nowhere`, absent, {}],
  ['std.create.name-shape', `POST ${box}`, { 'm2m:cnt': { rn: 'a/b' } }, created],
  ['std.create.cr.given', `POST ${box}`, { 'm2m:cnt': { rn: 'x', cr: 'Capp' } }, created],
  ['std.container.invalid-limit', `POST ${box}`, { 'm2m:cnt': { rn: 'x', mni: -1 } }, created],
  ['std.create.et-passed', `POST ${box}`, { 'm2m:cnt': { rn: 'x', et: '20010101T000000' } }, created],
  ['std.delete.rcn.refused', `DELETE ${box}?rcn=2`, absent, {}],
  ['std.update.read-only', 'PUT /cse-in/app', { 'm2m:ae': { ct: '20200101T000000' } }, {}],
  ['std.update.foreign', 'PUT /cse-in/app', { 'm2m:ae': { exc: 5 } }, {}],
];

for (const [requirement, line, sent, told] of mistaken) {
  test(`${requirement}: a request with a single error is refused`, () => {
    const found = judge().broken(line, sent, told);
    assert.ok(found.includes(requirement), String(found));
    const isNowhere = requirement.endsWith('not-found') || requirement.endsWith('case');
    const code = requirement === 'std.create.wrong-child' ? 4108 : isNowhere ? 4004 : 4000;
    const refusal = { status: code === 4004 ? 404 : 400, code };
    assert.deepEqual(judge().broken(line, sent, refusal), []);
  });
}

test('where a clause allows a second code of refusal, either is right, and a third is not', () => {
  const steps: readonly (readonly [string, ...Step])[] = [
    ['std.update.wrong-root', `PUT ${box}`, { 'm2m:grp': { lbl: ['x'] } }],
    ['std.discovery.invalid-value', `GET ${box}?fu=1&cra=yesterday`, absent],
  ];
  for (const [requirement, line, sent] of steps)
    for (const [code, found] of [
      [4000, []],
      [4102, []],
      [4105, [requirement]],
    ] as const)
      assert.deepEqual(judge().broken(line, sent, { status: code === 4105 ? 409 : 400, code }), found, String(code));
});

test('a policy with several rules is accepted, unless they have other members', () => {
  const acr = [
    { acor: ['Capp'], acop: 63 },
    { acor: ['Cother'], acop: 2 },
  ];
  const created = (pv: object) => {
    const pvs = { acr: acr.slice(0, 1) };
    return judge().broken('POST /cse-in/app', { 'm2m:acp': { rn: 'p', pv, pvs } }, { status: 400, code: 4000 });
  };
  assert.deepEqual(created({ acr }), ['std.policy.several-rules']);
  assert.deepEqual(created({ acr: acr.slice(0, 1) }), []);
  const refused = { status: 400, code: 4000 };
  for (const given of [{ rn: 'ä' }, { rn: 'p', lbl: ['a'] }, { rn: 'box' }]) {
    const policy = { 'm2m:acp': { pv: { acr }, pvs: { acr }, ...given } };
    assert.deepEqual(judge().broken('POST /cse-in/app', policy, refused), [], JSON.stringify(given));
  }
  assert.deepEqual(created({ acr: [...acr, { acor: ['Cthird'], acop: 2, acco: [] }] }), []);
});

test('a created resource is returned below the root of its type', () => {
  const created = (root: string) => judge().broken(`POST ${box}`, one, { status: 201, body: { [root]: instance } });
  assert.deepEqual(created('m2m:cin'), []);
  assert.deepEqual(created('m2m:contentInstance'), ['std.content-instance.create']);
});

test('without policies the creator may update a resource', () => {
  const refused = { status: 403, code: 4103 };
  const found = judge().broken(`PUT ${box}`, { 'm2m:cnt': { lbl: ['new'] } }, refused);
  assert.deepEqual(found, ['std.access.default.creator']);
  assert.deepEqual(judge().broken(`PUT ${box}`, { 'm2m:cnt': { acpi: ['acp0'] } }, refused), []);
  const { broken } = judge();
  broken(...group('g', 'cnt0'));
  // A member that cannot be read (TS-0004 7.4.13.2.2).
  assert.deepEqual(broken('PUT /cse-in/app/g', { 'm2m:grp': { mid: ['cnt0', 'cnt9'] } }, refused), []);
});

const denied = { status: 403, code: 4103 };
const another = { from: 'Cother' };
/** Of each type that depends on nothing but what is given: what is given beside a name, and changed then. */
const simple: ReadonlyArray<readonly [root: string, given: object, change: object]> = [
  ['m2m:cnt', { lbl: ['x'] }, { or: 'y' }],
  ['m2m:acp', { pv: {}, pvs: { acr: [{ acor: ['Capp'], acop: 63 }] } }, { lbl: ['y'] }],
  ['m2m:ts', { pei: 10 }, { lbl: ['y'] }],
  ['cod:lamp', { cnd: 'org.lamp' }, { on: true }],
];
for (const [root, given, change] of simple)
  test(`a request accepted for ${root} is accepted again`, () => {
    const { broken } = judge();
    broken('POST /cse-in/app', { [root]: { rn: 'a', ...given } });
    assert.deepEqual(broken('POST /cse-in/app', { [root]: { rn: 'b', ...given } }, denied), ['std.every.create.again']);
    broken('PUT /cse-in/app/a', { [root]: change });
    assert.deepEqual(broken('PUT /cse-in/app/a', { [root]: change }, denied), ['std.every.update.again']);
  });

test('content accepted before is accepted again, with and without a name', () => {
  for (const name of [{ rn: 'two' }, {}]) {
    const { broken } = judge();
    broken(...grown);
    const { rn: _, ...given } = one['m2m:cin'];
    assert.deepEqual(broken(`POST ${box}`, { 'm2m:cin': { ...given, ...name } }, denied), ['std.every.create.again']);
  }
});

const labelled = { 'm2m:cnt': { rn: 'bin', lbl: ['a', 'b'] } };
const label = { 'm2m:cnt': { lbl: ['c'] } };
const relabelled: Step = [`PUT ${box}`, label, containerWith({ lbl: ['c'], st: 1 })];
const relabelledApp: Step = ['PUT /cse-in/app', { 'm2m:ae': { lbl: ['x'] } }, application({ lbl: ['x'] })];
const removed: Step = [`DELETE ${box}`];
const member = group('g', 'cnt0');
const toAllGone: Step = ['DELETE /cse-in/app/g/fopt', absent, { code: 2002, ...agreeing({ rsc: 2002 }) }];
const toAllMade: Step = ['POST /cse-in/app/g/fopt', one, agreeing({ rsc: 2001 })];

/** What was taken is taken again, what is there is not denied, and what was done is done. */
const wrong: ReadonlyArray<readonly [requirement: string, before: readonly Step[], ...Step]> = [
  ['std.every.create.again', [removed], 'POST /cse-in/app', { 'm2m:cnt': { rn: 'box', lbl: ['a', 'b'] } }, denied],
  ['std.create.name-taken', [], 'POST /cse-in/app', { 'm2m:cnt': { rn: 'box', lbl: ['a', 'b'] } }, created],
  ['std.every.update.again', [relabelled], `PUT ${box}`, label, { status: 400, code: 4000 }],
  [
    'std.every.update.again',
    [relabelledApp],
    'PUT /cse-in/app',
    { 'm2m:ae': { lbl: ['x'] } },
    { status: 400, code: 4000 },
  ],
  ['std.privilege.delete', [], `DELETE ${box}`, absent, { ...refused, ...another }],
  ['std.privilege.update', [], `PUT ${box}`, label, { ...refused, ...another }],
  ['std.address.unstructured.cse-relative', [], 'POST /cnt0', one, { ...refused, ...another }],
  ['std.address.unstructured.cse-relative', [], 'PUT /cnt0', label, { status: 404, code: 5103, ...another }],
  ['std.address.unstructured.cse-relative', [], 'DELETE /cnt0', absent, { ...refused, ...another }],
  ['std.address.unstructured.sp-relative', [], 'GET /~/id-in/cnt0', absent, { ...refused, ...another }],
  ['std.address.unstructured.absolute', [], 'GET /_/sp.example.com/id-in/cnt0', absent, { ...refused, ...another }],
  ['std.fan-out.update.done', [member, toAll], `GET ${box}`, absent, containerWith({ lbl: ['z'] })],
  ['std.fan-out.delete.done', [member, toAllGone], `GET ${box}`, absent, containerWith({})],
  ['std.fan-out.create.done', [member, toAllMade], `GET ${box}/la`, absent, refused],
];

for (const [requirement, before, line, sent, told] of wrong)
  test(`${requirement}: ${line} ${JSON.stringify(sent)} answered ${JSON.stringify(told)}`, () => {
    const { broken } = judge();
    for (const step of before) broken(...step);
    const found = broken(line, sent, told);
    assert.ok(found.includes(requirement), found.join(' '));
  });

const colour: Step = [`POST ${box}`, { 'cod:color': { rn: 'x' } }];
const limited: Step = ['POST /cse-in/app', { 'm2m:cnt': { rn: 'in', mni: 9 } }];
const channel: Step = ['POST /cse-in/app', { 'm2m:pch': { rn: 'pch' } }];
const watched: Step = [`POST ${box}`, { 'm2m:sub': { rn: 's', nu: ['/id-in/Cgone'], enc: { net: [6] } } }];
/** Whatever is answered here, nothing is certain. */
const open: ReadonlyArray<readonly [why: string, before: readonly Step[], ...Step]> = [
  [
    'an expiration time was given',
    [['POST /cse-in/app', { 'm2m:cnt': { rn: 'a', et: '20261122T110000' } }]],
    'POST /cse-in/app',
    { 'm2m:cnt': { rn: 'b', et: '20261122T110000' } },
    denied,
  ],
  [
    'the name is that of a virtual resource',
    [],
    'POST /cse-in/app',
    { 'm2m:cnt': { rn: 'fopt', lbl: ['a', 'b'] } },
    denied,
  ],
  [
    'the name has letters that URIs escape',
    [],
    'POST /cse-in/app',
    { 'm2m:cnt': { rn: 'ä', lbl: ['a', 'b'] } },
    denied,
  ],
  ['it was taken below another type', [], `POST ${box}`, labelled, denied],
  ['another sends it', [], 'POST /cse-in/app', labelled, { ...denied, ...another }],
  ['more was given', [], 'POST /cse-in/app', { 'm2m:cnt': { rn: 'bin', lbl: ['a', 'b'], or: 'x' } }, denied],
  [
    'the update has more',
    [relabelled],
    `PUT ${box}`,
    { 'm2m:cnt': { lbl: ['c'], or: 'x' } },
    { status: 400, code: 4000 },
  ],
  ['a reference may lead nowhere', [], `PUT ${box}`, { 'm2m:cnt': { acpi: ['acp9'] } }, { ...refused, ...another }],
  ['an update says nothing', [], `PUT ${box}`, {}, { status: 403, code: 4103 }],
  ['a limit may be too small', [grown, limited], 'POST /cse-in/app/in', one, { status: 406, code: 5207 }],
  [
    'nobody knows what the members were to hold',
    [member, ['POST /cse-in/app/g/fopt', { 'm2m:cin': {}, 'm2m:cnt': {} }, agreeing({ rsc: 2001 })]],
    `GET ${box}/la`,
    absent,
    content({ con: 'x' }),
  ],
  ['what is addressed brings messages to others', [channel], 'GET /cse-in/app/pch/pcu', absent, {}],
  ['a part is addressed', [], `GET ${box}%23lbl`, absent, { ...refused, ...another }],
  ['a subscriber is asked first', [watched], `GET ${box}`, absent, { ...refused, ...another }],
  [
    'a subscriber of what is above is asked first',
    [watched, grown],
    `GET ${box}/one`,
    absent,
    { ...refused, ...another },
  ],
  ['names follow an identifier', [grown], 'POST /cnt0/one', one, { ...refused, ...another }],
  ['a query asks for something of what is not there', [], `GET ${box}/none?rcn=1`, absent, {}],
  ['another asks for what is not there', [], `GET ${box}/none`, absent, another],
  ['what would hold it is not known', [], `GET ${box}/none/deep`, absent, {}],
  ['it would stand below the CSE base', [], 'GET /cse-in/none', absent, {}],
  ['a virtual resource of what is not there', [], `GET ${box}/none/la`, absent, {}],
  ['something unknown may be called so', [colour], `GET ${box}/x`, absent, {}],
  ['an update says not what it changes', [], `PUT ${box}/none`, {}, {}],
  ['other letters may be told apart by a read alone', [], 'PUT /cse-in/app/BOX', label, {}],
  ['a discovery has criteria', [], `GET ${box}/none?fu=1&lbl=a`, absent, {}],
  ['two things are wrong', [], `GET ${box}?rcn=2&atrl=lbl`, absent, {}],
  ['another asks for a result content that there is not', [], `GET ${box}?rcn=2`, absent, another],
  ['the root is of no known type', [], `PUT ${box}`, { 'm2m:xyz': { lbl: ['x'] } }, {}],
  [
    'something happened since the members were asked',
    [member, toAll, ['POST /cse-in/app', labelled]],
    `GET ${box}`,
    absent,
    containerWith({ lbl: ['z'] }),
  ],
  [
    'another asks than who asked the members',
    [member, toAllGone],
    `GET ${box}`,
    absent,
    { ...containerWith({}), ...another },
  ],
  ['a query asks for something of a member', [member, toAllGone], `GET ${box}?rcn=1`, absent, containerWith({})],
  [
    'one member has not done it',
    [member, [toAllGone[0], absent, agreeing({ rsc: 4103 })]],
    `GET ${box}`,
    absent,
    containerWith({}),
  ],
  ['a member is created elsewhere', [member, toAllMade], 'GET /cse-in/app/g/la', absent, refused],
];

for (const [why, before, line, sent, told] of open)
  test(`nothing is expected if ${why}`, () => {
    const { broken } = judge();
    for (const step of before) broken(...step);
    assert.deepEqual(broken(line, sent, told), []);
  });

/** As it is sent, with headers of its own, and answered with a body of this type. */
function sentAs(
  line: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
  type = 'application/json',
) {
  const { judging } = judge();
  const made = exchange(line, {}, { status: 201, code: 2001, body: { 'm2m:cnt': { rn: 'x' } } });
  const others = made.request.headers.filter(([name]) => !Object.keys(headers).includes(name));
  const { body: _, ...sent } = made.request;
  const request = { ...sent, headers: [...others, ...Object.entries(headers)], ...(body !== undefined && { body }) };
  const answer = {
    status: 201,
    body: '',
    ...made.answer,
    headers: [...(made.answer?.headers ?? []), ['Content-Type', type] as const],
  };
  return judging.judge({ ...made, request, answer }).map(({ requirement }) => requirement);
}

test('an update that refers to other resources may be refused if one is missing', () => {
  for (const name of ['acpi', 'mid', 'macp', 'at', 'nl', 'hcl', 'nu', 'cmlk', 'obis', 'obps', 'spty']) {
    const update = { 'm2m:cnt': { [name]: ['x'] } };
    assert.deepEqual(judge().broken(`PUT ${box}`, update, { ...refused, ...another }), [], name);
  }
});

test('a repeated parameter has no certain value', () => {
  const created = (attributes: string) =>
    sentAs(`POST ${box}`, { 'Content-Type': 'application/json;ty=3' }, `{"m2m:cnt":{${attributes}}}`);
  assert.ok(created('"rn":"x","lbl":"a"').includes('std.create.wrong-type'));
  assert.ok(!created('"rn":"x","lbl":"a","lbl":"b"').includes('std.create.wrong-type'));
});

test('the resource type of a request is that of the root, and needs content', () => {
  const typed = (ty: number, body?: string) =>
    sentAs(`POST ${box}`, { 'Content-Type': `application/json;ty=${ty}` }, body);
  assert.deepEqual(typed(3, '{"m2m:grp":{"rn":"x"}}'), ['std.create.wrong-root']);
  assert.deepEqual(typed(3, ''), ['std.content.empty']);
  assert.deepEqual(typed(3, undefined), ['std.content.empty']);
  assert.ok(!typed(3, '{"m2m:xyz":{"rn":"x"}}').includes('std.create.wrong-root'));
});

test('requests that send and accept CBOR are answered in CBOR', () => {
  const cbor = { 'Content-Type': 'application/cbor;ty=3', Accept: 'application/cbor' };
  const found = (type: string, headers: Readonly<Record<string, string>> = cbor) =>
    sentAs(`POST ${box}`, headers, 'CBOR', type).filter((one) => one.startsWith('std.cbor'));
  assert.deepEqual(found('application/json'), ['std.cbor.as-asked']);
  assert.deepEqual(found('application/vnd.onem2m-res+cbor'), []);
  assert.deepEqual(found('application/json', { ...cbor, Accept: 'application/json' }), []);
  assert.deepEqual(found('application/json', { ...cbor, 'Content-Type': 'application/json;ty=3' }), []);
});
