import { bytesOf, reading } from '../../generators/wire/wire-case.ts';
import { either, noRequest, refusedMostly, section, servedMostly, unfinished } from '../robustness-case.ts';
import { got } from './sent.ts';

const grammar = 'RFC 9112, 2.2';

export const framing = section(1, 'Framing', [
  ['a GET as it should be', reading, 'RFC 9112, 2.1; TS-0009, 6.2.1', '2xx'],
  ['an empty line before the request line', (at) => `\r\n${bytesOf(reading(at))}`, grammar, servedMostly],
  ['three empty lines before the request line', (at) => `\r\n\r\n\r\n${bytesOf(reading(at))}`, grammar, either],
  ['a line feed alone before the request line', (at) => `\n${bytesOf(reading(at))}`, grammar, either],
  ['lines that end with a line feed alone', (at) => bytesOf(reading(at)).replaceAll('\r\n', '\n'), grammar, either],
  ['one header line that ends with a line feed alone', got('X: a\nY: b'), grammar, either],
  [
    'carriage returns in the place of line ends',
    (at) => `${bytesOf(reading(at)).replaceAll('\r\n', '\r')}\r\n\r\n`,
    grammar,
    noRequest,
  ],
  ['a bare carriage return in a value', got('X: a\rb'), grammar, either],
  ['a bare carriage return before a line end', got('X: a\r'), grammar, either],
  ['white space before the first header', (at) => bytesOf(reading(at)).replace('\r\n', '\r\n '), grammar, either],
  ['a header that is folded', got('X: a\r\n b'), 'RFC 9112, 5.2', either],
  ['a tab that folds a header', got('X: a\r\n\tb'), 'RFC 9112, 5.2', either],
  ['spaces alone', () => '    \r\n\r\n', grammar, refusedMostly],
  ['zero bytes before the request', (at) => `\0\0${bytesOf(reading(at))}`, grammar, refusedMostly],
  ['a byte order mark before the method', (at) => `\xef\xbb\xbf${bytesOf(reading(at))}`, grammar, refusedMostly],
  ['bytes over 127', () => '\xff\xfe\xfd\xfc\r\n\r\n', grammar, noRequest],
  ['control characters', () => '\x01\x02\x03\x1b[2J\x07\r\n\r\n', grammar, noRequest],
  [
    'the greeting of another TLS connection',
    () => '\x16\x03\x01\x00\x05\x01\x00\x00\x01\x03\r\n\r\n',
    grammar,
    noRequest,
  ],
  ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'RFC 9113, 3.4; RFC 9112, 2.2', noRequest],
  ['JSON in the place of a request', () => '{"m2m:cin":{"con":"a"}}\r\n\r\n', grammar, noRequest],
  ['the greeting of a mail client', () => 'EHLO a.example\r\n\r\n', grammar, noRequest],
  ['an answer in the place of a request', () => 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', grammar, noRequest],
  ['a request line that breaks off', (at) => `GET ${at.container}`, 'RFC 9112, 8', unfinished],
  ['a header that breaks off', (at) => bytesOf(reading(at)).slice(0, -6), 'RFC 9112, 8', unfinished],
  ['headers without the empty line', (at) => bytesOf(reading(at)).slice(0, -2), 'RFC 9112, 8', unfinished],
  ['half of the last line end', (at) => bytesOf(reading(at)).slice(0, -1), 'RFC 9112, 8', unfinished],
]);
