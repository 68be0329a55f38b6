import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allRulesOf } from '../rules.ts';
import { type AnswerSpec, ae, container, exchange, instance, judge, names, post } from '../testing/judge.ts';

test('a success has its own status for any originator', () => {
  const { broken } = judge();
  const headers = { 'X-M2M-Origin': '//openmtc.org/mn-cse-1/C1' };
  const box = { 'm2m:cnt': container };
  assert.deepEqual(broken('GET /onem2m/app/box', undefined, { status: 201, body: box, headers }), [
    'container.retrieve.status',
  ]);
  assert.deepEqual(broken('DELETE /onem2m/app', undefined, { status: 204, headers }), ['ae.delete.status']);
});

test('the parent of an application entity is the retrieved CSE base', () => {
  const { broken } = judge();
  const read = () =>
    broken('GET /onem2m/app', undefined, {
      status: 200,
      body: { 'm2m:ae': { ...ae, ch: [{ nm: 'box', typ: 3, val: 'cnt0' }] } },
    });
  assert.deepEqual(read(), []);
  broken('GET /onem2m', undefined, { status: 200, body: { 'm2m:cb': { ri: 'cb7' } } });
  assert.deepEqual(read(), ['ae.pi.is-cse-base']);
  const other = judge().broken;
  other('GET /onem2m', undefined, { status: 200, body: { 'm2m:cb': { ri: 'cb7' } } });
  const made = { status: 201, body: { 'm2m:ae': { ...ae, rn: 'other', ri: 'ae1', aei: 'C1' } } };
  const created = other('POST /onem2m', { 'm2m:ae': { rn: 'other', api: 'a', rr: 'TRUE' } }, made);
  assert.deepEqual(created, ['ae.pi.is-cse-base']);
  assert.deepEqual(other('GET /onem2m/app/box', undefined, { status: 200, body: { 'm2m:cnt': container } }), []);
});

test('rr requested as a boolean is returned as one, and other texts as anything', () => {
  const { broken } = judge();
  const create = (rr: unknown) =>
    broken(
      'POST /onem2m',
      { 'm2m:ae': { rn: `a${rr}`, api: 'a', rr } },
      { status: 201, body: { 'm2m:ae': { ...ae, ri: `x${typeof rr}1`, aei: `C${typeof rr}`, rn: `a${rr}` } } },
    );
  assert.deepEqual(create('FALSE'), []);
  assert.deepEqual(create(false), ['ae.rr']);
});

test('an identifier does not confirm a representation, and a lost response confirms nothing', () => {
  const { broken, one } = judge();
  const base = { status: 200, body: { 'm2m:cb': { ri: 'cnt0' } } };
  assert.deepEqual(broken('GET /cnt0', undefined, base), []);
  const lost = exchange('GET /onem2m/app/box', undefined, {});
  assert.deepEqual(one.judge({ ...lost, failure: { kind: 'reset', message: 'reset' } }), []);
  assert.equal(one.judge(lost)[0]?.requirement, 'container.retrieve.status');
});

test('a request by an unknown identifier may concern a resource without a known one', () => {
  const { ri: _, ...unnamed } = { ...container, rn: 'other' };
  const counted = { status: 200, body: { 'm2m:cnt': { ...container, rn: 'other', ri: 'cnt7', cni: 1, cbs: 3 } } };
  const told = (between: string) => {
    const { broken } = judge();
    broken('POST /onem2m/app', { 'm2m:cnt': { rn: 'other' } }, { status: 201, body: { 'm2m:cnt': unnamed } });
    broken(between, post, { status: 201, body: { 'm2m:cin': { ...instance, ri: 'cin0' } } });
    return broken('GET /onem2m/app/other', undefined, counted);
  };
  assert.deepEqual(told('POST /cnt7'), []);
  assert.deepEqual(told('POST /onem2m/app/box'), ['container.cni.counts', 'container.cbs.counts']);
});

