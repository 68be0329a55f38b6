import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noEffect } from '../core/configuration.ts';
import { manualClock } from '../environment/clock.ts';
import { SteeredClock } from './steered-clock.ts';

const second = 1_000_000;

test('it goes with its driver, stands, goes on from where it stood, and is moved forward', async () => {
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

test('tasks run at their time whether it goes or is moved, and not while it stands', async () => {
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

test('who stops it or sets it going while it is moved has that at the end of the way, and the way is not lost', async () => {
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

test('while it is moved it is as going as before, and a task that fails stops it no longer than the way', async () => {
  const driver = manualClock(0);
  const clock = new SteeredClock({ driver });
  const seen: boolean[] = [];
  clock.schedule(1_000, () => void seen.push(clock.isGoing));
  clock.schedule(2_000, () => Promise.reject(new Error('failed')));
  await assert.rejects(clock.advance('10s'), /failed/);
  await driver.advance('1s');
  assert.deepEqual([clock.now(), clock.isGoing, seen], [3 * second, true, [true]]);
});

test('while it is moved it says whether anything has happened, and not while it goes by itself', async () => {
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
