import { bytesOf, type Place, reading } from '../../generators/wire/wire-case.ts';
import { caseOf, type Expectation, type RobustnessCase, type RobustnessSection } from '../robustness-case.ts';

const handshake = 'RFC 8446, 4 and 6';
const ended: Expectation = { right: ['closed', 'no HTTP', 'silence'], tolerable: ['4xx'] };
const over = (
  number: string,
  title: string,
  bytes: (at: Place) => string,
  clause: string,
  facts: Expectation,
): RobustnessCase => caseOf(number, title, { kind: 'unfinished', bytes }, clause, { ...facts, over: 'plain TCP' });
const hello = '\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03\x03';

export const tls: RobustnessSection = {
  number: 14,
  title: 'TLS',
  cases: [
    over('14.1', 'a request in clear', (at) => bytesOf(reading(at)), handshake, {
      right: ['closed', 'no HTTP', 400, 497],
      tolerable: ['4xx', '3xx', 'silence'],
    }),
    over('14.2', 'a greeting that breaks off', () => hello, handshake, ended),
    over('14.3', 'a greeting of zero bytes', () => `${hello}${'\0'.repeat(189)}`, handshake, ended),
    over(
      '14.4',
      'a record longer than any',
      () => `\x16\x03\x01\xff\xff${'\x01'.repeat(2000)}`,
      'RFC 8446, 5.1',
      ended,
    ),
    over('14.5', 'a record of a type that nobody knows', () => '\x63\x03\x03\x00\x05abcde', 'RFC 8446, 5.1', ended),
    over('14.6', 'an alert in the place of a greeting', () => '\x15\x03\x03\x00\x02\x02\x28', 'RFC 8446, 6', ended),
    over('14.7', 'data before any handshake', () => '\x17\x03\x03\x00\x05abcde', 'RFC 8446, 5', ended),
    over('14.8', 'bytes over 127', () => '\xff'.repeat(300), 'RFC 8446, 5.1', ended),
    over(
      '14.9',
      'the greeting of SSL 2',
      () => '\x80\x2e\x01\x00\x02\x00\x15\x00\x00\x00\x10',
      'RFC 8446, 4.1.2',
      ended,
    ),
    caseOf(
      '14.10',
      'a request over TLS 1.2',
      { kind: 'request', bytes: (at) => bytesOf(reading(at)) },
      'RFC 9110, 4.2.2; TS-0009, 7.2',
      { right: ['2xx'], tolerable: ['closed'], over: 'TLS 1.2' },
    ),
    caseOf(
      '14.11',
      'a request over TLS 1.3',
      { kind: 'request', bytes: (at) => bytesOf(reading(at)) },
      'RFC 9110, 4.2.2; TS-0009, 7.2',
      { right: ['2xx'], tolerable: ['closed'], over: 'TLS 1.3' },
    ),
  ],
};
