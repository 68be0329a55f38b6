import {
  creating,
  type Parts,
  type Place,
  reading,
  soundBody,
  trapOf,
  withLength,
  withLine,
} from '../../generators/wire/wire-case.ts';
import { either, refused, section, unfinished } from '../robustness-case.ts';
import { isPost, nowhereBelow, posted, postedAsText, trap, unmeasured } from './sent.ts';

const length = 'RFC 9112, 6.3';
const whole = soundBody.length;
const said = (...values: ReadonlyArray<string | number>) =>
  unmeasured(...values.map((value) => `Content-Length: ${value}`));
/** What is no length is refused with 400, and the connection ends. */
const noLength = { right: [400], tolerable: ['4xx', 501, 'closed'], closes: true } as const;
/** A request stands where the body of another does: it may be refused, but never be carried out. */
const trapped =
  (method: string, ...headers: readonly string[]) =>
  (at: Place): Parts =>
    withLength(withLine({ ...nowhereBelow(at), method, body: trapOf(at) }, ...headers));

export const lengths = section(4, 'Length of the body', [
  ['a POST as it should be', posted(), 'RFC 9112, 6.2; TS-0009, 6.2.1', '201'],
  ['a negative length', said(-1), length, noLength],
  ['a length with a sign', said(`+${whole}`), length, noLength],
  ['a length with a fraction', said(`${whole}.0`), length, noLength],
  ['a length in hexadecimal', said(`0x${whole.toString(16)}`), length, noLength],
  ['a length in words', said('many'), length, noLength],
  ['an empty length', said(''), length, noLength],
  ['a length of 40 digits', said('9'.repeat(40)), 'RFC 9110, 8.6', '413 400 silence closed 408 | 4xx 501'],
  ['a length with an exponent', said('1e1'), length, noLength],
  ['a length in quotes', said(`"${whole}"`), length, noLength],
  ['a length with a semicolon', said(`${whole};`), length, noLength],
  ['a length with a space in it', said(`${whole} ${whole}`), length, noLength],
  ['a length of superscript digits', said('\xb2\xb3'), length, noLength],
  ['a length with an underscore', said('4_4'), length, noLength],
  ['two lengths that differ', said(whole, whole + 1), length, noLength],
  ['a list of lengths that differ', said(`${whole}, ${whole + 1}`), length, noLength],
  ['the same length twice', said(whole, whole), length, either],
  ['a list of the same length', said(`${whole}, ${whole}`), length, either],
  ['zeros before the length', said(`000${whole}`), 'RFC 9110, 8.6', either],
  ['a length shorter than the body', said(whole - 5), 'RFC 9112, 6.3; TS-0004, 6.2.4', refused],
  ['a length longer than the body', said(whole + 5), 'RFC 9112, 8', unfinished, isPost],
  ['a POST without a length and without a body', (at) => creating(at, ''), length, '400 411 | 4xx 501 closed'],
  ['a POST whose length is 0', posted(''), 'TS-0004, 7.2.2.2', '400 | 4xx 501 closed'],
  ['a GET with a body', (at) => withLength({ ...reading(at), body: '{}' }), 'RFC 9110, 9.3.1', either],
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
  ['a POST whose body is a request', (at) => withLength(trap(at)), 'RFC 9112, 11.2', refused],
  [
    'a length that is none above a body that is a request',
    (at) => withLine(trap(at), 'Content-Length: 1x'),
    length,
    noLength,
    isPost,
  ],
  ['a question before the body', posted(soundBody, 'Expect: 100-continue'), 'RFC 9110, 10.1.1', '201 417 | 4xx closed'],
  [
    'a question before a body that is a request',
    trapped('BREW', 'Expect: 100-continue'),
    'RFC 9110, 10.1.1; RFC 9112, 11.2',
    '4xx 501 closed',
  ],
  [
    'a body with line ends behind it',
    (at) => ({
      ...posted()(at),
      body: `${soundBody}\r\n`,
    }),
    'RFC 9112, 2.2',
    '201',
  ],
  [
    'a DELETE of nothing without a length',
    (at) => ({ ...nowhereBelow(at), method: 'DELETE' }),
    'TS-0009, 6.3.2',
    '404 | 4xx',
  ],
]);
