import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Judge } from './judge.ts';
import { rulesOf } from './rules.ts';
import { type AnswerSpec, ae, container, exchange, instance, judge, names, post } from './testing/judge.ts';

test('exchanges without a check are checked by rules: values, state and lists', () => {
  const { broken } = judge();
  const created = { status: 201, body: { 'm2m:cin': { ...instance, ri: 'cin0' } } };
  assert.deepEqual(broken('POST /onem2m/app/box', post, created), []);
  const read = (request: string, body: unknown) => broken(request, undefined, { status: 200, body });
  assert.deepEqual(read('GET /onem2m/app', { 'm2m:ae': { ...ae, api: 'A' } }), ['ae.api', 'ae.ch']);
  assert.deepEqual(read('GET /onem2m/app/box', { 'm2m:cnt': container }), [
    'container.cni.counts',
    'container.cbs.counts',
  ]);
  assert.deepEqual(read('GET /onem2m/app/box/latest', { 'm2m:cin': { ...instance, con: 'old', ri: 'cin0' } }), [
    'content.text-kept',
  ]);
  assert.deepEqual(broken('GET /onem2m/app/box/one', undefined, { status: 404 }), ['content-instance.retrieve.status']);
  assert.deepEqual(broken('DELETE /onem2m/app', undefined, { status: 200 }), []);
  assert.deepEqual(read('GET /~/mn-cse-1/onem2m/app/box/one', { 'm2m:cin': { ...instance, ri: 'cin0' } }), [
    'lifecycle.removed-is-gone',
  ]);
});

test('lt is not later than the response that returns it', () => {
  const { one } = judge();
  const read = (date: string) => {
    const told = exchange('GET /onem2m/app/box', undefined, { status: 200, body: { 'm2m:cnt': container } });
    const dated = { ...told, answer: { status: 200, body: '', ...told.answer, headers: [['Date', date]] as const } };
    return one.judge(dated).map(({ requirement }) => requirement);
  };
  assert.deepEqual(read('Sun, 22 Nov 2026 09:59:56 GMT'), []);
  assert.deepEqual(read('Sun, 22 Nov 2026 09:59:50 GMT'), ['container.lt']);
});

test('a counter that an update has set is implementation-defined', () => {
  for (const name of ['cni', 'cbs']) {
    const { broken } = judge();
    const shown = { 'm2m:cnt': { ...container, [name]: 7 } };
    broken('PUT /onem2m/app/box', { 'm2m:cnt': { [name]: 7 } }, { status: 200, body: shown });
    assert.deepEqual(broken('GET /onem2m/app/box', undefined, { status: 200, body: shown }), [], name);
  }
});

test('satisfied rules are reported once, if requested', () => {
  const about = { dialect: 'documented', names, levelOf: () => 'documented' as const, reportsKept: true } as const;
  const one = new Judge({ rules: rulesOf('documented'), ...about });
  const told = (ri: string) =>
    one
      .judge(exchange('GET /onem2m/x', undefined, { status: 200, body: { 'm2m:cnt': { ...container, ri } } }))
      .filter(({ requirement }) => requirement === 'wire.answer-is-json')
      .map(({ state, byRule }) => [state, byRule]);
  one.judge(exchange('POST /onem2m/app', {}, { status: 500 }));
  const made = exchange('POST /onem2m', { 'm2m:ae': { rn: 'a' } }, { status: 201, body: { 'm2m:ae': ae } });
  const kept = one.judge(made).filter(({ state }) => state === 'passed');
  assert.ok(kept.some(({ requirement }) => requirement === 'wire.answer-is-json'));
  assert.ok(kept.every(({ byRule }) => byRule));
  assert.deepEqual(told('cnt0'), []);
  assert.deepEqual(
    one.judge(made).filter(({ requirement }) => requirement === 'wire.answer-is-json'),
    [],
  );
});

