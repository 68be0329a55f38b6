import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckResult, ScenarioResult } from '../../results/result.ts';
import { fileOf, planOf, runPlan, testCse } from '../../test-cse.ts';

const ae = '- create: ae\n  in: /${base}\n  attributes: { rn: "${name}" }';

function checks(
  scenario: ScenarioResult,
): Array<[CheckResult['requirement'], CheckResult['state'], string | undefined]> {
  return scenario.steps.flatMap((step) =>
    step.checks.map((check): [string, CheckResult['state'], string | undefined] => [
      check.requirement,
      check.state,
      check.reason,
    ]),
  );
}

function titles(scenario: ScenarioResult): string[] {
  return scenario.steps.map((step) => `${step.phase}: ${step.title}`);
}

test('actors are registered, given steps come next, and everything is removed in reverse order', async (t) => {
  const cse = await testCse(t);
  const text = fileOf(
    {
      one: '- create: content instance\n  in: /${base}/${app}/data\n  as: app\n  attributes: { con: x }\n  check: { doc.one: { status: 201 } }',
    },
    'actors:\n  app: { originator: "//${sp}/${cse}/C${app}" }\n  other: { registered: false }\ngiven:\n  - create: container\n    in: /${base}/${app}\n    attributes: { rn: data }\n',
  );
  const { scenario, result } = await runPlan(planOf(t, text), cse.url);
  const one = scenario('one');
  assert.equal(one.state, 'passed');
  const app = `/onem2m/cl-${result.run}-1-app`;
  assert.deepEqual(titles(one), [
    'given: create ae in /onem2m',
    `given: create container in ${app}`,
    `step: create content instance in ${app}/data`,
    `cleanup: delete ${app}/data/made-3`,
    `cleanup: delete ${app}/data`,
    `cleanup: delete ${app}`,
  ]);
  assert.deepEqual([...cse.tree.keys()], ['/onem2m']);
  assert.deepEqual(one.leftBehind, []);
  const registered = one.steps[0]?.exchange?.request;
  assert.deepEqual(registered?.headers, [
    ['Content-Type', 'application/vnd.onem2m-res+json'],
    ['X-M2M-Origin', `//openmtc.org/test-cse/C${app.slice(8)}`],
  ]);
  assert.equal(registered?.body, JSON.stringify({ 'm2m:ae': { rn: app.slice(8), api: 'N.cselab.app', rr: 'TRUE' } }));
});

test('the requests are those of the specification', async (t) => {
  const cse = await testCse(t, ({ method, body }) => {
    if (method === 'PUT') return { status: 200 };
    return body.startsWith('ab') ? { status: 400 } : undefined;
  });
  const { scenario } = await runPlan(
    planOf(
      t,
      fileOf({
        one: `${ae}
- discover: /~/\${cse}/\${base}
  where: { lbl: [a b, c], cra: "2017-03-02 16:12:53.350093+00:00" }
  headers: { X-M2M-RI: r1 }
  expect: either
- update: /\${base}/\${name}
  kind: ae
  attributes: { lbl: [x] }
  headers: { content-type: null }
- raw: { method: GET, path: "/\${base}?a=%zz", version: "1.0", headers: { Host: null, A: b } }
  expect: either
- raw: { method: POST, path: "/\${base}", body: [ab, { repeat: c, times: 3 }, { hex: "ff" }] }
  expect: either`,
      }),
    ),
    cse.url,
  );
  const sent = scenario('one').steps.flatMap(({ exchange }) => (exchange ? [exchange.request] : []));
  assert.deepEqual(
    sent.slice(1, 5).map(({ method, path, headers }) => [method, path, headers]),
    [
      [
        'GET',
        '/~/test-cse/onem2m?lbl=a+b&lbl=c&cra=2017-03-02+16%3A12%3A53.350093%2B00%3A00&fu=1',
        [['X-M2M-RI', 'r1']],
      ],
      ['PUT', `/onem2m/${scenario('one').steps[0]?.exchange?.request.body?.slice(17, -3)}`, []],
      ['GET', '/onem2m?a=%zz', [['A', 'b']]],
      [
        'POST',
        '/onem2m',
        [
          ['Host', new URL(cse.url).host],
          ['Content-Length', '6'],
        ],
      ],
    ],
  );
});

