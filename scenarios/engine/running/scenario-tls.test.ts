import assert from 'node:assert/strict';
import type { ServerOptions } from 'node:https';
import { type TestContext, test } from 'node:test';
import { shipped } from '../../../certs/shipped.ts';
import type { Target } from '../messages/target.ts';
import type { CheckResult, ScenarioResult } from '../results/result.ts';
import type { UrlChoice } from '../targets/url-choice.ts';
import {
  collect,
  fileOf,
  gatewayOf,
  installationsOf,
  openTestTarget,
  planOf,
  runPlan,
  type TestRequest,
  testCse,
} from '../test-cse.ts';

const asking: ServerOptions = { requestCert: true, rejectUnauthorized: false };
const demanding: ServerOptions = { requestCert: true, rejectUnauthorized: true };
const cacert = shipped.chain;
const own = shipped.certificate('test-ae');
const ae = '//openmtc.org/mn-cse-1/CTest-AE';

interface Ran {
  readonly one: ScenarioResult;
  readonly code: number;
  readonly checks: readonly CheckResult[];
  readonly requests: readonly TestRequest[];
}

/** One scenario against a CSE over HTTPS. */
async function judge(
  t: TestContext,
  steps: string,
  {
    server = asking,
    tls = {},
    head = 'needs: [https]\n',
    choice = {},
  }: {
    readonly server?: ServerOptions;
    readonly tls?: NonNullable<UrlChoice['tls']>;
    readonly head?: string;
    readonly choice?: Omit<UrlChoice, 'url' | 'tls'>;
  } = {},
): Promise<Ran> {
  const requests: TestRequest[] = [];
  const deviate = (request: TestRequest) => {
    requests.push(request);
    return undefined;
  };
  const cse = await testCse(t, deviate, server);
  const all = { ...choice, tls: { ...(!tls.insecure && { cacert }), ...tls } };
  const { scenario, result } = await runPlan(planOf(t, fileOf({ one: steps }, head)), cse.url, { choice: all });
  const one = scenario('one');
  return {
    one,
    code: result.exit.code,
    checks: one.steps.flatMap(({ checks }) => checks),
    requests: requests.slice(1),
  };
}

const states = ({ checks }: Ran) => checks.map(({ state, variant }) => [state, variant]);
const permitted = (more = '') => `
  expect: either
  check:
    doc.one:
      one of:
        - { handshake: refused, variant: refused, source: a }
        - { handshake: dropped, variant: dropped, source: b }
        - { status: { between: [400, 499] }, variant: answered, source: c }${more}`;

test('a refusal by TLS is an outcome beside those by HTTP', async (t) => {
  const steps = `- retrieve: /\${base}\n  certificate: none\n  over: TLS 1.2${permitted()}\n- retrieve: /\${base}\n  certificate: none${permitted()}\n- retrieve: /\${base}/nothing\n  certificate: own${permitted()}`;
  const ran = await judge(t, steps, { server: demanding, tls: { own } });
  assert.deepEqual(states(ran), [
    ['passed', 'refused'],
    ['passed', 'dropped'],
    ['passed', 'answered'],
  ]);
  assert.equal(ran.code, 0);
  const [first, second] = ran.one.steps;
  assert.deepEqual([first?.exchange?.tls?.alert, first?.exchange?.over], ['handshake failure', 'TLS 1.2']);
  assert.deepEqual([second?.exchange?.tls?.alert, second?.exchange?.certificate], ['certificate required', undefined]);
});

test('a handshake that is completed where it should be refused is a deviation, with what was seen', async (t) => {
  const ran = await judge(
    t,
    '- retrieve: /${base}\n  certificate: self-signed\n  expect: refusal\n  check: { doc.one: { handshake: refused }, doc.two: { handshake: { one of: [refused, dropped] } } }',
  );
  assert.deepEqual(
    ran.checks.map(({ state, expected, actual }) => [state, expected, actual]),
    [
      ['failed', ['handshake refused'], 'handshake completed'],
      ['failed', ['handshake refused or dropped'], 'handshake completed'],
    ],
  );
  assert.equal(ran.code, 1);
});

test('alerts, and whose certificate the target has, can be looked at', async (t) => {
  const steps = `- retrieve: /\${base}
  certificate: own
  check:
    doc.one: { server certificate: verified, alert: { is: absent } }
    doc.two: { server uris: { contains: "//openmtc.org/mn-cse-1" } }
- retrieve: /\${base}
  certificate: none
  expect: either
  check:
    doc.three: { alert: certificate required }`;
  const ran = await judge(t, steps, { server: demanding, tls: { own } });
  assert.deepEqual(
    ran.checks.map(({ state, actual }) => [state, actual]),
    [
      ['passed', 'no alert came; server certificate verified'],
      ['passed', 'server URIs is ["//openmtc.org/mn-cse-1"]'],
      ['passed', 'alert certificate required'],
    ],
  );
});

