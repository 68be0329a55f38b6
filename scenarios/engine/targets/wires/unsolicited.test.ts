import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnsolicitedMessages } from './unsolicited.ts';

test('what floods is told as far as it fits, with the exchange that ends next, and fills no memory', () => {
  const beside = new UnsolicitedMessages({ mayRepeat: false });
  for (let count = 0; count < 5_000; count += 1) beside.add('requests', { count });
  assert.equal(beside.waiting, 1_000);
  assert.deepEqual(
    beside.take('cl-1-r1').requests,
    Array.from({ length: 20 }, (_, count) => ({ count })),
  );
  assert.deepEqual([beside.waiting, beside.take('cl-1-r2')], [0, {}]);
});

test('what came to an inbox is told with an exchange that began afterwards, whichever of two came first', () => {
  for (const isFirst of [true, false]) {
    const beside = new UnsolicitedMessages({ mayRepeat: false });
    const notify = () => beside.add('requests', 'a notification', '/cl-2/watcher');
    beside.noteRequest('cl-2-r1');
    if (isFirst) notify();
    assert.deepEqual(beside.take('cl-2-r1'), {});
    if (!isFirst) notify();
    beside.noteRequest('cl-2-r2');
    assert.deepEqual(beside.take('cl-2-r2'), { requests: ['a notification'] });
  }
});

test('what came to an inbox is told with an exchange of its scenario', () => {
  const beside = new UnsolicitedMessages({ mayRepeat: false });
  beside.add('requests', 'a notification', '/cl-2/watcher');
  assert.deepEqual(beside.take('cl-1-r1'), {});
  assert.deepEqual(beside.take('cl-2-r1'), { requests: ['a notification'] });
});
