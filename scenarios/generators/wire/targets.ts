import fc from 'fast-check';
import { changed, type WireChange } from './changed.ts';
import { type Parts, type Place, reading, removing, type WireCase, wireCase } from './wire-case.ts';

/** Paths at which nothing is, however they are read, and query strings of all kinds. */
export function targets(place: Place): fc.Arbitrary<WireCase> {
  const base = fc.constantFrom<Parts>(reading(place), removing(place));
  return fc.oneof(
    brokenPaths(place, base),
    longPaths(place, base),
    changed(reading(place), oddPaths, { nature: 'odd' }),
    queries(place),
  );
}

const segments = [
  '%',
  '%4',
  '%zz',
  '%%',
  '%u0041',
  '%ff',
  '%c3%28',
  '%c0%af',
  '%ed%a0%80',
  '%f5%80%80%80',
  '%00',
  'x%00',
  '\xe9',
  '\xff\xfe',
  '%2e%2e%2fx',
  '%0d%0aX:%20x',
  '__proto__',
  'constructor',
];

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

const ends = ['/', '//', '/.', '/../x', '/%2e', '/%2f', '\\', '/;x', '?', '??', '?&&', '?=', '/latest/', '/~/x'];
const oddPaths = ends.map(
  (end): WireChange => ['an unusual end of the path', (parts) => ({ ...parts, target: parts.target + end })],
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
