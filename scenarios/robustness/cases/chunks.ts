import {
  bytesOf,
  creating,
  inChunks,
  type Parts,
  type Place,
  soundBody,
  trapOf,
  withLength,
  withLine,
} from '../../generators/wire/wire-case.ts';
import {
  type Expectation,
  either,
  type RobustnessSection,
  refused,
  refusedMostly,
  row,
  unfinished,
} from '../robustness-case.ts';

const chunk = 'RFC 9112, 7.1';
const coding = 'RFC 9112, 6.1 and 6.3';
const hex = soundBody.length.toString(16);
const last = '0\r\n\r\n';
/** A recipient has to know chunks, and may ask for a length all the same (RFC 9112, clauses 7.1 and 6.3). */
const known: Expectation = { right: [201, 411] };
/** What ends where cannot be known. */
const faulty: Expectation = { right: [400], tolerable: ['4xx', 501, 'closed'] };
/** The coding that is last is not chunked, or is not known. */
const unknown: Expectation = { right: [400, 501], tolerable: ['4xx', 'closed'] };
const coded =
  (body: string, ...codings: readonly string[]) =>
  (at: Place): Parts =>
    withLine(
      { ...creating(at), body },
      ...(codings.length === 0 ? ['chunked'] : codings).map((one) => `Transfer-Encoding: ${one}`),
    );
const named = (...codings: readonly string[]) => coded(`${hex}\r\n${soundBody}\r\n${last}`, ...codings);
const post = { methods: ['POST'] };

