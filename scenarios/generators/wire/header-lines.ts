import fc from 'fast-check';
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

const notHttp = 'http.not-http';

/** Header names and values, Host, and headers beyond measure. */
export function headerLines(place: Place): fc.Arbitrary<WireCase> {
  const base = fc.constantFrom<Parts>(reading(place), removing(place), withLength(creating(place)));
  const harmless = fc.constantFrom<Parts>(
    reading(place),
    withLength(creating(place)),
    withLength(creating(place, trapOf(place))),
  );
  return fc.oneof(brokenLines(base), hosts(base), oddLines(harmless), oddValues(harmless), masses(harmless));
}

const brokenLines = (base: fc.Arbitrary<Parts>) =>
  fc
    .tuple(
      base,
      fc.constantFrom<readonly [what: string, line: string]>(
        ['a header without a colon', 'X'],
        ['a header without a name', ': x'],
        ['a space before the colon', 'X : x'],
        ['a name that is no token', 'X(Y): x'],
        ['a zero byte in a name', 'X\0Y: x'],
        ['a byte over 127 in a name', 'X\xe9: x'],
      ),
    )
    .map(([parts, [what, line]]) =>
      wireCase(withLine(parts, line), { what, nature: 'malformed', requirement: notHttp }),
    );

const hosts = (base: fc.Arbitrary<Parts>) =>
  fc
    .tuple(
      base,
      fc.constantFrom<readonly [what: string, host: readonly string[]]>(
        ['no Host', []],
        ['two different Hosts', ['Host: a', 'Host: b']],
        ['a space in Host', ['Host: a b']],
      ),
    )
    .map(([parts, [what, host]]) =>
      wireCase({ ...parts, host }, { what, nature: 'malformed', requirement: 'http.no-host' }),
    );

const oddLines = (base: fc.Arbitrary<Parts>) =>
  fc
    .tuple(
      base,
      fc.constantFrom<readonly [what: string, line: string]>(
        ['a folded header', 'X: a\r\n b'],
        ['a zero byte in a value', 'X: a\0b'],
        ['a bare carriage return in a value', 'X: a\rb'],
        ['a header that ends with a line feed alone', 'X: a\nY: b'],
        ['an empty value', 'X:'],
        ['an expectation that nobody knows', 'Expect: x'],
        ['a question before the body', 'Expect: 100-continue'],
        ['an upgrade', 'Connection: upgrade\r\nUpgrade: h2c'],
        ['an unknown connection option', 'Connection: x, , close,'],
        ['a header called __proto__', '__proto__: x'],
        ['a header called constructor', 'constructor: x'],
        ['two originators', 'X-M2M-Origin: Ca\r\nX-M2M-Origin: Cb'],
        ['two labels of the body', 'Content-Type: application/json\r\nContent-Type: text/xml'],
        ['a coded body', 'Content-Encoding: gzip'],
      ),
    )
    .map(([parts, [what, line]]) => wireCase(withLine(parts, line), { what, nature: 'odd' }));

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
    fc.tuple(base, fc.integer({ min: 100, max: 2000 })).map(([parts, count]) =>
      wireCase(withLine(parts, ...Array.from({ length: count }, () => 'X: x')), {
        what: 'very many headers',
        nature: 'odd',
        requirement: 'limits.header-count',
      }),
    ),
    fc.tuple(base, fc.integer({ min: 8_000, max: 100_000 })).map(([parts, length]) =>
      wireCase(withLine(parts, `X: ${'x'.repeat(length)}`), {
        what: 'a very long header',
        nature: 'odd',
        requirement: 'limits.header-size',
      }),
    ),
  );
