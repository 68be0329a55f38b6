import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Silence } from './inbox.ts';

test('all of the time is waited until something has come', () => {
  assert.equal(new Silence().enough(3000), 3000);
});

test('a quick target is not waited for long, a slow one ten times as long as it took', () => {
  const silence = new Silence();
  silence.broken(1);
  assert.equal(silence.enough(3000), 150);
  assert.equal(silence.enough(50), 50);
  silence.broken(100);
  silence.broken(20);
  assert.equal(silence.enough(3000), 1000);
  silence.broken(900);
  assert.equal(silence.enough(3000), 3000);
});
