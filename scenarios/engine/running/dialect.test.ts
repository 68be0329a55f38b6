import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { UsageError } from '../basics/diagnostics.ts';
import type { Dialect } from '../grammar/dialects.ts';
import { type Deviation, fileOf, planOf, runPlan, type TestAnswer, type TestRequest, testCse } from '../test-cse.ts';

const both = 'dialects: [documented, onem2m]\n';

interface Judging {
  readonly head?: string;
  readonly dialect?: Dialect;
  readonly admin?: string;
  readonly deviate?: Deviation;
  readonly release?: string;
}

/** Runs scenarios in a dialect against the test CSE; the requests are those after the first, which is the run's own. */
async function judge(
  t: TestContext,
  scenarios: Readonly<Record<string, string>>,
  { head = '', dialect = 'onem2m', admin, release, deviate = () => undefined }: Judging = {},
) {
  const requests: TestRequest[] = [];
  const cse = await testCse(t, (request) => {
    requests.push(request);
    return deviate(request);
  });
  const choice = {
    dialect,
    base: 'onem2m',
    risky: 'all' as const,
    ...(admin !== undefined && { admin }),
    ...(release && { release }),
  };
  const chosen = planOf(t, fileOf(scenarios, both + head), { dialect });
  const { result } = await runPlan(chosen, cse.url, { choice });
  return { result, requests: requests.slice(1) };
}

const checked = '- retrieve: /${base}\n  check: { std.one: { status: 200 } }';
const actors = 'actors: { app: { attributes: { poa: ["http://${host}/${name}"] } }, other: {} }\n';

