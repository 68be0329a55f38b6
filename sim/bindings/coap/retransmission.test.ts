import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../../environment/clock.ts';
import { retransmitted } from './coap-port.ts';

for (const [chance, seconds] of [
  [0, [0, 2, 6, 14, 30]],
  [1, [0, 3, 9, 21, 45]],
] as const)
  test(`what is not acknowledged is sent after ${seconds.join(', ')} seconds, and no more`, async (t) => {
    t.mock.method(Math, 'random', () => chance);
    const clock = manualClock(0);
    const sent: number[] = [];
    retransmitted(clock, () => sent.push(clock.now() / 1_000_000));
    await clock.advance('1h');
    assert.deepEqual(sent, seconds);
  });

test('what is acknowledged is not sent again', async () => {
  const clock = manualClock();
  let sent = 0;
  const acknowledged = retransmitted(clock, () => {
    sent += 1;
  });
  await clock.advance('3s');
  acknowledged();
  await clock.advance('1h');
  assert.equal(sent, 2);
});
