import fc from 'fast-check';
import { changed, type WireChange } from './changed.ts';
import { bytesCase, bytesOf, type Parts, type Place, reading, removing, type WireCase, wireCase } from './wire-case.ts';

const token = /^[\w!#$%&'*+.^`|~-]+$/;
const known = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);
const breakers = [...'@(){}[]"/\\:;,<>?=\x00\x7f\xff'];
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_!#$%&*+.^`|~'];
const word = (characters: readonly string[], maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength });

const notHttp = { nature: 'malformed', requirement: 'http.not-http' } as const;

/** Methods, targets and versions, and request lines that are not made of three parts. */
export function requestLines(place: Place): fc.Arbitrary<WireCase> {
  const base = fc.constantFrom<Parts>(reading(place), removing(place));
  const brokenMethod = fc
    .tuple(base, fc.constantFrom('', 'G'), word(breakers, 4))
    .map(([parts, before, method]) =>
      wireCase({ ...parts, method: before + method }, { what: 'a method that is no token', ...notHttp }),
    );
  const unknown = word(letters, 20)
    .filter((method) => token.test(method) && !known.has(method))
    .map((method): WireChange => ['a method that nobody knows', (parts) => ({ ...parts, method })]);
  const unknownMethod = changed(base, unknown, { nature: 'malformed', requirement: 'errors.unknown-method' });
  const otherVersions = changed(base, versions, { nature: 'malformed', requirement: 'http.other-version' });
  const brokenLines = changed(base, broken, notHttp);
  const oddLines = changed(reading(place), oddLinesAt(place), { nature: 'odd' });
  return fc.oneof(brokenMethod, unknownMethod, otherVersions, brokenLines, oddLines, noise);
}

const withVersion = (version: string): WireChange => [`the version ${version}`, (parts) => ({ ...parts, version })];

const versions = [
  ...['HTTP/2.0', 'HTTP/0.9', 'HTTP/3', 'HTTP/1', 'HTTP/11', 'http/1.1', 'HTTX/1.1', 'HTTP/1.1.1', 'HTTP/1.-1'],
  ...['1.1', 'HTTP/1.1 HTTP/1.1', 'HTTP/1.1 more', 'HTTP 1.1', 'HTTP/1,1'],
].map(withVersion);

/** Another request line above the same lines. */
const lined = (what: string, write: (parts: Parts) => string): WireChange => [
  what,
  (parts) => write(parts) + bytesOf(parts).slice(bytesOf(parts).indexOf('\r\n')),
];

const broken: readonly WireChange[] = [
  lined('a request line without a target', ({ method, version }) => `${method} ${version}`),
  lined('a request line of a method alone', ({ method }) => method),
  lined('tabs in the request line', ({ method, target, version }) => `${method}\t${target}\t${version}`),
  lined('a space in the target', ({ method, target, version }) => `${method} ${target} x ${version}`),
  lined('a zero byte in the target', ({ method, target, version }) => `${method} ${target}\0x ${version}`),
  lined('a target without a slash', ({ method, target, version }) => `${method} ${target.slice(1)} ${version}`),
  lined('an asterisk as target', ({ method, version }) => `${method} * ${version}`),
];

/** What some servers take and others refuse. */
function oddLinesAt({ host }: Place): readonly WireChange[] {
  return [
    ['two spaces before the target', (parts) => ({ ...parts, target: ` ${parts.target}` })],
    ['a space after the version', (parts) => ({ ...parts, version: 'HTTP/1.1 ' })],
    withVersion('HTTP/1.2'),
    withVersion('HTTP/1.0'),
    ['an empty line before the request line', (parts) => ({ ...parts, method: '\r\nGET' })],
    ['a target with scheme and host', (parts) => ({ ...parts, target: `http://${host}${parts.target}` })],
    ['a target of another scheme', (parts) => ({ ...parts, target: `ftp://${host}${parts.target}` })],
    ['a fragment in the target', (parts) => ({ ...parts, target: `${parts.target}#x` })],
    ['the method TRACE', (parts) => ({ ...parts, method: 'TRACE' })],
    ['the method OPTIONS', (parts) => ({ ...parts, method: 'OPTIONS' })],
  ];
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
      requirement: notHttp.requirement,
    }),
  );
