import fc from 'fast-check';
import type { DialectName } from '../core/resource-type.ts';
import type { Variation } from './variation.ts';

/** An endless sequence of one to three together, the same one for the same seed. */
export function* drawVariations(dialect: DialectName, seed: number): Generator<readonly Variation[], void> {
  const kinds: fc.Arbitrary<Variation>[] = [
    fc.constantFrom('reversed', 'sorted').map((keys) => ({ keys })),
    fc.constantFrom('indented', 'tabs', 'around').map((space) => ({ space })),
    fc.constantFrom('beyond ASCII', 'slashes', 'letters').map((escapes) => ({ escapes })),
    fc.constantFrom('added', 'in lower case', 'in upper case').map((header) => ({ header })),
    fc.constant({ type: 'with a charset' }),
    fc.constantFrom('reversed', 'sorted').map((found) => ({ found })),
    ...(dialect === 'documented' ? [fc.constantFrom('empty', 'an object').map((deleted) => ({ deleted }))] : []),
  ] as fc.Arbitrary<Variation>[];
  const together = fc.uniqueArray(fc.oneof(...kinds), {
    ...{ minLength: 1, maxLength: 3 },
    selector: (one) => Object.keys(one)[0],
  });
  for (let batch = 0; ; batch += 1) yield* fc.sample(together, { seed: seed + batch * 1_000_003, numRuns: 50 });
}
