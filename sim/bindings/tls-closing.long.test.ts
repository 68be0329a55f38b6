/** What is left when an HTTPS server has been closed. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as connectTcp, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { shipped } from '../../certs/shipped.ts';
import { only, serveEcho } from './testing/echo-server.ts';
import { answersIn } from './testing/raw-client.ts';

const ca = readFileSync(shipped.chain, 'utf8');
const { cert, key } = shipped.certificate('mn-cse-1-client-server');
const material = { ca, cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
const tls = { material, clientCertificate: 'optional' } as const;
const host = '127.0.0.1';

/** node removes a closed handle at the end of the turn in which it was closed. */
async function handles(): Promise<string[]> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
  return process.getActiveResourcesInfo().sort();
}

const closed = (socket: Socket): Promise<unknown> => once(socket.on('error', () => {}).resume(), 'close');

test('a server with open handshakes and idle clients closes', async () => {
  const running = await serveEcho({ tls, limits: { closeMilliseconds: 600_000 } });
  const waiting = connectTcp(running.port, host);
  await once(waiting, 'connect');
  const idle = connectTls({ port: running.port, host, ca });
  await once(idle, 'secureConnect');
  const gone = Promise.all([closed(waiting), closed(idle)]);
  await running.server.close();
  assert.equal((await gone).length, 2);
});

test('closing lets running requests finish and says that the connection closes', async () => {
  const running = await serveEcho({ tls, limits: { closeMilliseconds: 600_000 } });
  const socket = connectTls({ port: running.port, host, ca });
  socket.write('GET /held/a HTTP/1.1\r\nHost: a\r\n\r\n');
  await running.service.arrival('/held/a');
  const ended = running.server.close();
  running.service.release('a');
  await ended;
  assert.equal(only(answersIn(await buffer(socket), false)).headers.connection, 'close');
});

test('closing cuts requests that do not finish', async () => {
  const running = await serveEcho({ tls, limits: { closeMilliseconds: 20 } });
  const socket = connectTls({ port: running.port, host, ca });
  socket.write('GET /held/a HTTP/1.1\r\nHost: a\r\n\r\n');
  await running.service.arrival('/held/a');
  const gone = closed(socket);
  await running.server.close();
  await gone;
  assert.equal(socket.bytesRead, 0);
});

test('two hundred servers, one after another, leave no handle behind', async () => {
  const before = await handles();
  for (let count = 0; count < 200; count++) {
    const running = await serveEcho({ tls });
    const waiting = connectTcp(running.port, host);
    await once(waiting, 'connect');
    const idle = connectTls({ port: running.port, host, ca });
    idle.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(idle, 'data');
    const gone = Promise.all([closed(waiting), closed(idle)]);
    await running.server.close();
    await gone;
  }
  assert.deepEqual(await handles(), before);
});