test('a wrong value is reported once', () => {
  const { broken } = judge();
  const wrong = { status: 200, body: { 'm2m:ae': { ...ae, ri: 'ae7', ch: [{ nm: 'box', typ: 3, val: 'cnt0' }] } } };
  assert.deepEqual(broken('GET /onem2m/app', undefined, wrong), ['common.ri.stable']);
  assert.deepEqual(broken('GET /onem2m/app', undefined, wrong), []);
});

const silent: ReadonlyArray<readonly [name: string, request: string, sent: unknown, told: AnswerSpec]> = [
  ['a deletion without an answer', 'DELETE /onem2m/app/box', undefined, {}],
  ['a deletion that did not find it', 'DELETE /onem2m/app/box', undefined, { status: 404 }],
  ['an unknown method', 'PATCH /onem2m/app/box', {}, { status: 200 }],
  ['a path that servers read differently', 'DELETE /onem2m/app/..%2Fapp/box', undefined, { status: 200 }],
  ['a second one of that name', 'POST /onem2m/app', { 'm2m:cnt': { rn: 'box' } }, { status: 201 }],
];

for (const [name, request, sent, told] of silent) {
  test(`${name} makes all resources uncertain`, () => {
    const { broken } = judge();
    broken(request, sent, told);
    assert.deepEqual(broken('GET /onem2m/app/box', undefined, { status: 404 }), []);
  });
}

test('resources that may have expired, or belong to others, are not checked', () => {
  const { broken, one } = judge();
  assert.deepEqual(broken('GET /onem2m/other', undefined, { status: 500 }), []);
  const late = { status: 404, at: 3_599_000 };
  assert.deepEqual(broken('GET /onem2m/app/box', undefined, late), []);
  assert.deepEqual(broken('GET /onem2m/app/box', undefined, { status: 404 }), ['container.retrieve.status']);
  one.passTime(86_400_000);
  assert.deepEqual(broken('GET /onem2m/app/box', undefined, { status: 404 }), []);
});

test('a resource with a longer lifetime exists after time has advanced', () => {
  const { broken, one } = judge();
  one.passTime(3_500_000);
  assert.deepEqual(broken('GET /onem2m/app/box', undefined, { status: 404 }), ['container.retrieve.status']);
  one.passTime(100_000);
  assert.deepEqual(broken('GET /onem2m/app', undefined, { status: 404 }), []);
});

for (const [shown, found, missed] of [
  [['red'], ['/onem2m/app/box'], []],
  [['red'], [], ['discovery.label.finds']],
  [['blue'], [], []],
] as const) {
  test(`labels of an update count once they are returned (${shown}; found: ${found.length})`, () => {
    const { broken } = judge();
    const labelled = { status: 200, body: { 'm2m:cnt': { ...container, lbl: shown } } };
    assert.deepEqual(broken('PUT /onem2m/app/box', { 'm2m:cnt': { lbl: ['red'] } }, labelled), []);
    const told = { status: 200, body: { 'm2m:uril': found } };
    assert.deepEqual(broken('GET /~/mn-cse-1/onem2m?fu=1&lbl=red', undefined, told), missed);
  });
}

test('labels of a creation count once they are returned', () => {
  for (const [lbl, missed] of [
    [['red'], ['discovery.label.finds']],
    [undefined, []],
  ] as const) {
    const { broken } = judge();
    const made = { status: 201, body: { 'm2m:cnt': { ...container, ri: 'cnt1', rn: 'b', lbl } } };
    broken('POST /onem2m/app', { 'm2m:cnt': { rn: 'b', lbl: ['red'] } }, made);
    const told = { status: 200, body: { 'm2m:uril': [] } };
    assert.deepEqual(broken('GET /~/mn-cse-1/onem2m?fu=1&lbl=red', undefined, told), missed);
  }
});

test('another originator, and an undocumented request, may be refused', () => {
  const { broken } = judge();
  const as = { headers: { 'X-M2M-Origin': '//openmtc.org/mn-cse-1/C1' }, status: 403 };
  assert.deepEqual(broken('GET /onem2m/app/box', undefined, as), []);
  assert.deepEqual(broken('GET /onem2m/app/box?rcn=8', undefined, { status: 400 }), []);
  assert.deepEqual(broken('POST /onem2m/app', { 'm2m:cnt': { rn: 'b', mni: 1 } }, { status: 400 }), []);
});