test('captured values go into later steps, with their type', async (t) => {
  const cse = await testCse(t);
  const { scenario } = await runPlan(
    planOf(
      t,
      fileOf({
        one: `${ae}
  capture: { name1: rn, code: { header: X-M2M-RSC }, made: { attribute: ct, written: with a space } }
- retrieve: /\${base}/\${name1}
  query: { cra: "\${made}" }
  expect: either
- retrieve: /\${base}/\${name1}
  check: { doc.one: { attributes: { rn: { same as: "\${name1}" }, ct: { not: "\${made}" } } } }`,
      }),
    ),
    cse.url,
  );
  const one = scenario('one');
  assert.deepEqual(checks(one), [['doc.one', 'passed', undefined]]);
  assert.match(one.steps[1]?.exchange?.request.path ?? '', /\?cra=2017-03-02\+16%3A12%3A53\.350093%2B00%3A00$/);
});

test('a captured value that is no path is not sent as one', async (t) => {
  const cse = await testCse(t);
  const steps = `${ae}
  capture: { name1: rn }
- retrieve: \${name1}
  check: { doc.one: { status: 200 } }`;
  const { scenario } = await runPlan(planOf(t, fileOf({ one: steps })), cse.url);
  const [[requirement, state, reason = ''] = []] = checks(scenario('one'));
  assert.deepEqual([requirement, state, scenario('one').state], ['doc.one', 'not testable', 'blocked']);
  assert.match(reason, /^blocked: the path "cl-.*" does not begin with a slash$/);
});

test('a refusal of what should succeed fails status checks and blocks the rest', async (t) => {
  const cse = await testCse(t);
  const { scenario, result } = await runPlan(
    planOf(
      t,
      fileOf({
        one: `${ae}
- retrieve: /\${base}/nothing
  check:
    doc.one: { status: 200 }
    doc.two: { attributes: { rn: { is: absent } } }
- retrieve: /\${base}
  check: { doc.three: { status: 200 } }`,
      }),
    ),
    cse.url,
  );
  const one = scenario('one');
  assert.equal(one.state, 'failed');
  assert.deepEqual(checks(one), [
    ['doc.one', 'failed', undefined],
    ['doc.two', 'not testable', 'the request was refused: 404, RSC 4040'],
    ['doc.three', 'not testable', 'blocked: retrieve /onem2m/nothing answered 404, RSC 4040'],
  ]);
  const failed = one.steps[1]?.checks[0];
  assert.deepEqual([failed?.expected, failed?.actual], [['status 200'], 'status 404, RSC 4040']);
  assert.equal(one.steps.at(-1)?.phase, 'cleanup');
  assert.deepEqual([...cse.tree.keys()], ['/onem2m']);
  assert.equal(result.exit.code, 1);
});

test('a blocked scenario is inconclusive, not green', async (t) => {
  const cse = await testCse(t);
  const text = fileOf({
    one: '- retrieve: /${base}/nothing\n- retrieve: /${base}\n  check: { doc.one: { status: 200 } }',
    two: '- retrieve: /${base}\n  check: { doc.two: { status: 200 } }',
  });
  const { scenario, result } = await runPlan(planOf(t, text), cse.url);
  assert.equal(scenario('one').state, 'blocked');
  assert.equal(scenario('two').state, 'passed');
  assert.deepEqual(result.exit, {
    code: 4,
    reason: 'not everything could be checked: file/one; 1 of 4 requirements checked',
  });
});

