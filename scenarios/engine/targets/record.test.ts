import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordedNotifications, recordedRequest } from './record.ts';

const sent = (length: number) => ({ method: 'POST', path: '/', headers: [], body: 'x'.repeat(length), at: 0 });

test('of what a target sends a result keeps the beginning, however much it is', () => {
  assert.deepEqual(recordedRequest(sent(100)), sent(100));
  assert.match(recordedRequest(sent(1_000_000)).body ?? '', /^x+… \(1000000 characters\)$/);
  assert.equal(recordedNotifications(Array(50).fill(sent(10))).length, 20);
  const large = recordedNotifications(Array(50).fill(sent(1_000_000)));
  const length = large.reduce((sum, { body = '' }) => sum + body.length, 0);
  assert(large.length > 0 && length < 300_000, `${length} characters`);
});