test('over TLS no originator is expected to be served before one of its requests was', () => {
  const secure = { ...names, url: 'https://127.0.0.1:8000' };
  const one = new Judge({
    rules: rulesOf('documented'),
    dialect: 'documented',
    names: secure,
    levelOf: () => 'documented',
  });
  const discovery = 'GET /~/mn-cse-1/onem2m?lbl=a&fu=1';
  const broken = () => one.judge(exchange(discovery, undefined, { status: 403 })).map(({ requirement }) => requirement);
  assert.deepEqual(broken(), []);
  one.judge(exchange(discovery, undefined, { status: 200, body: { 'm2m:uril': [] } }));
  assert.deepEqual(broken(), ['discovery.empty.status']);
});

test('an update may set a limit, which removes instances', () => {
  const { broken } = judge();
  broken('POST /onem2m/app/box', post, { status: 201, body: { 'm2m:cin': { ...instance, ri: 'cin0' } } });
  const gone = () => broken('GET /onem2m/app/box/one', undefined, { status: 404 });
  assert.deepEqual(gone(), ['content-instance.retrieve.status']);
  broken('PUT /onem2m/app/box', { 'm2m:cnt': { mni: 0 } }, { status: 200 });
  assert.deepEqual(broken('GET /~/mn-cse-1/onem2m/app/box/one', undefined, { status: 404 }), []);
});

for (const own of [{ rn: 'first' }, { con: 'old' }])
  test(`latest is wrong if it returns ${JSON.stringify(own)}, the content of another instance`, () => {
    const { broken } = judge();
    for (const [rn, con] of [
      ['first', 'old'],
      ['second', 'new'],
    ] as const) {
      const made = { ...instance, ri: `cin-${rn.length}`, rn, con };
      const sent = { 'm2m:cin': { rn, con, cnf: 'text/plain:0' } };
      assert.deepEqual(broken('POST /onem2m/app/box', sent, { status: 201, body: { 'm2m:cin': made } }), []);
    }
    const shown = { ...instance, rn: undefined, con: undefined, ...own };
    const answer = { status: 200, body: { 'm2m:cin': shown } };
    assert(broken('GET /onem2m/app/box/latest', undefined, answer).includes('latest.newest'));
  });

test('a resource created by the SP-relative form that does not exist was created elsewhere', () => {
  const { broken } = judge();
  const created = { status: 201, body: { 'm2m:cin': { ...instance, ri: 'cin0' } } };
  assert.deepEqual(broken('POST /~/mn-cse-1/onem2m/app/box', post, created), []);
  for (const [path, told] of [
    ['one', ['sp-relative.create.same-tree']],
    ['latest', []],
  ] as const)
    assert.deepEqual(broken(`GET /onem2m/app/box/${path}`, undefined, { status: 404 }), told);
});

test('a refused handshake is no response to the request', () => {
  const { one } = judge();
  const { answer: _, ...unanswered } = exchange('GET /onem2m/app', undefined, { status: 200 });
  const failure = { kind: 'tls', message: 'the certificate of the target does not verify' } as const;
  assert.deepEqual(one.judge({ ...unanswered, failure }), []);
});

test('an AE registered again after its expiration has none of the former children', () => {
  const { one, broken } = judge();
  one.passTime(86_400_000);
  const again = (request: string, sent: unknown, body: unknown) => broken(request, sent, { status: 201, body });
  const told = [
    again('POST /onem2m', { 'm2m:ae': { rn: 'app', api: 'a', rr: 'TRUE' } }, { 'm2m:ae': { ...ae, ri: 'ae1' } }),
    again('POST /onem2m/app', { 'm2m:cnt': { rn: 'box' } }, { 'm2m:cnt': { ...container, ri: 'cnt1', pi: 'ae1' } }),
    again('POST /onem2m/app/box', post, { 'm2m:cin': { ...instance, ri: 'cin0', pi: 'cnt1' } }),
  ];
  assert.deepEqual(told.flat(), []);
});

