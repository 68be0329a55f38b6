import { creating, type Parts, type Place, soundBody, trapOf, withLength, withLine } from '../wire-case.ts';
import { either, endless, refused, section, unfinished } from './robustness-case.ts';
import {
  also,
  closes,
  gotAs,
  listed,
  measured,
  nowhereBelow,
  otherwise,
  posted,
  postedAsText,
  trap,
  unmeasured,
} from './sent.ts';

const length = 'RFC 9112, 6.3';
const whole = soundBody.length;
const said = (...values: ReadonlyArray<string | number>) =>
  unmeasured(...values.map((value) => `Content-Length: ${value}`));
/** What is no length is refused with 400, and the connection ends. */
const noLength = ['400 | 4xx 501 closed', 'http.contradicting-lengths'] as const;
/** A request stands where the body of another does: it may be refused, but never be carried out. */
const trapped =
  (method: string, ...headers: readonly string[]) =>
  (at: Place): Parts =>
    withLength(withLine({ ...nowhereBelow(at), method, body: trapOf(at) }, ...headers));

export const lengths = section(4, 'Length of the body', [
  ['a POST as it should be', posted(), 'RFC 9112, 6.2; TS-0009, 6.2.1', '201'],
  ['a negative length', said(-1), length, noLength, closes],
  ['a length with a sign', said(`+${whole}`), length, noLength, closes],
  ['a length with a fraction', said(`${whole}.0`), length, noLength, closes],
  ['a length in hexadecimal', said(`0x${whole.toString(16)}`), length, noLength, closes],
  ['a length in words', said('many'), length, noLength, closes],
  ['an empty length', said(''), length, noLength, closes],
  ['a length of 40 digits', said('9'.repeat(40)), 'RFC 9110, 8.6', endless],
  ['a length with an exponent', said('1e1'), length, noLength, closes],
  ['a length in quotes', said(`"${whole}"`), length, noLength, closes],
  ['a length with a semicolon', said(`${whole};`), length, noLength, closes],
  ['a length with a space in it', said(`${whole} ${whole}`), length, noLength, closes],
  ['a length of superscript digits', said('\xb2\xb3'), length, noLength, closes],
  ['a length with an underscore', said('4_4'), length, noLength, closes],
  ['two lengths that differ', said(whole, whole + 1), length, noLength, closes],
  ['a list of lengths that differ', said(`${whole}, ${whole + 1}`), length, noLength, closes],
  ['the same length twice', said(whole, whole), length, either],
  ['a list of the same length', said(`${whole}, ${whole}`), length, either],
  ['zeros before the length', said(`000${whole}`), 'RFC 9110, 8.6', either],
  ['a length shorter than the body', said(whole - 5), 'RFC 9112, 6.3; TS-0004, 6.2.4', [refused, 'body.broken-json']],
  ['a length longer than the body', said(whole + 5), 'RFC 9112, 8', unfinished],
  ['a POST without a length and without a body', otherwise(creating, { body: '' }), length, '400 411 | 4xx 501 closed'],
  ['a POST whose length is 0', posted(''), 'TS-0004, 7.2.2.2', '400 | 4xx 501 closed'],
  ['a GET with a body', measured(gotAs({ body: '{}' })), 'RFC 9110, 9.3.1', either],
  ['a GET whose body is a request', trapped('GET'), 'RFC 9110, 9.3.1; RFC 9112, 11.2', '4xx 2xx closed'],
  ['a DELETE whose body is a request', trapped('DELETE'), 'RFC 9110, 9.3.5; RFC 9112, 11.2', '4xx 501 closed'],
  ['an unknown method whose body is a request', trapped('BREW'), 'RFC 9112, 11.2', '4xx 501 closed'],
  ['OPTIONS whose body is a request', trapped('OPTIONS'), 'RFC 9112, 11.2', '2xx 4xx 501 closed'],
  [
    'a POST of another content type whose body is a request',
    postedAsText(trapOf),
    'RFC 9112, 11.2',
    '415 400 | 4xx 501 closed',
  ],
  ['a POST whose body is a request', measured(trap), 'RFC 9112, 11.2', refused],
  ['a length that is none above a body that is a request', also(trap, 'Content-Length: 1x'), length, noLength, closes],
  ['a question before the body', posted(soundBody, 'Expect: 100-continue'), 'RFC 9110, 10.1.1', '201 417 | 4xx closed'],
  [
    'a question before a body that is a request',
    trapped('BREW', 'Expect: 100-continue'),
    'RFC 9110, 10.1.1; RFC 9112, 11.2',
    '4xx 501 closed',
  ],
  ['a body with line ends behind it', otherwise(posted(), { body: `${soundBody}\r\n` }), 'RFC 9112, 2.2', '201'],
  [
    'a DELETE of nothing without a length',
    otherwise(nowhereBelow, { method: 'DELETE' }),
    'TS-0009, 6.3.2',
    '404 | 4xx',
  ],
]);

const size = 'RFC 9110, 15.5.14; TS-0004, 7.4.7';
/** Aa and BB have the same hash in many tables of keys. */
const colliding = (at: number) => at.toString(2).padStart(13, '0').replaceAll('0', 'Aa').replaceAll('1', 'BB');
const limit = '201 413 | 4xx 503 507 closed';
const sized = (attributes: string) => posted(`{"m2m:cin":{"cnf":"text/plain:0",${attributes}}}`);
/** With a body that does not come. */
const announced = (length: string) => also(otherwise(creating, { body: '' }), `Content-Length: ${length}`);

export const sizes = section(12, 'Sizes', [
  ['content of nothing', sized('"con":""'), size, '201 | 4xx'],
  ['content of 60,000 characters', sized(`"con":"${'x'.repeat(60_000)}"`), size, limit],
  ['content of 900,000 characters', sized(`"con":"${'x'.repeat(900_000)}"`), size, limit],
  ['content of 3,000,000 characters', sized(`"con":"${'x'.repeat(3_000_000)}"`), size, limit],
  ['a name of 3,000 characters', sized(`"con":"a","rn":"${'x'.repeat(3000)}"`), size, limit],
  ['ten thousand labels', sized(`"con":"a","lbl":[${listed(10_000, (at) => `"${at}"`)}]`), size, limit],
  [
    'ten thousand attributes that nobody knows',
    sized(`"con":"a",${listed(10_000, (at) => `"x${at}":1`)}`),
    size,
    '4xx | 201 closed',
  ],
  [
    'keys that are made to collide',
    sized(`"con":"a",${listed(5000, (at) => `"${colliding(at)}":1`)}`),
    size,
    '4xx | 201 closed',
  ],
  ['white space of 500,000 characters', posted(`${' '.repeat(500_000)}${soundBody}`), 'RFC 8259, 2 and 9', limit],
  ['a body of ten gigabytes that is only announced', announced('10737418240'), size, '413 silence closed 408 | 4xx'],
  ['a length of 2^63', announced('9223372036854775808'), size, '413 400 silence closed 408 | 4xx'],
  [
    'a length of 2^32 above a body',
    unmeasured('Content-Length: 4294967340'),
    'RFC 9112, 6.3',
    '413 silence closed 408 | 4xx',
  ],
]);
