import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { writeTimestamp } from '../dialects/timestamp.ts';
import { readLease } from './own-resources.ts';

const second = 1_000_000;
const time = fc.integer({ min: 1_000_000_000, max: 3_000_000_000 }).map((seconds) => seconds * second);
const shown = (lt: number, lifetime: number) => ({ lt: writeTimestamp(lt), et: writeTimestamp(lt + lifetime) });

test('a lifetime is what the CSE grants by its own clock, whatever the difference of the clocks is', () => {
  fc.assert(
    fc.property(time, time, fc.integer({ min: 1, max: 86_400 }), (theirs, ours, seconds) => {
      const lease = readLease(shown(theirs, seconds * second), ours, undefined);
      assert.deepEqual(lease, { lifetime: seconds * second, ahead: theirs - ours, modified: theirs });
    }),
  );
});

test('a time of modification that has stayed what it was says nothing of the time now', () => {
  fc.assert(
    fc.property(time, time, fc.integer({ min: 1, max: 86_400 }), (theirs, ours, passed) => {
      const former = readLease(shown(theirs, 60 * second), ours, undefined);
      const answer = { lt: writeTimestamp(theirs), et: writeTimestamp(theirs + (passed + 60) * second) };
      assert.deepEqual(readLease(answer, ours + passed * second, 3600 * second, former), former);
    }),
  );
});

test('without an expiration time it is as requested, and never more than that', () => {
  const former = readLease(shown(0, 60 * second), 5 * second, undefined);
  assert.deepEqual(readLease({}, 0, 90 * second, former), { ...former, lifetime: 90 * second });
  assert.deepEqual(readLease({ et: null, lt: null }, 0, undefined), {
    lifetime: undefined,
    ahead: 0,
    modified: undefined,
  });
  assert.equal(readLease(shown(0, 120 * second), 0, 90 * second).lifetime, 90 * second);
});