const lapses: ReadonlyArray<readonly [string, passTime: (one: Judge) => void, hours: number, then: string[]]> = [
  // What it holds may go between two reads from then on.
  ['so much time was let pass that what it holds may have expired', (one) => one.passTime(86_400_000), 0, []],
  ['what it holds may have expired', () => undefined, 2, ['sp-relative.retrieve.same-resource']],
];

for (const [when, lapse, hours, then] of lapses) {
  test(`a retrieve is not compared with one before ${when}`, () => {
    const { one, broken } = judge();
    const stored = { status: 201, body: { 'm2m:cin': { ...instance, ri: 'cin0' } } };
    broken('POST /onem2m/app/box', post, stored);
    const told = (cni: number, at = 0) => ({
      status: 200,
      body: { 'm2m:cnt': { ...container, cni, cbs: 3 * cni } },
      at,
    });
    broken('GET /onem2m/app/box', undefined, told(1));
    lapse(one);
    const other = 'GET /~/mn-cse-1/onem2m/app/box';
    assert.deepEqual(broken(other, undefined, told(0, hours * 3_600_000)), []);
    broken('GET /onem2m/app/box', undefined, told(0));
    assert.deepEqual(broken(other, undefined, told(2)), then);
  });
}

test('an identifier returned only by the creation does not make the resource or its descendants certain', () => {
  const { broken } = judge();
  broken(
    'POST /onem2m/app',
    { 'm2m:cnt': { rn: 'b' } },
    { status: 201, body: { 'm2m:cnt': { ...container, ri: 'cnt1' } } },
  );
  const stored = { status: 201, body: { 'm2m:cin': { ...instance, ri: 'cin0', pi: 'cnt1' } } };
  broken('POST /cnt1', post, stored);
  assert.deepEqual(broken('POST /onem2m/app/b', post, { status: 409 }), []);
  const counted = { status: 200, body: { 'm2m:cnt': { ...container, ri: 'cnt1', rn: 'b', cni: 1, cbs: 3 } } };
  assert.deepEqual(broken('GET /onem2m/app/b', undefined, counted), []);
});

test('a deleted resource may exist again if its identifier was returned only by a creation', () => {
  const { broken } = judge();
  broken(
    'POST /onem2m',
    { 'm2m:ae': { rn: 'b', api: 'a', rr: 'TRUE' } },
    { status: 201, body: { 'm2m:ae': { ...ae, ri: 'ae1', aei: 'C1', rn: 'b' } } },
  );
  const stored = { status: 201, body: { 'm2m:cnt': { ...container, ri: 'cnt1', pi: 'ae1' } } };
  broken('POST /onem2m/b', { 'm2m:cnt': { rn: 'box' } }, stored);
  broken('DELETE /onem2m/b/box', undefined, { status: 200 });
  broken('POST /ae1', { 'm2m:cnt': { rn: 'box' } }, stored);
  const ch = [{ nm: 'box', val: 'cnt1', typ: 3 }];
  const shown = { status: 200, body: { 'm2m:ae': { ...ae, ri: 'ae1', aei: 'C1', rn: 'b', ch } } };
  assert.deepEqual(broken('GET /onem2m/b', undefined, shown), []);
});

