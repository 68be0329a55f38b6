import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { shipped } from '../../certs/shipped.ts';
import { createCse } from '../cse/create-cse.ts';
import { WireDisturbances } from '../disturbance/disturbances.ts';
import { systemClock } from '../environment/clock.ts';
import { openHttp } from './http-entry.ts';
import { startNode } from './node.ts';
import { readTlsFiles } from './tls-files.ts';

const settings = { cse: { base: 'TinyIoT' }, http: {} };

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

const read = 'GET /TinyIoT HTTP/1.1\r\nHost: localhost\r\nX-M2M-Origin: CAdmin\r\nX-M2M-RI: 1\r\nX-M2M-RVI: 3\r\n\r\n';

test('an installed CSE is dead, resets and comes back', async () => {
  await using node = await startNode(settings);
  await node.disturbances.dead();
  assert.equal(await ask(node.url, read), 'ECONNREFUSED');
  await node.disturbances.set(['reset']);
  assert.equal(await ask(node.url, read), 'ECONNRESET');
  await node.disturbances.clear();
  assert.equal(await ask(node.url, read), 'HTTP/1.1 200');
});

/** Who the certificate is for that is presented there, and whether it verifies. */
async function presented(url: string | undefined): Promise<{ readonly verified: boolean; readonly serial: string }> {
  const port = Number(new URL(String(url)).port);
  const socket = connectTls({
    port,
    ca: readFileSync(shipped.chain),
    rejectUnauthorized: false,
    servername: 'localhost',
  });
  await once(socket, 'secureConnect');
  const seen = { verified: socket.authorized, serial: socket.getPeerCertificate().serialNumber };
  socket.destroy();
  return seen;
}

async function secureEntrance(deviations: readonly string[]) {
  const { cert: crt, key } = shipped.certificate('mn-cse-1-client-server');
  const tls = { crt, key, ca: shipped.chain };
  const material = await readTlsFiles(tls);
  const onError = (error: unknown) => assert.fail(String(error));
  const disturbances = new WireDisturbances(systemClock(), onError);
  const { http: service } = createCse({ deviations });
  const settings = { cse: { deviations }, http: { enableHttps: true }, tls };
  const entrance = await openHttp({ service }, settings, { material, disturbances, onError, log: () => {} });
  assert.ok(entrance);
  return Object.assign(entrance, { material, disturbances, [Symbol.asyncDispose]: () => entrance.close() });
}

test('a certificate that is wrong on purpose stays when the sound one is renewed, and when a broken one has been cleared', async () => {
  await using entrance = await secureEntrance(['tls.server-certificate.self-signed']);
  const before = await presented(entrance.url);
  assert.equal(before.verified, false);
  await entrance.renewTls(entrance.material);
  assert.deepEqual(await presented(entrance.url), before);
  await entrance.disturbances.set(['certificate is=expired']);
  assert.notDeepEqual(await presented(entrance.url), before);
  await entrance.disturbances.clear();
  assert.deepEqual(await presented(entrance.url), before);
});

test('a certificate that disturbances has replaced is not renewed before that is cleared', async () => {
  await using entrance = await secureEntrance([]);
  const sound = await presented(entrance.url);
  assert.equal(sound.verified, true);
  await entrance.disturbances.set(['certificate']);
  const expired = await presented(entrance.url);
  await entrance.renewTls(entrance.material);
  assert.deepEqual(await presented(entrance.url), expired);
  await entrance.disturbances.clear();
  assert.deepEqual(await presented(entrance.url), sound);
});
