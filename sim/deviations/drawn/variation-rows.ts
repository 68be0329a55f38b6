/** Variations of answers that every source allows, as data: no check may fail because of them. */
import { closest } from 'fastest-levenshtein';
import { lazy } from '../../core/memoize.ts';
import { filled, optionsIn } from '../language/each.ts';
import { type VariationRow, variationRows } from '../language/row-files.ts';
import type { DeviationRow } from '../language/schema.ts';
import { partsOf, type Variation } from './variation.ts';

const rows = lazy(variationRows);

/** Throws a TypeError for an unknown variation, which names the nearest. */
function rowOf(variation: Variation): VariationRow {
  const [what, how] = partsOf(variation);
  const found = rows().find((row) => row.varies === what && optionsIn(row.variants).has(how));
  if (found !== undefined) return found;
  const all = rows().flatMap(({ varies, variants }) =>
    [...optionsIn(variants).keys()].map((one) => `${varies}: ${one}`),
  );
  const unknown = `${what}: ${how}`;
  throw new TypeError(`There is no variation "${unknown}"; the nearest is "${closest(unknown, all)}".`);
}

/** The rows of variations. */
export function variedRows(variations: readonly Variation[]): readonly DeviationRow[] {
  return variations.flatMap((variation) => {
    const [what, how] = partsOf(variation);
    const { variants, row } = rowOf(variation);
    const part = row && (filled(row, optionsIn(variants).get(how)) as typeof row);
    return part === undefined ? [] : [{ id: `varied.${what}`, says: 'What every client has to accept.', ...part }];
  });
}

/** Whether any requires a client of a live target, and a socket. */
export function isForListener(variations: readonly Variation[]): boolean {
  return variations.some((one) => rowOf(one).live === true);
}

/** Such as `keys: reversed, white space: tabs`. */
export function describeVariations(variations: readonly Variation[]): string {
  return variations.map((one) => partsOf(one).join(': ')).join(', ');
}

/** Each with the source that allows it. */
export function variationClauses(variations: readonly Variation[]): readonly string[] {
  return variations.map((one) => `${describeVariations([one])} (${rowOf(one).allowedBy})`);
}