test('cr names the originator in any form, and a server error is a failure for any originator', () => {
  const { broken } = judge();
  const headers = { 'X-M2M-Origin': '//openmtc.org/mn-cse-1/C1' };
  const create = (rn: string, cr: string, ri: string) =>
    broken(
      'POST /onem2m/app',
      { 'm2m:cnt': { rn } },
      { status: 201, headers, body: { 'm2m:cnt': { ...container, rn, cr, ri } } },
    );
  assert.deepEqual(create('a', 'C1', 'cnt1'), []);
  assert.deepEqual(create('b', '//openmtc.org/mn-cse-1/C1', 'cnt2'), []);
  assert.deepEqual(create('c', 'nobody', 'cnt3'), ['container.cr']);
  assert.deepEqual(broken('GET /onem2m/app/box', undefined, { status: 403, headers }), []);
  assert.deepEqual(broken('GET /onem2m/app/box', undefined, { status: 500, headers }), ['container.retrieve.status']);
});

test('of many missing resources only a few are reported', () => {
  const { broken, one } = judge();
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const [at, rn] of names.entries())
    broken(
      'POST /onem2m/app',
      { 'm2m:cnt': { rn } },
      { status: 201, body: { 'm2m:cnt': { ...container, rn, ri: `cnt${at + 1}` } } },
    );
  const read = exchange('GET /onem2m/app', undefined, {
    status: 200,
    body: { 'm2m:ae': { ...ae, ch: [{ nm: 'box', typ: 3, val: 'cnt0' }] } },
  });
  const [found] = one.judge(read);
  assert.equal(found?.requirement, 'ae.ch.nm');
  assert.match(String(found?.expected), /length 6.*"a".*"b"(?!.*"c")/);
});

test('former descendants of a name are not certainly deleted once the name is uncertain', () => {
  const { broken, one } = judge();
  const register = () =>
    broken('POST /onem2m', { 'm2m:ae': { rn: 'app', api: 'a', rr: 'TRUE' } }, { status: 201, body: { 'm2m:ae': ae } });
  assert.deepEqual(broken('DELETE /onem2m/app', undefined, { status: 200 }), []);
  register();
  one.passTime(86_400_000);
  register();
  broken('POST /onem2m/app', { 'm2m:cnt': { rn: 'box' } }, { status: 201, body: { 'm2m:cnt': container } });
  assert.deepEqual(broken('GET /onem2m/app/box', undefined, { status: 200, body: { 'm2m:cnt': container } }), []);
});

type Step = readonly [request: string, sent: unknown, told: AnswerSpec];
const shows = (body: object): AnswerSpec => ({ status: 200, body });
const small = { ...container, ri: 'cnt1', rn: 'small' };
const limited = (limits: object): Step => [
  'POST /onem2m/app',
  { 'm2m:cnt': { rn: 'small', ...limits } },
  { status: 201, body: { 'm2m:cnt': { ...small, ...limits } } },
];
const cin = (rn: string) => ({ 'm2m:cin': { ...instance, rn, ri: `cin-${rn}1` } });
const stored = (rn: string): Step => [
  'POST /onem2m/app/box',
  { 'm2m:cin': { ...post['m2m:cin'], rn } },
  { status: 201, body: cin(rn) },
];
const removed: Step = ['DELETE /onem2m/app/box', undefined, { status: 200 }];
const two = [stored('one'), stored('two')];
const box = { 'm2m:cnt': { rn: 'box' } };
const [ok, created, refused] = [200, 201, 406].map((status): AnswerSpec => ({ status })) as [
  AnswerSpec,
  AnswerSpec,
  AnswerSpec,
];
const counted = (cni: number) => shows({ 'm2m:cnt': { ...small, mni: 1, cni } });

/** What the reference CSE does where the specification leaves it open, each with an answer that breaks it, and one that keeps it. */
const gaps: ReadonlyArray<
  readonly [
    requirement: string,
    before: readonly Step[],
    request: string,
    sent: unknown,
    wrong: AnswerSpec,
    right: AnswerSpec,
  ]