test('a name with two accepted creations may exist', () => {
  const { broken } = judge();
  const stored = (ri: string) => ({ status: 201, body: { 'm2m:cin': { ...instance, ri } } });
  broken('POST /onem2m/app/box', post, stored('cin0'));
  broken('DELETE /onem2m/app/box/latest', undefined, { status: 200 });
  broken('POST /onem2m/app/box', post, stored('cin1'));
  assert.deepEqual(broken('POST /onem2m/app/box', post, { status: 409 }), []);
  broken('DELETE /onem2m/app', undefined, { status: 200 });
  broken('POST /onem2m', { 'm2m:ae': { rn: 'app', api: 'a', rr: 'TRUE' } }, { status: 201, body: { 'm2m:ae': ae } });
  broken('POST /onem2m/app', { 'm2m:cnt': { rn: 'box' } }, { status: 201, body: { 'm2m:cnt': container } });
  broken('POST /onem2m/app/box', post, stored('cin2'));
  const counted = { status: 200, body: { 'm2m:cnt': { ...container, cni: 1, cbs: 3 } } };
  assert.deepEqual(broken('GET /onem2m/app/box', undefined, counted), []);
});

test('the originator that another CSE uses is unknown', () => {
  const { one, broken } = judge();
  const made = { ...container, ri: 'cnt1', rn: 'other', cr: '//sp.example.com/in-cse-1' };
  one.judgeForwarded(
    exchange('POST /onem2m/app', { 'm2m:cnt': { rn: 'other' } }, { status: 201, body: { 'm2m:cnt': made } }),
  );
  assert.deepEqual(broken('GET /onem2m/app/other', undefined, { status: 200, body: { 'm2m:cnt': made } }), []);
});

test('a success reported by another CSE counts, and a failure makes the state uncertain', () => {
  const { one, broken } = judge();
  const stored = { status: 201, body: { 'm2m:cin': { ...instance, ri: 'cin0' } } };
  one.judgeForwarded(exchange('POST /onem2m/app/box', post, stored));
  const empty = { status: 200, body: { 'm2m:cnt': container } };
  const miscounted = ['container.cni.counts', 'container.cbs.counts'];
  assert.deepEqual(broken('GET /onem2m/app/box', undefined, empty), miscounted);
  const other = judge();
  other.one.judgeForwarded(exchange('POST /onem2m/app/box', post, { status: 504 }));
  assert.deepEqual(other.broken('GET /onem2m/app/box', undefined, empty), []);
});

test('a retrieve shows whether a limit removed an instance', () => {
  const { broken } = judge();
  const small = { ...container, ri: 'cnt1', rn: 'small', mni: 1 };
  const shown = (rn: string) => ({ 'm2m:cin': { ...instance, rn, ri: `cin-${rn}1`, pi: 'cnt1' } });
  broken('POST /onem2m/app', { 'm2m:cnt': { rn: 'small', mni: 1 } }, { status: 201, body: { 'm2m:cnt': small } });
  for (const rn of ['one', 'two'])
    broken('POST /onem2m/app/small', { 'm2m:cin': { ...post['m2m:cin'], rn } }, { status: 201, body: shown(rn) });
  const counted = () =>
    broken('GET /onem2m/app/small', undefined, { status: 200, body: { 'm2m:cnt': { ...small, cni: 2 } } });
  assert.deepEqual(counted(), []);
  assert.deepEqual(broken('GET /onem2m/app/small/one', undefined, { status: 404 }), []);
  assert.deepEqual(broken('GET /onem2m/app/small/two', undefined, { status: 200, body: shown('two') }), []);
  assert.deepEqual(counted(), ['container.cni.counts', 'container.cbs.counts']);
});

test('latest has the name of the newest instance, and not of a deleted one', () => {
  const { broken } = judge();
  const shown = (rn: string) => ({ 'm2m:cin': { ...instance, rn, ri: `cin-${rn}1` } });
  for (const rn of ['one', 'two'])
    broken('POST /onem2m/app/box', { 'm2m:cin': { ...post['m2m:cin'], rn } }, { status: 201, body: shown(rn) });
  const latest = (rn: string) => broken('GET /onem2m/app/box/latest', undefined, { status: 200, body: shown(rn) });
  assert.deepEqual(latest('one'), ['latest.newest']);
  broken('DELETE /onem2m/app/box/two', undefined, { status: 200 });
  assert.deepEqual(latest('two'), ['lifecycle.removed-is-gone']);
});
