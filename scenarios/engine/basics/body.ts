/** Reads headers and bodies of requests and answers. */

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

/** The first header of a name, given in lower case; undefined when absent. */
export const headerOf = (
  headers: ReadonlyArray<readonly [name: string, value: string]>,
  requested: string,
): string | undefined => headers.find(([name]) => name.toLowerCase() === requested)?.[1];

/** Levels and members of a body that is parsed: more would exhaust the stack and the memory of its reader. */
const most = { levels: 500, members: 500_000 };

/** JSON value, or the text when it is not JSON or too large to parse; undefined when empty. */
export function jsonOf(body: string): unknown {
  if (body === '') return undefined;
  try {
    // A text shorter than the level limit cannot exceed either limit.
    return body.length > most.levels && isTooMuch(body) ? body : JSON.parse(body);
  } catch {
    return body;
  }
}

/** Whether brackets and commas outside strings are too many, or nested too deeply. */
function isTooMuch(text: string): boolean {
  let level = 0;
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === ']' || character === '}') level -= 1;
    else if (character === '[' || character === '{') level += 1;
    if (character === ',' || character === '[' || character === '{') members += 1;
    if (level > most.levels || members > most.members) return true;
  }
  return false;
}

/** Position of the quotation mark that ends a JSON string, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text[before] === '\\') before -= 1;
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}

/** The key of an object with exactly one. */
export function onlyKey(body: unknown): string | undefined {
  if (!isObject(body)) return undefined;
  const keys = Object.keys(body);
  return keys.length === 1 ? keys[0] : undefined;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object itself; an empty one for anything else. */
export function dataOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** The list itself; an empty one for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The object below the only key of a body. */
export function innerOf(body: unknown): Readonly<Record<string, unknown>> | undefined {
  const root = onlyKey(body);
  const inner = root === undefined ? undefined : dataOf(body)[root];
  return isObject(inner) ? inner : undefined;
}