> = [
  ['container.create.name-clash', [], 'POST /onem2m/app', box, created, { status: 409 }],
  ['lifecycle.name-free-again', [removed], 'POST /onem2m/app', box, { status: 409 }, created],
  ['labels.not-a-list', [], 'POST /onem2m/app', { 'm2m:cnt': { rn: 'x', lbl: 'a' } }, created, { status: 400 }],
  ['retention.mni.zero', [limited({ mni: 0 })], 'POST /onem2m/app/small', post, created, refused],
  ['retention.mbs.too-big', [limited({ mbs: 2 })], 'POST /onem2m/app/small', post, created, refused],
  ['retention.mni.takes-the-new-one', [limited({ mbs: 3 })], 'POST /onem2m/app/small', post, refused, created],
  ['retention.mni.takes-the-new-one', [limited({ mni: 1 })], 'POST /onem2m/app/small', post, refused, created],
  ['retention.mni.holds', [limited({ mni: 1 })], 'GET /onem2m/app/small', undefined, counted(2), counted(1)],
  ['retention.mni.accepted', [], 'POST /onem2m/app', { 'm2m:cnt': { rn: 'small', mni: 1 } }, refused, created],
  ['addressing.identifier.create', [], 'POST /cnt0', { 'm2m:cnt': { rn: 'in' } }, ok, created],
  ['addressing.identifier.container', [], 'GET /cnt0', undefined, { status: 404 }, ok],
  ['addressing.absolute.retrieve', [], 'GET /_/openmtc.org/mn-cse-1/onem2m/app', undefined, { status: 404 }, ok],
  ['oldest.retrieve', two, 'GET /onem2m/app/box/oldest', undefined, shows(cin('two')), shows(cin('one'))],
  ['sp-relative.latest', two, 'GET /~/mn-cse-1/onem2m/app/box/la', undefined, shows(cin('one')), shows(cin('two'))],
  ['update.container.status', [], 'PUT /onem2m/app/box', box, created, ok],
  ['latest.delete', two, 'DELETE /onem2m/app/box/latest', undefined, { status: 204 }, ok],
];

for (const [requirement, before, request, sent, wrong, right] of gaps)
  test(`with implementation-defined rules ${request} answered ${JSON.stringify(wrong)} breaks ${requirement}`, () => {
    const broken = (told: AnswerSpec) => {
      const judging = judge(names, allRulesOf('documented'));
      assert.deepEqual(
        before.flatMap((step) => judging.broken(...step)),
        [],
      );
      return judging.broken(request, sent, told);
    };
    assert.ok(broken(wrong).includes(requirement), broken(wrong).join(' '));
    assert.ok(!broken(right).includes(requirement));
  });

test('any status other than success is a refusal', () => {
  for (const [status, isBroken] of [
    [199, false],
    [200, true],
    [299, true],
    [300, false],
  ] as const) {
    const { broken } = judge(names, allRulesOf('documented'));
    broken(...limited({ mni: 0 }));
    const found = broken('POST /onem2m/app/small', post, { status });
    assert.equal(found.includes('retention.mni.zero'), isBroken, String(status));
  }
});

const retention = /^(lifecycle\.name|container\.create\.name|retention\.m.s?i?\.(zero|too|takes|holds))/;
/** Where nobody can tell, not even a gap is demanded. */
const openGaps: ReadonlyArray<
  readonly [why: string, before: readonly Step[], request: string, sent: unknown, answers: readonly AnswerSpec[]]
