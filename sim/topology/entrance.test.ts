import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { shipped } from '../../certs/shipped.ts';
import { quirkSettings } from '../products/product.ts';
import { tinyiot } from '../products/tinyiot.ts';
import { startNode } from './node.ts';

const settings = { cse: quirkSettings(tinyiot), quirks: tinyiot.quirks, http: {} };

/** The beginning of what comes back for these bytes, or the code of the error; empty where the connection just ends. */
async function ask(url: string | undefined, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(String(url)).port), '127.0.0.1');
  socket.write(bytes);
  try {
    const [piece] = (await Promise.race([once(socket, 'data'), once(socket, 'end')])) as [Buffer?];
    return piece?.toString('latin1', 0, 'HTTP/1.1 200'.length) ?? '';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? '';
  } finally {
    socket.destroy();
  }
}

const read = 'GET /TinyIoT HTTP/1.1\r\nHost: a\r\nX-M2M-Origin: CAdmin\r\nX-M2M-RI: 1\r\nX-M2M-RVI: 3\r\n\r\n';

test('what a product does below HTTP stands before an installed CSE', async () => {
  await using node = await startNode(settings);
  assert.equal(await ask(node.url, read), 'HTTP/1.1 200');
  assert.equal(await ask(node.url, 'hello\r\n\r\n'), '');
});

test('such a CSE is dead, resets and comes back as any other', async () => {
  await using node = await startNode(settings);
  await node.breakage.dead();
  assert.equal(await ask(node.url, read), 'ECONNREFUSED');
  await node.breakage.set(['reset']);
  assert.equal(await ask(node.url, read), 'ECONNRESET');
  await node.breakage.clear();
  assert.equal(await ask(node.url, read), 'HTTP/1.1 200');
});

test('what stands below HTTP is refused over TLS, which would hide it', async () => {
  const { cert: crt, key } = shipped.certificate('mn-cse-1-client-server');
  const secure = { ...settings, http: { enableHttps: true }, tls: { crt, key, ca: shipped.chain } };
  await assert.rejects(startNode(secure), /quirks below HTTP take plain HTTP/);
});
