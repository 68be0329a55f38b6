/** Late answers over real sockets, by a clock that the test moves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../environment/clock.ts';
import { startNode } from '../topology/node.ts';
import { startPair } from '../topology/pair.ts';
import { ActiveRule, planFor } from './active-rule.ts';
import { readRule } from './rule-form.ts';
import { seededNumbers } from './seeded.ts';

const seed = 7;
const late = '/onem2m/late';

/** Milliseconds by which the first so many answers are late: those of the first rule of a seed. */
function delaysOf(text: string, count: number): number[] {
  const rule = new ActiveRule(readRule(text), seededNumbers(seed, 1));
  const request = { method: 'GET', target: late, headers: {}, body: new Uint8Array() };
  return Array.from({ length: count }, () => planFor(request, [rule])?.milliseconds ?? 0);
}

for (const rule of [`latency ${late} by=1m`, `latency ${late} from=1m to=2m`, `latency ${late} median=10s p99=5m`]) {
  test(`answers are as late as "${rule}" says, and others are not`, async () => {
    const clock = manualClock();
    await using node = await startNode({ cse: {}, http: {}, disturbances: [rule], disturbanceSeed: seed }, { clock });
    await node.startDisturbing();
    for (const delay of delaysOf(rule, 3)) {
      const order: string[] = [];
      const before = node.disturbances.rules[0]?.disturbed ?? 0;
      const asked = fetch(node.url + late).then(({ status }) => order.push(String(status)));
      while (node.disturbances.rules[0]?.disturbed === before) await new Promise((turn) => setImmediate(turn));
      await clock.advance(delay - 0.5);
      await fetch(`${node.url}/onem2m`).then(() => order.push('another'));
      await clock.advance(1);
      await asked;
      assert.deepEqual(order, ['another', '404'], String(delay));
    }
  });
}

for (const rule of ['latency by=2s', 'throttle rate=100']) {
  test(`a gateway stays registered at a backend with "${rule}", whose answers come as its clock is moved`, async () => {
    await using pair = await startPair({ clock: 'manual', interval: 60 });
    await pair.backend.disturbances.set([rule]);
    await pair.clock.advance('10m');
    const { expires } = pair.backend.tree.get(pair.gateway.cseId);
    assert.equal(pair.gateway.registered, true);
    assert.ok(expires !== undefined && expires.getTime() > pair.clock.now() / 1000);
  });
}

test('a manual clock goes on while a backend is silent, and the gateway is registered again afterwards', {
  timeout: 30_000,
}, async () => {
  await using pair = await startPair({ clock: 'manual' });
  await pair.backend.disturbances.dead({ how: 'silent', for: '2h' });
  await pair.clock.advance('1h');
  assert.match(String(pair.gateway.registered), /other side closed/);
  await pair.clock.advance('2h');
  assert.equal(pair.gateway.registered, true);
});

test('a jitter and a long tail make each answer late by another time', () => {
  for (const [rule, least, most] of [
    ['latency from=1m to=2m', 60_000, 120_000],
    ['latency median=10s p99=5m', 1, 3_600_000],
  ] as const) {
    const delays = delaysOf(rule, 5);
    assert.equal(new Set(delays).size, 5);
    for (const delay of delays) assert.ok(delay >= least && delay <= most, `${rule}: ${delay}`);
  }
});
