/** The first characters of a text, never ending in half a surrogate pair. */
export function headOf(text: string, limit: number): string {
  return text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '');
}
