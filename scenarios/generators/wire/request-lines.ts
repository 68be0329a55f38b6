import fc from 'fast-check';
import { bytesCase, type Parts, type Place, reading, removing, type WireCase, wireCase } from './wire-case.ts';

const token = /^[\w!#$%&'*+.^`|~-]+$/;
const known = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);
const breakers = [...'@(){}[]"/\\:;,<>?=\x00\x7f\xff'];
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_!#$%&*+.^`|~'];
const word = (characters: readonly string[], maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength });

/** Methods that are no token or that nobody knows, versions that are none, and bytes that are no request. */
export function requestLines(place: Place): fc.Arbitrary<WireCase> {
  const base = fc.constantFrom<Parts>(reading(place), removing(place));
  const brokenMethod = fc
    .tuple(base, fc.constantFrom('', 'G'), word(breakers, 4))
    .map(([parts, before, method]) =>
      wireCase({ ...parts, method: before + method }, { what: 'a method that is no token', ...notHttp }),
    );
  const unknownMethod = fc.tuple(base, unknown).map(([parts, method]) => {
    const facts = { nature: 'malformed', requirement: 'errors.unknown-method' } as const;
    return wireCase({ ...parts, method }, { what: 'a method that nobody knows', ...facts });
  });
  const otherVersion = fc.tuple(base, fc.constantFrom(...versions)).map(([parts, version]) => {
    const facts = { nature: 'malformed', requirement: 'http.other-version' } as const;
    return wireCase({ ...parts, version }, { what: `the version ${version}`, ...facts });
  });
  return fc.oneof(brokenMethod, unknownMethod, otherVersion, noise);
}

const notHttp = { nature: 'malformed', requirement: 'http.not-http' } as const;
const unknown = word(letters, 20).filter((method) => token.test(method) && !known.has(method));
const versions = ['HTTP/1', 'HTTP/1.-1', '1.1', 'HTTP 1.1', 'HTTP/1,1'];

/** Bytes that are no request at all, with the end of one. */
const noise = fc
  .uint8Array({ minLength: 1, maxLength: 60 })
  .map((bytes) => Buffer.from(bytes).toString('latin1'))
  .filter((text) => !/^\s*[A-Z]+ \S+ HTTP/.test(text))
  .map((text) =>
    bytesCase(`${text}\r\n\r\n`, {
      what: 'bytes that are no request',
      nature: /^\s*$/.test(text) ? 'unfinished' : 'malformed',
      requirement: notHttp.requirement,
    }),
  );

/** Paths at which nothing is, however they are read, unusual ends of paths, and query strings of all kinds. */
export function targets(place: Place): fc.Arbitrary<WireCase> {
  const base = fc.constantFrom<Parts>(reading(place), removing(place));
  return fc.oneof(brokenPaths(place, base), longPaths(place, base), oddPaths(place), queries(place));
}

const segments = ['%%', '%c3%28', '%f5%80%80%80', '%00', '\xe9', '\xff\xfe', '%2e%2e%2fx'];

const brokenPaths = ({ container }: Place, base: fc.Arbitrary<Parts>) =>
  fc.tuple(base, fc.constantFrom(...segments)).map(([parts, segment]) =>
    wireCase(
      { ...parts, target: `${container}/${segment}` },
      {
        what: 'a path that leads nowhere, with odd or broken escapes',
        nature: 'malformed',
        requirement: parts.method === 'GET' ? 'errors.unknown-path.retrieve' : 'errors.unknown-path.delete',
      },
    ),
  );

const longPaths = ({ container }: Place, base: fc.Arbitrary<Parts>) =>
  fc
    .tuple(base, fc.constantFrom('x', '/', 'x/', '%41'), fc.integer({ min: 10, max: 20_000 }))
    .map(([parts, one, times]) =>
      wireCase(
        { ...parts, target: `${container}/x${one.repeat(times)}x` },
        { what: 'a very long path that leads nowhere', nature: 'malformed', requirement: 'limits.request-line' },
      ),
    );

const ends = ['/../x', '/%2e', '/%2f', '/;x', '?', '?&&', '?=', '/latest/', '/~/x'];

const oddPaths = (place: Place) =>
  fc
    .constantFrom(...ends)
    .map((end) =>
      wireCase(
        { ...reading(place), target: place.container + end },
        { what: 'an unusual end of the path', nature: 'odd' },
      ),
    );

const parameters = ['fu=1&lbl', 'fu=1&cra', 'fu=1&lim', 'fu=1&ofst', 'rcn', 'fu', 'ty', 'lvl', 'atr', '__proto__', 'x'];
const oddValues = ['', '%', '%ff', '%ed%a0%80', '%00', '+', '-1', '1e999', '9'.repeat(400), '\xe9', '[', '*', "'", ';'];
/** Made when it is needed: fast-check takes half a second for the second of them. */
const values = () => fc.oneof(fc.constantFrom(...oddValues), fc.webQueryParameters());

const queries = (place: Place) =>
  fc
    .tuple(fc.constantFrom(...parameters), values())
    .map(([name, value]) =>
      wireCase(
        { ...reading(place), target: `${place.application}?${name}=${value.replace(/[#\s]/g, '')}` },
        { what: 'an unusual query', nature: 'odd' },
      ),
    );
