/** What every source allows is no find of an exploration either. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawVariations, isForListener, type Variation } from '../../../sim/index.ts';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import { lastOf } from '../../engine/running/last-of.ts';
import { explore } from './explore.ts';

/** Each that takes no socket, by what it does: enough are drawn to meet all of them. */
function variationsOf(dialect: Dialect): ReadonlyMap<string, Variation> {
  const found = new Map<string, Variation>();
  let drawn = 0;
  for (const variations of drawVariations(dialect, 1)) {
    for (const one of variations) if (!isForListener([one])) found.set(JSON.stringify(one), one);
    drawn += 1;
    if (drawn === 1000) break;
  }
  return found;
}

for (const dialect of ['documented', 'onem2m'] as const) {
  test(`sequences of the ${dialect} dialect find nothing where an answer is another that is allowed`, async () => {
    const all = variationsOf(dialect);
    assert(all.size > 20, String(all.size));
    for (const [does, one] of all) {
      const target = { kind: 'in-process', variations: [one] } as const;
      const { exit } = await lastOf(explore({ target, dialect, seed: 5, runs: 40, shrinkAttempts: 20 }));
      assert.equal(exit.code, 0, `${does}: ${exit.reason}`);
    }
  });
}
