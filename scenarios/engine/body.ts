/** How headers and bodies are looked at, of answers and of requests. */

/** By name in lower case; values of repeated headers are joined with a comma. */
export function headersOf(
  message: { readonly headers: ReadonlyArray<readonly [string, string]> } | undefined,
): Map<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of message?.headers ?? []) {
    const before = headers.get(name.toLowerCase());
    headers.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`);
  }
  return headers;
}

/** JSON value, or the text when it is not JSON; undefined when empty. */
export function jsonOf(body: string): unknown {
  if (body === '') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** The key of an object that has one only. */
export function onlyKey(body: unknown): string | undefined {
  if (!isObject(body)) return undefined;
  const keys = Object.keys(body);
  return keys.length === 1 ? keys[0] : undefined;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
