import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { HttpClient } from './client.ts';

async function listening(serve: RequestListener) {
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url, [Symbol.asyncDispose]: close };
}

const get = { method: 'GET', target: '/x', headers: {} };

test('an answer comes with its status, its headers in lower case and its body', async () => {
  await using server = await listening((request, response) => {
    response
      .writeHead(418, { 'X-M2M-RSC': '4000', 'Set-Cookie': ['a', 'b'] })
      .end(`${request.method} ${request.url} é`);
  });
  await using client = new HttpClient();
  const { status, headers, body } = await client.send(server.url, get);
  assert.deepEqual([status, headers['x-m2m-rsc'], headers['set-cookie'], body], [418, '4000', 'a, b', 'GET /x é']);
});

test('a kept connection that was closed meanwhile costs nothing but what cannot be repeated', async () => {
  const seen: string[] = [];
  await using server = await listening((request, response) => {
    seen.push(String(request.method));
    // Every second request finds its connection cut without an answer.
    if (seen.length % 2 === 0) request.socket.destroy();
    else response.end('answered');
  });
  await using client = new HttpClient();
  await client.send(server.url, get);
  assert.equal((await client.send(server.url, { ...get, method: 'PUT' })).body, 'answered');
  await assert.rejects(client.send(server.url, { ...get, method: 'POST' }), { name: 'UnreachableError' });
  assert.deepEqual(seen, ['GET', 'PUT', 'PUT', 'POST']);
});

test('whatever goes wrong is an UnreachableError with the URL and the reason', async () => {
  await using garbage = await listening((request) => request.socket.end('nonsense\r\n\r\n'));
  await using endless = await listening((_, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      response.once('drain', more);
    };
    more();
  });
  await using silent = await listening(() => {});
  await using patient = new HttpClient({ largestAnswer: 100_000 });
  await using hasty = new HttpClient({ timeout: 100 });
  const cases: [HttpClient, string, RegExp][] = [
    [patient, 'http://127.0.0.1:1', /^http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/],
    [patient, 'http://no-such-host.invalid', /no-such-host\.invalid: /],
    [patient, garbage.url, /Parse Error|expected HTTP/i],
    [patient, endless.url, /longer than 100000 bytes \(largestAnswer\)/],
    [hasty, silent.url, /no complete answer within 0\.1 s/],
  ];
  for (const [client, url, message] of cases) {
    await assert.rejects(client.send(url, get), (error: Error) => {
      assert.equal(error.name, 'UnreachableError');
      assert.match(error.message, message);
      return true;
    });
  }
});
