/**
 * Characters that a terminal acts on or that a reader cannot see: control characters (ANSI escapes among them),
 * changes of the writing direction, line separators, halves of surrogate pairs, the byte order mark.
 */
const unseen = /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Zl}\p{Zp}\u{FEFF}]/gu;
const named: ReadonlyMap<string, string> = new Map(Object.entries({ '\n': '\\n', '\r': '\\r', '\t': '\\t' }));

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return named.get(character) ?? (code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`);
}

/** The text on one line, with what cannot be seen written as an escape such as `\x1b`. */
export function visibleText(text: string): string {
  return text.replace(unseen, escaped);
}

/** The lines of a text, each made visible; a tab stays what it looks like. */
export function visibleLines(text: string): string[] {
  return text.split(/\r?\n/).map((line) => visibleText(line.replaceAll('\t', '  ')));
}

/** The first characters of a text, never ending in half a surrogate pair. */
export function headOf(text: string, limit: number): string {
  return text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '');
}