export const chunks: RobustnessSection = {
  number: 5,
  title: 'Transfer coding',
  cases: [
    row('5.1', 'a body in one chunk', named(), chunk, known),
    row('5.2', 'a body in chunks of one byte', (at) => inChunks(creating(at), 1), chunk, known),
    row(
      '5.3',
      'chunk sizes in capital letters, with zeros before them',
      coded(`000${hex.toUpperCase()}\r\n${soundBody}\r\n000\r\n\r\n`),
      chunk,
      known,
    ),
    row(
      '5.4',
      'extensions that nobody knows',
      coded(`${hex};x=y;z="\\""\r\n${soundBody}\r\n${last}`),
      'RFC 9112, 7.1.1',
      { ...known, tolerable: ['4xx', 'closed'] },
    ),
    row(
      '5.5',
      'extensions of 40,000 bytes',
      coded(`${hex};${'x'.repeat(40_000)}\r\n${soundBody}\r\n${last}`),
      'RFC 9112, 7.1.1',
      { right: ['4xx', 201, 'closed'] },
    ),
    row('5.6', 'a trailer', coded(`${hex}\r\n${soundBody}\r\n0\r\nX: x\r\n\r\n`), 'RFC 9112, 7.1.2', known),
    row(
      '5.7',
      'a trailer that names a length',
      coded(`${hex}\r\n${soundBody}\r\n0\r\nContent-Length: 5\r\n\r\n`),
      'RFC 9110, 6.5.1',
      { ...known, tolerable: ['4xx', 'closed'] },
    ),
    row(
      '5.8',
      'a trailer without a colon',
      coded(`${hex}\r\n${soundBody}\r\n0\r\nX\r\n\r\n`),
      'RFC 9112, 7.1.2',
      refusedMostly,
    ),
    row(
      '5.9',
      'a trailer of 100,000 bytes',
      coded(`${hex}\r\n${soundBody}\r\n0\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`),
      'RFC 9112, 7.1.2; RFC 9110, 5.4',
      either,
    ),
    row('5.10', 'no content in chunks', coded(last), 'TS-0004, 7.2.2.2', {
      right: [400, 411],
      tolerable: ['4xx', 501, 'closed'],
    }),
    row('5.11', 'a chunk size that is no number', coded(`x\r\n${soundBody}\r\n${last}`), chunk, faulty),
    row('5.12', 'a negative chunk size', coded(`-${hex}\r\n${soundBody}\r\n${last}`), chunk, faulty),
    row('5.13', 'a chunk size with a plus', coded(`+${hex}\r\n${soundBody}\r\n${last}`), chunk, refusedMostly),
    row('5.14', 'a chunk size with 0x', coded(`0x${hex}\r\n${soundBody}\r\n${last}`), chunk, refusedMostly),
    row(
      '5.15',
      'a chunk size with an underscore',
      coded(`${hex[0]}_${hex.slice(1)}\r\n${soundBody}\r\n${last}`),
      chunk,
      refusedMostly,
    ),
    row('5.16', 'a space before a chunk size', coded(` ${hex}\r\n${soundBody}\r\n${last}`), chunk, refusedMostly),
    row('5.17', 'an empty chunk size', coded(`\r\n${soundBody}\r\n${last}`), chunk, faulty),
    row('5.18', 'a chunk size of 40 digits', coded(`${'f'.repeat(40)}\r\n${soundBody}\r\n${last}`), chunk, {
      right: [413, 400, 'silence', 'closed', 408],
      tolerable: ['4xx', 501],
      methods: ['POST'],
    }),
    row(
      '5.19',
      'a chunk size that 64 bits do not hold',
      coded(`1${'0'.repeat(14)}${hex}\r\n${soundBody}\r\n${last}`),
      chunk,
      { right: [413, 400, 'silence', 'closed', 408], tolerable: ['4xx', 501], methods: ['POST'] },
    ),
    row('5.20', 'a chunk longer than its size', coded(`5\r\n${soundBody}\r\n${last}`), chunk, faulty),
    row('5.21', 'a chunk without a line end', coded(`${hex}\r\n${soundBody}${last}`), chunk, refusedMostly),
    row(
      '5.22',
      'chunk lines that end with a line feed alone',
      coded(`${hex}\n${soundBody}\n0\n\n`),
      chunk,
      refusedMostly,
    ),
    row('5.23', 'a line feed in an extension', coded(`${hex};x\n\r\n${soundBody}\r\n${last}`), chunk, refusedMostly),
    row('5.24', 'a chunk shorter than its size', coded(`fff\r\n${soundBody}\r\n`), 'RFC 9112, 8', {
      ...unfinished,
      ...post,
    }),
    row('5.25', 'chunks without the last one', coded(`${hex}\r\n${soundBody}\r\n`), 'RFC 9112, 8', {
      ...unfinished,
      ...post,
    }),
    row('5.26', 'a last chunk without its end', coded(`${hex}\r\n${soundBody}\r\n0\r\n`), 'RFC 9112, 8', {
      ...unfinished,
      ...post,
      mayStoreUnanswered: true,
    }),
    row('5.27', 'the coding gzip alone', named('gzip'), coding, { ...unknown, closes: true }),
    row('5.28', 'gzip, then chunked', named('gzip, chunked'), coding, {
      right: [501, 400, 415],
      tolerable: ['4xx', 'closed'],
    }),
    row('5.29', 'chunked, then gzip', named('chunked, gzip'), coding, { ...unknown, closes: true }),
    row('5.30', 'a coding that nobody knows', named('xchunked'), coding, { ...unknown, closes: true }),
    row('5.31', 'identity', named('identity'), coding, { ...unknown, closes: true }),
    row('5.32', 'chunked in quotes', named('"chunked"'), coding, { ...unknown, closes: true }),
    row('5.33', 'a vertical tab before chunked', named('\x0bchunked'), coding, { ...unknown, closes: true }),
    row('5.34', 'an empty coding', named(''), coding, { right: [400, 501], tolerable: ['2xx', '4xx', 'closed'] }),
    row('5.35', 'chunked in two lines', named('chunked', 'chunked'), coding, refusedMostly),
    row('5.36', 'Chunked with a capital letter', named('Chunked'), 'RFC 9110, 5.6.2; RFC 9112, 7', known),
    row(
      '5.37',
      'a space before the colon of the coding',
      (at) => withLine({ ...creating(at), body: `${hex}\r\n${soundBody}\r\n${last}` }, 'Transfer-Encoding : chunked'),
      'RFC 9112, 5.1',
      refused,
    ),
    row('5.38', 'chunks and a length', (at) => withLine(named()(at), 'Content-Length: 5'), coding, {
      right: [400, 201],
      tolerable: ['4xx', 'closed'],
      closes: true,
    }),
    row(
      '5.39',
      'a length and chunks that end before a request',
      (at) => withLength(coded(`${hex}\r\n${soundBody}\r\n${last}${trapOf(at)}`)(at)),
      coding,
      { right: [400, 201], tolerable: ['4xx', 'closed'], closes: true },
    ),
    row(
      '5.40',
      'a length that ends before chunks do, which hold a request',
      (at) =>
        withLine(
          {
            ...creating(at),
            body: bytesOf({ ...inChunks({ ...creating(at), body: trapOf(at) }, 4096) })
              .split('\r\n\r\n')
              .slice(1)
              .join('\r\n\r\n'),
          },
          'Content-Length: 4',
          'Transfer-Encoding: chunked',
        ),
      coding,
      { ...refused, closes: true },
    ),
    row('5.41', 'chunks in HTTP/1.0', (at) => ({ ...named()(at), version: 'HTTP/1.0' }), 'RFC 9112, 6.1', {
      right: [400, 201],
      tolerable: ['4xx', 501, 'closed'],
      closes: true,
    }),
    row(
      '5.42',
      'two codings that are hidden from each other',
      (at) => withLine(named('chunked')(at), 'Transfer-encoding: cow'),
      coding,
      { ...unknown, closes: true },
    ),
    row(
      '5.43',
      'a body in chunks that is a request',
      (at) => inChunks({ ...creating(at), body: trapOf(at) }, 16),
      'RFC 9112, 11.2',
      { right: [400, 411], tolerable: ['4xx', 'closed'] },
    ),
  ],
};
