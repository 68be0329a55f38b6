import { bytesOf, reading } from '../../generators/wire/wire-case.ts';
import { type Expectation, section } from '../robustness-case.ts';

const handshake = 'RFC 8446, 4 and 6';
const ended: Expectation = { right: ['closed', 'no HTTP', 'silence'], tolerable: ['4xx'] };
const plain = { over: 'plain TCP' } as const;
const hello = '\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03\x03';

export const tls = section(14, 'TLS', [
  [
    'a request in clear',
    { kind: 'unfinished', bytes: (at) => bytesOf(reading(at)) },
    handshake,
    { right: ['closed', 'no HTTP', 400, 497], tolerable: ['4xx', '3xx', 'silence'] },
    plain,
  ],
  ['a greeting that breaks off', () => hello, handshake, ended, plain],
  ['a greeting of zero bytes', () => `${hello}${'\0'.repeat(189)}`, handshake, ended, plain],
  ['a record longer than any', () => `\x16\x03\x01\xff\xff${'\x01'.repeat(2000)}`, 'RFC 8446, 5.1', ended, plain],
  ['a record of a type that nobody knows', () => '\x63\x03\x03\x00\x05abcde', 'RFC 8446, 5.1', ended, plain],
  ['an alert in the place of a greeting', () => '\x15\x03\x03\x00\x02\x02\x28', 'RFC 8446, 6', ended, plain],
  ['data before any handshake', () => '\x17\x03\x03\x00\x05abcde', 'RFC 8446, 5', ended, plain],
  ['bytes over 127', () => '\xff'.repeat(300), 'RFC 8446, 5.1', ended, plain],
  ['the greeting of SSL 2', () => '\x80\x2e\x01\x00\x02\x00\x15\x00\x00\x00\x10', 'RFC 8446, 4.1.2', ended, plain],
  ['a request over TLS 1.2', reading, 'RFC 9110, 4.2.2; TS-0009, 7.2', '2xx | closed', { over: 'TLS 1.2' }],
  ['a request over TLS 1.3', reading, 'RFC 9110, 4.2.2; TS-0009, 7.2', '2xx | closed', { over: 'TLS 1.3' }],
]);
