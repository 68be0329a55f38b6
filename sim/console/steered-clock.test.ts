import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noEffect } from '../core/configuration.ts';
import { manualClock } from '../environment/clock.ts';
import { SteeredClock } from './steered-clock.ts';

const second = 1_000_000;

test('it runs with its driver, is paused, resumes where it stood, and is advanced', async () => {
  const driver = manualClock(0);
  const clock = new SteeredClock({ driver });
  await driver.advance('1s');
  assert.deepEqual([clock.now(), clock.isGoing], [second, true]);
  clock.pause();
  await driver.advance('10s');
  assert.deepEqual([clock.now(), clock.isGoing], [second, false]);
  clock.resume();
  await driver.advance('1s');
  assert.equal(clock.now(), 2 * second);
  await clock.advance('1h');
  assert.equal(clock.now(), 3602 * second);
  await driver.advance('1s');
  assert.equal(clock.now(), 3603 * second);
});

test('tasks run at their time whether it runs or is advanced, and not while it is paused', async () => {
  const driver = manualClock(0);
  const clock = new SteeredClock({ driver });
  const done: string[] = [];
  clock.schedule(5_000, () => void done.push(`five at ${clock.now() / second}`));
  clock.schedule(1_000, () => void done.push(`one at ${clock.now() / second}`));
  clock.schedule(2_000, () => void done.push('never'))();
  await driver.advance('1s');
  assert.deepEqual(done, ['one at 1']);
  clock.pause();
  await driver.advance('1m');
  assert.deepEqual(done, ['one at 1']);
  await clock.advance('4s');
  assert.deepEqual(done, ['one at 1', 'five at 5']);
  assert.equal(clock.isGoing, false);
});

test('tasks that a task makes are done on the same way, in order', async () => {
  const clock = new SteeredClock({ driver: manualClock(0), paused: true });
  const done: number[] = [];
  clock.schedule(1_000, async () => {
    await Promise.resolve();
    clock.schedule(500, () => void done.push(clock.now() / second));
  });
  clock.schedule(2_000, () => void done.push(clock.now() / second));
  await clock.advance('3s');
  assert.deepEqual(done, [1.5, 2]);
  await assert.rejects(clock.advance('soon'), RangeError);
});

test('a pause or a resume during an advance takes effect at its end, and the advance is not lost', async () => {
  const driver = manualClock(0);
  const clock = new SteeredClock({ driver });
  clock.schedule(1_000, () => clock.pause());
  await clock.advance('10s');
  assert.deepEqual([clock.now(), clock.isGoing], [10 * second, false]);
  clock.schedule(1_000, () => clock.resume());
  await clock.advance('10s');
  assert.deepEqual([clock.now(), clock.isGoing], [20 * second, true]);
  await driver.advance('1s');
  assert.equal(clock.now(), 21 * second);
});

test('during an advance it counts as running as before, and a failing task stops it no longer than that', async () => {
  const driver = manualClock(0);
  const clock = new SteeredClock({ driver });
  const seen: boolean[] = [];
  clock.schedule(1_000, () => void seen.push(clock.isGoing));
  clock.schedule(2_000, () => Promise.reject(new Error('failed')));
  await assert.rejects(clock.advance('10s'), /failed/);
  await driver.advance('1s');
  assert.deepEqual([clock.now(), clock.isGoing, seen], [3 * second, true, [true]]);
});

test('during an advance it counts changes, and not while it runs by itself', async () => {
  const clock = new SteeredClock({ driver: manualClock(0) });
  const seen: (number | undefined)[] = [];
  const look = () => {
    seen.push(clock.changeCount);
    return noEffect;
  };
  const schedule = () => {
    for (const at of [1000, 2000, 4000]) clock.schedule(at, look);
    clock.schedule(3000, () => {});
  };
  schedule();
  await clock.advance('5s');
  schedule();
  await clock.advance('5s');
  const [first = 0] = seen;
  assert.deepEqual(
    seen.map((one) => (one ?? 0) - first),
    [0, 0, 1, 2, 2, 3],
  );
  assert.equal(clock.changeCount, undefined);
});
