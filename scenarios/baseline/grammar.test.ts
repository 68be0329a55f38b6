import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inRange, isRange } from './grammar.ts';

test('a version means itself and what begins so', () => {
  for (const version of ['1.2', '1.2.5', 'v1.2.0', '1.2-rc1']) assert.ok(inRange(version, '1.2'), version);
  for (const version of ['1.20', '1.3', '11.2', '2.1.2']) assert.ok(!inRange(version, '1.2'), version);
});

test('bounds have to hold all together, of several ranges one is enough', () => {
  assert.ok(inRange('1.10.1', '>=1.2 <2'));
  assert.ok(inRange('1.2', '>= 1.2'));
  assert.ok(!inRange('2.0', '>=1.2 <2'));
  assert.ok(!inRange('2', '>=1.2 <2.0'));
  assert.ok(inRange('2.0', '<=2'));
  assert.ok(!inRange('1.2', '>1.2.0'));
  assert.ok(inRange('1.2.0', '=1.2'));
  assert.ok(inRange('3.1', ['>=1.2 <2', '3']));
  assert.ok(!inRange('2.1', ['>=1.2 <2', '3']));
  assert.ok(inRange('2026.03.1', '>2025'));
});

test('what is no range is known', () => {
  for (const text of ['1.2', '>=1.2 <2', 'v2', '>= 3', '1.2.3-beta+4']) assert.ok(isRange(text), text);
  for (const text of ['', 'newest', '^1.2', '>=', '1.2 - 2', '~1']) assert.ok(!isRange(text), text);
});
