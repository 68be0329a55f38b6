import { dataOf, headersOf, innerOf, jsonOf, onlyKey } from '../engine/basics/body.ts';
import { defined } from '../engine/basics/defined.ts';
import { decoded, pathsOfIdentifier } from '../engine/messages/address.ts';
import { type AnyRequest, asRaw, type ExactBytes, type HeaderList, isExactBytes } from '../engine/messages/target.ts';
import { escapedPath, wireBytes } from '../engine/messages/wire.ts';

/** Something that a server could take for a request. */
export interface RequestLine {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Methods that change something, in HTTP and WebDAV. */
const changing = /post|put|patch|delete|move|copy|mkcol|prop|lock|link|merge|bind|update|create/i;
/** Headers by which some servers override the method. */
const overriding = /^x-(http-)?method(-override)?$|^x-m2m-op$/i;
/** Query parameters that do so; `op` over CoAP (TS-0008 6.2.1). */
const overridingQuery = /[?&;](_?method|\$?httpmethod|x-(http-)?method(-override)?|op)=/i;
/** Headers by which some servers override the path. */
const rerouting = /^x-(original|rewrite)-ur[il]$/i;
/** Characters before `HTTP/` in which a request line is looked for. */
const longestLine = 64 * 1024;

/**
 * Every request that a server could see in what is sent: one, unless it is literal. `unreadable` if it may have a
 * method that changes something, and nobody can say what.
 */
export function linesOf(request: AnyRequest): readonly RequestLine[] | 'unreadable' {
  if (isExactBytes(request)) return linesIn(request.bytes);
  const { method, headers } = request;
  const path = escapedPath(request.path);
  const plain = token.test(method) && !/\s/.test(request.path) && !headers.some(breaksOut);
  const isOverridden = headers.some(([name]) => overriding.test(name)) || overridingQuery.test(decoded(path));
  const line = { method: isOverridden ? 'OVERRIDDEN' : method, target: path };
  const rerouted = headers.flatMap(([name, target]) => (rerouting.test(name) ? { ...line, target } : []));
  const own = [line, ...rerouted, ...primitiveIn(request.body)];
  if (plain && !headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name))) {
    return [...own, ...inBody(request.body)];
  }
  const lines = linesIn(wireBytes(asRaw(request), 'host'));
  return lines === 'unreadable' ? lines : [...own, ...lines];
}

