import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { acme } from './acme.ts';
import { serveProduct } from './serve-product.ts';
import { tinyiot } from './tinyiot.ts';

const common = 'Host: localhost\r\nX-M2M-Origin: CAdmin\r\nX-M2M-RI: 1\r\nX-M2M-RVI: 3\r\n';

/** Everything that comes back on one connection for these pieces, each sent after the one before has left. */
async function exchange(url: string, ...pieces: string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  socket.on('error', () => {});
  for (const piece of pieces) {
    await new Promise((resolve) => socket.write(piece, resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const received: Buffer[] = [];
  for await (const piece of socket) received.push(piece);
  return Buffer.concat(received).toString();
}

test('tinyIoT writes a line end after each body, integers with a fraction, and no length where there is no body', async () => {
  await using server = await serveProduct(tinyiot);
  const answer = await exchange(server.url, `GET /TinyIoT HTTP/1.1\r\n${common}\r\n`);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const length = Number(/Content-Length: (\d+)/.exec(head)?.[1]);
  assert.equal(Buffer.byteLength(body), length + 2);
  assert.match(body, /"ty":5\.0,.*\}\r\n$/);
  assert.match(head, /Connection: Close/);
  assert.doesNotMatch(head, /\nDate:|X-M2M-OT/);
  const described = await exchange(server.url, `OPTIONS /TinyIoT HTTP/1.1\r\n${common}\r\n`);
  assert.match(described, /^HTTP\/1\.1 200 /);
  assert.doesNotMatch(described, /Content-Length/);
});

test('what ends the process of tinyIoT is not answered, and what comes next is', async () => {
  await using server = await serveProduct(tinyiot);
  const fatal = [
    `PATCH /TinyIoT HTTP/1.1\r\n${common}\r\n`,
    `get /TinyIoT HTTP/1.1\r\n${common}\r\n`,
    'hello\r\n\r\n',
    `GET /TinyIoT HTTP/1.1\r\n${common.replace('RI: 1', `RI: ${'1'.repeat(300)}`)}\r\n`,
    'GET /TinyIoT HTTP/1.1\r\n',
  ];
  for (const request of fatal) assert.equal(await exchange(server.url, request), '', request);
  assert.match(await exchange(server.url, `GET /TinyIoT HTTP/1.1\r\n${common}\r\n`), /^HTTP\/1\.1 200 /);
});

test('tinyIoT reads the first piece of a request, and one request of a connection', async () => {
  await using server = await serveProduct(tinyiot);
  const head = `POST /TinyIoT HTTP/1.1\r\n${common}Content-Type: application/json;ty=3\r\n`;
  const cut = await exchange(server.url, `${head}Content-Length: 30\r\n\r\n{"m2m:cnt"`);
  assert.match(cut, /^HTTP\/1\.1 400 /);
  assert.doesNotMatch(cut, /X-M2M-RI/);
  const chunked = await exchange(
    server.url,
    `${head}Transfer-Encoding: chunked\r\n\r\nd\r\n{"m2m:cnt":{}\r\n0\r\n\r\n`,
  );
  assert.match(chunked, /^HTTP\/1\.1 400 /);
  const request = `GET /TinyIoT HTTP/1.1\r\n${common}\r\n`;
  const answers = (await exchange(server.url, request, request)).match(/HTTP\/1\.1 200 /g);
  assert.equal(answers?.length, 1);
});

test('ACME answers an empty body where XML is asked for, and HTML where there is no CSE', async () => {
  await using server = await serveProduct(acme);
  const headers = { 'X-M2M-Origin': 'CAdmin', 'X-M2M-RI': '1', 'X-M2M-RVI': '4' };
  const xml = await fetch(`${server.url}/cse-in`, { headers: { ...headers, Accept: 'application/xml' } });
  assert.deepEqual(
    [xml.status, xml.headers.get('content-type'), await xml.text(), xml.headers.get('connection')],
    [200, 'application/xml', '', 'close'],
  );
  const root = await fetch(server.url, { headers });
  assert.deepEqual([root.status, root.headers.get('x-m2m-rsc')], [404, null]);
  assert.match(root.headers.get('content-type') ?? '', /^text\/html/);
});
