import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { serveEcho } from './testing/echo-server.ts';
import { RawClient } from './testing/raw-client.ts';

const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

/** `answered`, or the code of the error. */
async function ask(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(request);
  try {
    await once(socket, 'data');
    return 'answered';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? '';
  } finally {
    socket.destroy();
  }
}

test('a server that is suspended cuts its connections and refuses others, until it is resumed', async () => {
  await using running = await serveEcho();
  const client = new RawClient(running.port);
  client.send(request);
  await client.answers(1);
  running.server.suspend();
  await client.ended;
  assert.equal(await ask(running.port), 'ECONNREFUSED');
  await running.server.resume();
  assert.equal(await ask(running.port), 'answered');
});

test('a port that is taken meanwhile is waited for, in one line', async () => {
  const incidents: string[] = [];
  await using running = await serveEcho({ onIncident: (line) => incidents.push(line) });
  running.server.suspend();
  const other = createServer();
  other.listen(running.port, '127.0.0.1');
  await once(other, 'listening');
  const resumed = running.server.resume();
  while (incidents.length === 0) await new Promise((turn) => setImmediate(turn));
  other.close();
  await resumed;
  assert.equal(await ask(running.port), 'answered');
  assert.deepEqual(incidents, [`port ${running.port} is taken by another process; waiting for it`]);
});

test('a server that is suspended can be closed, and is not resumed any more', async () => {
  const running = await serveEcho();
  running.server.suspend();
  await running.server.close();
  await running.server.resume();
  assert.equal(await ask(running.port), 'ECONNREFUSED');
});

test('a server that is closed while it begins to listen again does not listen afterwards', async () => {
  const running = await serveEcho();
  running.server.suspend();
  const resumed = running.server.resume();
  await running.server.close();
  await resumed;
  assert.equal(await ask(running.port), 'ECONNREFUSED');
});
