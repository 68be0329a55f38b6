import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Silence } from './inbox.ts';

test('all of the time is waited until something has come', () => {
  assert.equal(new Silence().limit(3000), 3000);
});

test('a quick target is not waited for long, a slow one ten times as long as it took', () => {
  const silence = new Silence();
  silence.noteArrival(1);
  assert.equal(silence.limit(3000), 150);
  assert.equal(silence.limit(50), 50);
  silence.noteArrival(100);
  silence.noteArrival(20);
  assert.equal(silence.limit(3000), 1000);
  silence.noteArrival(900);
  assert.equal(silence.limit(3000), 3000);
});
