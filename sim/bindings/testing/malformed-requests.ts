/** Bytes that are not a request this server takes, with the outcomes that are in order. */

/** A status of the last answer, or `closed`: the connection ends without an answer to these bytes. */
type Outcome = number | 'closed';

interface MalformedRequest {
  readonly name: string;
  /** Latin-1: one character is one byte. The client closes its sending side after them. */
  readonly bytes: string;
  readonly outcomes: readonly Outcome[];
}

const HOST = 'Host: a\r\n';
const row = (name: string, bytes: string, ...outcomes: Outcome[]): MalformedRequest => ({ name, bytes, outcomes });
const withLine = (line: string): string => `GET / HTTP/1.1\r\n${HOST}${line}\r\n\r\n`;
const posted = (lines: string, body = ''): string => `POST / HTTP/1.1\r\n${HOST}${lines}\r\n\r\n${body}`;
const chunked = (body: string): string => posted('Transfer-Encoding: chunked', body);

export const MALFORMED_REQUESTS: readonly MalformedRequest[] = [
  // The request line
  row('nothing at all', '', 'closed'),
  row('empty lines only', '\r\n\r\n\r\n', 'closed', 400),
  row('spaces only', '    \r\n\r\n', 400),
  row('a zero byte', '\0', 400),
  row('zero bytes', '\0'.repeat(100), 400),
  row('a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400),
  row('bytes over 127', '\xff\xfe\xfd\xfc\r\n\r\n', 400),
  row('a UTF-8 byte order mark before the method', `\xef\xbb\xbfGET / HTTP/1.1\r\n${HOST}\r\n`, 400),
  row('a JSON text instead of a request', '{"m2m:ae": {}}\r\n\r\n', 400),
  row('a method without anything', 'GET', 'closed', 400),
  row('a method and a line end', 'GET\r\n\r\n', 400),
  row('a request line without a target', `GET HTTP/1.1\r\n${HOST}\r\n`, 400),
  row('a request line without a version', `GET /\r\n${HOST}\r\n`, 400),
  row('HTTP/0.9', 'GET /\r\n', 400, 'closed'),
  row('HTTP/2.0', `GET / HTTP/2.0\r\n${HOST}\r\n`, 400),
  row('HTTP/1.2', `GET / HTTP/1.2\r\n${HOST}\r\n`, 400),
  row('HTTP/11', `GET / HTTP/11\r\n${HOST}\r\n`, 400),
  row('a lower-case protocol name', `GET / http/1.1\r\n${HOST}\r\n`, 400),
  row('another protocol name', `GET / HTTX/1.1\r\n${HOST}\r\n`, 400),
  row('the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'closed'),
  row('an unknown method', `BREW / HTTP/1.1\r\n${HOST}\r\n`, 405),
  row('a lower-case method', `get / HTTP/1.1\r\n${HOST}\r\n`, 405),
  row('a method that begins like another', `GETS / HTTP/1.1\r\n${HOST}\r\n`, 405, 400),
  row('a method that is no token', `G@T / HTTP/1.1\r\n${HOST}\r\n`, 400),
  row('a method in quotes', `"GET" / HTTP/1.1\r\n${HOST}\r\n`, 400),
  row('a very long method', `${'A'.repeat(40_000)} / HTTP/1.1\r\n${HOST}\r\n`, 405, 400),
  row('CONNECT', `CONNECT a:80 HTTP/1.1\r\n${HOST}\r\n`, 405),
  row('CONNECT without a port', `CONNECT a HTTP/1.1\r\n${HOST}\r\n`, 405, 400),
  row('a tab after the method', `GET\t/ HTTP/1.1\r\n${HOST}\r\n`, 400),
  row('two versions', `GET / HTTP/1.1 HTTP/1.1\r\n${HOST}\r\n`, 400),
  row('words after the version', `GET / HTTP/1.1 more\r\n${HOST}\r\n`, 400),
  // The target
  row('a target without a slash', `GET onem2m HTTP/1.1\r\n${HOST}\r\n`, 400),
  row('an asterisk with GET', `GET * HTTP/1.1\r\n${HOST}\r\n`, 400),
  row('a target of another scheme', `GET ftp://a/b HTTP/1.1\r\n${HOST}\r\n`, 400),
  row('a scheme without a host', `GET http:///b HTTP/1.1\r\n${HOST}\r\n`, 400),
  row('a host and port as target', `GET a:80 HTTP/1.1\r\n${HOST}\r\n`, 400),
  row('a fragment in the target', `GET /a#b HTTP/1.1\r\n${HOST}\r\n`, 400),
  row('a space in the target', `GET /a b HTTP/1.1\r\n${HOST}\r\n`, 400),
  row('a zero byte in the target', `GET /a\0b HTTP/1.1\r\n${HOST}\r\n`, 400),
  row('a byte over 127 in the target', `GET /caf\xe9 HTTP/1.1\r\n${HOST}\r\n`, 400),
  row('a target over the limit', `GET /${'a'.repeat(8192)} HTTP/1.1\r\n${HOST}\r\n`, 414),
  row("a target over the parser's limit", `GET /${'a'.repeat(50_000)} HTTP/1.1\r\n${HOST}\r\n`, 414),
  // Headers
  row('no Host', 'GET / HTTP/1.1\r\n\r\n', 400),
  row('two Hosts', withLine('Host: b'), 400),
  row('the same Host twice', withLine('Host: a'), 400),
  row('a Host with a space', 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n', 400),
  row('a Host with a path', 'GET / HTTP/1.1\r\nHost: a/b\r\n\r\n', 400),
  row('a Host with a user', 'GET / HTTP/1.1\r\nHost: u@a\r\n\r\n', 400),
  row('a space before the first header', `GET / HTTP/1.1\r\n ${HOST}\r\n`, 400),
  row('a folded header', withLine('X-A: a\r\n b'), 400),
  row('a header without a colon', withLine('X-A'), 400),
  row('a header without a name', withLine(': a'), 400),
  row('a space before the colon', withLine('X-A : a'), 400),
  row('a name that is no token', withLine('X(A): a'), 400),
  row('a zero byte in a name', withLine('X\0A: a'), 400),
  row('a zero byte in a value', withLine('X-A: a\0b'), 400),
  row('a bare carriage return in a value', withLine('X-A: a\rb'), 400),
  row('a header without an end', `GET / HTTP/1.1\r\n${HOST}X-A: a`, 400, 'closed'),
  row('headers without an end', `GET / HTTP/1.1\r\n${HOST}`, 400, 'closed'),
  row('more headers than the limit', withLine(Array.from({ length: 100 }, () => 'X-A: a').join('\r\n')), 431),
  row('headers over the limit', withLine(`X-A: ${'a'.repeat(16_384)}`), 431),
  row("headers over the parser's limit", withLine(`X-A: ${'a'.repeat(50_000)}`), 431),
  row('a header name over the limit', withLine(`${'A'.repeat(50_000)}: a`), 431),
  row('an expectation that nobody knows', withLine('Expect: a-miracle'), 417),
  // Framing
  row('a negative length', posted('Content-Length: -1'), 400),
  row('a length with a sign', posted('Content-Length: +2', '{}'), 400),
  row('a length with a fraction', posted('Content-Length: 2.0', '{}'), 400),
  row('a length in hexadecimal', posted('Content-Length: 0x2', '{}'), 400),
  row('a length in words', posted('Content-Length: two', '{}'), 400),
  row('an empty length', posted('Content-Length:', '{}'), 400),
  row('a length that no number holds', posted(`Content-Length: ${'9'.repeat(40)}`), 400),
  row('a length over the limit', posted('Content-Length: 1048577'), 413),
  row('two different lengths', posted('Content-Length: 2\r\nContent-Length: 3', '{}'), 400),
  row('the same length twice', posted('Content-Length: 2\r\nContent-Length: 2', '{}'), 400),
  row('a list of lengths', posted('Content-Length: 2, 2', '{}'), 400),
  row('a length and chunks', posted('Content-Length: 5\r\nTransfer-Encoding: chunked', '0\r\n\r\n'), 400),
  row('chunks and a length', posted('Transfer-Encoding: chunked\r\nContent-Length: 5', '0\r\n\r\n'), 400),
  row('an unknown coding', posted('Transfer-Encoding: gzip', '0\r\n\r\n'), 400),
  row('a coding before chunked', posted('Transfer-Encoding: gzip, chunked', '0\r\n\r\n'), 400),
  row('a coding after chunked', posted('Transfer-Encoding: chunked, gzip', '0\r\n\r\n'), 400),
  row('chunked twice', posted('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', '0\r\n\r\n'), 400),
  row('chunks in HTTP/1.0', 'POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400),
  row('a body shorter than its length', posted('Content-Length: 5', '{}'), 400, 'closed'),
  row('a chunk size that is no number', chunked('xyz\r\n\r\n'), 400),
  row('a negative chunk size', chunked('-1\r\n\r\n'), 400),
  row('an empty chunk size', chunked('\r\n\r\n'), 400),
  row('a chunk size that no number holds', chunked(`${'F'.repeat(40)}\r\n\r\n`), 400),
  row('a chunk longer than its size', chunked('2\r\n{}}\r\n0\r\n\r\n'), 400),
  row('a chunk shorter than its size', chunked('9\r\n{}\r\n0\r\n\r\n'), 400, 'closed'),
  row('chunks without the last one', chunked('2\r\n{}\r\n'), 400, 'closed'),
  row('chunk lines without a carriage return', chunked('2\n{}\n0\n\n'), 400),
  row('chunk extensions without an end', chunked(`2;${'a'.repeat(40_000)}\r\n{}\r\n0\r\n\r\n`), 413),
  row('a trailer without a colon', chunked('0\r\nX-A\r\n\r\n'), 400),
  row('a trailer over the limit', chunked(`0\r\nX-A: ${'a'.repeat(50_000)}\r\n\r\n`), 431, 400),
  row('chunks over the limit', chunked(`100001\r\n${'a'.repeat(0x100001)}`), 413),
  // After a good request
  row('garbage after a request', `GET / HTTP/1.1\r\n${HOST}\r\n\x01\x02\x03`, 400),
  row('an unknown method after a request', `GET / HTTP/1.1\r\n${HOST}\r\nBREW / HTTP/1.1\r\n${HOST}\r\n`, 405),
  row('an unknown method after a body', `${posted('Content-Length: 2', '{}')}BREW / HTTP/1.1\r\n${HOST}\r\n`, 405),
  row('a body longer than its length', posted('Content-Length: 2', '{}}'), 400),
];
