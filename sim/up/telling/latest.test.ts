import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Latest } from './latest.ts';

const request = (target: string) => ({ method: 'GET', target, headers: {}, body: new Uint8Array() });
const answer = (status: number) => ({ status, headers: { 'X-M2M-RSC': '4004' }, body: '' });

test('equal things are one, counted, with the time of the last; others push the oldest out', () => {
  let now = 0;
  const latest = new Latest(2, () => ++now);
  latest.refusal('a', request('/x'), answer(404));
  latest.add('told', 'a', 'registered at b');
  latest.refusal('a', request('/x'), answer(404));
  assert.deepEqual(latest.remarks, [
    { weight: 'told', cse: 'a', text: 'registered at b', at: 2, times: 1 },
    { weight: 'refused', cse: 'a', text: '404 (4004) to GET /x', at: 3, times: 2 },
  ]);
  const body = '{"m2m:dbg": "ch is not known."}';
  latest.refusal('a', { ...request('/x'), headers: { 'x-m2m-origin': 'CApp' } }, { ...answer(404), body });
  const { text, reason } = latest.remarks.at(-1) ?? {};
  assert.deepEqual([text, reason], ['404 (4004) to GET /x by CApp', 'ch is not known.']);
  latest.refusal('a', request('/x'), answer(500));
  latest.refusal('b', request('/x'), answer(500));
  assert.deepEqual(
    latest.remarks.map(({ weight, cse, times }) => [weight, cse, times]),
    [
      ['failed', 'a', 1],
      ['failed', 'b', 1],
    ],
  );
});
