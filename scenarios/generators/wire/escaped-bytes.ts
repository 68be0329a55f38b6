const short: ReadonlyMap<string, string> = new Map(
  Object.entries({ '\r': '\\r', '\n': '\\n', '\t': '\\t', '\\': '\\\\' }),
);

/** Bytes, given as Latin-1, as a line of ASCII: what cannot be seen is written like `\r`, `\n` or `\xff`. */
export function escapedBytes(latin1: string): string {
  return latin1.replace(
    /[^\x20-\x5b\x5d-\x7e]/g,
    (byte) => short.get(byte) ?? `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
