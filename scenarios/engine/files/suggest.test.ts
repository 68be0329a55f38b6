import assert from 'node:assert/strict';
import { test } from 'node:test';
import { didYouMean } from '../basics/diagnostics.ts';

test('the nearest words come first, far ones not at all', () => {
  assert.equal(didYouMean('atributes', ['attributes', 'as', 'capture']), '; did you mean "attributes"?');
  assert.equal(
    didYouMean('ae.create.staus', ['ae.create.status', 'ae.create.root']),
    '; did you mean "ae.create.status"?',
  );
  assert.equal(didYouMean('xyz', ['attributes']), '');
});

test('a suggestion is a question', () => {
  assert.equal(didYouMean('creat', ['create', 'delete']), '; did you mean "create"?');
  assert.equal(didYouMean('zzzzz', ['create']), '');
});
