import { bytesOf, type Parts, type Place, reading } from '../../generators/wire/wire-case.ts';
import {
  type Expectation,
  either,
  noRequest,
  nowhere,
  type RobustnessSection,
  refusedMostly,
  row,
  served,
  servedMostly,
} from '../robustness-case.ts';

const line = 'RFC 9112, 3';
const method = 'RFC 9110, 9.1; TS-0009, 6.2.1';
/** A method that nobody knows, or that the interface has no use for. */
const unknown: Expectation = { right: [501, 405], tolerable: ['4xx', 'closed'] };
const unused: Expectation = { right: [405, 501, '2xx'], tolerable: ['4xx', 'closed'] };
const version: Expectation = { right: [505, 400], tolerable: ['2xx', '4xx', 501, 'closed', 'no HTTP'] };
const withMethod =
  (name: string) =>
  (at: Place): Parts => ({ ...reading(at), method: name });
const withVersion =
  (name: string) =>
  (at: Place): Parts => ({ ...reading(at), version: name });
const withTarget =
  (write: (at: Place) => string) =>
  (at: Place): Parts => ({ ...reading(at), target: write(at) });
/** Another request line, and the same below it. */
const lined =
  (write: (at: Place) => string) =>
  (at: Place): string => {
    const sound = bytesOf(reading(at));
    return write(at) + sound.slice(sound.indexOf('\r\n'));
  };

