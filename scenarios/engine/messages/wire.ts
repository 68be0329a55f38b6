import { type HeaderList, isExactBytes, type RawMessage, type RawRequest, type RequestMessage } from './target.ts';

/** The bytes of a raw request on the wire. */
export function wireBytes(request: RawRequest, host: string): Uint8Array {
  if (isExactBytes(request)) return request.bytes;
  const lines = [
    `${request.method} ${request.path} HTTP/${request.version}`,
    ...wireHeaders(request, host).map(([name, value]) => `${name}: ${value}`),
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'utf8');
  return request.body === undefined ? head : Buffer.concat([head, request.body]);
}

/** The given headers, and Host and Content-Length where they are to be added. */
export function wireHeaders(request: RawMessage, host: string): HeaderList {
  const length = request.body?.length ?? (/^(POST|PUT|PATCH)$/.test(request.method) ? 0 : undefined);
  const added: Array<readonly [string, string]> = [];
  if (request.addHost) added.push(['Host', host]);
  if (request.addContentLength && length !== undefined) added.push(['Content-Length', String(length)]);
  return [...added, ...request.headers];
}

/** Adds the usual headers that it does not have itself. */
export function withUsual(headers: HeaderList, usual: HeaderList = []): HeaderList {
  const ownNames = new Set(headers.map(([name]) => name.toLowerCase()));
  return [...headers, ...usual.filter(([name]) => !ownNames.has(name.toLowerCase()))];
}

/** Adds the usual headers and the path of the base URL, for a CSE that is not at the root. */
export function withBaseUrl<R extends RequestMessage>(
  request: R,
  { pathname }: URL,
  { headers }: { readonly headers?: HeaderList },
): R {
  const below = 'version' in request && !request.path.startsWith('/') ? '' : pathname.replace(/\/+$/, '');
  return { ...request, path: below + request.path, headers: withUsual(request.headers, headers) };
}

type Scalar = string | number | boolean | null;
export type Query = Readonly<Record<string, Scalar | readonly Scalar[]>>;

/** Adds query parameters to a path, as "Endpoints" shows them: a plus sign for a space, colon and plus escaped. */
export function withQuery(path: string, query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    // `null` gives a name without a value.
    const valued = (one: Scalar) => (one === null ? '' : `=${formEncoded(String(one))}`);
    return [value].flat().map((one) => formEncoded(name) + valued(one));
  });
  if (pairs.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${pairs.join('&')}`;
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