test('three refused handshakes in a row do not end the run', async (t) => {
  const refused =
    '- retrieve: /${base}\n  certificate: none\n  expect: refusal\n  check: { doc.one: { handshake: dropped } }\n';
  const cse = await testCse(t, undefined, demanding);
  const steps = Object.fromEntries(['a', 'b', 'c', 'd'].map((key) => [key, refused]));
  const plan = planOf(t, fileOf(steps, 'needs: [https]\n'));
  const { result } = await runPlan(plan, cse.url, { jobs: 1, choice: { tls: { cacert, own } } });
  assert.deepEqual([result.exit.code, result.summary.scenarios.passed], [0, 4]);
});

test('an ordinary request that fails in TLS means that the target is lost', async (t) => {
  const cse = await testCse(t, undefined, asking);
  const limits = { connections: 1, timeout: 2000, startedAt: 0 };
  const alive = gatewayOf(await openTestTarget({ url: cse.url, tls: { cacert } }, limits));
  const failure = { kind: 'tls', message: 'the target sent an alert' } as const;
  const send: Target['send'] = async () => ({
    request: { method: 'GET', path: '/onem2m', headers: [] },
    failure,
    at: 0,
    took: 0,
    curl: '',
  });
  const gone = { description: alive.description, installations: installationsOf({ ...alive, send }) };
  const plan = planOf(t, fileOf({ one: '- retrieve: /${base}\n  check: { doc.one: { status: 200 } }' }));
  const { result, scenario } = await collect(plan, async () => gone);
  assert.equal(result.exit.code, 3);
  assert.equal(scenario('one').steps[0]?.checks[0]?.state, 'not testable');
});

test('an actor with a certificate is who the certificate says, on its own connections', async (t) => {
  const head = `needs: [https]
actors:
  device: { certificate: own }
  far: { registered: false, certificate: other }
  liar: { registered: false, certificate: own, originator: "\${device.originator}-not" }
`;
  const steps = `- retrieve: /\${base}/\${device}
  as: device
  check: { doc.one: { attributes: { rn: { is: text } } } }
- retrieve: /\${base}
  as: far
- retrieve: /\${base}
  as: liar
- retrieve: /\${base}
  headers: { X-M2M-Origin: "\${far.originator}" }`;
  const { one, requests } = await judge(t, steps, { head, tls: { certs: shipped.path } });
  assert.equal(one.state, 'passed');
  assert.deepEqual(
    requests.slice(0, 5).map(({ headers }) => headers['x-m2m-origin']),
    [ae, ae, '//openmtc.org/mn-cse-1/CTestIPE', `${ae}-not`, '//openmtc.org/mn-cse-1/CTestIPE'],
  );
  assert.deepEqual(
    one.steps.slice(0, 5).map(({ exchange }) => exchange?.certificate),
    ['own', 'own', 'other', 'own', undefined],
  );
});

test('what is created with a certificate is removed with it', async (t) => {
  const { one } = await judge(
    t,
    '- create: container\n  in: /${base}\n  certificate: own\n  attributes: { rn: "${name}" }\n  check: { doc.one: { status: 201 } }',
    { tls: { own, requireCert: false } },
  );
  const removal = one.steps.at(-1);
  assert.deepEqual([removal?.phase, removal?.exchange?.certificate, one.leftBehind], ['cleanup', 'own', []]);
  assert.deepEqual(removal?.exchange?.request.headers, [['X-M2M-Origin', ae]]);
});

test('a certificate that is not at hand makes its step not applicable, and what depends on it', async (t) => {
  const steps = `- retrieve: /\${base}
  certificate: expired
  check: { doc.one: { handshake: refused } }
- retrieve: /\${base}
  check: { doc.two: { status: 200 } }`;
  const { one, checks, code } = await judge(t, steps);
  assert.equal(one.state, 'not applicable');
  assert.deepEqual(
    checks.map(({ state, reason }) => [state, reason?.slice(0, 45)]),
    [
      ['not applicable', 'needs the certificate "expired": give --certs'],
      ['not applicable', 'needs the certificate "expired": give --certs'],
    ],
  );
  assert.equal(code, 4, 'nothing at all was judged');
});

test('with -k the certificate of the target is not checked, which is excused', async (t) => {
  const ran = await judge(
    t,
    '- retrieve: /${base}\n  check: { doc.one: { server certificate: verified }, doc.two: { handshake: completed } }',
    {
      server: { ...asking },
      tls: { insecure: true },
    },
  );
  assert.deepEqual(
    ran.checks.map(({ state, excused }) => [state, excused]),
    [
      ['not testable', true],
      ['passed', undefined],
    ],
  );
  assert.equal(ran.code, 0);
});
