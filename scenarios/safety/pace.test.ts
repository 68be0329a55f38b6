import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from '../engine/targets/exchanging/load-limits.ts';

test('requests are spaced evenly, and none is let through early after a pause', async () => {
  let now = 1000;
  const slept: number[] = [];
  const pause = async (milliseconds: number) => void slept.push(milliseconds);
  const pace = new Pace({ requests: 50, per: 1000 }, { now: () => now, pause });
  await Promise.all([pace.turn(), pace.turn(), pace.turn()]);
  assert.deepEqual(slept, [20, 40]);
  now += 500;
  await Promise.all([pace.turn(), pace.turn()]);
  assert.deepEqual(slept, [20, 40, 20]);
});

test('a rate may be given for a minute', async () => {
  const slept: number[] = [];
  const pause = async (milliseconds: number) => void slept.push(milliseconds);
  const pace = new Pace({ requests: 300, per: 60_000 }, { now: () => 0, pause });
  for (let request = 0; request < 3; request += 1) await pace.turn();
  assert.deepEqual(slept, [200, 400]);
});
