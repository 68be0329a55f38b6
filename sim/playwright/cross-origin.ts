/** What a browser demands before it lets a page speak with another origin (Fetch standard, CORS protocol). */

/** Headers that every page may read of an answer. */
const readable = new Set([
  'cache-control',
  'content-language',
  'content-length',
  'content-type',
  'expires',
  'last-modified',
  'pragma',
]);

/** Whether a browser asks what a page of another origin may send. */
export function isPreflight(method: string, headers: Readonly<Record<string, string>>): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** Everything is permitted that is asked for. Names of the headers in lower case. */
export function preflightAnswer(headers: Readonly<Record<string, string>>): Record<string, string> {
  const { origin = '*', 'access-control-request-method': method = '' } = headers;
  const asked = headers['access-control-request-headers'];
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': method,
    ...(asked !== undefined && { 'access-control-allow-headers': asked }),
    vary: 'Origin',
  };
}

/** The headers of an answer, with permission for a page of that origin to read all of them. */
export function readableBy(origin: string, headers: Headers): Record<string, string> {
  const hidden = [...headers.keys()].filter((name) => !readable.has(name));
  return {
    ...Object.fromEntries(headers),
    'access-control-allow-origin': origin,
    'access-control-expose-headers': hidden.join(', '),
    vary: 'Origin',
  };
}
