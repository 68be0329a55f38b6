/** A word for sh: plain where it can be, else in single quotes. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(text) ? text : quoted(text);
}

/** The format of printf(1) that writes exactly these bytes; octal escapes are the only ones that every sh knows. */
export function printfFormat(bytes: Uint8Array): string {
  return quoted(Array.from(bytes, escapedByte).join(''));
}

const named: Readonly<Record<number, string>> = { 13: '\\r', 10: '\\n', 92: '\\\\', 37: '%%' };

function escapedByte(byte: number): string {
  const plain = byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : undefined;
  return named[byte] ?? plain ?? `\\${byte.toString(8).padStart(3, '0')}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
