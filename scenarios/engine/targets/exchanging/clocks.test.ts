import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PauseClock, withGrowingPauses } from './clocks.ts';

function virtual(): { readonly clock: PauseClock; readonly pauses: number[] } {
  const pauses: number[] = [];
  const clock: PauseClock = {
    now: () => pauses.reduce((sum, one) => sum + one, 0),
    pause: async (milliseconds) => void pauses.push(milliseconds),
  };
  return { clock, pauses };
}

test('pauses double up to a second, and end with the limit', async () => {
  const { clock, pauses } = virtual();
  let attempts = 0;
  const attempt = async () => ++attempts;
  assert.equal(await withGrowingPauses(attempt, () => false, { limit: 5000, clock }), 10);
  assert.deepEqual(pauses, [50, 100, 200, 400, 800, 1000, 1000, 1000, 450]);
});

test('what is enough ends it, and without a limit there is one attempt', async () => {
  const { clock, pauses } = virtual();
  let attempts = 0;
  const attempt = async () => ++attempts;
  assert.equal(await withGrowingPauses(attempt, (count) => count === 3, { limit: 5000, clock }), 3);
  assert.deepEqual(pauses, [50, 100]);
  assert.equal(await withGrowingPauses(attempt, () => false, { limit: 0, clock }), 4);
});

test('an interruption ends it', async () => {
  const interruption = new AbortController();
  const pause = async () => interruption.abort();
  let attempts = 0;
  const { signal } = interruption;
  await withGrowingPauses(
    async () => ++attempts,
    () => false,
    { limit: 5000, signal, clock: { now: () => 0, pause } },
  );
  assert.equal(attempts, 1);
});
