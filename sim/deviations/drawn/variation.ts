/** Such as `{ keys: 'reversed' }`: what the table of variations lists. */
export type Variation = Readonly<Record<string, string>>;

export const partsOf = (variation: Variation): readonly [string, string] => Object.entries(variation)[0] ?? ['', ''];

/** The way in which something varies, if it does. */
export function wayOf(variations: readonly Variation[], what: string): string | undefined {
  return variations.map(partsOf).find(([name]) => name === what)?.[1];
}
