/** Such as `{ keys: 'reversed' }`: an entry of the table of variations. */
export type Variation = Readonly<Record<string, string>>;

export const partsOf = (variation: Variation): readonly [string, string] => Object.entries(variation)[0] ?? ['', ''];

/** How something varies, if it does. */
export function wayOf(variations: readonly Variation[], what: string): string | undefined {
  return variations.map(partsOf).find(([name]) => name === what)?.[1];
}
