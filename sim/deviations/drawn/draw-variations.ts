import fc from 'fast-check';
import type { DialectName } from '../../core/resource-type.ts';
import { type Variation, variationRows } from './variation-rows.ts';

/** An endless sequence of one to three together, the same one for the same seed. */
export function* drawVariations(dialect: DialectName, seed: number): Generator<readonly Variation[], void> {
  const rows = variationRows.filter((row) => row.dialect === undefined || row.dialect === dialect);
  const whats = [...new Set(rows.map(({ what }) => what))];
  const kinds = whats.map((what) => {
    const ways = rows.filter((row) => row.what === what).flatMap((row): readonly string[] => row.ways);
    return fc.constantFrom(...ways).map((how) => ({ [what]: how }) as Variation);
  });
  const together = fc.uniqueArray(fc.oneof(...kinds), {
    ...{ minLength: 1, maxLength: 3 },
    selector: (one) => Object.keys(one)[0],
  });
  for (let batch = 0; ; batch += 1) yield* fc.sample(together, { seed: seed + batch * 1_000_003, numRuns: 50 });
}
