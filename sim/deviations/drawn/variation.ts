/** Ways to answer otherwise that every source allows, as data: whoever judges them has nothing to say. */
import { type Variation, variationRows, type WaysOf } from './variation-rows.ts';

export type { Variation } from './variation-rows.ts';

type Row = (typeof variationRows)[number];

function rowOf(variation: Variation): Row {
  const [what, how] = Object.entries(variation)[0] as [string, string];
  const found = variationRows.find((row) => row.what === what && (row.ways as readonly string[]).includes(how));
  if (found === undefined) throw new TypeError(`no row has ${what} ${how}`);
  return found;
}

/** The way in which something varies, if it does. */
export function wayOf<What extends Row['what']>(
  variations: readonly Variation[],
  what: What,
): WaysOf<What> | undefined {
  const found = variations.find((one) => Object.hasOwn(one, what));
  return found && (Object.values(found)[0] as WaysOf<What>);
}

/** Whether it takes a client of a live target, and a socket. */
export function isForListener(variations: readonly Variation[]): boolean {
  return variations.some((one) => rowOf(one).live === true);
}

/** Such as `keys reversed, found sorted`. */
export function wordsForVariations(variations: readonly Variation[]): string {
  return variations.flatMap((one) => Object.entries(one).map(([what, how]) => `${what} ${how}`)).join(', ');
}

/** What allows each of them. */
export function clausesOf(variations: readonly Variation[]): readonly string[] {
  return variations.map((one) => `${wordsForVariations([one])}: ${rowOf(one).allowedBy}`);
}
