import assert from 'node:assert/strict';
import { test } from 'node:test';
import { didYouMean, nearest } from './diagnostics.ts';

test('the nearest words come first, far ones not at all', () => {
  assert.deepEqual(nearest('atributes', ['attributes', 'as', 'capture']), ['attributes']);
  assert.deepEqual(nearest('ae.create.staus', ['ae.create.status', 'ae.create.root']), ['ae.create.status']);
  assert.deepEqual(nearest('xyz', ['attributes']), []);
});

test('a suggestion is a question', () => {
  assert.equal(didYouMean('creat', ['create', 'delete']), '; did you mean "create"?');
  assert.equal(didYouMean('zzzzz', ['create']), '');
});
