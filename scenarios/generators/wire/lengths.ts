import fc from 'fast-check';
import { changed, type WireChange } from './changed.ts';
import { chunks, creating, type Parts, type Place, soundBody, type WireCase, wireCase, withLine } from './wire-case.ts';

const whole = soundBody.length;
const hex = whole.toString(16);
const oneLess = (whole - 1).toString(16);

/** How long the body is said to be, and chunks. */
export function lengths(place: Place): fc.Arbitrary<WireCase> {
  const sound = creating(place);
  return fc.oneof(
    changed(sound, brokenLengths, { nature: 'malformed', requirement: 'http.contradicting-lengths' }),
    wrongLengths(sound),
    changed(sound, codings, { nature: 'malformed', requirement: 'http.not-http' }),
    brokenChunks(sound),
    oddFraming(sound),
  );
}

const long = (what: string, length: string | number): WireChange => [
  what,
  (parts) => withLine(parts, `Content-Length: ${length}`),
];

const brokenLengths = [
  ...['-1', `+${whole}`, `${whole}.0`, `0x${hex}`, 'x', '', `${whole} ${whole}`, `${whole};`, `"${whole}"`, '1e1'],
  ...['9'.repeat(40), '\xb2\xb3', `${whole}, ${whole + 1}`, `${whole}\r\nContent-Length: ${whole + 1}`],
].map((length) => long('a length that is no length', length));

/** A length that is too short cuts the JSON off; what follows is then no request. */
const wrongLengths = (sound: Parts) =>
  fc.oneof(
    changed(
      sound,
      fc.integer({ min: 1, max: whole - 1 }).map((length) => long('a length shorter than the body', length)),
      { nature: 'malformed', requirement: 'body.broken-json' },
    ),
    changed(
      sound,
      fc.integer({ min: 1, max: 1_000_000 }).map((more) => long('a length longer than the body', whole + more)),
      { nature: 'unfinished' },
    ),
  );

const codings = ['gzip', 'x', 'chunked, gzip', 'gzip, gzip', 'xchunked', 'chunked x', 'identity', '"chunked"', ';'].map(
  (coding): WireChange => [
    `the transfer coding ${coding}`,
    (sound) => withLine({ ...sound, body: chunks(sound.body, 8) }, `Transfer-Encoding: ${coding}`),
  ],
);

const chunked = (sound: Parts, body: string): Parts => withLine({ ...sound, body }, 'Transfer-Encoding: chunked');

const brokenChunks = (sound: Parts) =>
  fc
    .constantFrom<readonly [what: string, body: string, nature: WireCase['nature']]>(
      ['a chunk size that is no number', `x\r\n${soundBody}\r\n0\r\n\r\n`, 'malformed'],
      ['a negative chunk size', `-${hex}\r\n${soundBody}\r\n0\r\n\r\n`, 'malformed'],
      ['an empty chunk size', `\r\n${soundBody}\r\n0\r\n\r\n`, 'malformed'],
      ['a chunk size with 0x', `0x${hex}\r\n${soundBody}\r\n0\r\n\r\n`, 'malformed'],
      ['a chunk size that no number holds', `${'f'.repeat(40)}\r\n${soundBody}\r\n0\r\n\r\n`, 'malformed'],
      ['a chunk longer than its size', `${oneLess}\r\n${soundBody}\r\n0\r\n\r\n`, 'malformed'],
      ['a chunk without a line end', `${hex}\r\n${soundBody}0\r\n\r\n`, 'malformed'],
      ['a chunk shorter than its size', `fff\r\n${soundBody}\r\n0\r\n\r\n`, 'unfinished'],
      ['chunks without the last one', `${hex}\r\n${soundBody}\r\n`, 'unfinished'],
      ['a last chunk without an end', `${hex}\r\n${soundBody}\r\n0\r\n`, 'unfinished'],
    )
    .map(([what, body, nature]) =>
      wireCase(chunked(sound, body), {
        what,
        nature,
        ...(nature === 'malformed' && { requirement: 'http.not-http' }),
      }),
    );

const inPieces = (what: string, body: string): WireChange => [what, (sound) => chunked(sound, body)];

const oddFraming = (sound: Parts) =>
  fc.oneof(
    changed(
      sound,
      fc.integer({ min: 1, max: whole }).map((length) => inPieces('a body in chunks', chunks(soundBody, length))),
      { nature: 'odd', requirement: 'http.chunked' },
    ),
    changed(sound, oddFramings, { nature: 'odd' }),
  );

const sameLength = `Content-Length: ${whole}`;

const oddFramings: readonly WireChange[] = [
  ['the same length twice', (sound) => withLine(sound, sameLength, sameLength)],
  ['a length and chunks', (sound) => withLine(chunked(sound, chunks(soundBody, whole)), sameLength)],
  ['chunked twice', (sound) => withLine(chunked(sound, chunks(soundBody, whole)), 'Transfer-Encoding: chunked')],
  ['chunks in HTTP/1.0', (sound) => ({ ...chunked(sound, chunks(soundBody, whole)), version: 'HTTP/1.0' })],
  inPieces('chunk extensions', `${hex};x="\\"";y\r\n${soundBody}\r\n0\r\n\r\n`),
  inPieces('long chunk extensions', `${hex};${'x'.repeat(20_000)}\r\n${soundBody}\r\n0\r\n\r\n`),
  inPieces('a trailer', `${hex}\r\n${soundBody}\r\n0\r\nX: x\r\n\r\n`),
  inPieces('a trailer without a colon', `${hex}\r\n${soundBody}\r\n0\r\nX\r\n\r\n`),
  inPieces('chunk lines that end with a line feed alone', `${hex}\n${soundBody}\n0\n\n`),
];
