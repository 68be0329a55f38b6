import fc from 'fast-check';
import {
  chunks,
  creating,
  inChunks,
  type Parts,
  type Place,
  reading,
  soundBody,
  type WireCase,
  wireCase,
  withLength,
  withLine,
} from './wire-case.ts';

/** Header values of all kinds, and headers beyond measure. */
export function headerLines(place: Place): fc.Arbitrary<WireCase> {
  const base = fc.constantFrom<Parts>(reading(place), withLength(creating(place)));
  const unusual = fc.tuple(fc.constantFrom(...names), values).map(([name, value]) => ({
    lines: [`${name}: ${value}`],
    what: `an unusual value of ${name}`,
  }));
  return fc
    .tuple(base, fc.oneof(unusual, many, long))
    .map(([parts, { lines, ...facts }]) => wireCase(withLine(parts, ...lines), { ...facts, nature: 'odd' }));
}

const names = ['X-M2M-Origin', 'X-M2M-RI', 'X-M2M-RVI', 'Accept', 'Content-Type', 'X'];
const values = fc.oneof(
  fc.string({ maxLength: 30 }).map((text) => text.replace(/[\r\n]/g, '')),
  fc.uint8Array({ min: 32, maxLength: 30 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  fc.constantFrom('//', '*/*;q=x', 'application/json;ty=99', 'application/json;charset=utf-16', ',', ';', '"', '%00'),
);

// How much of something a server takes is its own affair.

const many = fc.integer({ min: 100, max: 2000 }).map((count) => ({
  lines: Array<string>(count).fill('X: x'),
  what: 'very many headers',
  requirement: 'limits.header-count',
}));

const long = fc.integer({ min: 8_000, max: 100_000 }).map((length) => ({
  lines: [`X: ${'x'.repeat(length)}`],
  what: 'a very long header',
  requirement: 'limits.header-size',
}));

const whole = soundBody.length;
const hex = whole.toString(16);
const otherCodings = ['x', 'gzip, gzip', 'chunked x', ';'];
/** A length that is too short cuts the JSON off; what follows is then no request. */
const cutOff = {
  what: 'a length shorter than the body',
  nature: 'malformed',
  requirement: 'body.broken-json',
} as const;
const waiting = { what: 'a length longer than the body', nature: 'unfinished' } as const;
const inPieces = { what: 'a body in chunks', nature: 'odd', requirement: 'http.chunked' } as const;
const extended = { what: 'long chunk extensions', nature: 'odd' } as const;
const notHttp = { nature: 'malformed', requirement: 'http.not-http' } as const;

/** How long the body is said to be, and chunks. */
export function lengths(place: Place): fc.Arbitrary<WireCase> {
  const sound = creating(place);
  const long = (length: number) => withLine(sound, `Content-Length: ${length}`);
  const coded = (body: string, coding = 'chunked') => withLine({ ...sound, body }, `Transfer-Encoding: ${coding}`);
  const chunk = (extension: number) => `${hex};${'x'.repeat(extension)}\r\n${soundBody}\r\n`;
  const upTo = (max: number, min = 1) => fc.integer({ min, max });
  return fc.oneof(
    upTo(whole - 1).map((length) => wireCase(long(length), cutOff)),
    upTo(1_000_000).map((more) => wireCase(long(whole + more), waiting)),
    upTo(whole).map((length) => wireCase(inChunks(sound, length), inPieces)),
    upTo(40_000, 1000).map((length) => wireCase(coded(`${chunk(length)}0\r\n\r\n`), extended)),
    fc.constantFrom(...otherCodings).map((coding) => {
      const what = `the transfer coding ${coding}`;
      return wireCase(coded(chunks(soundBody, 8), coding), { what, ...notHttp });
    }),
  );
}
