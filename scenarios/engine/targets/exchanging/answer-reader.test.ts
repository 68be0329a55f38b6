import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AnswerReader, largestAnswer, type ReaderState } from './answer-reader.ts';

function read(parts: readonly string[], { method = 'GET', ended = false } = {}): ReaderState {
  const reader = new AnswerReader(method);
  for (const part of parts) reader.push(Buffer.from(part, 'latin1'));
  if (ended) reader.end();
  return reader.state;
}

const answers: ReadonlyArray<readonly [name: string, text: string, status: number, body: string]> = [
  ['a Content-Length', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello', 200, 'hello'],
  [
    'chunks',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=1\r\nhel\r\n2\r\nlo\r\n0\r\nA: b\r\n\r\n',
    200,
    'hello',
  ],
  ['no body for 204', 'HTTP/1.1 204 No Content\r\n\r\n', 204, ''],
  ['no body for 304 whatever its length says', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n', 304, ''],
  [
    'an interim answer before',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n',
    201,
    '',
  ],
  ['line ends without CR', 'HTTP/1.0 200\nContent-Length: 2\n\nok', 200, 'ok'],
];

for (const [name, text, status, body] of answers) {
  test(`an answer with ${name} is read, however it is cut`, () => {
    const cuts = fc.array(fc.nat(text.length), { maxLength: 6 });
    fc.assert(
      fc.property(cuts, (places) => {
        const sorted = [0, ...places.sort((a, b) => a - b), text.length];
        const state = read(sorted.slice(1).map((to, index) => text.slice(sorted[index], to)));
        assert.equal(state.kind, 'complete');
        assert(state.kind === 'complete');
        assert.deepEqual([state.answer.status, state.answer.body], [status, body]);
      }),
    );
  });
}

test('a body without a length ends with the connection', () => {
  assert.equal(read(['HTTP/1.1 200 OK\r\n\r\nhel', 'lo']).kind, 'reading');
  const state = read(['HTTP/1.1 200 OK\r\n\r\nhel', 'lo'], { ended: true });
  assert(state.kind === 'complete');
  assert.equal(state.answer.body, 'hello');
});

test('an answer to HEAD has no body', () => {
  assert.equal(read(['HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n'], { method: 'HEAD' }).kind, 'complete');
});

test('half an answer stays incomplete', () => {
  assert.equal(read(['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel'], { ended: true }).kind, 'reading');
  assert.equal(
    read(['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel'], { ended: true }).kind,
    'reading',
  );
});

const garbage: ReadonlyArray<readonly [name: string, text: string]> = [
  ['another protocol', 'SSH-2.0-OpenSSH\r\n'],
  ['a bad status line', 'HTTP/1.1 OK\r\n\r\n'],
  ['a header without a name', 'HTTP/1.1 200 OK\r\nnothing\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  ['a negative length', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n'],
  ['a chunk without a size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ['a chunk that is longer than its size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n'],
  ['an endless head', `HTTP/1.1 200 OK\r\nA: ${'a'.repeat(70_000)}`],
];

for (const [name, text] of garbage) {
  test(`${name} is malformed`, () => {
    assert.equal(read([text]).kind, 'malformed');
  });
}

test('an endless body is given up', () => {
  const reader = new AnswerReader('GET');
  reader.push(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'));
  const part = Buffer.alloc(1024 * 1024);
  for (let sent = 0; sent <= largestAnswer; sent += part.length) reader.push(part);
  assert.equal(reader.state.kind, 'malformed');
});

test('any bytes end in some state', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 60 })), (parts) => {
      const reader = new AnswerReader('GET');
      reader.push(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'));
      for (const part of parts) reader.push(Buffer.from(part));
      reader.end();
      assert(['reading', 'complete', 'malformed'].includes(reader.state.kind));
    }),
  );
});

test('interim answers without an end are given up', () => {
  const reader = new AnswerReader('GET');
  reader.push(Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)));
  assert.equal(reader.state.kind, 'reading');
  reader.push(Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'));
  assert.equal(reader.state.kind, 'malformed');
});

test('a body announced as too long is not awaited', () => {
  assert.equal(read([`HTTP/1.1 200 OK\r\nContent-Length: ${largestAnswer + 1}\r\n\r\na`]).kind, 'malformed');
});

test('too many headers are given up', () => {
  assert.equal(read([`HTTP/1.1 200 OK\r\n${'a:b\r\n'.repeat(1001)}\r\n`]).kind, 'malformed');
});

for (const [name, text, surplus] of [
  ['nothing', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na', 0],
  ['two bytes', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na\r\n', 2],
  ['a body where there is none', 'HTTP/1.1 204 No Content\r\n\r\nabc', 3],
  ['bytes after the last chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nab', 2],
] as const) {
  test(`${name} after an answer is no part of it`, () => {
    const reader = new AnswerReader('GET');
    reader.push(Buffer.from(text));
    assert.equal(reader.state.kind, 'complete');
    assert.equal(reader.rest.length, surplus);
  });
}

test('a body in chunks of one byte takes no more memory than another', () => {
  const reader = new AnswerReader('GET');
  reader.push(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'));
  const part = Buffer.from('1\r\na\r\n'.repeat(10_000));
  const before = process.memoryUsage().rss;
  for (let chunks = 0; chunks < 2_000_000; chunks += 10_000) reader.push(part);
  assert(process.memoryUsage().rss - before < 128 * 1024 * 1024);
});
