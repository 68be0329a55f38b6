import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JournalEntry } from '../../journal/entry.ts';
import { Latest } from './latest.ts';

function refused(status: number, body = '', headers = {}): JournalEntry {
  const request = { method: 'GET', target: '/x', headers, body: '' };
  const entry = new JournalEntry(request, { number: 1, at: 0, to: undefined });
  entry.settle({ status, headers: { 'X-M2M-RSC': '4004' }, body }, undefined, 1);
  return entry;
}

test('equal things are one, counted, with the time of the last; others push the oldest out', () => {
  let now = 0;
  const latest = new Latest(2, () => ++now);
  latest.refusal('a', refused(404));
  latest.add('noted', 'a', 'registered at b');
  latest.refusal('a', refused(404));
  assert.deepEqual(latest.remarks, [
    { weight: 'noted', cse: 'a', text: 'registered at b', at: 2, times: 1 },
    { weight: 'refused', cse: 'a', text: '404 (4004) to GET /x', at: 3, times: 2 },
  ]);
  const body = '{"m2m:dbg": "ch is not known."}';
  latest.refusal('a', refused(404, body, { 'x-m2m-origin': 'CApp' }));
  const { text, reason } = latest.remarks.at(-1) ?? {};
  assert.deepEqual([text, reason], ['404 (4004) to GET /x by CApp', 'ch is not known.']);
  latest.refusal('a', refused(500));
  latest.refusal('b', refused(500));
  assert.deepEqual(
    latest.remarks.map(({ weight, cse, times }) => [weight, cse, times]),
    [
      ['failed', 'a', 1],
      ['failed', 'b', 1],
    ],
  );
});