export const requestLine: RobustnessSection = {
  number: 2,
  title: 'Request line',
  cases: [
    row('2.1', 'a method in lower case', withMethod('get'), 'RFC 9110, 9.1', {
      right: [501, 405, 400],
      tolerable: ['2xx', '4xx', 'closed'],
    }),
    row('2.2', 'a method that nobody knows', withMethod('BREW'), method, unknown),
    row('2.3', 'a method that begins like another', withMethod('GETS'), method, unknown),
    row('2.4', 'a method of one letter', withMethod('G'), method, unknown),
    row('2.5', 'a method of punctuation', withMethod("!#$%&'*+-.^_`|~"), method, unknown),
    row('2.6', 'a method that is no token', withMethod('G@T'), line, noRequest),
    row('2.7', 'a method in quotes', withMethod('"GET"'), line, noRequest),
    row('2.8', 'a method with a zero byte', withMethod('G\0T'), line, noRequest),
    row('2.9', 'a method of 40,000 letters', withMethod('A'.repeat(40_000)), line, {
      right: [501, 400, 405, 414, 431],
      tolerable: ['4xx', 'closed'],
    }),
    row('2.10', 'HEAD, whose answer has no body', withMethod('HEAD'), 'RFC 9110, 9.1 and 9.3.2', {
      ...{ right: ['2xx'], tolerable: [405, 501], methods: ['HEAD'] },
    }),
    row('2.11', 'OPTIONS', withMethod('OPTIONS'), 'RFC 9110, 9.3.7', unused),
    row(
      '2.12',
      'OPTIONS of the whole server',
      (at) => ({ ...reading(at), method: 'OPTIONS', target: '*' }),
      'RFC 9112, 3.2.4',
      unused,
    ),
    row('2.13', 'TRACE', withMethod('TRACE'), 'RFC 9110, 9.3.8', unused),
    row(
      '2.14',
      'PATCH of nothing',
      (at) => ({ ...reading(at), method: 'PATCH', target: `${at.container}/nowhere` }),
      method,
      {
        ...{ right: [405, 501, 404], tolerable: ['4xx', 'closed'] },
      },
    ),
    row('2.15', 'PROPFIND', withMethod('PROPFIND'), method, unknown),
    row(
      '2.16',
      'no target',
      lined(() => 'GET HTTP/1.1'),
      line,
      noRequest,
    ),
    row(
      '2.17',
      'no version',
      lined((at) => `GET ${at.container}`),
      line,
      refusedMostly,
    ),
    row(
      '2.18',
      'a method alone',
      lined(() => 'GET'),
      line,
      noRequest,
    ),
    row('2.19', 'words after the version', withVersion('HTTP/1.1 more'), line, refusedMostly),
    row('2.20', 'two versions', withVersion('HTTP/1.1 HTTP/1.1'), line, refusedMostly),
    row(
      '2.21',
      'tabs in the place of spaces',
      lined((at) => `GET\t${at.container}\tHTTP/1.1`),
      line,
      either,
    ),
    row(
      '2.22',
      'two spaces before the target',
      lined((at) => `GET  ${at.container} HTTP/1.1`),
      line,
      either,
    ),
    row('2.23', 'a space after the version', withVersion('HTTP/1.1 '), line, either),
    row(
      '2.24',
      'a space in the target',
      withTarget((at) => `${at.container} x`),
      line,
      refusedMostly,
    ),
    row(
      '2.25',
      'a zero byte in the target',
      withTarget((at) => `${at.container}/\0x`),
      line,
      nowhere,
    ),
    row(
      '2.26',
      'a byte over 127 in the target',
      withTarget((at) => `${at.container}/\xe9`),
      line,
      nowhere,
    ),
    row(
      '2.27',
      'a fragment in the target',
      withTarget((at) => `${at.container}#x`),
      'RFC 9112, 3.2',
      refusedMostly,
    ),
    row(
      '2.28',
      'a target without a slash',
      withTarget((at) => at.container.slice(1)),
      'RFC 9112, 3.2',
      refusedMostly,
    ),
    row(
      '2.29',
      'a target of a backslash',
      withTarget(() => '\\'),
      'RFC 9112, 3.2',
      nowhere,
    ),
    row(
      '2.30',
      'an asterisk as the target of a GET',
      withTarget(() => '*'),
      'RFC 9112, 3.2.4',
      refusedMostly,
    ),
    row(
      '2.31',
      'host and port as the target of a GET',
      withTarget((at) => at.host),
      'RFC 9112, 3.2.3',
      refusedMostly,
    ),
    row(
      '2.32',
      'a target with scheme and host',
      withTarget((at) => `http://${at.host}${at.container}`),
      'RFC 9112, 3.2.2',
      served,
    ),
    row(
      '2.33',
      'the scheme in capital letters',
      withTarget((at) => `HTTP://${at.host}${at.container}`),
      'RFC 9110, 4.2.3; RFC 9112, 3.2.2',
      servedMostly,
    ),
    row(
      '2.34',
      'a target of another scheme',
      withTarget((at) => `ftp://${at.host}${at.container}`),
      'RFC 9112, 3.2.2',
      refusedMostly,
    ),
    row(
      '2.35',
      'a target on another host',
      withTarget((at) => `http://other.example${at.container}`),
      'RFC 9112, 3.2.2 and 3.3',
      either,
    ),
    row(
      '2.36',
      'a scheme without a host',
      withTarget((at) => `http://${at.container}`),
      'RFC 9110, 4.2.1',
      refusedMostly,
    ),
    row('2.37', 'HTTP/0.9', withVersion('HTTP/0.9'), 'RFC 9110, 15.6.6', version),
    row('2.38', 'HTTP/1.0', withVersion('HTTP/1.0'), 'RFC 9110, 2.5', servedMostly),
    row('2.39', 'HTTP/1.2', withVersion('HTTP/1.2'), 'RFC 9110, 2.5', {
      right: ['2xx'],
      tolerable: [505, '4xx', 'closed'],
    }),
    row('2.40', 'HTTP/2.0', withVersion('HTTP/2.0'), 'RFC 9110, 15.6.6', version),
    row('2.41', 'HTTP/3', withVersion('HTTP/3'), 'RFC 9112, 2.3', version),
    row('2.42', 'HTTP/11', withVersion('HTTP/11'), 'RFC 9112, 2.3', version),
    row('2.43', 'HTTP/1.10', withVersion('HTTP/1.10'), 'RFC 9112, 2.3', version),
    row('2.44', 'HTTP/1.1.1', withVersion('HTTP/1.1.1'), 'RFC 9112, 2.3', version),
    row('2.45', 'the protocol in lower case', withVersion('http/1.1'), 'RFC 9112, 2.3', version),
    row('2.46', 'another protocol', withVersion('HTTX/1.1'), 'RFC 9112, 2.3', version),
    row('2.47', 'RTSP/1.0', withVersion('RTSP/1.0'), 'RFC 9112, 2.3', version),
    row(
      '2.48',
      'a target of 7,000 characters that leads nowhere',
      withTarget((at) => `${at.container}/${'x'.repeat(7000)}`),
      line,
      {
        ...{ right: [404], tolerable: [414, 400, 403, 431, 'closed'] },
      },
    ),
    row(
      '2.49',
      'a target of 60,000 characters',
      withTarget((at) => `${at.container}/${'x'.repeat(60_000)}`),
      line,
      {
        ...{ right: [414, 404], tolerable: ['4xx', 'closed'] },
      },
    ),
  ],
};
