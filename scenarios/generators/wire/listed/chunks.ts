import { creating, inChunks, chunks as pieces, soundBody, trapOf, withLine } from '../wire-case.ts';
import { either, endless, refused, refusedMostly, section, unfinished } from './robustness-case.ts';
import { also, closes, measured, otherwise, trap } from './sent.ts';

const chunk = 'RFC 9112, 7.1';
const coding = 'RFC 9112, 6.1 and 6.3';
const hex = soundBody.length.toString(16);
const last = '0\r\n\r\n';
/** A recipient has to know chunks, and may ask for a length all the same (RFC 9112, clauses 7.1 and 6.3). */
const known = '201 411';
const knownMostly = '201 411 | 4xx closed';
/** What ends where cannot be known. */
const faulty = ['400 | 4xx 501 closed', 'http.not-http'] as const;
/** The coding that is last is not chunked, or is not known. */
const unknown = ['400 501 | 4xx closed', 'http.not-http'] as const;
const coded = (body: string, codings: readonly string[] = ['chunked']) =>
  also(otherwise(creating, { body }), ...codings.map((one) => `Transfer-Encoding: ${one}`));
/** The sound body below this chunk size, and above this end. */
const framed = (size: string, end = last) => `${size}\r\n${soundBody}\r\n${end}`;
const sized = (size: string) => coded(framed(size));
const ending = (end: string) => coded(framed(hex, end));
const named = (...codings: readonly string[]) => coded(framed(hex), codings);

export const chunks = section(5, 'Transfer coding', [
  ['a body in one chunk', ending(last), chunk, known],
  ['a body in chunks of one byte', (at) => inChunks(creating(at), 1), chunk, known],
  [
    'chunk sizes in capital letters, with zeros before them',
    coded(`000${hex.toUpperCase()}\r\n${soundBody}\r\n000\r\n\r\n`),
    chunk,
    known,
  ],
  ['extensions that nobody knows', sized(`${hex};x=y;z="\\""`), 'RFC 9112, 7.1.1', knownMostly],
  ['extensions of 40,000 bytes', sized(`${hex};${'x'.repeat(40_000)}`), 'RFC 9112, 7.1.1', '4xx 201 closed'],
  ['a trailer', ending('0\r\nX: x\r\n\r\n'), 'RFC 9112, 7.1.2', known],
  ['a trailer that names a length', ending('0\r\nContent-Length: 5\r\n\r\n'), 'RFC 9110, 6.5.1', knownMostly],
  ['a trailer without a colon', ending('0\r\nX\r\n\r\n'), 'RFC 9112, 7.1.2', refusedMostly],
  [
    'a trailer of 100,000 bytes',
    ending(`0\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`),
    'RFC 9112, 7.1.2; RFC 9110, 5.4',
    either,
  ],
  ['no content in chunks', coded(last), 'TS-0004, 7.2.2.2', '400 411 | 4xx 501 closed'],
  ['a chunk size that is no number', sized('x'), chunk, faulty],
  ['a negative chunk size', sized(`-${hex}`), chunk, faulty],
  ['a chunk size with a plus', sized(`+${hex}`), chunk, refusedMostly],
  ['a chunk size with 0x', sized(`0x${hex}`), chunk, refusedMostly],
  ['a chunk size with an underscore', sized(`${hex[0]}_${hex.slice(1)}`), chunk, refusedMostly],
  ['a space before a chunk size', sized(` ${hex}`), chunk, refusedMostly],
  ['an empty chunk size', sized(''), chunk, faulty],
  ['a chunk size of 40 digits', sized('f'.repeat(40)), chunk, endless],
  ['a chunk size that 64 bits do not hold', sized(`1${'0'.repeat(14)}${hex}`), chunk, endless],
  ['a chunk longer than its size', sized('5'), chunk, faulty],
  ['a chunk without a line end', coded(`${hex}\r\n${soundBody}${last}`), chunk, refusedMostly],
  ['chunk lines that end with a line feed alone', coded(`${hex}\n${soundBody}\n0\n\n`), chunk, refusedMostly],
  ['a line feed in an extension', sized(`${hex};x\n`), chunk, refusedMostly],
  ['a chunk shorter than its size', coded(`fff\r\n${soundBody}\r\n`), 'RFC 9112, 8', unfinished],
  ['chunks without the last one', ending(''), 'RFC 9112, 8', unfinished],
  ['a last chunk without its end', ending('0\r\n'), 'RFC 9112, 8', unfinished, { mayStoreUnanswered: true }],
  ['the coding gzip alone', named('gzip'), coding, unknown, closes],
  ['gzip, then chunked', named('gzip, chunked'), coding, '501 400 415 | 4xx closed'],
  ['chunked, then gzip', named('chunked, gzip'), coding, unknown, closes],
  ['a coding that nobody knows', named('xchunked'), coding, unknown, closes],
  ['identity', named('identity'), coding, unknown, closes],
  ['chunked in quotes', named('"chunked"'), coding, unknown, closes],
  ['a vertical tab before chunked', named('\x0bchunked'), coding, unknown, closes],
  ['an empty coding', named(''), coding, '400 501 | 2xx 4xx closed'],
  ['chunked in two lines', named('chunked', 'chunked'), coding, refusedMostly],
  ['Chunked with a capital letter', named('Chunked'), 'RFC 9110, 5.6.2; RFC 9112, 7', known],
  [
    'a space before the colon of the coding',
    also(otherwise(creating, { body: framed(hex) }), 'Transfer-Encoding : chunked'),
    'RFC 9112, 5.1',
    refused,
  ],
  ['chunks and a length', also(ending(last), 'Content-Length: 5'), coding, '400 201 | 4xx closed', closes],
  [
    'a length and chunks that end before a request',
    measured((at) => coded(framed(hex) + trapOf(at))(at)),
    coding,
    '400 201 | 4xx closed',
    closes,
  ],
  [
    'a length that ends before chunks do, which hold a request',
    (at) => withLine(creating(at, pieces(trapOf(at), 4096)), 'Content-Length: 4', 'Transfer-Encoding: chunked'),
    coding,
    refused,
    closes,
  ],
  [
    'chunks in HTTP/1.0',
    otherwise(ending(last), { version: 'HTTP/1.0' }),
    'RFC 9112, 6.1',
    '400 201 | 4xx 501 closed',
    closes,
  ],
  [
    'two codings that are hidden from each other',
    also(ending(last), 'Transfer-encoding: cow'),
    coding,
    unknown,
    closes,
  ],
  ['a body in chunks that is a request', (at) => inChunks(trap(at), 16), 'RFC 9112, 11.2', '400 411 | 4xx closed'],
]);
