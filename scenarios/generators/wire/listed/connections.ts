import type { Turn } from '../../../engine/targets/target.ts';
import { bytesOf, type Place, reading } from '../wire-case.ts';
import { type Sending, section } from './robustness-case.ts';
import { posted } from './sent.ts';

const closing = 'RFC 9112, 9.5 and 9.6';
const moment = 300;
const turn = (bytes: string, more: Partial<Turn> = {}): Turn => ({
  bytes: Buffer.from(bytes, 'latin1'),
  methods: [],
  within: moment,
  ...more,
});
const get = (at: Place) => bytesOf(reading(at));
const post = (at: Place) => bytesOf(posted()(at));
const halfOfGet = (at: Place) => get(at).slice(0, get(at).length / 2);
const shortPost = (at: Place) => post(at).slice(0, -5);
const brokenOff = 'closed 400 408 | 4xx 500 silence';
/** What these clients do is no affair of the next one. */
const crowd = (connections: number, turn: (at: Place) => Turn): Sending => ({ kind: 'crowd', connections, turn });
const resetting = (connections: number, write: (at: Place) => string): Sending =>
  crowd(connections, (at) => turn(write(at), { afterwards: 'reset' }));
/** The client closes its side after these bytes. */
const ending = (method: string, write: (at: Place) => string): Sending => ({
  kind: 'turns',
  turns: (at, within) => [turn(write(at), { methods: [method], within, afterwards: 'end' })],
});

export const connections = section(13, 'Connections', [
  ['a client that closes its side after a GET', ending('GET', get), closing, '2xx | closed'],
  ['a client that closes its side after a POST', ending('POST', post), closing, '201 | closed'],
  ['a client that closes its side in a head', ending('GET', halfOfGet), 'RFC 9112, 8', brokenOff],
  ['a client that closes its side in a body', ending('POST', shortPost), 'RFC 9112, 8', brokenOff],
  ['a client that resets after a GET', resetting(1, get), closing, '2xx'],
  ['twenty clients that reset in a head', resetting(20, halfOfGet), closing, '2xx'],
  ['twenty clients that reset in a body', resetting(20, shortPost), closing, '2xx'],
  ['twenty clients that say nothing', crowd(20, () => turn('')), closing, '2xx'],
  ['twenty clients that stop in a head', crowd(20, (at) => turn(halfOfGet(at))), closing, '2xx'],
  ['twenty clients that stop in a body', crowd(20, (at) => turn(shortPost(at))), closing, '2xx'],
  ['twenty clients that never read', crowd(20, (at) => turn(get(at).repeat(50))), closing, '2xx'],
  ['a hundred clients that come and go', crowd(100, () => turn('', { within: 1 })), closing, '2xx'],
]);

const handshake = 'RFC 8446, 4 and 6';
const ended = 'closed no HTTP silence | 4xx';
const plain = { over: 'plain TCP' } as const;
const hello = '\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03\x03';

export const tls = section(14, 'TLS', [
  [
    'a request in clear',
    { kind: 'unfinished', sent: [reading] },
    handshake,
    'closed no HTTP 400 497 | 4xx 3xx silence',
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
