import { defined } from '../engine/defined.ts';
import { headersOf, innerOf, jsonOf, onlyKey } from '../engine/judging/body.ts';
import { escapedPath } from '../engine/messages/encode.ts';
import { wireBytes } from '../engine/messages/wire.ts';
import { type ExactBytes, isExactBytes, type RawRequest, type RequestMessage } from '../engine/targets/target.ts';

/** A request as a server may read it, whichever way it is written. */
export interface RequestParts {
  /** Empty where there is none. */
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Of the body, where that is an object with one. */
  readonly root?: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly hasBody: boolean;
  readonly isJson: boolean;
  /** Bytes that a chunk of the body says to have at most; 0 without chunks. */
  readonly largestChunk: number;
  /** Bytes of request line and headers. */
  readonly headLength: number;
  /** Whether the request line has a version, and all lines up to an empty one end with CRLF. */
  readonly isWellFormed: boolean;
  /** Whether the head is sent in pieces. */
  readonly isCut: boolean;
}

const requestLine = /^([^\s\0]+) (\S+) HTTP\/1\.[01]$/;

export function partsOf(request: RequestMessage | RawRequest): RequestParts {
  if (isExactBytes(request)) return partsIn(request);
  const { method, body } = request;
  const raw = { version: '1.1', addHost: true, addContentLength: true, ...request } as const;
  const head = wireBytes({ ...raw, body: new Uint8Array() }, 'host');
  return {
    method,
    target: escapedPath(request.path),
    headers: headersOf(request),
    ...bodyParts(Buffer.from(body ?? []).toString('utf8')),
    largestChunk: largestChunk(Buffer.from(wireBytes(raw, 'host')).toString('latin1')),
    headLength: head.length,
    isCut: false,
    isWellFormed: isWellFormed(Buffer.from(head).toString('latin1').slice(0, -'\r\n\r\n'.length)),
  };
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
    isWellFormed: end >= 0 && isWellFormed(head),
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

/** Without the empty line at its end. */
function isWellFormed(head: string): boolean {
  const lines = head.split('\r\n');
  return requestLine.test(lines[0] ?? '') && lines.every((line) => !/[\r\n\0]/.test(line));
}
