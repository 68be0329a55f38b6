import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Evidence } from './evidence.ts';

test('evidence counts exchanges by what they differ in, and that of parts of a run adds up', () => {
  const first = new Evidence();
  first.count('ae.api', [
    ['operation', 'create'],
    ['form', 'CSE-relative'],
  ]);
  first.count('ae.api', [
    ['operation', 'retrieve'],
    ['form', 'CSE-relative'],
  ]);
  const second = new Evidence();
  second.count('ae.api', [['operation', 'create']]);
  second.count('__proto__', []);
  first.add(second.told());
  const told = first.told();
  assert.deepEqual(told['ae.api'], {
    exchanges: 3,
    by: { form: { 'CSE-relative': 2 }, operation: { create: 2, retrieve: 1 } },
  });
  assert.deepEqual(Object.keys(told), ['__proto__', 'ae.api']);
});