test('a scenario without checks says what it was blocked by', async (t) => {
  const cse = await testCse(t);
  const { scenario } = await runPlan(
    planOf(t, fileOf({ one: '- delete: /${base}/others', two: '- retrieve: /${base}' })),
    cse.url,
  );
  assert.deepEqual(
    [scenario('one'), scenario('two')].map(({ state, reason }) => [state, reason]),
    [
      ['not testable', 'not sent: it would change /onem2m/others, which this run has not created'],
      ['not testable', 'it has no checks'],
    ],
  );
});

test('steps that depend on an optional one are not demanded of the target', async (t) => {
  const cse = await testCse(t);
  const text = fileOf({
    one: '- retrieve: /${base}/nothing\n  check: { gap.one: { status: 200 } }\n- retrieve: /${base}\n  check: { doc.one: { status: 200 } }',
    two: '- retrieve: /${base}\n  check: { doc.two: { status: 200 } }',
  });
  const { scenario, result } = await runPlan(planOf(t, text), cse.url);
  assert.deepEqual(checks(scenario('one')).at(-1), [
    'doc.one',
    'not testable',
    'blocked: retrieve /onem2m/nothing answered 404, RSC 4040',
  ]);
  assert.equal(result.exit.code, 0);
});

test('an unexpected success fails by its status, and the scenario goes on', async (t) => {
  const cse = await testCse(t);
  const { scenario } = await runPlan(
    planOf(
      t,
      fileOf({
        one: `- create: ae
  in: /\${base}
  attributes: { rn: "\${name}" }
  expect: refusal
  check: { doc.one: { status: { between: [400, 499] } }, doc.two: { body: { is: text } } }
- retrieve: /\${base}/\${name}
  check: { doc.three: { status: 200 } }`,
      }),
    ),
    cse.url,
  );
  assert.deepEqual(checks(scenario('one')), [
    ['doc.one', 'failed', undefined],
    ['doc.two', 'not testable', 'the request was accepted: 201, RSC 2001'],
    ['doc.three', 'passed', undefined],
  ]);
  assert.deepEqual([...cse.tree.keys()], ['/onem2m']);
});

test('with "either" everything is checked and nothing blocks', async (t) => {
  const cse = await testCse(t);
  const { scenario } = await runPlan(
    planOf(
      t,
      fileOf({
        one: `- retrieve: /\${base}/nothing
  expect: either
  check:
    doc.one: { one of: [{ status: 200, source: row 2 }, { status: 404, variant: hidden, source: row 9 }] }
    doc.two: { body: { fields: { "m2m:dbg": { is: text } } } }
- retrieve: /\${base}
  check: { doc.three: { root: "m2m:cb" } }`,
      }),
    ),
    cse.url,
  );
  const [first, second, third] = scenario('one').steps.flatMap((step) => step.checks);
  assert.deepEqual(
    [first?.state, first?.variant, first?.expected],
    ['passed', 'hidden', ['status 200 (row 2)', 'status 404 (row 9)']],
  );
  assert.deepEqual([second?.state, third?.state], ['passed', 'passed']);
});

test('an absent optional value is not checked and does not make the run inconclusive', async (t) => {
  const cse = await testCse(t);
  const text = fileOf({
    one: '- retrieve: /${base}\n  check: { doc.one: { attributes: { lbl: { when present: { is: list } } } }, doc.two: { status: 200, attributes: { lbl: { when present: { is: list } } } } }',
  });
  const { scenario, result } = await runPlan(planOf(t, text), cse.url);
  assert.deepEqual(checks(scenario('one')), [
    ['doc.one', 'not testable', 'attribute lbl was absent'],
    ['doc.two', 'passed', undefined],
  ]);
  assert.equal(result.exit.code, 0);
});

