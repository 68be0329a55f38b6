import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { request as send } from 'undici';
import type { ScenarioResult } from '../../results/result.ts';
import { HarnessInbox, Silence } from '../../targets/inbox.ts';
import type { UrlChoice } from '../../targets/url-choice.ts';
import { fileOf, planOf, runPlan, type TestAnswer, type TestRequest, testCse } from '../../test-cse.ts';
import { awaitNotifications } from './notifications.ts';

const single = (con: string, net = 3) => ({
  'm2m:sgn': { nev: { net, rep: { 'm2m:cin': { con, cs: con.length } } }, sur: 'cse/watch' },
});

/** What a CSE sends for each new content instance. */
type Notify = (con: string) => readonly unknown[];

/** Sends it as tinyIoT does: without the slash before its request target. */
function sendBadly(target: string, notification: unknown): void {
  const { hostname, port } = new URL(target);
  const body = JSON.stringify(notification);
  const socket = connect(Number(port), hostname).on('error', () => {});
  socket.end(`POST cse/app HTTP/1.1\r\nHost: here\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
}

/** A CSE with one subscriber, told of every content instance as `notify` says. */
async function notifyingCse(t: TestContext, notify: Notify, badly = false) {
  const targets: string[] = [];
  return testCse(t, ({ method, body }: TestRequest) => {
    if (method !== 'POST') return undefined;
    const content = JSON.parse(body) as { 'm2m:sub'?: { nu: string[] }; 'm2m:cin'?: { con: string } };
    targets.push(...(content['m2m:sub']?.nu ?? []));
    const { con } = content['m2m:cin'] ?? {};
    if (con === undefined) return undefined;
    void (async () => {
      for (const notification of notify(con)) {
        for (const target of targets) {
          if (badly) {
            sendBadly(target, notification);
            continue;
          }
          const answer = await send(target, { method: 'POST', body: JSON.stringify(notification) }).catch(
            () => undefined,
          );
          await answer?.body.dump();
        }
      }
    })();
    return undefined;
  });
}

const subscribing = `inboxes: { watcher: {} }
actors: { app: {} }
given:
  - create: subscription
    in: /\${base}/\${app}
    attributes: { rn: watch, nu: ["\${watcher.url}"] }
  - create: content instance
    in: /\${base}/\${app}
    attributes: { rn: one, con: hello }
`;

async function judge(
  t: TestContext,
  steps: string,
  notify: Notify,
  choice: Omit<UrlChoice, 'url'> = {},
): Promise<ScenarioResult> {
  const cse = await notifyingCse(t, notify);
  const { scenario } = await runPlan(planOf(t, fileOf({ one: steps }, subscribing)), cse.url, { choice });
  return scenario('one');
}

const actualsOf = ({ steps }: ScenarioResult) =>
  steps.flatMap(({ checks }) => checks.map(({ state, actual }) => `${state}: ${actual}`));
const once = (con: string) => [single(con)];

const looking = `- notified: watcher
  within: 2s
  capture: { told: con }
  check:
    doc.one: { notifications: 1 }
    doc.two:
      notification:
        event: 3
        root: "m2m:cin"
        subscription: cse/watch
        attributes: { con: hello, cs: { between: [5, 5] } }
        header: { content-length: { is: text } }
        path: { matching: "/watcher$" }
        body: { fields: { "m2m:sgn": { is: object } } }
- notified: watcher
  until: 0
  within: 50ms
  check: { doc.three: { notifications: 0 } }
`;

test('a notification is looked at, and captured from', async (t) => {
  const { state, steps } = await judge(t, `${looking}- retrieve: "/\${base}/\${app}?\${told}"\n  expect: either`, once);
  assert.equal(state, 'passed', JSON.stringify(steps, null, 1));
  const looked = steps.find(({ notifications }) => notifications !== undefined);
  assert.deepEqual([looked?.notifications?.count, looked?.notifications?.shown[0]?.method], [1, 'POST']);
  assert(steps.some(({ title }) => title.endsWith('?hello')));
});

test('each part of a notification can fail', async (t) => {
  const part = (expectation: string) => `- notified: watcher\n  check: { doc.one: { notification: ${expectation} } }`;
  for (const [expectation, actual] of [
    ['{ event: 1 }', 'event type of the notification is 3'],
    ['{ root: "m2m:cnt" }', 'root of the notification is "m2m:cin"'],
    ['{ attributes: { con: other } }', 'attribute con of the notification is "hello"'],
    ['{ subscription: other }', 'subscription of the notification is "cse/watch"'],
    ['{ creator: CApp }', 'creator of the notification is absent'],
    ['{ header: { x-m2m-ri: { is: text } } }', 'header x-m2m-ri of the notification is absent'],
    ['{ body: { is: text } }', `body of the notification is ${JSON.stringify(single('hello'))}`],
  ] as const) {
    const result = await judge(t, part(expectation), once);
    assert.deepEqual(actualsOf(result), [`failed: ${actual}`]);
  }
});

test('malformed HTTP is a deviation of its own, shown verbatim, and its content is checked', async (t) => {
  const cse = await notifyingCse(t, once, true);
  const steps = `- notified: watcher
  check:
    doc.one: { malformed: { length: 0 } }
    doc.two: { notifications: 1, notification: { event: 3, attributes: { con: hello } } }`;
  const { scenario } = await runPlan(planOf(t, fileOf({ one: steps }, subscribing)), cse.url);
  assert.deepEqual(actualsOf(scenario('one')), [
    'failed: list of malformed requests is ["POST cse/app HTTP/1.1"]',
    'passed: number of notifications is 1; event type of the notification is 3; attribute con of the notification is "hello"',
  ]);
  const [shown] = scenario('one').steps.flatMap(({ notifications }) => notifications?.shown ?? []);
  assert.match(shown?.body ?? '', /^POST cse\/app HTTP\/1\.1\r\nHost: here\r\n/);
});

test('where nothing came, nothing is said of its being HTTP', async (t) => {
  const steps = '- notified: watcher\n  within: 50ms\n  check: { doc.one: { malformed: { length: 0 } } }';
  const result = await judge(t, steps, () => [], { inboxHost: '127.0.0.1' });
  assert.deepEqual(actualsOf(result), ['not testable: no event notification came within 50ms']);
});

test('too many notifications fail, at once or later', async (t) => {
  const result = await judge(t, looking, (con) => [single(con), single(con)]);
  assert.equal(result.state, 'failed');
  // The second may come while the first is looked at, or after that.
  const failed = actualsOf(result).filter((actual) => actual.startsWith('failed'));
  assert.match(failed.join(), /^failed: number of notifications is [12]$/);
});

test('a notification that does not come fails the check that counts, and blocks what follows', async (t) => {
  const patient = looking.replace('2s', '50ms');
  const result = await judge(t, patient, () => [], { inboxHost: '127.0.0.1' });
  assert.deepEqual(actualsOf(result), [
    'failed: number of notifications is 0',
    'not testable: no such notification came',
    'not testable: the request was not sent',
  ]);
  const problems = result.steps.flatMap(({ problem }) => problem ?? []);
  assert.deepEqual(problems, [
    'no event notification came within 50ms',
    'blocked: no event notification came within 50ms',
  ]);
});

test('without a check that counts, a missing notification fails the one that looks at it', async (t) => {
  const absent =
    '- notified: watcher\n  within: 50ms\n  expect: either\n  check: { doc.one: { notification: { creator: { is: absent } } } }';
  const result = await judge(t, absent, () => [], { inboxHost: '127.0.0.1' });
  assert.deepEqual(actualsOf(result), ['failed: no such notification came']);
});

test('the second notification is looked at where the check says so', async (t) => {
  const second = `- notified: watcher
  until: 2
  check:
    doc.one: { which: 2, notification: { event: 4 } }
    doc.two: { which: 3, notification: { event: 4 } }`;
  const result = await judge(t, second, (con) => [single(con), single(con, 4)]);
  assert.deepEqual(actualsOf(result), [
    'passed: event type of notification 2 is 4',
    'failed: no such notification came',
  ]);
});

test('what is to come is not waited for longer than it takes, nor judged before it is there', async (t) => {
  const two = '- notified: watcher\n  until: 0\n  within: 60s\n  check: { doc.one: { notifications: 2 } }';
  const late = await judge(t, two, (con) => [single(con), single(con)]);
  assert.deepEqual(actualsOf(late), ['passed: number of notifications is 2']);
  assert(late.took < 30_000);
  const surplus = await judge(t, two, (con) => [single(con), single(con), single(con)]);
  assert.deepEqual(actualsOf(surplus), ['failed: number of notifications is 3']);
});

test('other kinds of notifications are not mixed up', async (t) => {
  const verification = { 'm2m:sgn': { vrq: true, sur: 'cse/watch', cr: 'CApp' } };
  const steps = `- notified: watcher
  of: verification
  check: { doc.one: { notifications: 1, notification: { creator: CApp } } }
- notified: watcher
  of: any
  check: { doc.two: { notifications: 1, notification: { event: 3 } } }`;
  const result = await judge(t, steps, (con) => [verification, single(con)]);
  assert.equal(result.state, 'passed', actualsOf(result).join('\n'));
});

test('a target that never sent anything is not blamed, unless its user said that it can', async (t) => {
  const impatient = looking.replace('2s', '50ms');
  const unknown = await judge(t, impatient, () => []);
  assert.equal(unknown.state, 'blocked');
  assert.match(unknown.reason ?? '', /whether it can reach the harness is not known\. .*give --inbox-host HOST/);
});

test('a silence that was cut short by an interruption proves nothing', async (t) => {
  const interruption = new AbortController();
  const cse = await testCse(t, ({ body }) => {
    if (body.includes('m2m:sub')) setTimeout(() => interruption.abort(), 50);
    return undefined;
  });
  const quiet = '- notified: watcher\n  until: 0\n  within: 60s\n  check: { doc.one: { notifications: 0 } }';
  const head = subscribing.split('  - create: content')[0];
  const chosen = planOf(t, fileOf({ one: quiet }, head));
  const { scenario } = await runPlan(chosen, cse.url, { signal: interruption.signal });
  assert.equal(scenario('one').state, 'interrupted');
  assert.deepEqual(actualsOf(scenario('one')), ['not testable: the request was not sent']);
});

test('a target that is never done holds nobody up who interrupts the run', async () => {
  const interruption = new AbortController();
  const endless = () => new Promise<void>(() => {});
  const watching = { settled: endless, silence: new Silence(), signal: interruption.signal };
  const step = { notified: 'watcher', until: 0, within: '1h' } as const;
  const waited = awaitNotifications(step, [], new HarnessInbox('http://127.0.0.1:1/', {}), watching);
  interruption.abort();
  assert.equal((await waited).received.length, 0);
});

test('where nothing comes once the target is done, nobody waits longer; what has come by then counts', async () => {
  const { signal } = new AbortController();
  const inbox = new HarnessInbox('http://127.0.0.1:1/', {});
  const settled = async () => {};
  const step = { notified: 'watcher', until: 1, within: '1h' } as const;
  const waited = await awaitNotifications(step, [], inbox, { settled, hasty: true, silence: new Silence(), signal });
  assert.deepEqual([waited.received.length, waited.observation.success], [0, false]);
});

test('the silence of a target that was never heard proves nothing either', async (t) => {
  const quiet = (count: number) =>
    `- notified: watcher\n  until: 0\n  within: 50ms\n  expect: either\n  check: { doc.one: { notifications: ${count} } }\n- retrieve: /\${base}\n  check: { doc.two: { status: 404 } }`;
  for (const count of [0, 1]) {
    const unheard = await judge(t, quiet(count), () => []);
    assert.deepEqual(actualsOf(unheard), Array(2).fill('not testable: the request was not sent'));
    const heard = await judge(t, quiet(count), () => [], { inboxHost: '127.0.0.1' });
    assert.equal(heard.state, 'failed');
  }
});

const subscribes = `- create: subscription
  in: /\${base}/\${app}
  attributes: { nu: ["\${watcher.url}"] }
  check: { doc.one: { status: 201 } }`;

test('a target that says it cannot reach an inbox is not blamed, unless its user said that it can', async (t) => {
  const judged = async (answer: TestAnswer, choice: Omit<UrlChoice, 'url'> = {}) => {
    const cse = await testCse(t, ({ body }) => (body.includes('m2m:sub') ? answer : undefined));
    const head = 'inboxes: { watcher: {} }\nactors: { app: {} }\n';
    return (await runPlan(planOf(t, fileOf({ one: subscribes }, head)), cse.url, { choice })).scenario('one');
  };
  const unverified = { status: 500, headers: { 'x-m2m-rsc': '5204' } };
  const within = { status: 200, body: { 'm2m:agr': { 'm2m:rsp': [{ rsc: 5204 }] } } };
  for (const answer of [unverified, within]) {
    const { state, reason } = await judged(answer);
    assert.deepEqual([state, reason?.includes('give --inbox-host HOST')], ['blocked', true]);
    assert.equal((await judged(answer, { inboxHost: '127.0.0.1' })).state, 'failed');
  }
  assert.equal((await judged({ status: 500, headers: { 'x-m2m-rsc': '5000' } })).state, 'failed');
});
