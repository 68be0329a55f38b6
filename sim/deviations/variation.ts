/** Ways to answer otherwise that every source allows, as data: whoever judges them has nothing to say. */

/** Each with what allows it. */
export type Variation =
  /** An object is an unordered collection (RFC 8259, 4). */
  | { readonly keys: 'reversed' | 'sorted' }
  /** Insignificant white space is allowed (RFC 8259, 2). */
  | { readonly space: 'indented' | 'tabs' | 'around' }
  /** Any character may be escaped (RFC 8259, 7). */
  | { readonly escapes: 'beyond ASCII' | 'slashes' | 'letters' }
  /** Unrecognized header fields are ignored (RFC 9110, 5.1), and their names have no case. */
  | { readonly header: 'added' | 'in lower case' | 'in upper case' }
  /** A parameter may stand behind a media type (RFC 9110, 8.3.1). */
  | { readonly type: 'with a charset' }
  /** Nothing says in which order a discovery names what it finds (`gaps`; TS-0004, 7.3.3.17.9); with `lim` or `ofst` it is a part of that. */
  | { readonly found: 'reversed' | 'sorted' }
  /** Nothing says what the body of the answer to a DELETE is (interface specification, endpoint 8). */
  | { readonly deleted: 'empty' | 'an object' };

/** Such as `keys reversed, found sorted`. */
export function wordsForVariations(variations: readonly Variation[]): string {
  return variations.flatMap((one) => Object.entries(one).map(([what, how]) => `${what} ${how}`)).join(', ');
}
