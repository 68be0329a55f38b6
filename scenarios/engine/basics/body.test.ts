import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonOf } from './body.ts';

test('JSON is read, anything else is text', () => {
  assert.deepEqual(jsonOf('{"a":["]}\\"",{"b":1}]}'), { a: [']}"', { b: 1 }] });
  assert.equal(jsonOf('{"a"'), '{"a"');
  assert.equal(jsonOf(''), undefined);
});

test('what is nested too deeply to be looked into stays a text', () => {
  const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  assert.equal(typeof jsonOf(lists(500)), 'object');
  for (const levels of [501, 100_000]) assert.equal(jsonOf(lists(levels)), lists(levels));
});

test('what has too many members to be looked into stays a text', () => {
  const many = `[${'[],'.repeat(300_000)}[]]`;
  assert.equal(jsonOf(many), many);
});

test('brackets in a string are none', () => {
  const text = JSON.stringify({ a: `${'['.repeat(1000)}\\"${'{'.repeat(1000)}\\` });
  assert.equal(typeof jsonOf(text), 'object');
});
