import {
  creating,
  type Parts,
  type Place,
  reading,
  removing,
  soundBody,
  trapOf,
  withLength,
  withLine,
} from '../../generators/wire/wire-case.ts';
import { type Expectation, either, type RobustnessSection, refused, row, unfinished } from '../robustness-case.ts';

const length = 'RFC 9112, 6.3';
const whole = soundBody.length;
const said =
  (...values: ReadonlyArray<string | number>) =>
  (at: Place): Parts =>
    withLine(creating(at), ...values.map((value) => `Content-Length: ${value}`));
/** What is no length is refused with 400, and the connection ends. */
const noLength: Expectation & { readonly closes: true } = {
  right: [400],
  tolerable: ['4xx', 501, 'closed'],
  closes: true,
};
/** A request stands where the body of another does: it may be refused, but never be carried out. */
const trapped =
  (method: string, ...headers: readonly string[]) =>
  (at: Place): Parts =>
    withLength(withLine({ ...reading(at), method, target: `${at.container}/nowhere`, body: trapOf(at) }, ...headers));

export const lengths: RobustnessSection = {
  number: 4,
  title: 'Length of the body',
  cases: [
    row('4.1', 'a POST as it should be', (at) => withLength(creating(at)), 'RFC 9112, 6.2; TS-0009, 6.2.1', {
      right: [201],
    }),
    row('4.2', 'a negative length', said(-1), length, noLength),
    row('4.3', 'a length with a sign', said(`+${whole}`), length, noLength),
    row('4.4', 'a length with a fraction', said(`${whole}.0`), length, noLength),
    row('4.5', 'a length in hexadecimal', said(`0x${whole.toString(16)}`), length, noLength),
    row('4.6', 'a length in words', said('many'), length, noLength),
    row('4.7', 'an empty length', said(''), length, noLength),
    row('4.8', 'a length of 40 digits', said('9'.repeat(40)), 'RFC 9110, 8.6', {
      right: [413, 400, 'silence', 'closed', 408],
      tolerable: ['4xx', 501],
    }),
    row('4.9', 'a length with an exponent', said('1e1'), length, noLength),
    row('4.10', 'a length in quotes', said(`"${whole}"`), length, noLength),
    row('4.11', 'a length with a semicolon', said(`${whole};`), length, noLength),
    row('4.12', 'a length with a space in it', said(`${whole} ${whole}`), length, noLength),
    row('4.13', 'a length of superscript digits', said('\xb2\xb3'), length, noLength),
    row('4.14', 'a length with an underscore', said('4_4'), length, noLength),
    row('4.15', 'two lengths that differ', said(whole, whole + 1), length, noLength),
    row('4.16', 'a list of lengths that differ', said(`${whole}, ${whole + 1}`), length, noLength),
    row('4.17', 'the same length twice', said(whole, whole), length, either),
    row('4.18', 'a list of the same length', said(`${whole}, ${whole}`), length, either),
    row('4.19', 'zeros before the length', said(`000${whole}`), 'RFC 9110, 8.6', either),
    row('4.20', 'a length shorter than the body', said(whole - 5), 'RFC 9112, 6.3; TS-0004, 6.2.4', refused),
    row('4.21', 'a length longer than the body', said(whole + 5), 'RFC 9112, 8', { ...unfinished, methods: ['POST'] }),
    row('4.22', 'a POST without a length and without a body', (at) => creating(at, ''), length, {
      right: [400, 411],
      tolerable: ['4xx', 501, 'closed'],
    }),
    row('4.23', 'a POST whose length is 0', (at) => withLength(creating(at, '')), 'TS-0004, 7.2.2.2', {
      right: [400],
      tolerable: ['4xx', 501, 'closed'],
    }),
    row('4.24', 'a GET with a body', (at) => withLength({ ...reading(at), body: '{}' }), 'RFC 9110, 9.3.1', either),
    row('4.25', 'a GET whose body is a request', trapped('GET'), 'RFC 9110, 9.3.1; RFC 9112, 11.2', {
      right: ['4xx', '2xx', 'closed'],
    }),
    row('4.26', 'a DELETE whose body is a request', trapped('DELETE'), 'RFC 9110, 9.3.5; RFC 9112, 11.2', {
      right: ['4xx', 501, 'closed'],
    }),
    row('4.27', 'an unknown method whose body is a request', trapped('BREW'), 'RFC 9112, 11.2', {
      right: ['4xx', 501, 'closed'],
    }),
    row('4.28', 'OPTIONS whose body is a request', trapped('OPTIONS'), 'RFC 9112, 11.2', {
      right: ['2xx', '4xx', 501, 'closed'],
    }),
    row(
      '4.29',
      'a POST of another content type whose body is a request',
      (at) => withLength({ ...creating(at, trapOf(at)), headers: [...at.usual, 'Content-Type: text/plain'] }),
      'RFC 9112, 11.2',
      refusedTypes(),
    ),
    row(
      '4.30',
      'a POST whose body is a request',
      (at) => withLength(creating(at, trapOf(at))),
      'RFC 9112, 11.2',
      refused,
    ),
    row(
      '4.31',
      'a length that is none above a body that is a request',
      (at) => withLine(creating(at, trapOf(at)), 'Content-Length: 1x'),
      length,
      { ...noLength, methods: ['POST'] },
    ),
    row(
      '4.32',
      'a question before the body',
      (at) => withLine(withLength(creating(at)), 'Expect: 100-continue'),
      'RFC 9110, 10.1.1',
      { right: [201, 417], tolerable: ['4xx', 'closed'] },
    ),
    row(
      '4.33',
      'a question before a body that is a request',
      trapped('BREW', 'Expect: 100-continue'),
      'RFC 9110, 10.1.1; RFC 9112, 11.2',
      { right: ['4xx', 501, 'closed'] },
    ),
    row(
      '4.34',
      'a body with line ends behind it',
      (at) => {
        const sound = withLength(creating(at));
        return { ...sound, body: `${sound.body}\r\n` };
      },
      'RFC 9112, 2.2',
      { right: [201] },
    ),
    row(
      '4.35',
      'a DELETE of nothing without a length',
      (at) => ({ ...removing(at), target: `${at.container}/nowhere` }),
      'TS-0009, 6.3.2',
      { right: [404], tolerable: ['4xx'] },
    ),
  ],
};

function refusedTypes(): Expectation {
  return { right: [415, 400], tolerable: ['4xx', 501, 'closed'] };
}