test('a capture that finds nothing blocks the steps that need it, with that reason', async (t) => {
  const cse = await testCse(t);
  const text = fileOf({
    one: '- retrieve: /${base}\n  capture: { id: aei }\n  check: { doc.one: { attributes: { rn: { same as: "${id}" } } } }\n- retrieve: /${base}/${id}\n  check: { doc.two: { status: 200 } }',
  });
  const { scenario, result } = await runPlan(planOf(t, text), cse.url);
  assert.deepEqual(checks(scenario('one')), [
    ['doc.one', 'not testable', 'attribute aei was not in the answer'],
    ['doc.two', 'not testable', 'blocked: attribute aei was not in the answer'],
  ]);
  assert.equal(scenario('one').state, 'blocked');
  assert.equal(result.exit.code, 4);
});

test('no answer fails status checks and leaves the others open', async (t) => {
  const cse = await testCse(t, ({ path }) => (path.endsWith('/mute') ? 'say nothing' : undefined));
  const text = fileOf({
    one: '- retrieve: /${base}/mute\n  check: { doc.one: { status: 200 }, doc.two: { root: "m2m:ae" } }',
  });
  const { scenario } = await runPlan(planOf(t, text), cse.url, { timeout: 150 });
  const [first, second] = scenario('one').steps[0]?.checks ?? [];
  assert.deepEqual([first?.state, first?.actual], ['failed', 'harness sees: no complete answer within 0.15 s']);
  assert.deepEqual([second?.state, second?.reason], ['not testable', 'harness sees: no complete answer within 0.15 s']);
});

test('a gap is observed, never failed', async (t) => {
  const cse = await testCse(t);
  const text = fileOf({
    one: '- retrieve: /${base}/nothing\n  expect: either\n  check: { gap.one: [{ status: 403 }, { status: 404 }], doc.one: { status: 404 } }',
  });
  const { scenario, result } = await runPlan(planOf(t, text), cse.url);
  assert.equal(scenario('one').state, 'passed');
  const gap = result.requirements.find(({ id }) => id === 'gap.one');
  assert.equal(gap?.verdict, 'implementation-defined');
  assert.deepEqual(gap?.gaps, [
    { scenario: 'file/one', step: 0, check: 0, actual: '404, RSC 4040', asReference: false },
    { scenario: 'file/one', step: 0, check: 1, actual: '404, RSC 4040', asReference: true },
  ]);
  assert.deepEqual(result.summary.checks, {
    passed: 1,
    failed: 0,
    lost: 0,
    'not testable': 0,
    'left out': 0,
    'not applicable': 0,
    fault: 0,
  });
  assert.equal(result.exit.code, 0);
});

test('an error of the engine is a fault of the harness, not of the target, and no crash', async (t) => {
  const cse = await testCse(t);
  const text = fileOf({
    one: '- retrieve: /${base}\n  headers: { bad: "\\u0001" }\n  check: { doc.one: { status: 200 } }\n- retrieve: /${base}\n  check: { doc.two: { status: 200 } }',
  });
  const { scenario, result } = await runPlan(planOf(t, text), cse.url);
  const one = scenario('one');
  assert.equal(one.state, 'fault');
  assert.deepEqual(
    checks(one).map(([, state]) => state),
    ['fault', 'not testable'],
  );
  assert.equal(result.exit.code, 3);
  assert.equal(result.requirements.find(({ id }) => id === 'doc.one')?.verdict, 'harness fault');
});

test('a connection that is closed without an answer can be what is expected', async (t) => {
  const cse = await testCse(t, ({ path }) => (path === '/bad' ? 'hang up' : undefined));
  const text = fileOf({
    one: '- raw: { bytes: "GET /bad HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n" }\n  expect: either\n  check: { doc.one: { one of: [{ status: 400, source: a }, { connection: closed, variant: closes, source: b }] } }',
  });
  const { scenario } = await runPlan(planOf(t, text), cse.url);
  const [check] = scenario('one').steps[0]?.checks ?? [];
  assert.deepEqual([check?.state, check?.variant, check?.actual], ['passed', 'closes', 'connection closed']);
});
