import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { request as send } from 'undici';
import type { Need } from '../grammar/vocabulary.ts';
import { SimulatedBackend } from '../targets/simulated-backend.ts';
import { backendDefaults } from '../targets/url-choice.ts';
import { collect, fileOf, gatewayOf, installationsOf, openTestTarget, planOf, testCse } from '../test-cse.ts';
import type { RunOptions } from './workers.ts';

const csr = { rn: 'test-cse', csi: '/test-cse', lbl: ['a'] };

/** Runs scenarios beside a gateway that sends these requests to the harness, each `[method, path, body]`. */
async function judge(
  t: TestContext,
  scenarios: Readonly<Record<string, string>>,
  {
    sent = [],
    certain = true,
    ...options
  }: {
    readonly sent?: ReadonlyArray<readonly ['GET' | 'POST' | 'PUT', string, object?]>;
    readonly certain?: boolean;
  } & Partial<RunOptions> = {},
) {
  const cse = await testCse(t);
  const simulated = await SimulatedBackend.listen({ ...backendDefaults, port: 0, startedAt: 0, certain });
  t.after(() => simulated.close());
  const gateway = gatewayOf(await openTestTarget({ url: cse.url }, { connections: 2, timeout: 2000, startedAt: 0 }));
  const has = new Set<Need>(['simulated backend']);
  const installations = installationsOf(gateway, { has, simulated });
  for (const [method, path, body] of sent) {
    const answer = await send(simulated.description.url + path, {
      method,
      body: body === undefined ? null : JSON.stringify(body),
    });
    await answer.body.dump();
  }
  const plan = planOf(t, fileOf(scenarios, 'needs: [simulated backend]\n'));
  return collect(plan, async () => ({ description: gateway.description, installations }), options);
}

const registering = [
  ['POST', '/~/in-cse-1/onem2m', { 'm2m:csr': csr }],
  ['GET', '/~/in-cse-1/onem2m'],
] as const;

test('a step waits for a request of the target and its checks look at it', async (t) => {
  const steps = `- receive: { method: POST, path: { starts with: "/~/\${backend-cse}" } }
  capture: { name1: rn, type: { header: content-type } }
  check:
    doc.one:
      request:
        method: POST
        path: /~/\${backend-cse}/\${backend-base}
        header: { X-Absent: { is: absent } }
        root: m2m:csr
        attributes: { csi: "/\${cse}", lbl: { contains: a } }
    doc.two: { request: { attributes: { poa: { is: list } } } }
- retrieve: /\${base}
  query: { seen: "\${name1}" }
  expect: either`;
  const { scenario } = await judge(t, { one: steps }, { sent: registering });
  const [received, retrieved] = scenario('one').steps;
  assert.equal(received?.title, 'receive a POST request whose path starts with "/~/${backend-cse}"');
  assert.deepEqual([received?.received?.method, received?.received?.path], ['POST', '/~/in-cse-1/onem2m']);
  assert.deepEqual(
    received?.checks.map(({ state, actual }) => [state, actual]),
    [
      [
        'passed',
        'method of the request is "POST"; path of the request is "/~/in-cse-1/onem2m"; header X-Absent of the request is absent; root of the request is "m2m:csr"; attribute csi of the request is "/test-cse"; attribute lbl of the request is ["a"]',
      ],
      ['failed', 'attribute poa of the request is absent'],
    ],
  );
  assert.match(retrieved?.exchange?.request.path ?? '', /seen=test-cse$/);
});

test('each step takes a request after the one before; each scenario begins anew', async (t) => {
  const any = '- receive: {}\n  within: 1ms\n  expect: either\n  check: { doc.one: { request: { method: POST } } }\n';
  const { scenario } = await judge(t, { one: `${any}${any}${any}`, two: any }, { sent: registering });
  const methods = (key: string) => scenario(key).steps.map(({ received }) => received?.method);
  assert.deepEqual([methods('one'), methods('two')], [['POST', 'GET', undefined], ['POST']]);
});

test('a gateway that is certainly to register and does not fails', async (t) => {
  const steps =
    '- receive: { method: POST, root: "m2m:csr" }\n  within: 1ms\n  check: { doc.one: { request: { method: POST } } }\n- receive: { method: GET }\n  check: { doc.two: { request: { method: GET } } }';
  const { scenario, result } = await judge(t, { one: steps });
  const [first, second] = scenario('one').steps.map(({ checks }) => checks[0]);
  assert.deepEqual([first?.state, first?.actual], ['failed', 'no such request came within 1ms']);
  assert.deepEqual([second?.state, second?.reason], ['not testable', 'blocked: no such request came within 1ms']);
  assert.equal(result.exit.code, 1);
});

test('of a request that does not come only that is a failure, and not what it should have said', async (t) => {
  const steps = `- receive: { method: POST }
  within: 1ms
  check:
    doc.one: { request: { method: POST } }
    doc.two: { request: { attributes: { poa: { is: list } } } }`;
  const { scenario } = await judge(t, { one: steps });
  assert.deepEqual(
    scenario('one').steps[0]?.checks.map(({ state, actual }) => [state, actual]),
    [
      ['failed', 'no such request came within 1ms'],
      ['not testable', 'no such request came within 1ms'],
    ],
  );
  const alone = '- receive: { method: POST }\n  within: 1ms\n  check: { doc.two: { request: { root: "m2m:csr" } } }';
  const { scenario: other } = await judge(t, { one: alone });
  assert.equal(other('one').steps[0]?.checks[0]?.state, 'failed', 'unless nothing else says that it is to come');
});

test('a gateway that is perhaps to register and does not leaves it open', async (t) => {
  const steps = '- receive: { method: POST }\n  within: 1ms\n  check: { doc.one: { request: { method: POST } } }';
  const { scenario, result } = await judge(t, { one: steps }, { certain: false });
  assert.equal(scenario('one').state, 'blocked');
  assert.match(
    scenario('one').reason ?? '',
    /^no such request came within 1ms; the harness, which listens at http:\S+, cannot know/,
  );
  assert.equal(result.exit.code, 4);
});

test('an interruption ends the wait', async (t) => {
  const interruption = new AbortController();
  const steps = '- receive: { method: PUT }\n  within: 10m\n  check: { doc.one: { request: { method: PUT } } }';
  const running = judge(t, { one: steps }, { signal: interruption.signal });
  interruption.abort();
  const { result } = await running;
  assert.equal(result.exit.code, 130);
});
