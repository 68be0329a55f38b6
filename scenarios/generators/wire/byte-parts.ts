/** Bytes in the words of the scenario grammar. */
export type BytePart = string | { readonly repeat: string; readonly times: number } | { readonly hex: string };

/** What stands for something that differs from run to run, as text. */
export type Literal = readonly [text: string, written: string];

/** So many times in a row something is written once. */
const fewest = 16;
const repetition = new RegExp(`([\\s\\S]{1,8}?)\\1{${fewest - 1},}`, 'g');

/**
 * Bytes, given as Latin-1: text where it can be read, what is repeated once, everything else in hexadecimal. The literals stand
 * in it by their names; one text alone is no list.
 */
export function bytePartsOf(latin1: string, literals: readonly Literal[]): BytePart | readonly BytePart[] {
  const parts: BytePart[] = [];
  let at = 0;
  for (const { 0: whole, 1: once = '', index } of latin1.matchAll(repetition)) {
    if (!isText(once)) continue;
    parts.push(...plainParts(latin1.slice(at, index), literals), { repeat: once, times: whole.length / once.length });
    at = index + whole.length;
  }
  parts.push(...plainParts(latin1.slice(at), literals));
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : parts;
}

function isText(text: string): boolean {
  return /^[\t\r\n\x20-\x7e]+$/.test(text);
}

/** A dollar sign before a brace would begin a name. */
function plainParts(latin1: string, literals: readonly Literal[]): BytePart[] {
  const pieces = latin1.match(/(?:(?!\$\{)[\t\r\n\x20-\x7e])+|(?:\$(?=\{)|[^\t\r\n\x20-\x7e])+/g) ?? [];
  return pieces.map((piece) => {
    if (!isText(piece) || piece === '$') return { hex: Buffer.from(piece, 'latin1').toString('hex') };
    return literals.reduce((text, [literal, written]) => text.replaceAll(literal, written), piece);
  });
}
