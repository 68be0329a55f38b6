import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type NearMiss, warnOnce } from './near-miss.ts';

const miss = (says: string): NearMiss => ({ kind: 'path', method: 'GET', url: 'http://gw.test/a', says });

test('a mistake is a warning once, with what was meant', () => {
  const texts: string[] = [];
  const warn = warnOnce((text) => texts.push(text));
  for (let time = 0; time < 3; time++) warn({ ...miss('It is wrong.'), meant: 'http://gw.test/b' });
  warn(miss('It is wrong too.'));
  assert.deepEqual(texts, [
    '[cselab] Near miss (path): GET http://gw.test/a: It is wrong. Did you mean http://gw.test/b?',
    '[cselab] Near miss (path): GET http://gw.test/a: It is wrong too.',
  ]);
});

test('a hundred different mistakes are enough', () => {
  let count = 0;
  const warn = warnOnce(() => count++);
  for (let number = 0; number < 1000; number++) warn(miss(`Mistake ${number}.`));
  assert.equal(count, 100);
});
