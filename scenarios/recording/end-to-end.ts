/** Headers of one connection, which the next one makes its own (RFC 9110 7.6.1). */
export const hopByHop =
  /^(connection|keep-alive|proxy-connection|proxy-authenticate|proxy-authorization|te|trailer|transfer-encoding|upgrade|host|content-length|expect)$/i;

/** What is handed on of names and values, one after the other. */
export function endToEnd(raw: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    if (!hopByHop.test(raw[at] ?? '')) kept.push(raw[at] ?? '', raw[at + 1] ?? '');
  }
  return kept;
}