/** A request primitive as a body (TS-0004 6.4.1), which a server might carry out. */
function primitiveIn(body: Uint8Array = new Uint8Array(0)): RequestLine[] {
  const whole = dataOf(jsonOf(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')));
  const { op, to } = dataOf(whole['m2m:rqp'] ?? whole);
  if (typeof to !== 'string') return [];
  const method = ['', 'POST', 'GET'][Number(op)] ?? 'OVERRIDDEN';
  return pathsOfIdentifier(to).map((target) => ({ method, target }));
}

/** Names of hosts that a request has itself. */
export function hostsIn(request: AnyRequest): readonly string[] {
  if (!isExactBytes(request)) return request.headers.flatMap(([name, value]) => (/^host$/i.test(name) ? value : []));
  const text = Buffer.from(request.bytes.buffer, request.bytes.byteOffset, request.bytes.byteLength).toString('latin1');
  return [...text.matchAll(/(?:^|\n)host[ \t]*:[ \t]*([^\r\n]*)/gi)].map(([, value = '']) => value.trim());
}

function breaksOut([name, value]: HeaderList[number]): boolean {
  return !token.test(name) || /[\r\n\0]/.test(value);
}

function linesIn(bytes: Uint8Array): RequestLine[] | 'unreadable' {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const first = /^[\s\0]*([^\s\0]+)[ \t]+([^\s\0]+)/.exec(text.slice(0, longestLine * 4));
  const further = [...withVersion(text), ...withoutVersion(text)];
  const override =
    /(^|\n)(x-(http-)?method(-override)?|x-m2m-op)[ \t]*:/i.test(text) || overridingQuery.test(decoded(text));
  if (text.includes('"m2m:rqp"')) return 'unreadable';
  if (first !== null) {
    const [, method = '', target = ''] = first;
    const line = { method: override ? 'OVERRIDDEN' : method, target };
    const rerouted = text.matchAll(/(?:^|\n)x-(?:original|rewrite)-ur[il][ \t]*:[ \t]*(\S*)/gi);
    return [line, ...[...rerouted].map(([, path = '']) => ({ ...line, target: path })), ...further];
  }
  return changing.test(text.slice(0, longestLine)) || override ? 'unreadable' : further;
}

/** A server that does not read the body of a GET takes it for the next request. */
function inBody(body: Uint8Array | undefined): RequestLine[] {
  if (body === undefined) return [];
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  return [...withVersion(text), ...withoutVersion(text)];
}

/** `METHOD target HTTP/`, anywhere: a server that counts a body wrongly begins in the middle of it. */
function* withVersion(text: string): Generator<RequestLine> {
  for (const { index } of text.matchAll(/HTTP\//gi)) {
    const [before = ''] = text
      .slice(Math.max(0, index - longestLine), index)
      .split(/[\r\n\0]/)
      .slice(-1);
    const words = before.split(/[ \t]+/).filter((word) => word !== '');
    const [method, target] = words.slice(-2);
    if (method !== undefined && target !== undefined) yield { method, target };
    // A space in the path: a lenient server takes the first word after the method.
    const [start, next] = words;
    if (words.length > 2 && start !== undefined && next !== undefined) yield { method: start, target: next };
  }
}

/**
 * A line that is understood without a version: a method, then a path or a URL, or the rest of either once a server has cut it
 * at `#`, `?` or `;`.
 */
function* withoutVersion(text: string): Generator<RequestLine> {
  const known = /(?:^|[\r\n\0])[ \t]*(post|put|patch|delete)[ \t]+(\S+)/gi;
  const any =
    /(?:^|[\r\n\0])[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]+((?:[/\\%#?;]|[a-z][a-z0-9+.-]*(?::[/\\%#?;]|%)|https?:(?!\S))\S*)/gi;
  for (const [, method = '', target = ''] of [...text.matchAll(known), ...text.matchAll(any)]) yield { method, target };
}

/** A request as a server may read it. */
export interface RequestParts {
  /** Empty if there is none. */
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Of the body, if it is an object with one. */
  readonly root?: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly hasBody: boolean;
  readonly isJson: boolean;
  /** Bytes of the largest chunk, as it says; 0 without chunks. */
  readonly largestChunk: number;
  /** Bytes of request line and headers. */
  readonly headLength: number;
  /** Whether the request line has a version, and all lines up to an empty one end with CRLF. */
  readonly isWellFormed: boolean;
  /** Whether the head is sent in pieces. */
  readonly isCut: boolean;
}

export function partsOf(request: AnyRequest): RequestParts {
  if (isExactBytes(request)) return partsIn(request);
  const raw = { version: '1.1', addHost: true, addContentLength: true, ...request } as const;
  const body = bodyParts(Buffer.from(request.body ?? []).toString('utf8'));
  const own = { method: request.method, target: escapedPath(request.path), headers: headersOf(request), ...body };
  return { ...partsIn({ bytes: wireBytes(raw, 'host') }), ...own };
}

function partsIn({ bytes, cuts = [] }: ExactBytes): RequestParts {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const head = end < 0 ? text : text.slice(0, end);
  const [first = '', ...lines] = head.split(/\r?\n/);
  const [, method = '', target = ''] = /^[\s\0]*([^\s\0]+)[ \t]+([^\s\0]+)/.exec(first) ?? [];
  const headers = lines.map((line) => [line.split(':', 1)[0] ?? '', line.slice(line.indexOf(':') + 1).trim()] as const);
  const body = end < 0 ? '' : Buffer.from(text.slice(end + '\r\n\r\n'.length), 'latin1').toString('utf8');
  return {
    method,
    target,
    headers: headersOf({ headers }),
    ...bodyParts(body),
    largestChunk: largestChunk(text),
    headLength: head.length,
    isCut: cuts.some((cut) => cut < head.length + '\r\n\r\n'.length),
    isWellFormed: end >= 0 && /^[^\s\0]+ [^\s\0]+ HTTP\/1\.[01](\r\n[^\r\n\0]*)*$/.test(head),
  };
}

function bodyParts(text: string): Pick<RequestParts, 'root' | 'attributes' | 'hasBody' | 'isJson'> {
  const body = jsonOf(text);
  return {
    ...defined({ root: onlyKey(body), attributes: innerOf(body) }),
    hasBody: text !== '',
    isJson: text !== '' && typeof body !== 'string',
  };
}

/** Of any request in the bytes, wherever its chunks begin. */
function largestChunk(text: string): number {
  if (!/^transfer-encoding[ \t]*:.*chunked/im.test(text)) return 0;
  const sizes = text.matchAll(/^[ \t+]*(?:0x)?([\da-f]+)[ \t]*(?:;.*)?\r?$/gim);
  return [...sizes].reduce((largest, [, size = '']) => Math.max(largest, Number.parseInt(size, 16)), 0);
}
