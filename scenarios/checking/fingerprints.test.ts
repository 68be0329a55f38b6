import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortHashOf } from './fingerprints.ts';

test('a hash says nothing of where something is written, and all of what is called so', () => {
  const step = (line: number, attributes: object) => ({ attributes, place: { file: 'a.yaml', line, column: 1 } });
  assert.equal(shortHashOf(step(1, { rn: 'x' })), shortHashOf(step(2, { rn: 'x' })));
  for (const name of ['file', 'place'])
    assert.notEqual(shortHashOf(step(1, { [name]: 'x' })), shortHashOf(step(1, { [name]: 'y' })), name);
});
