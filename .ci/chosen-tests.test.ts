import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenFiles } from './chosen-tests.ts';

test('Words choose test files by their paths', () => {
  assert.deepEqual(chosenFiles(['chosen-tests']), { unit: ['.ci/chosen-tests.test.ts'], browser: [] });
});

test('Words that no path holds choose by what a file says', () => {
  assert.deepEqual(chosenFiles(['no path holds choose']).unit, ['.ci/chosen-tests.test.ts']);
});

test('Tests that take long are chosen by a word that says so', () => {
  const { unit, browser } = chosenFiles(['msw']);
  assert.ok(![...unit, ...browser].some((file) => file.includes('.long.')));
  assert.ok(chosenFiles(['msw.long']).browser.includes('.ci/msw.long.spec.ts'));
});
