type Scalar = string | number | boolean | null;
export type Query = Readonly<Record<string, Scalar | readonly Scalar[]>>;

/** Adds query parameters to a path, as "Endpoints" shows them: a plus sign for a space, colon and plus escaped. */
export function withQuery(path: string, query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => pair(name, one)));
  if (pairs.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

/** `null` gives a name without a value. */
function pair(name: string, value: Scalar): string {
  return value === null ? formEncoded(name) : `${formEncoded(name)}=${formEncoded(String(value))}`;
}

export function formEncoded(text: string): string {
  return pathSegment(text).replace(/%20/g, '+');
}

/** Escapes characters that a request line cannot hold; all others stay, percent signs too. */
export function escapedPath(path: string): string {
  if (/^[\x21-\x7e]*$/.test(path)) return path;
  return path.toWellFormed().replace(/[^\x21-\x7e]/gu, encodeURIComponent);
}

/** One resource name as a path segment. A lone surrogate, which has no UTF-8 form, becomes U+FFFD. */
export function pathSegment(name: string): string {
  return encodeURIComponent(name.toWellFormed());
}
