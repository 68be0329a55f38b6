import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { request as send } from 'undici';
import { shipped } from '../../../certs/shipped.ts';
import { UsageError } from '../basics/diagnostics.ts';
import { urlTarget } from './exchanging/url.ts';
import { SimulatedBackend, type SimulatedBackendOptions } from './simulated-backend.ts';
import { pem, trust } from './test-servers.ts';
import { backendDefaults } from './url-choice.ts';

async function listen(t: TestContext, options: Partial<SimulatedBackendOptions> = {}): Promise<SimulatedBackend> {
  const played = await SimulatedBackend.listen({
    ...backendDefaults,
    port: 0,
    startedAt: 0,
    certain: true,
    ...options,
  });
  t.after(() => played.close());
  return played;
}

async function ask(
  played: SimulatedBackend,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  csr?: object,
) {
  const answer = await send(played.description.url + path, {
    method,
    headers: { 'X-M2M-RI': 'r1' },
    body: csr === undefined ? null : JSON.stringify({ 'm2m:csr': csr }),
  });
  const text = await answer.body.text();
  return { status: answer.statusCode, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) };
}

const own = { rn: 'mn-cse-1', csi: '/mn-cse-1', cb: 'onem2m', cst: 2, poa: ['http://x'], acpi: [], lt: null };

test('a gateway registers, reads the base, renews and leaves', async (t) => {
  const played = await listen(t);
  const created = await ask(played, 'POST', '/~/in-cse-1/onem2m', own);
  const { ri, ty, ct, ...rest } = created.body['m2m:csr'];
  assert.deepEqual([created.status, created.headers['x-m2m-rsc'], created.headers['x-m2m-ri']], [201, '2001', 'r1']);
  assert.deepEqual([ri, ty, rest.csi, 'acpi' in rest], ['csr0', 16, '/mn-cse-1', false]);
  assert.match(ct, /^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/);
  const base = await ask(played, 'GET', '/~/in-cse-1/onem2m');
  assert.deepEqual([base.status, base.body['m2m:cb'].csi], [200, '/in-cse-1']);
  for (const path of [
    '/~/in-cse-1/onem2m/mn-cse-1',
    '/~/in-cse-1/csr0',
    '/onem2m/mn-cse-1',
    '/_/openmtc.org/in-cse-1/onem2m/mn-cse-1',
  ]) {
    assert.equal((await ask(played, 'GET', path)).status, 200, path);
  }
  const renewed = await ask(played, 'PUT', '/~/in-cse-1/csr0', { et: 'later', lbl: [], csi: null });
  assert.deepEqual(
    [renewed.status, renewed.body['m2m:csr'].et, renewed.body['m2m:csr'].csi],
    [200, 'later', '/mn-cse-1'],
  );
  assert.equal((await ask(played, 'DELETE', '/~/in-cse-1/onem2m/mn-cse-1')).status, 200);
  assert.equal((await ask(played, 'PUT', '/~/in-cse-1/csr0', { et: 'later' })).status, 404);
});

test('a second registration takes the place of the first', async (t) => {
  const played = await listen(t);
  await ask(played, 'POST', '/onem2m', own);
  assert.equal((await ask(played, 'POST', '/onem2m', own)).status, 201);
});

test('anything else is not found, or no registration', async (t) => {
  const played = await listen(t);
  for (const path of ['/nowhere', '/~/other/onem2m', '/onem2m/a/b', '/%zz']) {
    assert.equal((await ask(played, 'GET', path)).status, 404, path);
  }
  assert.equal((await ask(played, 'PATCH', '/onem2m')).status, 404);
  assert.equal((await send(`${played.description.url}/onem2m`, { method: 'POST', body: '[1' })).statusCode, 400);
});

test('every request is kept, with what is secret in it masked', async (t) => {
  const played = await listen(t);
  await send(`${played.description.url}/x?y=1`, {
    method: 'POST',
    body: 'text',
    headers: { Authorization: 'Bearer 1', A: 'b' },
  });
  const found = await played.log.next(() => true, { from: 0, within: 1000, signal: new AbortController().signal });
  const { method, path, body, headers = [] } = found?.request ?? {};
  assert.deepEqual([method, path, body], ['POST', '/x?y=1', 'text']);
  assert.deepEqual(
    headers.filter(([name]) => /^(a|authorization)$/i.test(name)),
    [
      ['Authorization', '***'],
      ['A', 'b'],
    ],
  );
});

test('garbage ends its connection and nothing else', async (t) => {
  const played = await listen(t);
  const { hostname, port } = new URL(played.description.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write('\x16\x03\x01 garbage\r\n\r\n');
  await new Promise((resolve) => socket.on('close', resolve));
  await assert.rejects(send(`${played.description.url}/`, { method: 'POST', body: Buffer.alloc(2_000_000) }));
  assert.equal((await ask(played, 'GET', '/onem2m')).status, 200);
});

test('over HTTPS it has the certificate of the backend', async (t) => {
  const { ca = '' } = trust;
  const played = await listen(t, { tls: { ...pem(shipped.certificate('in-cse-1-client-server')), ca } });
  const target = urlTarget({
    description: played.description,
    connections: 1,
    timeout: 2000,
    startedAt: 0,
    keepAlive: true,
    trust,
  });
  t.after(() => target.close());
  const exchange = await target.send({ method: 'GET', path: '/onem2m', headers: [] }, { alone: true });
  assert.deepEqual([exchange.answer?.status, exchange.tls?.server?.uris], [200, ['//openmtc.org/in-cse-1']]);
});

test('a port that is taken is a usage error', async (t) => {
  const { description } = await listen(t);
  const port = Number(new URL(description.url).port);
  await assert.rejects(listen(t, { port }), (error) => error instanceof UsageError && /EADDRINUSE/.test(error.message));
});
