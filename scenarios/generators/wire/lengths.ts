import fc from 'fast-check';
import { chunks, creating, type Parts, type Place, soundBody, type WireCase, wireCase, withLine } from './wire-case.ts';

const lengthContradicts = 'http.contradicting-lengths';
const whole = soundBody.length;
const hex = whole.toString(16);
const oneLess = (whole - 1).toString(16);

/** How long the body is said to be, and chunks. */
export function lengths(place: Place): fc.Arbitrary<WireCase> {
  const sound = creating(place);
  return fc.oneof(brokenLengths(sound), wrongLengths(sound), codings(sound), brokenChunks(sound), oddFraming(sound));
}

const brokenLengths = (sound: Parts) =>
  fc
    .constantFrom(
      ...['-1', `+${whole}`, `${whole}.0`, `0x${hex}`, 'x', '', `${whole} ${whole}`, `${whole};`, `"${whole}"`, '1e1'],
      ...['9'.repeat(40), '\xb2\xb3', `${whole}, ${whole + 1}`, `${whole}\r\nContent-Length: ${whole + 1}`],
    )
    .map((length) =>
      wireCase(withLine(sound, `Content-Length: ${length}`), {
        what: 'a length that is no length',
        nature: 'malformed',
        requirement: lengthContradicts,
      }),
    );

/** A length that is too short cuts the JSON off; what follows is then no request. */
const wrongLengths = (sound: Parts) =>
  fc.oneof(
    fc.integer({ min: 1, max: whole - 1 }).map((length) =>
      wireCase(withLine(sound, `Content-Length: ${length}`), {
        what: 'a length shorter than the body',
        nature: 'malformed',
        requirement: 'body.broken-json',
      }),
    ),
    fc.integer({ min: 1, max: 1_000_000 }).map((more) =>
      wireCase(withLine(sound, `Content-Length: ${whole + more}`), {
        what: 'a length longer than the body',
        nature: 'unfinished',
      }),
    ),
  );

const codings = (sound: Parts) =>
  fc
    .constantFrom('gzip', 'x', 'chunked, gzip', 'gzip, gzip', 'xchunked', 'chunked x', 'identity', '"chunked"', ';')
    .map((coding) =>
      wireCase(withLine({ ...sound, body: chunks(sound.body, 8) }, `Transfer-Encoding: ${coding}`), {
        what: `the transfer coding ${coding}`,
        nature: 'malformed',
        requirement: 'http.not-http',
      }),
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

const oddFraming = (sound: Parts) =>
  fc.oneof(
    fc.integer({ min: 1, max: whole }).map((length) =>
      wireCase(chunked(sound, chunks(soundBody, length)), {
        what: 'a body in chunks',
        nature: 'odd',
        requirement: 'http.chunked',
      }),
    ),
    fc
      .constantFrom<readonly [what: string, parts: Parts]>(
        ['the same length twice', withLine(sound, `Content-Length: ${whole}`, `Content-Length: ${whole}`)],
        ['a length and chunks', withLine(chunked(sound, chunks(soundBody, whole)), `Content-Length: ${whole}`)],
        ['chunked twice', withLine(chunked(sound, chunks(soundBody, whole)), 'Transfer-Encoding: chunked')],
        ['chunks in HTTP/1.0', { ...chunked(sound, chunks(soundBody, whole)), version: 'HTTP/1.0' }],
        ['chunk extensions', chunked(sound, `${hex};x="\\"";y\r\n${soundBody}\r\n0\r\n\r\n`)],
        ['long chunk extensions', chunked(sound, `${hex};${'x'.repeat(20_000)}\r\n${soundBody}\r\n0\r\n\r\n`)],
        ['a trailer', chunked(sound, `${hex}\r\n${soundBody}\r\n0\r\nX: x\r\n\r\n`)],
        ['a trailer without a colon', chunked(sound, `${hex}\r\n${soundBody}\r\n0\r\nX\r\n\r\n`)],
        ['chunk lines that end with a line feed alone', chunked(sound, `${hex}\n${soundBody}\n0\n\n`)],
      )
      .map(([what, parts]) => wireCase(parts, { what, nature: 'odd' })),
  );
