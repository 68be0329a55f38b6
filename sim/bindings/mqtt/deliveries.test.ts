import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deliveries, type Delivery } from './deliveries.ts';

const create = { op: 1, rqi: 'r1' };

function counting(now?: () => number) {
  const deliveries = new Deliveries(() => 'one life', now);
  let done = 0;
  const respond = async () => {
    done += 1;
    return { rsc: 2001, done };
  };
  const delivery = (text: string, more: Partial<Delivery> = {}): Delivery => ({
    ...{ topic: '/oneM2M/req/CA/id-in/json', payload: Buffer.from(text), again: false, ...more },
  });
  return {
    take: (text: string, more: Partial<Delivery> = {}, request: unknown = create) =>
      deliveries.once(delivery(text, more), request, respond),
    done: () => done,
  };
}

test('a minute later the same bytes are another request, unless the server says that it delivers them again', async () => {
  let now = 0;
  const { take } = counting(() => now);
  await take('a');
  now = 59_999;
  assert.deepEqual(await take('a'), { rsc: 2001, done: 1 });
  now = 60_000;
  assert.deepEqual(await take('a', { again: true }), { rsc: 2001, done: 1 });
  assert.deepEqual(await take('a'), { rsc: 2001, done: 2 });
});

test('other bytes, another topic and a request without an identifier are requests of their own', async () => {
  const { take, done } = counting();
  await take('a');
  await take('b');
  await take('a', { topic: '/oneM2M/req/CB/id-in/json' });
  assert.equal(done(), 3);
  await take('a', {}, { op: 1 });
  assert.equal(done(), 4);
});

test('a thousand answers are kept, and those to sixteen mebibytes of requests', async () => {
  const { take, done } = counting();
  for (let number = 0; number <= 1_000; number += 1) await take(String(number));
  await take('1');
  assert.equal(done(), 1_001, 'the second is still known');
  await take('0');
  assert.equal(done(), 1_002, 'the first is not');
  const large = (letter: string) => letter.repeat(9 * 1024 * 1024);
  await take(large('a'));
  await take(large('b'));
  await take(large('b'));
  assert.equal(done(), 1_004);
  await take(large('a'));
  assert.equal(done(), 1_005);
});
