import fc from 'fast-check';
import { bytesCase, bytesOf, type Parts, type Place, reading, removing, type WireCase, wireCase } from './wire-case.ts';

const token = /^[\w!#$%&'*+.^`|~-]+$/;
const known = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);
const breakers = [...'@(){}[]"/\\:;,<>?=\x00\x7f\xff'];
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_!#$%&*+.^`|~'];
const word = (characters: readonly string[], maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength });

const notHttp = 'http.not-http';

/** Methods, targets and versions, and request lines that are not made of three parts. */
export function requestLines(place: Place): fc.Arbitrary<WireCase> {
  const base = fc.constantFrom<Parts>(reading(place), removing(place));
  const brokenMethod = fc
    .tuple(base, fc.constantFrom('', 'G'), word(breakers, 4))
    .map(([parts, before, method]) =>
      wireCase(
        { ...parts, method: before + method },
        { what: 'a method that is no token', nature: 'malformed', requirement: notHttp },
      ),
    );
  const unknownMethod = fc
    .tuple(base, word(letters, 20))
    .filter(([, method]) => token.test(method) && !known.has(method))
    .map(([parts, method]) =>
      wireCase(
        { ...parts, method },
        { what: 'a method that nobody knows', nature: 'malformed', requirement: 'errors.unknown-method' },
      ),
    );
  return fc.oneof(brokenMethod, unknownMethod, versions(base), brokenLines(base), oddLines(place), noise);
}

const versions = (base: fc.Arbitrary<Parts>) =>
  fc
    .tuple(
      base,
      fc.constantFrom(
        ...['HTTP/2.0', 'HTTP/0.9', 'HTTP/3', 'HTTP/1', 'HTTP/11', 'http/1.1', 'HTTX/1.1', 'HTTP/1.1.1', 'HTTP/1.-1'],
        ...['1.1', 'HTTP/1.1 HTTP/1.1', 'HTTP/1.1 more', 'HTTP 1.1', 'HTTP/1,1'],
      ),
    )
    .map(([parts, version]) =>
      wireCase(
        { ...parts, version },
        { what: `the version ${version}`, nature: 'malformed', requirement: 'http.other-version' },
      ),
    );

interface BrokenLine {
  readonly what: string;
  readonly line: (parts: Parts) => string;
}

const broken: readonly BrokenLine[] = [
  { what: 'a request line without a target', line: ({ method, version }) => `${method} ${version}` },
  { what: 'a request line of a method alone', line: ({ method }) => method },
  { what: 'tabs in the request line', line: ({ method, target, version }) => `${method}\t${target}\t${version}` },
  { what: 'a space in the target', line: ({ method, target, version }) => `${method} ${target} x ${version}` },
  { what: 'a zero byte in the target', line: ({ method, target, version }) => `${method} ${target}\0x ${version}` },
  {
    what: 'a target without a slash',
    line: ({ method, target, version }) => `${method} ${target.slice(1)} ${version}`,
  },
  { what: 'an asterisk as target', line: ({ method, version }) => `${method} * ${version}` },
];

const brokenLines = (base: fc.Arbitrary<Parts>) =>
  fc.tuple(base, fc.constantFrom(...broken)).map(([parts, { what, line }]) => {
    const rest = bytesOf(parts).slice(bytesOf(parts).indexOf('\r\n'));
    return bytesCase(line(parts) + rest, { what, nature: 'malformed', requirement: notHttp });
  });

/** What some servers take and others refuse. */
function oddLines(place: Place): fc.Arbitrary<WireCase> {
  const parts = reading(place);
  const lines: readonly (readonly [what: string, changed: Parts])[] = [
    ['two spaces before the target', { ...parts, target: ` ${parts.target}` }],
    ['a space after the version', { ...parts, version: 'HTTP/1.1 ' }],
    ['the version HTTP/1.2', { ...parts, version: 'HTTP/1.2' }],
    ['the version HTTP/1.0', { ...parts, version: 'HTTP/1.0' }],
    ['an empty line before the request line', { ...parts, method: '\r\nGET' }],
    ['a target with scheme and host', { ...parts, target: `http://${place.host}${parts.target}` }],
    ['a target of another scheme', { ...parts, target: `ftp://${place.host}${parts.target}` }],
    ['a fragment in the target', { ...parts, target: `${parts.target}#x` }],
    ['the method TRACE', { ...parts, method: 'TRACE' }],
    ['the method OPTIONS', { ...parts, method: 'OPTIONS' }],
  ];
  return fc.constantFrom(...lines).map(([what, changed]) => wireCase(changed, { what, nature: 'odd' }));
}

/** Bytes that are no request at all, with the end of one. */
const noise = fc
  .oneof(
    fc.constantFrom('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'PRI * HTTP/2.0\r\n\r\nSM', '{"m2m:cin":{}}'),
    fc.uint8Array({ minLength: 1, maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  )
  .filter((text) => !/^\s*[A-Z]+ \S+ HTTP/.test(text))
  .map((text) =>
    bytesCase(`${text}\r\n\r\n`, {
      what: 'bytes that are no request',
      nature: /^\s*$/.test(text) ? 'unfinished' : 'malformed',
      requirement: notHttp,
    }),
  );
