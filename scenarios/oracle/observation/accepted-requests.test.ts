import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AcceptedRequests } from './accepted-requests.ts';
import type { KnownResource } from './known-resource.ts';

/** Takes an instance with this content, as `note` looks at it. */
function take(taken: AcceptedRequests, con: string): void {
  taken.note({ request: { operation: 'create', attributes: { con } } }, { type: 'content-instance' });
}

test('attributes accepted one by one, or for another specialization, need not be accepted together', () => {
  const taken = new AcceptedRequests();
  const app = { type: 'ae' } as KnownResource;
  const made = [
    { pei: 10, peid: 5 },
    { pei: 100, peid: 50 },
  ];
  for (const given of made)
    taken.note(
      { request: { operation: 'create', root: 'm2m:ts', attributes: { rn: 'a', ...given } } },
      { type: 'time-series', parent: app },
    );
  assert.ok(taken.hasCreated('m2m:ts', app, { peid: 5, pei: 10, rn: 'b' }));
  assert.ok(!taken.hasCreated('m2m:ts', app, { pei: 10, peid: 50 }));
  assert.ok(!taken.hasCreated('m2m:cnt', app, { pei: 10, peid: 5 }));
});

const knows = (taken: AcceptedRequests, con: string) => taken.hasAll('content-instance', 'create', [['con', con]]);

test('only the latest accepted values are kept, so that a long recording fills no memory', () => {
  const taken = new AcceptedRequests();
  for (let number = 0; number <= 2_000; number += 1) take(taken, `value ${number}`);
  assert.equal(knows(taken, 'value 2000'), true);
  assert.equal(knows(taken, 'value 1'), true);
  assert.equal(knows(taken, 'value 0'), false);
});

test('a value accepted again is no longer the oldest', () => {
  const taken = new AcceptedRequests();
  for (let number = 0; number < 2_000; number += 1) take(taken, `value ${number}`);
  take(taken, 'value 0');
  take(taken, 'value 2000');
  assert.equal(knows(taken, 'value 0'), true);
  assert.equal(knows(taken, 'value 1'), false);
});
