import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock, systemClock } from './clock.ts';

test('a manual clock stands still until advanced, by every form of a duration', async () => {
  const clock = manualClock(0);
  assert.equal(clock.now(), 0);
  for (const duration of [1, '1ms', '1s', '1.5m', '1h', '2d']) await clock.advance(duration);
  assert.equal(clock.now() / 1000, 1 + 1 + 1000 + 90_000 + 3_600_000 + 2 * 86_400_000);
});

test('tasks run at their time, in order, one after the other', async () => {
  const clock = manualClock(0);
  const done: string[] = [];
  clock.schedule(20, () => void done.push(`late at ${clock.now() / 1000}`));
  clock.schedule(10, async () => {
    await Promise.resolve();
    done.push(`early at ${clock.now() / 1000}`);
    clock.schedule(5, () => void done.push(`between at ${clock.now() / 1000}`));
  });
  clock.schedule(15, () => void done.push('never'))();
  await clock.advance(19);
  assert.deepEqual(done, ['early at 10', 'between at 15']);
  await clock.advance(1);
  assert.deepEqual(done.slice(2), ['late at 20']);
});

test('a task that waits for another is waited for once that has run, perhaps in a later advance', async () => {
  const clock = manualClock(0);
  const done: string[] = [];
  const later = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      clock.schedule(milliseconds, resolve, { isAwaited: true });
    });
  clock.schedule(10, async () => {
    await later(5);
    await new Promise((turn) => setImmediate(turn));
    done.push(`first at ${clock.now() / 1000}`);
    await later(30);
    await new Promise((turn) => setImmediate(turn));
    done.push(`again at ${clock.now() / 1000}`);
  });
  clock.schedule(20, () => void done.push(`another at ${clock.now() / 1000}`));
  await clock.advance(30);
  assert.deepEqual([done, clock.now() / 1000], [['first at 15', 'another at 20'], 30]);
  await clock.advance('1h');
  assert.deepEqual(done.slice(2), ['again at 45']);
});

test('an invalid duration is refused', async () => {
  for (const wrong of ['soon', '5', '-1s', '', -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    await assert.rejects(manualClock().advance(wrong), RangeError, String(wrong));
  }
});

test('the system clock does tasks later, and not when they are cancelled', async () => {
  const clock = systemClock();
  const done: string[] = [];
  clock.schedule(0, () => void done.push('never'))();
  // The timers of this clock keep no process alive; this one does.
  const alive = setInterval(() => {}, 1000);
  await new Promise<void>((resolve) => {
    clock.schedule(1, () => {
      done.push('done');
      resolve();
    });
  });
  clearInterval(alive);
  assert.deepEqual(done, ['done']);
});
