import { type Parts, type Place, reading, trapOf, withLine } from '../wire-case.ts';
import { either, refused, refusedMostly, section, served, servedMostly } from './robustness-case.ts';
import { also, got, gotAs, nowhereBelow } from './sent.ts';

const host = 'RFC 9112, 3.2';
const field = 'RFC 9112, 5';
/** RFC 9112, clause 3.2: MUST. */
const hostless = [refused, 'http.no-host'] as const;
const large = '431 2xx | 4xx closed';
const hosted = (...lines: readonly string[]) => gotAs({ host: lines });
/** Every header line written in another way. */
const rewritten =
  (write: (line: string) => string) =>
  (at: Place): Parts => {
    const { host: hosts, headers, ...others } = reading(at);
    return { ...others, host: hosts.map(write), headers: headers.map(write) };
  };
const named = (name: (written: string) => string) => rewritten((line) => line.replace(/^[^:]+/, name));
const lines = (count: number) => Array.from({ length: count }, (_, at) => `X-${at}: x`);

export const headerFields = section(3, 'Header fields', [
  ['no Host', hosted(), host, hostless],
  ['two different Hosts', hosted('Host: a.example', 'Host: b.example'), host, hostless],
  ['the same Host twice', (at) => hosted(`Host: ${at.host}`, `Host: ${at.host}`)(at), host, hostless],
  ['a space in Host', hosted('Host: a b'), host, hostless],
  ['a path in Host', hosted('Host: a/b'), host, hostless],
  ['a user in Host', hosted('Host: user@a'), host, hostless],
  ['two hosts in a list', hosted('Host: a.example, b.example'), host, hostless],
  ['an empty Host', hosted('Host:'), host, either],
  ['a Host of somebody else', hosted('Host: other.example'), 'RFC 9110, 7.4', either],
  ['HTTP/1.0 without a Host', gotAs({ version: 'HTTP/1.0', host: [] }), host, servedMostly],
  ['a space before the colon', got('X : x'), 'RFC 9112, 5.1', [refused, 'http.not-http']],
  ['a tab before the colon', got('X\t: x'), 'RFC 9112, 5.1', [refused, 'http.not-http']],
  ['no colon', got('X'), field, refusedMostly],
  ['no name', got(': x'), field, refusedMostly],
  ['a name that is no token', got('X(Y): x'), field, refusedMostly],
  ['a zero byte in a name', got('X\0Y: x'), field, refusedMostly],
  ['a byte over 127 in a name', got('X\xe9: x'), field, refusedMostly],
  ['a zero byte in a value', got('X: a\0b'), 'RFC 9110, 5.5', either],
  ['a control character in a value', got('X: a\x01b'), 'RFC 9110, 5.5', either],
  ['bytes over 127 in a value', got('X: caf\xe9'), 'RFC 9110, 5.5', servedMostly],
  ['an empty value', got('X:'), 'RFC 9110, 5.5', served],
  ['no space after the colons', rewritten((line) => line.replace(': ', ':')), 'RFC 9112, 5.1', served],
  [
    'tabs and spaces around the values',
    rewritten((line) => `${line.replace(': ', ': \t ')} \t`),
    'RFC 9112, 5.1',
    served,
  ],
  ['names in lower case', named((name) => name.toLowerCase()), 'RFC 9110, 5.1', served],
  ['names in capital letters', named((name) => name.toUpperCase()), 'RFC 9110, 5.1', served],
  ['Host behind the other headers', (at) => withLine(hosted()(at), `Host: ${at.host}`), 'RFC 9110, 5.3', served],
  ['a header called __proto__', got('__proto__: x'), 'RFC 9110, 5.1', servedMostly],
  ['a header called constructor', got('constructor: x'), 'RFC 9110, 5.1', served],
  ['a header called toString twice', got('toString: x', 'toString: y'), 'RFC 9110, 5.1', served],
  ['fifty headers that nobody knows', got(...lines(50)), 'RFC 9110, 5.1 and 5.4', servedMostly],
  ['two thousand headers', got(...lines(2000)), 'RFC 9110, 5.4; RFC 6585, 5', large],
  ['a header of 4,000 bytes', got(`X: ${'x'.repeat(4000)}`), 'RFC 9110, 5.4', servedMostly],
  ['a header of 100,000 bytes', got(`X: ${'x'.repeat(100_000)}`), 'RFC 9110, 5.4; RFC 6585, 5', large],
  ['a header name of 50,000 bytes', got(`${'X'.repeat(50_000)}: x`), 'RFC 9110, 5.4; RFC 6585, 5', large],
  ['an expectation that nobody knows', got('Expect: a-miracle'), 'RFC 9110, 10.1.1', '417 2xx | 4xx closed'],
  ['a Range of bytes', got('Range: bytes=0-4'), 'RFC 9110, 14.2', '2xx | 416 4xx'],
  [
    'conditions that no resource fulfils',
    got('If-Match: "x"', 'If-None-Match: *'),
    'RFC 9110, 13.1',
    '2xx 412 | 304 4xx',
  ],
  [
    'another method in X-HTTP-Method-Override',
    also(nowhereBelow, 'X-HTTP-Method-Override: DELETE'),
    'RFC 9110, 9.1',
    '404 | 4xx',
  ],
  ['a header that would split an answer', got('X-M2M-GID: a%0d%0aX: y'), 'RFC 9110, 5.5', servedMostly],
  ['a whole request in a value', (at) => got(`X: ${trapOf(at).split('\r\n')[0]}`)(at), 'RFC 9110, 5.5', servedMostly],
]);
