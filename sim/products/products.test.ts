import assert from 'node:assert/strict';
import { test } from 'node:test';
import { products } from './index.ts';

for (const { name, quirks } of products) {
  test(`each quirk of ${name} says what it breaks, or why it breaks nothing`, () => {
    for (const { id, notes, because, violates } of quirks) {
      const broken = [...(violates.onem2m ?? []), ...(violates.documented ?? [])];
      assert.notEqual(notes, '', id);
      assert.equal(because === undefined, broken.length > 0, id);
    }
  });

  test(`no two quirks of ${name} have the same id`, () => {
    const ids = quirks.map(({ id }) => id);
    assert.deepEqual(ids, [...new Set(ids)]);
  });
}
