import fc from 'fast-check';
import { changed, type WireChange } from './changed.ts';
import {
  creating,
  type Parts,
  type Place,
  reading,
  removing,
  trapOf,
  type WireCase,
  wireCase,
  withLength,
  withLine,
} from './wire-case.ts';

/** Header names and values, Host, and headers beyond measure. */
export function headerLines(place: Place): fc.Arbitrary<WireCase> {
  const base = fc.constantFrom<Parts>(reading(place), removing(place), withLength(creating(place)));
  const harmless = fc.constantFrom<Parts>(
    reading(place),
    withLength(creating(place)),
    withLength(creating(place, trapOf(place))),
  );
  return fc.oneof(
    changed(base, brokenLines, { nature: 'malformed', requirement: 'http.not-http' }),
    changed(base, hosts, { nature: 'malformed', requirement: 'http.no-host' }),
    changed(harmless, oddLines, { nature: 'odd' }),
    oddValues(harmless),
    masses(harmless),
  );
}

const line = (what: string, text: string): WireChange => [what, (parts) => withLine(parts, text)];
const host = (what: string, ...lines: readonly string[]): WireChange => [what, (parts) => ({ ...parts, host: lines })];

const brokenLines = [
  line('a header without a colon', 'X'),
  line('a header without a name', ': x'),
  line('a space before the colon', 'X : x'),
  line('a name that is no token', 'X(Y): x'),
  line('a zero byte in a name', 'X\0Y: x'),
  line('a byte over 127 in a name', 'X\xe9: x'),
];

const hosts = [
  host('no Host'),
  host('two different Hosts', 'Host: a', 'Host: b'),
  host('a space in Host', 'Host: a b'),
];

const oddLines = [
  line('a folded header', 'X: a\r\n b'),
  line('a zero byte in a value', 'X: a\0b'),
  line('a bare carriage return in a value', 'X: a\rb'),
  line('a header that ends with a line feed alone', 'X: a\nY: b'),
  line('an empty value', 'X:'),
  line('an expectation that nobody knows', 'Expect: x'),
  line('a question before the body', 'Expect: 100-continue'),
  line('an upgrade', 'Connection: upgrade\r\nUpgrade: h2c'),
  line('an unknown connection option', 'Connection: x, , close,'),
  line('a header called __proto__', '__proto__: x'),
  line('a header called constructor', 'constructor: x'),
  line('two originators', 'X-M2M-Origin: Ca\r\nX-M2M-Origin: Cb'),
  line('two labels of the body', 'Content-Type: application/json\r\nContent-Type: text/xml'),
  line('a coded body', 'Content-Encoding: gzip'),
];

const names = ['X-M2M-Origin', 'X-M2M-RI', 'X-M2M-RVI', 'Accept', 'Content-Type', 'X'];
const values = fc.oneof(
  fc.string({ maxLength: 30 }).map((text) => text.replace(/[\r\n]/g, '')),
  fc.uint8Array({ min: 32, maxLength: 30 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  fc.constantFrom('//', '*/*;q=x', 'application/json;ty=99', 'application/json;charset=utf-16', ',', ';', '"', '%00'),
);

const oddValues = (base: fc.Arbitrary<Parts>) =>
  fc
    .tuple(base, fc.constantFrom(...names), values)
    .map(([parts, name, value]) =>
      wireCase(withLine(parts, `${name}: ${value}`), { what: `an unusual value of ${name}`, nature: 'odd' }),
    );

/** How much of something a server takes is its own affair. */
const masses = (base: fc.Arbitrary<Parts>) =>
  fc.oneof(
    changed(
      base,
      fc
        .integer({ min: 100, max: 2000 })
        .map((count): WireChange => ['very many headers', (parts) => withLine(parts, ...Array(count).fill('X: x'))]),
      { nature: 'odd', requirement: 'limits.header-count' },
    ),
    changed(
      base,
      fc.integer({ min: 8_000, max: 100_000 }).map((length) => line('a very long header', `X: ${'x'.repeat(length)}`)),
      { nature: 'odd', requirement: 'limits.header-size' },
    ),
  );
