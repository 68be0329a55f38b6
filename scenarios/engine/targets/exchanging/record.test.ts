import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordedExchange, recordedNotifications, recordedRequest } from './record.ts';

const sent = (length: number) => ({ method: 'POST', path: '/', headers: [], body: 'x'.repeat(length), at: 0 });

test('of what a target sends a result keeps the beginning, however much it is', () => {
  assert.deepEqual(recordedRequest(sent(100)), sent(100));
  assert.match(recordedRequest(sent(1_000_000)).body ?? '', /^x+… \(1000000 characters\)$/);
  assert.equal(recordedNotifications(Array(50).fill(sent(10))).length, 20);
  const large = recordedNotifications(Array(50).fill(sent(1_000_000)));
  const length = large.reduce((sum, { body = '' }) => sum + body.length, 0);
  assert(large.length > 0 && length < 300_000, `${length} characters`);
});

const exchange = { request: { method: 'GET', path: '/', headers: [] }, at: 0, took: 0, curl: '' };

test('what is kept of a long answer does not keep the answer', () => {
  const kept: unknown[] = [];
  const before = process.memoryUsage().rss;
  for (let count = 0; count < 60; count += 1) {
    const body = Buffer.alloc(8_000_000, 97 + (count % 26)).toString('latin1');
    kept.push(recordedExchange({ ...exchange, answer: { status: 200, headers: [], body } }));
  }
  assert.equal(kept.length, 60);
  assert(process.memoryUsage().rss - before < 300_000_000);
});

test('of very many headers the first are kept, and cookies are not shown', () => {
  const headers = [['Set-Cookie', 'a=b'] as const, ...Array(900).fill(['x', 'y'.repeat(100)] as const)];
  const { answer } = recordedExchange({ ...exchange, answer: { status: 200, headers, body: '' } });
  assert.deepEqual(answer?.headers[0], ['Set-Cookie', '***']);
  assert.match(answer?.headers.at(-1)?.join(' ') ?? '', /^… \d+ more$/);
  assert((answer?.headers.length ?? 0) < 200);
});
