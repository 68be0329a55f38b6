import { bytesOf, reading, withLine } from '../../generators/wire/wire-case.ts';
import {
  either,
  type RobustnessSection,
  refused,
  refusedMostly,
  row,
  servedMostly,
  unfinished,
} from '../robustness-case.ts';

const grammar = 'RFC 9112, 2.2';

export const framing: RobustnessSection = {
  number: 1,
  title: 'Framing',
  cases: [
    row('1.1', 'a GET as it should be', reading, 'RFC 9112, 2.1; TS-0009, 6.2.1', { right: ['2xx'] }),
    row('1.2', 'an empty line before the request line', (at) => `\r\n${bytesOf(reading(at))}`, grammar, servedMostly),
    row(
      '1.3',
      'three empty lines before the request line',
      (at) => `\r\n\r\n\r\n${bytesOf(reading(at))}`,
      grammar,
      either,
    ),
    row('1.4', 'a line feed alone before the request line', (at) => `\n${bytesOf(reading(at))}`, grammar, either),
    row(
      '1.5',
      'lines that end with a line feed alone',
      (at) => bytesOf(reading(at)).replaceAll('\r\n', '\n'),
      grammar,
      either,
    ),
    row(
      '1.6',
      'one header line that ends with a line feed alone',
      (at) => withLine(reading(at), 'X: a\nY: b'),
      grammar,
      either,
    ),
    row(
      '1.7',
      'carriage returns in the place of line ends',
      (at) => `${bytesOf(reading(at)).replaceAll('\r\n', '\r')}\r\n\r\n`,
      grammar,
      refused,
    ),
    row('1.8', 'a bare carriage return in a value', (at) => withLine(reading(at), 'X: a\rb'), grammar, either),
    row('1.9', 'a bare carriage return before a line end', (at) => withLine(reading(at), 'X: a\r'), grammar, either),
    row(
      '1.10',
      'white space before the first header',
      (at) => bytesOf(reading(at)).replace('\r\n', '\r\n '),
      grammar,
      either,
    ),
    row('1.11', 'a header that is folded', (at) => withLine(reading(at), 'X: a\r\n b'), 'RFC 9112, 5.2', either),
    row('1.12', 'a tab that folds a header', (at) => withLine(reading(at), 'X: a\r\n\tb'), 'RFC 9112, 5.2', either),
    row('1.13', 'spaces alone', () => '    \r\n\r\n', grammar, refusedMostly),
    row('1.14', 'zero bytes before the request', (at) => `\0\0${bytesOf(reading(at))}`, grammar, refusedMostly),
    row(
      '1.15',
      'a byte order mark before the method',
      (at) => `\xef\xbb\xbf${bytesOf(reading(at))}`,
      grammar,
      refusedMostly,
    ),
    row('1.16', 'bytes over 127', () => '\xff\xfe\xfd\xfc\r\n\r\n', grammar, refused),
    row('1.17', 'control characters', () => '\x01\x02\x03\x1b[2J\x07\r\n\r\n', grammar, refused),
    row(
      '1.18',
      'the greeting of another TLS connection',
      () => '\x16\x03\x01\x00\x05\x01\x00\x00\x01\x03\r\n\r\n',
      grammar,
      refused,
    ),
    row('1.19', 'the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'RFC 9113, 3.4; RFC 9112, 2.2', {
      ...refused,
      tolerable: ['4xx', 501, 505, 'closed', 'no HTTP'],
    }),
    row('1.20', 'JSON in the place of a request', () => '{"m2m:cin":{"con":"a"}}\r\n\r\n', grammar, refused),
    row('1.21', 'the greeting of a mail client', () => 'EHLO a.example\r\n\r\n', grammar, {
      ...refused,
      tolerable: ['4xx', 501, 505, 'closed', 'no HTTP'],
    }),
    row(
      '1.22',
      'an answer in the place of a request',
      () => 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
      grammar,
      refused,
    ),
    row('1.23', 'a request line that breaks off', (at) => `GET ${at.container}`, 'RFC 9112, 8', unfinished),
    row('1.24', 'a header that breaks off', (at) => bytesOf(reading(at)).slice(0, -6), 'RFC 9112, 8', unfinished),
    row('1.25', 'headers without the empty line', (at) => bytesOf(reading(at)).slice(0, -2), 'RFC 9112, 8', unfinished),
    row('1.26', 'half of the last line end', (at) => bytesOf(reading(at)).slice(0, -1), 'RFC 9112, 8', unfinished),
  ],
};
