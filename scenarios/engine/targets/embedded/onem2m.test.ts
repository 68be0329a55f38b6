import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Dialect } from '../../grammar/dialects.ts';
import { collect, fileOf, planOf } from '../../test-cse.ts';
import { openEmbedded } from './open-embedded.ts';

const both = 'dialects: [documented, onem2m]\n';
const watching = `inboxes: { watcher: {}, refuser: { answers: { status: 403, rsc: 4101 } }, gone: { answers: closed } }
actors: { app: {} }
given:
  - { create: container, in: "/\${base}/\${app}", as: app, attributes: { rn: readings } }
`;
const subscribe = (inbox: string, rest: string) =>
  `- create: subscription
  in: /\${base}/\${app}/readings
  as: app
  attributes: { rn: ${inbox}, nu: ["\${${inbox}.url}"], enc: { net: [3] } }
  ${rest}`;
const child = '- { create: content instance, in: "/${base}/${app}/readings", as: app, attributes: { con: "21" } }';

async function judge(
  t: TestContext,
  scenarios: Readonly<Record<string, string>>,
  head: string,
  dialect: Dialect = 'onem2m',
) {
  const open = (startedAt: number) =>
    openEmbedded({ kind: 'embedded', dialect, connections: 4, timeout: 5000, startedAt });
  const { result, scenario } = await collect(planOf(t, fileOf(scenarios, both + head), { dialect }), open);
  const failures = result.scenarios.flatMap(({ id, steps }) =>
    steps.flatMap(({ checks }) => checks.filter(({ state }) => state !== 'passed').map((check) => [id, check])),
  );
  return { result, scenario, failures };
}

test('the reference CSE notifies the harness, and is refused by it where the scenario wants that', async (t) => {
  const { failures, scenario } = await judge(
    t,
    {
      told: `${subscribe('watcher', 'check: { std.one: { rsc: 2001 } }')}
${child}
- notified: watcher
  check: { std.one: { notifications: 1, notification: { event: 3, root: "m2m:cin", attributes: { con: "21" } } } }
- notified: watcher
  until: 0
  within: 60s
  check: { std.two: { notifications: 0 } }
- notified: watcher
  of: verification
  check: { std.two: { notifications: 1 } }`,
      refused: subscribe('refuser', 'expect: refusal\n  check: { std.one: { status: { between: [400, 599] } } }'),
      nobody: subscribe('gone', 'expect: refusal\n  check: { std.one: { rsc: 5204 } }'),
    },
    watching,
  );
  assert.deepEqual(failures, []);
  assert(scenario('told').took < 30_000, 'what is to stay away is not waited for');
});

test('the reference CSE notifies from behind mutual TLS too, in either dialect', async (t) => {
  const steps = `- create: subscription
  in: /\${base}/\${app}/readings
  attributes: { rn: watch, nu: ["\${watcher.url}"], enc: { net: [3] } }
${child}
- notified: watcher
  check: { std.one: { notifications: 1 } }`;
  for (const dialect of ['documented', 'onem2m'] as const) {
    const { result, failures } = await judge(t, { one: steps }, `needs: [certificate required]\n${watching}`, dialect);
    assert.deepEqual([failures, result.scenarios[0]?.installation], [[], 'mutual']);
  }
});

test('time passes for the reference CSE without being waited for', async (t) => {
  const lifetime = `- create: container
  in: /\${base}/\${app}
  as: app
  attributes: { rn: brief }
- update: /\${base}/\${app}/brief
  kind: container
  as: app
  attributes: { mia: 60 }
- create: content instance
  in: /\${base}/\${app}/brief
  as: app
  attributes: { con: "1" }
- advance: 2h
- retrieve: /\${base}/\${app}/brief/la
  as: app
  expect: refusal
  check: { std.one: { rsc: 4004 } }`;
  const { result, failures } = await judge(t, { one: lifetime, two: lifetime }, watching);
  assert.deepEqual(failures, []);
  assert.deepEqual(new Set(result.scenarios.map(({ installation }) => installation)), new Set(['virtual time']));
});

test('rights are looked at in the onem2m dialect, and the administrator has them all', async (t) => {
  const steps = `- create: container
  in: /\${base}
  as: app
  attributes: { rn: "\${name}" }
  expect: refusal
  check: { std.one: { rsc: 4103 } }
- create: container
  in: /\${base}
  as: admin
  attributes: { rn: "\${name}" }
  check: { std.two: { rsc: 2001 } }`;
  const head = 'needs: [access control, admin]\nactors: { app: {} }\n';
  const { result, failures } = await judge(t, { one: steps }, head);
  assert.deepEqual([failures, result.scenarios[0]?.state, result.scenarios[0]?.leftBehind], [[], 'passed', []]);
  const documented = await judge(t, { one: steps }, head, 'documented');
  assert.equal(documented.result.scenarios[0]?.state, 'not applicable');
  assert.match(documented.result.scenarios[0]?.reason ?? '', /Give --dialect onem2m/);
});
