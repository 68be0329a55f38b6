import { bytesOf, type Parts, type Place, reading, withLine } from '../../generators/wire/wire-case.ts';
import {
  type Expectation,
  either,
  type RobustnessSection,
  refused,
  refusedMostly,
  row,
  served,
  servedMostly,
} from '../robustness-case.ts';

const host = 'RFC 9112, 3.2';
const field = 'RFC 9112, 5';
const large: Expectation = { right: [431, '2xx'], tolerable: ['4xx', 'closed'] };
const hosted =
  (...lines: readonly string[]) =>
  (at: Place): Parts => ({ ...reading(at), host: lines });
const lined =
  (...lines: readonly string[]) =>
  (at: Place): Parts =>
    withLine(reading(at), ...lines);
/** Every header line written in another way. */
const rewritten =
  (write: (line: string) => string) =>
  (at: Place): Parts => {
    const { host: hosts, headers, ...others } = reading(at);
    return { ...others, host: hosts.map(write), headers: headers.map(write) };
  };
const named = (name: (written: string) => string) => rewritten((line) => line.replace(/^[^:]+/, name));
const lines = (count: number) => Array.from({ length: count }, (_, at) => `X-${at}: x`);

export const headerFields: RobustnessSection = {
  number: 3,
  title: 'Header fields',
  cases: [
    row('3.1', 'no Host', hosted(), host, refused),
    row('3.2', 'two different Hosts', hosted('Host: a.example', 'Host: b.example'), host, refused),
    row('3.3', 'the same Host twice', (at) => hosted(`Host: ${at.host}`, `Host: ${at.host}`)(at), host, refused),
    row('3.4', 'a space in Host', hosted('Host: a b'), host, refused),
    row('3.5', 'a path in Host', hosted('Host: a/b'), host, refused),
    row('3.6', 'a user in Host', hosted('Host: user@a'), host, refused),
    row('3.7', 'two hosts in a list', hosted('Host: a.example, b.example'), host, refused),
    row('3.8', 'an empty Host', hosted('Host:'), host, either),
    row('3.9', 'a Host of somebody else', hosted('Host: other.example'), 'RFC 9110, 7.4', either),
    row(
      '3.10',
      'HTTP/1.0 without a Host',
      (at) => ({ ...reading(at), version: 'HTTP/1.0', host: [] }),
      host,
      servedMostly,
    ),
    row('3.11', 'a space before the colon', lined('X : x'), 'RFC 9112, 5.1', refused),
    row('3.12', 'a tab before the colon', lined('X\t: x'), 'RFC 9112, 5.1', refused),
    row('3.13', 'no colon', lined('X'), field, refusedMostly),
    row('3.14', 'no name', lined(': x'), field, refusedMostly),
    row('3.15', 'a name that is no token', lined('X(Y): x'), field, refusedMostly),
    row('3.16', 'a zero byte in a name', lined('X\0Y: x'), field, refusedMostly),
    row('3.17', 'a byte over 127 in a name', lined('X\xe9: x'), field, refusedMostly),
    row('3.18', 'a zero byte in a value', lined('X: a\0b'), 'RFC 9110, 5.5', either),
    row('3.19', 'a control character in a value', lined('X: a\x01b'), 'RFC 9110, 5.5', either),
    row('3.20', 'bytes over 127 in a value', lined('X: caf\xe9'), 'RFC 9110, 5.5', servedMostly),
    row('3.21', 'an empty value', lined('X:'), 'RFC 9110, 5.5', served),
    row(
      '3.22',
      'no space after the colons',
      rewritten((line) => line.replace(': ', ':')),
      'RFC 9112, 5.1',
      served,
    ),
    row(
      '3.23',
      'tabs and spaces around the values',
      rewritten((line) => `${line.replace(': ', ': \t ')} \t`),
      'RFC 9112, 5.1',
      served,
    ),
    row(
      '3.24',
      'names in lower case',
      named((name) => name.toLowerCase()),
      'RFC 9110, 5.1',
      served,
    ),
    row(
      '3.25',
      'names in capital letters',
      named((name) => name.toUpperCase()),
      'RFC 9110, 5.1',
      served,
    ),
    row(
      '3.26',
      'Host behind the other headers',
      (at) => withLine({ ...reading(at), host: [] }, `Host: ${at.host}`),
      'RFC 9110, 5.3',
      served,
    ),
    row('3.27', 'a header called __proto__', lined('__proto__: x'), 'RFC 9110, 5.1', servedMostly),
    row('3.28', 'a header called constructor', lined('constructor: x'), 'RFC 9110, 5.1', served),
    row('3.29', 'a header called toString twice', lined('toString: x', 'toString: y'), 'RFC 9110, 5.1', served),
    row('3.30', 'fifty headers that nobody knows', lined(...lines(50)), 'RFC 9110, 5.1 and 5.4', servedMostly),
    row('3.31', 'two thousand headers', lined(...lines(2000)), 'RFC 9110, 5.4; RFC 6585, 5', large),
    row('3.32', 'a header of 4,000 bytes', lined(`X: ${'x'.repeat(4000)}`), 'RFC 9110, 5.4', servedMostly),
    row('3.33', 'a header of 100,000 bytes', lined(`X: ${'x'.repeat(100_000)}`), 'RFC 9110, 5.4; RFC 6585, 5', large),
    row(
      '3.34',
      'a header name of 50,000 bytes',
      lined(`${'X'.repeat(50_000)}: x`),
      'RFC 9110, 5.4; RFC 6585, 5',
      large,
    ),
    row('3.35', 'an expectation that nobody knows', lined('Expect: a-miracle'), 'RFC 9110, 10.1.1', {
      right: [417, '2xx'],
      tolerable: ['4xx', 'closed'],
    }),
    row('3.36', 'a Range of bytes', lined('Range: bytes=0-4'), 'RFC 9110, 14.2', {
      right: ['2xx'],
      tolerable: [416, '4xx'],
    }),
    row('3.37', 'conditions that no resource fulfils', lined('If-Match: "x"', 'If-None-Match: *'), 'RFC 9110, 13.1', {
      right: ['2xx', 412],
      tolerable: [304, '4xx'],
    }),
    row(
      '3.38',
      'another method in X-HTTP-Method-Override',
      (at) => withLine({ ...reading(at), target: `${at.container}/nowhere` }, 'X-HTTP-Method-Override: DELETE'),
      'RFC 9110, 9.1',
      { right: [404], tolerable: ['4xx'] },
    ),
    row('3.39', 'a header that would split an answer', lined('X-M2M-GID: a%0d%0aX: y'), 'RFC 9110, 5.5', servedMostly),
    row(
      '3.40',
      'a whole request in a value',
      (at) => withLine(reading(at), `X: ${bytesOf({ ...reading(at), target: at.trap }).split('\r\n')[0]}`),
      'RFC 9110, 5.5',
      servedMostly,
    ),
  ],
};
