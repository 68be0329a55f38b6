import { bytesOf, reading, soundBody } from '../wire-case.ts';
import { section, served } from './robustness-case.ts';
import {
  also,
  closes,
  got,
  gotAs,
  measured,
  nowhereBelow,
  otherwise,
  posted,
  postedAsText,
  trap,
  unmeasured,
} from './sent.ts';

const pipelined = 'RFC 9112, 9.3.2';
/** A server may close after any answer; the client sends the rest again (RFC 9112, clause 9.3.2). */
const both = '2xx | closed';
const noRequest = () => '\x01\x02\x03\r\n\r\n';
/** The upgrade is not taken; the message is a request like any other (RFC 9110, clause 7.8). */
const notUpgraded = '2xx | 4xx 501 closed';
const upgrading = (protocol: string) => got('Connection: Upgrade', `Upgrade: ${protocol}`);

export const pipelining = section(6, 'Several requests on a connection', [
  ['two GETs in one segment', [reading, reading], pipelined, both],
  ['fifty GETs in one segment', Array(50).fill(reading), pipelined, '2xx | closed 429 503'],
  ['a POST, then a GET', [posted(), reading], pipelined, both],
  ['a GET, then a POST', [reading, posted()], pipelined, '201 | closed'],
  ['a GET, then a method that nobody knows', [reading, gotAs({ method: 'BREW' })], pipelined, '501 405 | 4xx closed'],
  ['a GET, then bytes that are no request', [reading, noRequest], 'RFC 9112, 2.2', '400 | 4xx 501 505 closed'],
  ['a GET, then what is no JSON', [reading, posted('{"m2m:cin":')], pipelined, '400 | 4xx closed'],
  ['what is not found', nowhereBelow, 'RFC 9112, 9.3', '404 | 403'],
  ['a connection that the client ends', got('Connection: close'), 'RFC 9112, 9.6', served, closes],
  [
    'the same in capital letters, within a list',
    got('Connection: x, CLOSE'),
    'RFC 9110, 7.6.1; RFC 9112, 9.6',
    served,
    closes,
  ],
  ['a POST that ends the connection', posted(soundBody, 'Connection: close'), 'RFC 9112, 9.6', '201', closes],
  ['a connection option that nobody knows', got('Connection: x, , y'), 'RFC 9110, 7.6.1', '2xx | 4xx'],
  [
    'HTTP/1.0 that keeps the connection',
    otherwise(got('Connection: keep-alive'), { version: 'HTTP/1.0' }),
    'RFC 9112, 9.3',
    '2xx | 4xx',
  ],
  ['an upgrade to h2c', upgrading('h2c'), 'RFC 9110, 7.8', notUpgraded],
  ['an upgrade to TLS', upgrading('TLS/1.2'), 'RFC 9110, 7.8', notUpgraded],
  ['an upgrade to what nobody knows', upgrading('x/1'), 'RFC 9110, 7.8', notUpgraded],
  ['an upgrade that names no protocol', got('Connection: Upgrade'), 'RFC 9110, 7.8', notUpgraded],
  ['an upgrade to WebSocket without a key', upgrading('websocket'), 'RFC 6455, 4.2.1; RFC 9110, 7.8', notUpgraded],
  [
    'an upgrade above a body that is a request',
    measured(also(trap, 'Connection: Upgrade', 'Upgrade: h2c')),
    'RFC 9110, 7.8; RFC 9112, 11.2',
    '400 | 4xx 501 closed',
  ],
  [
    'an upgrade above a body',
    measured(unmeasured('Connection: Upgrade', 'Upgrade: h2c')),
    'RFC 9110, 7.8',
    '201 | 4xx 501 closed',
  ],
  [
    'Proxy-Connection and Keep-Alive',
    got('Proxy-Connection: keep-alive', 'Keep-Alive: timeout=1'),
    'RFC 9112, C.2.2',
    served,
  ],
  ['a body of another content type', postedAsText(() => 'a'), 'RFC 9112, 9.3', '415 400 | 4xx'],
  ['CONNECT', gotAs({ method: 'CONNECT', target: 'a.example:80' }), 'RFC 9110, 9.3.6', '405 501 400 | 4xx closed'],
  [
    'a hundred requests, one after the other',
    {
      kind: 'turns',
      turns: (at, within) =>
        Array(100).fill({ bytes: Buffer.from(bytesOf(reading(at)), 'latin1'), methods: ['GET'], within }),
    },
    'RFC 9112, 9.3',
    '2xx | closed 429 503',
  ],
]);
