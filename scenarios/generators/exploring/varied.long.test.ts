/** What every source allows is no find of an exploration either. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawVariations, isForListener, type Variation } from '../../../sim/index.ts';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import { lastOf } from '../../engine/running/last-of.ts';
import { explore } from './explore.ts';

/** Of those that are drawn together and take no socket, so many as hold each once at least; of all, by what it does. */
function variationsOf(dialect: Dialect): { readonly sets: readonly (readonly Variation[])[]; readonly size: number } {
  const endless = drawVariations(dialect, 1);
  const next = () => (endless.next().value ?? []).filter((one) => !isForListener([one]));
  const drawn = Array.from({ length: 1000 }, next);
  const seen = new Set<string>();
  const sets = drawn
    .sort((a, b) => b.length - a.length)
    .filter((set) => {
      const own = set.map((one) => JSON.stringify(one));
      const isNew = own.some((one) => !seen.has(one));
      for (const one of own) seen.add(one);
      return isNew;
    });
  return { sets, size: seen.size };
}

for (const dialect of ['documented', 'onem2m'] as const) {
  test(`sequences of the ${dialect} dialect find nothing where an answer is another that is allowed`, async () => {
    const { sets, size } = variationsOf(dialect);
    assert(size > 20, String(size));
    for (const variations of sets) {
      const target = { kind: 'in-process', variations } as const;
      const { exit } = await lastOf(explore({ target, dialect, seed: 5, runs: 40, shrinkAttempts: 20 }));
      assert.equal(exit.code, 0, `${JSON.stringify(variations)}: ${exit.reason}`);
    }
  });
}
