import { bytesOf, type Place, reading } from '../wire-case.ts';
import {
  either,
  noRequest,
  nowhere,
  refusedMostly,
  section,
  served,
  servedMostly,
  unfinished,
} from './robustness-case.ts';
import { absolute, behind, below, got, gotAs, gotFrom, nowhereBelow, otherwise } from './sent.ts';

const line = 'RFC 9112, 3';
const method = 'RFC 9110, 9.1; TS-0009, 6.2.1';
/** A method that nobody knows, or that the interface has no use for. */
const unknown = ['501 405 | 4xx closed', 'errors.unknown-method'] as const;
const unused = '405 501 2xx | 4xx closed';
const version = ['505 400 | 2xx 4xx 501 closed no HTTP', 'http.other-version'] as const;
const withMethod = (method: string) => gotAs({ method });
const withVersion = (version: string) => gotAs({ version });
/** Another request line, and the same below it. */
const lined =
  (write: (at: Place) => string) =>
  (at: Place): string => {
    const sound = bytesOf(reading(at));
    return write(at) + sound.slice(sound.indexOf('\r\n'));
  };

export const requestLine = section(2, 'Request line', [
  [
    'a method in lower case',
    withMethod('get'),
    'RFC 9110, 9.1',
    ['501 405 400 | 2xx 4xx closed', 'errors.unknown-method'],
  ],
  ['a method that nobody knows', withMethod('BREW'), method, unknown],
  ['a method that begins like another', withMethod('GETS'), method, unknown],
  ['a method of one letter', withMethod('G'), method, unknown],
  ['a method of punctuation', withMethod("!#$%&'*+-.^_`|~"), method, unknown],
  ['a method that is no token', withMethod('G@T'), line, noRequest],
  ['a method in quotes', withMethod('"GET"'), line, noRequest],
  ['a method with a zero byte', withMethod('G\0T'), line, noRequest],
  ['a method of 40,000 letters', withMethod('A'.repeat(40_000)), line, '501 400 405 414 431 | 4xx closed'],
  ['HEAD, whose answer has no body', withMethod('HEAD'), 'RFC 9110, 9.1 and 9.3.2', '2xx | 405 501'],
  ['OPTIONS', withMethod('OPTIONS'), 'RFC 9110, 9.3.7', unused],
  ['OPTIONS of the whole server', gotAs({ method: 'OPTIONS', target: '*' }), 'RFC 9112, 3.2.4', unused],
  ['TRACE', withMethod('TRACE'), 'RFC 9110, 9.3.8', unused],
  ['PATCH of nothing', otherwise(nowhereBelow, { method: 'PATCH' }), method, '405 501 404 | 4xx closed'],
  ['PROPFIND', withMethod('PROPFIND'), method, unknown],
  ['no target', lined(() => 'GET HTTP/1.1'), line, noRequest],
  ['no version', lined((at) => `GET ${at.container}`), line, refusedMostly],
  ['a method alone', lined(() => 'GET'), line, noRequest],
  ['words after the version', withVersion('HTTP/1.1 more'), line, refusedMostly],
  ['two versions', withVersion('HTTP/1.1 HTTP/1.1'), line, refusedMostly],
  ['tabs in the place of spaces', lined((at) => `GET\t${at.container}\tHTTP/1.1`), line, either],
  ['two spaces before the target', lined((at) => `GET  ${at.container} HTTP/1.1`), line, either],
  ['a space after the version', withVersion('HTTP/1.1 '), line, either],
  ['a space in the target', behind(' x'), line, refusedMostly],
  ['a zero byte in the target', below('\0x'), line, nowhere],
  ['a byte over 127 in the target', below('\xe9'), line, nowhere],
  ['a fragment in the target', behind('#x'), 'RFC 9112, 3.2', refusedMostly[0]],
  ['a target without a slash', gotFrom((container) => container.slice(1)), 'RFC 9112, 3.2', refusedMostly],
  ['a target of a backslash', gotAs({ target: '\\' }), 'RFC 9112, 3.2', nowhere],
  ['an asterisk as the target of a GET', gotAs({ target: '*' }), 'RFC 9112, 3.2.4', refusedMostly],
  ['host and port as the target of a GET', gotFrom((_, at) => at.host), 'RFC 9112, 3.2.3', refusedMostly],
  ['a target with scheme and host', absolute('http://'), 'RFC 9112, 3.2.2', served],
  ['the scheme in capital letters', absolute('HTTP://'), 'RFC 9110, 4.2.3; RFC 9112, 3.2.2', servedMostly],
  ['a target of another scheme', absolute('ftp://'), 'RFC 9112, 3.2.2', refusedMostly[0]],
  ['a target on another host', absolute('http://', 'other.example'), 'RFC 9112, 3.2.2 and 3.3', either],
  ['a scheme without a host', absolute('http://', ''), 'RFC 9110, 4.2.1', refusedMostly],
  ['HTTP/0.9', withVersion('HTTP/0.9'), 'RFC 9110, 15.6.6', version],
  ['HTTP/1.0', withVersion('HTTP/1.0'), 'RFC 9110, 2.5', servedMostly],
  ['HTTP/1.2', withVersion('HTTP/1.2'), 'RFC 9110, 2.5', '2xx | 505 4xx closed'],
  ['HTTP/2.0', withVersion('HTTP/2.0'), 'RFC 9110, 15.6.6', version],
  ['HTTP/3', withVersion('HTTP/3'), 'RFC 9112, 2.3', version],
  ['HTTP/11', withVersion('HTTP/11'), 'RFC 9112, 2.3', version],
  ['HTTP/1.10', withVersion('HTTP/1.10'), 'RFC 9112, 2.3', version],
  ['HTTP/1.1.1', withVersion('HTTP/1.1.1'), 'RFC 9112, 2.3', version],
  ['the protocol in lower case', withVersion('http/1.1'), 'RFC 9112, 2.3', version],
  ['another protocol', withVersion('HTTX/1.1'), 'RFC 9112, 2.3', version],
  ['RTSP/1.0', withVersion('RTSP/1.0'), 'RFC 9112, 2.3', version[0]],
  ['a target of 7,000 characters that leads nowhere', below('x'.repeat(7000)), line, '404 | 414 400 403 431 closed'],
  ['a target of 60,000 characters', below('x'.repeat(60_000)), line, '414 404 | 4xx closed'],
]);

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