test('requests say what the binding of the standard demands', async (t) => {
  const { requests, result } = await judge(
    t,
    {
      one: `- create: subscription
  in: /\${base}/\${app}
  attributes: { rn: s1 }
- update: /\${base}/\${app}/s1
  kind: subscription
  attributes: { exc: 2 }
  expect: either
- create: flex container
  root: "cod:color"
  in: /\${base}/\${app}
- create: container
  root: "m2m:own"
  ty: 99
  in: /\${base}/\${app}
- retrieve: /\${base}/\${app}
  headers: { X-M2M-RI: null }
- raw: { method: GET, path: "/\${base}" }`,
    },
    { head: actors },
  );
  assert.deepEqual(result.scenarios[0]?.leftBehind, []);
  const own = requests.slice(0, 7);
  assert.deepEqual(
    own.map(({ headers }) => headers['content-type']),
    [
      'application/json;ty=2',
      'application/json;ty=23',
      'application/json',
      'application/json;ty=28',
      'application/json;ty=99',
      undefined,
      undefined,
    ],
  );
  const identifiers = own.map(({ headers }) => headers['x-m2m-ri']);
  assert.equal(identifiers[5], undefined);
  assert.equal(new Set(identifiers).size, own.length);
  assert.deepEqual([...new Set(requests.map(({ headers }) => headers['x-m2m-rvi']))], ['3']);
  assert.equal(own[1]?.headers.accept, 'application/json');
  assert.match(own[3]?.body ?? '', /^\{"cod:color":/);
});

test('an actor registers as an application of the standard does, and speaks for steps that name nobody', async (t) => {
  const { requests } = await judge(t, { one: checked }, { head: actors });
  const [registration, retrieval, removal] = requests;
  const { rn, poa, ...attributes } = (JSON.parse(registration?.body ?? '') as { 'm2m:ae': Record<string, unknown> })[
    'm2m:ae'
  ];
  assert.deepEqual(attributes, { api: 'Ncselab', rr: true, srv: ['2a', '3', '4'] });
  assert.match(JSON.stringify(poa), /^\["http:\/\/127/);
  for (const request of [registration, retrieval, removal]) assert.equal(request?.headers['x-m2m-origin'], `C${rn}`);
  assert.equal(requests.length, 3);
});

test('an application of release 2a says nothing of releases, which its CSE may not know', async (t) => {
  const { requests } = await judge(t, { one: checked }, { head: actors, release: '2a' });
  assert.equal(requests[0]?.headers['x-m2m-rvi'], '2a');
  const { srv } = (JSON.parse(requests[0]?.body ?? '') as { 'm2m:ae': { srv?: unknown } })['m2m:ae'];
  assert.equal(srv, undefined);
});

test('nor does one that a step registers', async (t) => {
  const written = `
- create: ae
  in: /\${base}
  as: app
  attributes: { api: N.one, rr: true, srv: ["3"] }
  check: { std.one: { status: 201 } }`;
  for (const [release, sent] of [
    ['2a', false],
    ['3', true],
  ] as const) {
    const { requests } = await judge(t, { one: written }, { head: 'actors: { app: {} }\n', release });
    const bodies = requests.map(({ body }) => body ?? '').filter((body) => body.includes('"N.one"'));
    assert.deepEqual(
      bodies.map((body) => body.includes('srv')),
      [sent],
    );
  }
});

test('in the documented dialect nothing of that is sent', async (t) => {
  const { requests } = await judge(t, { one: checked }, { head: actors, dialect: 'documented' });
  assert.deepEqual(
    requests.map(({ headers }) => [headers['x-m2m-origin'], headers['x-m2m-ri'], headers['x-m2m-rvi']]),
    [[undefined, undefined, undefined]],
  );
});

test('the administrator acts where nobody else can, and only where it is known', async (t) => {
  const alone = await judge(t, { one: checked }, { admin: 'CAdmin' });
  assert.equal(alone.requests[0]?.headers['x-m2m-origin'], 'CAdmin');
  const unknown = await judge(t, {
    one: checked,
    two: `- retrieve: /\${base}\n  as: admin\n  check: { std.two: { status: 200 } }`,
  });
  assert.deepEqual(
    unknown.result.scenarios.map(({ state }) => state),
    ['not applicable', 'not applicable'],
  );
  assert.match(unknown.result.scenarios[1]?.reason ?? '', /--admin/);
  assert.equal(unknown.requests.length, 0);
});

test('what its creator may not remove, the administrator removes', async (t) => {
  const deviate: Deviation = ({ method, headers }) =>
    method === 'DELETE' && headers['x-m2m-origin'] !== 'CAdmin' ? { status: 403 } : undefined;
  const { result } = await judge(t, { one: checked }, { head: actors, admin: 'CAdmin', deviate });
  assert.deepEqual(result.scenarios[0]?.leftBehind, []);
});

test('what a target keeps of a request that it answers later is removed', async (t) => {
  const paths = {
    'cse-in/req1': '/cse-in/req1',
    '/test-cse/req2': '/~/test-cse/req2',
    '//openmtc.org/test-cse/req3': '/_/openmtc.org/test-cse/req3',
  };
  for (const [address, path] of Object.entries(paths)) {
    const deviate: Deviation = ({ method, path: asked, headers }) => {
      if (method === 'DELETE') return { status: asked.endsWith(path) ? 200 : 403 };
      const [, id] = /\/(req\d)$/.exec(asked) ?? [];
      if (id !== undefined) return { status: 200, body: { 'm2m:req': { ri: id, rn: id, rid: headers['x-m2m-ri'] } } };
      return asked.includes('rt=1') ? { status: 202, body: { 'm2m:uri': address } } : undefined;
    };
    const later = '- retrieve: /${base}\n  query: { rt: 1 }\n  check: { std.one: { status: 202 } }';
    const { result, requests } = await judge(t, { one: later }, { admin: 'CAdmin', deviate });
    assert.deepEqual(requests.map(({ method, path: asked }) => `${method} ${asked}`).at(-1), `DELETE ${path}`);
    assert.deepEqual([result.scenarios[0]?.state, result.scenarios[0]?.leftBehind], ['passed', []]);
  }
});

const refusal: TestAnswer = { status: 403, headers: { 'x-m2m-rsc': '4103' } };
const refused: Deviation = ({ method }) => (method === 'POST' ? refusal : undefined);
const creates = (check: string) =>
  `- create: container\n  in: /\${base}\n  as: admin\n  expect: either\n  check: { std.one: ${check} }`;

test('the response status code is checked as a number', async (t) => {
  const scenarios = {
    right: creates('{ rsc: 4103 }'),
    listed: creates('{ rsc: { one of: [4103, 4107] } }'),
    other: creates('{ rsc: 4105 }'),
    between: creates('{ rsc: { between: [2000, 2999] } }'),
  };
  const { result } = await judge(t, scenarios, { admin: 'CAdmin', deviate: refused });
  assert.deepEqual(
    result.scenarios.map(({ state }) => state),
    ['passed', 'passed', 'failed', 'failed'],
  );
  assert.equal(result.scenarios[2]?.steps[0]?.checks[0]?.actual, 'RSC 4103');
  const silent = await judge(
    t,
    { one: creates('{ rsc: 4103 }') },
    {
      admin: 'CAdmin',
      deviate: ({ method }) => (method === 'POST' ? { status: 403, headers: { 'x-m2m-rsc': '' } } : undefined),
    },
  );
  assert.equal(silent.result.scenarios[0]?.steps[0]?.checks[0]?.actual, 'RSC is absent');
});

test('a requirement of the standard fails a run in its dialect, and only advises in the other', async (t) => {
  const wrong = '- retrieve: /${base}\n  check: { std.one: { status: 204 }, doc.one: { status: 200 } }';
  const standard = await judge(t, { one: wrong }, { admin: 'CAdmin' });
  assert.deepEqual(standard.result.exit, {
    code: 1,
    reason: '1 requirement of the standard violated: std.one; 2 of 3 requirements checked',
  });
  const documented = await judge(t, { one: wrong }, { dialect: 'documented' });
  assert.equal(documented.result.exit.code, 0);
  const advice = documented.result.requirements.find(({ id }) => id === 'std.one');
  assert.deepEqual([advice?.verdict, advice?.violations.length, advice?.answers], ['advisory', 1, ['SUB/CRE/005']]);
  assert.equal(documented.result.scenarios[0]?.state, 'passed');
  assert.equal(documented.result.summary.verdicts.advisory, 1);
  assert.equal(documented.result.summary.checks.failed, 0);
});

test('requirements outside a dialect are not reported', async (t) => {
  const { result } = await judge(t, { one: checked }, { admin: 'CAdmin' });
  assert.deepEqual(
    result.requirements.map(({ id }) => id),
    ['std.one', 'std.two'],
  );
});

test('choosing only scenarios of the other dialect is a usage error', (t) => {
  const file = fileOf({ one: checked }, 'dialects: [onem2m]\n');
  for (const id of ['file/one', 'std.one']) {
    const refusing = (error: Error) => error instanceof UsageError && /--dialect onem2m/.test(error.message);
    assert.throws(() => planOf(t, file, { ids: [id] }), refusing);
    assert.equal(planOf(t, file, { ids: [id], dialect: 'onem2m' }).scenarios.length, 1);
  }
  assert.equal(planOf(t, file).scenarios.length, 0);
});
