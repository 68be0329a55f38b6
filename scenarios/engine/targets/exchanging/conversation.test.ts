import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Turn } from '../../messages/target.ts';
import { tlsOptions } from '../../messages/tls.ts';
import { httpServer, httpsServer, tcpServer, trust } from '../test-servers.ts';
import { converse } from './conversation.ts';

const turn = (text: string, more: Partial<Turn> = {}): Turn => ({
  ...{ bytes: Buffer.from(text, 'latin1'), methods: ['GET'], within: 5000 },
  ...more,
});
const get = (path: string, method = 'GET') => `${method} ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const lineTo = (url: string) => ({ host: '127.0.0.1', port: Number(new URL(url).port) });
const echo = (t: TestContext) => httpServer(t, (request, response) => response.end(request.url));

test('answers of one connection are read in their order, with or without a pause between requests', async (t) => {
  const line = lineTo(await echo(t));
  const both = turn(get('/1') + get('/2'), { methods: ['GET', 'GET'] });
  const { answers, end } = await converse(
    [both, turn(get('/3', 'HEAD'), { methods: ['HEAD'] }), turn(get('/4'))],
    line,
  );
  assert.deepEqual([answers.map(({ body }) => body), end], [['/1', '/2', '', '/4'], 'open']);
});

test('the same over TLS, behind a certificate that verifies only', async (t) => {
  const url = await httpsServer(t, {}, (request, response) => response.end(request.url));
  const tls = { options: tlsOptions(trust, undefined, undefined), trust };
  const { answers } = await converse([turn(get('/1')), turn(get('/2'))], { ...lineTo(url), tls });
  assert.deepEqual(
    answers.map(({ body }) => body),
    ['/1', '/2'],
  );
  const strict = { options: tlsOptions({}, undefined, undefined), trust: {} };
  const unverified = await converse([turn(get('/1'))], { ...lineTo(url), tls: strict });
  assert.deepEqual([unverified.answers, unverified.failure?.kind], [[], 'tls']);
});

test('what is cut comes in segments of its own', async (t) => {
  // The pause before a segment ends when the one before it has been read, however busy the machine is.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const segments: string[] = [];
  const url = await tcpServer(t, (socket) =>
    socket.on('data', (bytes) => {
      segments.push(bytes.toString());
      t.mock.timers.tick(2);
      if (segments.join('') === 'abcdef') socket.end('HTTP/1.1 204 x\r\n\r\n');
    }),
  );
  const { answers, end } = await converse([turn('abcdef', { cuts: [1, 4] }), turn('more')], lineTo(url));
  assert.deepEqual(segments.slice(0, 3), ['a', 'bcd', 'ef']);
  assert.deepEqual([answers.map(({ status }) => status), end], [[204], 'closed']);
});

test('malformed HTTP, a reset and a failed connection are reported', async (t) => {
  const babbling = await tcpServer(t, (socket) => void socket.write('hello there\r\n'));
  const heard = await converse([turn(get('/'))], lineTo(babbling));
  assert.deepEqual([heard.failure?.kind, heard.answers], ['malformed', []]);
  const resetting = await tcpServer(t, (socket) => void socket.once('data', () => socket.resetAndDestroy()));
  assert.equal((await converse([turn(get('/'))], lineTo(resetting))).end, 'reset');
  const { failure } = await converse([turn(get('/'))], { host: '127.0.0.1', port: 1 });
  assert.equal(failure?.kind, 'refused');
});

test('a target that is silent is left alone after a time, and so is one that pours answers', async (t) => {
  const silent = await tcpServer(t, () => {});
  assert.deepEqual(await converse([turn(get('/'), { within: 30 })], lineTo(silent)), { answers: [], end: 'open' });
  const pouring = await tcpServer(t, (socket) => void socket.write('HTTP/1.1 204 x\r\n\r\n'.repeat(5000)));
  const { answers, failure } = await converse([turn(get('/'))], lineTo(pouring));
  assert.ok(answers.length <= 1000);
  assert.match(failure?.message ?? '', /^1000 answers came/);
});

test('the sending side can be closed, and the answer still comes', async (t) => {
  const line = lineTo(await echo(t));
  const { answers } = await converse([turn(get('/1'), { afterwards: 'end' })], line);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200],
  );
  const { end } = await converse([turn(get('/1'), { afterwards: 'reset', within: 1000 })], line);
  assert.notEqual(end, 'open');
});