> = [
  ['no limit was given', [], 'POST /onem2m/app/box', post, [created, refused]],
  [
    'a container for none is too small as well',
    [limited({ mni: 0, mbs: 1 })],
    'POST /onem2m/app/small',
    post,
    [refused],
  ],
  ['a limit is no number', [limited({ mni: 'x' })], 'POST /onem2m/app/small', post, [created, refused]],
  [
    'an update may have set another limit',
    [limited({ mni: 1 }), ['PUT /onem2m/app/small', { 'm2m:cnt': { mni: 2 } }, ok]],
    'POST /onem2m/app/small',
    post,
    [created, refused],
  ],
  ['the name is there', [...two, limited({ mni: 1 })], 'POST /onem2m/app/box', post, [{ status: 409 }]],
  [
    'a name is reserved',
    [limited({ mni: 1 })],
    'POST /onem2m/app/small',
    { 'm2m:cin': { rn: 'la', con: 'x', cnf: 'a:0' } },
    [refused],
  ],
  [
    'content is none',
    [limited({ mbs: 1 })],
    'POST /onem2m/app/small',
    { 'm2m:cin': { con: 7, cnf: 'a:0' } },
    [created, refused],
  ],
  [
    'the container may be gone',
    [limited({ mni: 1 }), ['DELETE /onem2m/app/small', undefined, {}]],
    'POST /onem2m/app/small',
    post,
    [created, refused],
  ],
  ['it may be gone', [['DELETE /onem2m/app/box', undefined, {}]], 'POST /onem2m/app', box, [created, { status: 409 }]],
  [
    'what was to hold it is gone, too',
    [['DELETE /onem2m/app', undefined, ok]],
    'POST /onem2m/app',
    box,
    [created, { status: 404 }],
  ],
  [
    'an update set a lower limit, which need not hold at once',
    [limited({ mni: 5 }), ['PUT /onem2m/app/small', { 'm2m:cnt': { mni: 1 } }, ok]],
    'GET /onem2m/app/small',
    undefined,
    [counted(2), counted(7)],
  ],
];

for (const [why, before, request, sent, answers] of openGaps)
  test(`no implementation-defined behaviour is expected if ${why}`, () => {
    for (const told of answers) {
      const { broken } = judge(names, allRulesOf('documented'));
      for (const step of before) broken(...step);
      assert.deepEqual(
        broken(request, sent, told).filter((one) => retention.test(one)),
        [],
      );
    }
  });

test('the originator of a forwarded creation is the creator, over plain HTTP', () => {
  const broken = (cr: unknown, url = 'http://127.0.0.1:8000') => {
    const judging = judge({ ...names, url }, allRulesOf('documented'));
    const body = { 'm2m:cnt': { ...container, ri: 'cnt7', rn: 'far', cr } };
    const headers = { 'X-M2M-Origin': '//openmtc.org/in-cse-1/Cfar' };
    judging.one.judgeForwarded(
      exchange('POST /~/mn-cse-1/onem2m/app', { 'm2m:cnt': { rn: 'far' } }, { status: 201, body, headers }),
    );
    return judging.broken('GET /onem2m/app/far', undefined, { status: 200, body });
  };
  assert.deepEqual(broken('//openmtc.org/in-cse-1/Cfar'), []);
  assert.deepEqual(broken('//openmtc.org/in-cse-1/Cother'), ['forwarding.originator']);
  assert.deepEqual(broken('Cfar'), ['forwarding.originator']);
  assert.deepEqual(broken('Cfar', 'https://127.0.0.1:8000'), []);
});

test('forwarded requests are checked against what is known here', () => {
  const { one, broken } = judge(names, allRulesOf('documented'));
  const heard = (request: string, told: AnswerSpec, sent?: unknown) =>
    one.judgeForwarded(exchange(request, sent, told)).map(({ requirement }) => requirement);
  const box = '/~/mn-cse-1/onem2m/app/box';
  const shown = { status: 200, body: { 'm2m:cnt': { ...container, ri: 'other' } } };
  assert.deepEqual(heard(`GET ${box}`, { status: 404 }), ['forwarding.retrieve']);
  broken('GET /onem2m/app/box', undefined, shows({ 'm2m:cnt': container }));
  assert.deepEqual(heard(`GET ${box}`, shown), ['forwarding.same-representation']);
  assert.deepEqual(one.judgeForwarded(exchange(`GET ${box}`, undefined, shown), { isJudged: false }), []);
  assert.deepEqual(heard(`POST ${box}`, { status: 200 }, post), ['forwarding.create']);
  broken('DELETE /onem2m/app', undefined, { status: 200 });
  assert.deepEqual(heard('GET /~/mn-cse-1/onem2m/app/box', { status: 403 }), ['forwarding.errors']);
});
