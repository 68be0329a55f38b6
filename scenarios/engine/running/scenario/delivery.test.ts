import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { request as send } from 'undici';
import { loadScenarios } from '../../files/load.ts';
import { fileOf, planOf, runPlan, type TestRequest, testCse } from '../../test-cse.ts';
import { deliveredBy } from './delivery.ts';

type Way = 'URL' | 'AE-ID' | 'none';

interface Sent {
  readonly 'm2m:ae'?: { readonly rn: string; readonly poa?: readonly string[] };
  readonly 'm2m:sub'?: { readonly nu: readonly string[] };
  readonly 'm2m:cin'?: { readonly con: string };
}

/** A CSE that notifies those of `nu` that it can deliver to: URLs, or application entities with a point of access. */
async function notifyingCse(t: TestContext, way: Way) {
  const points = new Map<string, readonly string[]>();
  const subscribers = new Map<string, readonly string[]>();
  const notify = async (path: string, con: string) => {
    const notification = { 'm2m:sgn': { nev: { net: 3, rep: { 'm2m:cin': { con } } }, sur: 'cse/watch' } };
    for (const [parent, nu] of subscribers) {
      if (parent !== path || way === 'none') continue;
      const urls =
        way === 'URL' ? nu.filter((one) => one.startsWith('http')) : nu.flatMap((id) => points.get(id) ?? []);
      for (const url of urls)
        await (await send(url, { method: 'POST', body: JSON.stringify(notification) })).body.dump();
    }
  };
  let made = 0;
  const cse = await testCse(t, ({ method, path, body }: TestRequest) => {
    if (method !== 'POST') return undefined;
    const sent = JSON.parse(body) as Sent;
    const [ae, sub, cin] = [sent['m2m:ae'], sent['m2m:sub'], sent['m2m:cin']];
    if (sub !== undefined) subscribers.set(path, [...(subscribers.get(path) ?? []), ...sub.nu]);
    if (cin !== undefined) void notify(path, cin.con).catch(() => {});
    if (ae === undefined) return undefined;
    made += 1;
    points.set(`C${made}`, ae.poa ?? []);
    const created = { 'm2m:ae': { ...ae, aei: `C${made}`, ri: `C${made}` } };
    cse.tree.set(`${path}/${ae.rn}`, created);
    return { status: 201, body: created };
  });
  return cse;
}

const head = `inboxes: { watcher: {} }
actors: { app: {} }
given:
  - create: subscription
    in: /\${base}/\${app}
    attributes: { rn: watch, nu: ["\${watcher.nu}"] }
  - create: content instance
    in: /\${base}/\${app}
    attributes: { rn: one, con: hello }
`;
const looking = `- notified: watcher
  within: 2s
  check: { doc.one: { notifications: 1, notification: { attributes: { con: hello } } } }`;

async function judged(t: TestContext, way: Way) {
  const cse = await notifyingCse(t, way);
  const { result, scenario } = await runPlan(planOf(t, fileOf({ one: looking, two: looking }, head)), cse.url);
  return { log: cse.log, result, one: scenario('one'), two: scenario('two') };
}

test('a target that delivers only to points of access is checked that way', async (t) => {
  const { one, two, result, log } = await judged(t, 'AE-ID');
  assert.deepEqual([one.state, two.state], ['passed', 'passed'], one.reason);
  assert.match(
    result.notes?.join() ?? '',
    /as this target delivers them: to an application entity with a point of access/,
  );
  // The trial, and for each scenario its own application entity and that of its inbox; all are removed.
  assert.equal(log.filter((line) => line === 'POST /onem2m').length, 2 + 2 * 2);
  assert.equal(result.scenarios.length, 2);
});

test('a target that delivers to URLs is given URLs', async (t) => {
  const { one, two, result, log } = await judged(t, 'URL');
  assert.deepEqual([one.state, two.state], ['passed', 'passed'], one.reason);
  assert.deepEqual(result.notes ?? [], []);
  assert.equal(log.filter((line) => line === 'POST /onem2m').length, 2 + 2);
});

test('for a target that delivers in no way, the result says what was tried', async (t) => {
  const { one } = await judged(t, 'none');
  assert.equal(one.state, 'blocked');
  assert.match(one.reason ?? '', /neither to a URL in nu nor to the point of access of an application entity/);
});

test('what rules see of the trial is no evidence: its violations are not reported', async (t) => {
  const cse = await notifyingCse(t, 'URL');
  const steps = '- notified: watcher\n  check: { doc.one: { notifications: 1 } }\n- advance: 1h';
  const { catalogue } = loadScenarios([]);
  const chosen = { ...planOf(t, fileOf({ one: steps }, head)), catalogue, unfiltered: true };
  const { result } = await runPlan(chosen, cse.url, { rules: true, choice: { waitBudget: 10 } });
  assert.ok(cse.log.includes('POST /onem2m'));
  assert.deepEqual([result.summary.requests, result.evidence], [0, undefined]);
});

test('with one identity for all, the application entity of the scenario is the one that is notified', async (t) => {
  const plan = planOf(t, fileOf({ one: looking }, head));
  const [scenario = assert.fail()] = plan.scenarios;
  const alone = deliveredBy(scenario, 'point of access', {
    dialect: 'documented',
    release: '3',
    originator: '//sp/cse/CApp',
  });
  assert.deepEqual(alone.actors.app?.attributes, { poa: ['${watcher.url}'] });
  assert.deepEqual(alone.given[0]?.step, { retrieve: '/${base}/${app}', as: 'app', capture: { 'watcher.nu': 'aei' } });
  const others = deliveredBy(scenario, 'point of access', { dialect: 'onem2m', release: '3' });
  assert.deepEqual(others.actors, {
    ...scenario.actors,
    'watcher-host': { registered: false, originator: 'C${name}-watcher' },
  });
  assert.equal(others.given.length, scenario.given.length + 1);
});
