import {
  bytesOf,
  creating,
  type Place,
  reading,
  trapOf,
  withLength,
  withLine,
} from '../../generators/wire/wire-case.ts';
import {
  caseOf,
  type Expectation,
  type RobustnessCase,
  type RobustnessSection,
  row,
  served,
} from '../robustness-case.ts';

const pipelined = 'RFC 9112, 9.3.2';
/** A server may close after any answer; the client sends the rest again (RFC 9112, clause 9.3.2). */
const both: Expectation = { right: ['2xx'], tolerable: ['closed'] };
const get = (at: Place) => bytesOf(reading(at));
const post = (at: Place) => bytesOf(withLength(creating(at)));
/** The upgrade is not taken; the message is a request like any other (RFC 9110, clause 7.8). */
const notUpgraded: Expectation = { right: ['2xx'], tolerable: ['4xx', 501, 'closed'] };
const several = (
  number: string,
  title: string,
  methods: readonly string[],
  clause: string,
  facts: Expectation,
  bytes: (at: Place) => string,
): RobustnessCase => caseOf(number, title, { kind: 'request', bytes }, clause, { ...facts, methods });
const upgrading = (protocol: string) => (at: Place) =>
  withLine(reading(at), 'Connection: Upgrade', `Upgrade: ${protocol}`);

export const pipelining: RobustnessSection = {
  number: 6,
  title: 'Several requests on a connection',
  cases: [
    several('6.1', 'two GETs in one segment', ['GET', 'GET'], pipelined, both, (at) => get(at).repeat(2)),
    several(
      '6.2',
      'fifty GETs in one segment',
      Array.from({ length: 50 }, () => 'GET'),
      pipelined,
      { right: ['2xx'], tolerable: ['closed', 429, 503] },
      (at) => get(at).repeat(50),
    ),
    several('6.3', 'a POST, then a GET', ['POST', 'GET'], pipelined, both, (at) => post(at) + get(at)),
    several(
      '6.4',
      'a GET, then a POST',
      ['GET', 'POST'],
      pipelined,
      { right: [201], tolerable: ['closed'] },
      (at) => get(at) + post(at),
    ),
    several(
      '6.5',
      'a GET, then a method that nobody knows',
      ['GET', 'BREW'],
      pipelined,
      { right: [501, 405], tolerable: ['4xx', 'closed'] },
      (at) => get(at) + bytesOf({ ...reading(at), method: 'BREW' }),
    ),
    several(
      '6.6',
      'a GET, then bytes that are no request',
      ['GET', 'GET'],
      'RFC 9112, 2.2',
      { right: [400], tolerable: ['4xx', 501, 505, 'closed'] },
      (at) => `${get(at)}\x01\x02\x03\r\n\r\n`,
    ),
    several(
      '6.7',
      'a GET, then what is no JSON',
      ['GET', 'POST'],
      pipelined,
      { right: [400], tolerable: ['4xx', 'closed'] },
      (at) => get(at) + bytesOf(withLength(creating(at, '{"m2m:cin":'))),
    ),
    row('6.8', 'what is not found', (at) => ({ ...reading(at), target: `${at.container}/nowhere` }), 'RFC 9112, 9.3', {
      right: [404],
      tolerable: [403],
    }),
    row(
      '6.9',
      'a connection that the client ends',
      (at) => withLine(reading(at), 'Connection: close'),
      'RFC 9112, 9.6',
      { ...served, closes: true },
    ),
    row(
      '6.10',
      'the same in capital letters, within a list',
      (at) => withLine(reading(at), 'Connection: x, CLOSE'),
      'RFC 9110, 7.6.1; RFC 9112, 9.6',
      { ...served, closes: true },
    ),
    row(
      '6.11',
      'a POST that ends the connection',
      (at) => withLine(withLength(creating(at)), 'Connection: close'),
      'RFC 9112, 9.6',
      { right: [201], closes: true },
    ),
    row(
      '6.12',
      'a connection option that nobody knows',
      (at) => withLine(reading(at), 'Connection: x, , y'),
      'RFC 9110, 7.6.1',
      { right: ['2xx'], tolerable: ['4xx'] },
    ),
    row(
      '6.13',
      'HTTP/1.0 that keeps the connection',
      (at) => withLine({ ...reading(at), version: 'HTTP/1.0' }, 'Connection: keep-alive'),
      'RFC 9112, 9.3',
      { right: ['2xx'], tolerable: ['4xx'] },
    ),
    row('6.14', 'an upgrade to h2c', upgrading('h2c'), 'RFC 9110, 7.8', notUpgraded),
    row('6.15', 'an upgrade to TLS', upgrading('TLS/1.2'), 'RFC 9110, 7.8', notUpgraded),
    row('6.16', 'an upgrade to what nobody knows', upgrading('x/1'), 'RFC 9110, 7.8', notUpgraded),
    row(
      '6.17',
      'an upgrade that names no protocol',
      (at) => withLine(reading(at), 'Connection: Upgrade'),
      'RFC 9110, 7.8',
      notUpgraded,
    ),
    row(
      '6.18',
      'an upgrade to WebSocket without a key',
      upgrading('websocket'),
      'RFC 6455, 4.2.1; RFC 9110, 7.8',
      notUpgraded,
    ),
    row(
      '6.19',
      'an upgrade above a body that is a request',
      (at) => withLength(withLine(creating(at, trapOf(at)), 'Connection: Upgrade', 'Upgrade: h2c')),
      'RFC 9110, 7.8; RFC 9112, 11.2',
      { right: [400], tolerable: ['4xx', 501, 'closed'] },
    ),
    row(
      '6.20',
      'an upgrade above a body',
      (at) => withLength(withLine(creating(at), 'Connection: Upgrade', 'Upgrade: h2c')),
      'RFC 9110, 7.8',
      { right: [201], tolerable: ['4xx', 501, 'closed'] },
    ),
    row(
      '6.21',
      'Proxy-Connection and Keep-Alive',
      (at) => withLine(reading(at), 'Proxy-Connection: keep-alive', 'Keep-Alive: timeout=1'),
      'RFC 9112, C.2.2',
      served,
    ),
    row(
      '6.22',
      'a body of another content type',
      (at) => withLength({ ...creating(at, 'a'), headers: [...at.usual, 'Content-Type: text/plain'] }),
      'RFC 9112, 9.3',
      { right: [415, 400], tolerable: ['4xx'] },
    ),
    row('6.23', 'CONNECT', (at) => ({ ...reading(at), method: 'CONNECT', target: 'a.example:80' }), 'RFC 9110, 9.3.6', {
      right: [405, 501, 400],
      tolerable: ['4xx', 'closed'],
    }),
    caseOf(
      '6.24',
      'a hundred requests, one after the other',
      {
        kind: 'turns',
        turns: (at, within) =>
          Array.from({ length: 100 }, () => ({ bytes: Buffer.from(get(at), 'latin1'), methods: ['GET'], within })),
      },
      'RFC 9112, 9.3',
      { right: ['2xx'], tolerable: ['closed', 429, 503] },
    ),
  ],
};
