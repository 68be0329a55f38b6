import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Taken } from './taken-before.ts';

/** Takes an instance with this content, as `note` looks at it. */
function take(taken: Taken, con: string): void {
  taken.note({ asked: { operation: 'create', given: { con } } }, { type: 'content-instance' });
}

const knows = (taken: Taken, con: string) => taken.hasAll('content-instance', 'create', [['con', con]]);

test('the latest values that were taken are known, so that a long recording fills no memory', () => {
  const taken = new Taken();
  for (let number = 0; number <= 2_000; number += 1) take(taken, `value ${number}`);
  assert.equal(knows(taken, 'value 2000'), true);
  assert.equal(knows(taken, 'value 1'), true);
  assert.equal(knows(taken, 'value 0'), false);
});

test('what is taken again is no longer the oldest', () => {
  const taken = new Taken();
  for (let number = 0; number < 2_000; number += 1) take(taken, `value ${number}`);
  take(taken, 'value 0');
  take(taken, 'value 2000');
  assert.equal(knows(taken, 'value 0'), true);
  assert.equal(knows(taken, 'value 1'), false);
});
