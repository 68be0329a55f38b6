import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startNode } from '../topology/node.ts';
import { serveHealth } from './health.ts';

const gone = 'http://127.0.0.1:1';
const remote = { base: 'onem2m', cseId: 'in-cse-1', cseType: 'IN-CSE' as const, ownPoa: [] };
const registered = { interval: 3600, offset: 3600, labels: [] };

test('the health port is live at once, and ready when all have started and are registered', async () => {
  await using backend = await startNode({ cse: { cseId: 'in-cse-1', cseType: 'IN-CSE' }, http: {} });
  const remoteCses = [{ ...remote, poa: [backend.url ?? ''] }];
  await using gateway = await startNode({ cse: {}, http: {}, registration: { ...registered, remoteCses } });
  const going = { started: false };
  const nodes = () => [backend, gateway];
  await using health = await serveHealth({ nodes, started: () => going.started, port: 0 });
  assert.equal((await fetch(`${health.url}/live`)).status, 200);
  await gateway.whenRegistered();
  assert.equal((await fetch(`${health.url}/ready`)).status, 503);
  going.started = true;
  const ready = await fetch(`${health.url}/ready`);
  assert.deepEqual(
    [ready.status, await ready.json()],
    [
      200,
      {
        ready: true,
        cses: [
          { cseId: 'in-cse-1', url: backend.url, registeredAt: [], missing: {} },
          { cseId: 'mn-cse-1', url: gateway.url, registeredAt: ['in-cse-1'], missing: {} },
        ],
      },
    ],
  );
});

test('a gateway that is not registered is not ready, and the health port says why', async () => {
  const remoteCses = [{ ...remote, poa: [gone] }];
  const { registration, ...settings } = { cse: {}, registration: { ...registered, remoteCses } };
  await using gateway = await startNode({ ...settings, registration });
  await Promise.all(gateway.registrations.map((one) => one.settled()));
  await using health = await serveHealth({ nodes: () => [gateway], started: () => true, port: 0 });
  const answer = await fetch(`${health.url}/ready`);
  const { cses } = (await answer.json()) as { cses: { missing: Record<string, string> }[] };
  assert.equal(answer.status, 503);
  assert.match(cses[0]?.missing['in-cse-1'] ?? '', /ECONNREFUSED|bad port/);
});

test('the health port knows two paths and one method', async () => {
  await using health = await serveHealth({ nodes: () => [], started: () => true, port: 0 });
  const status = async (path: string, method = 'GET') => (await fetch(`${health.url}${path}`, { method })).status;
  assert.deepEqual(
    [await status('/'), await status('/ready?x=1'), await status('/ready', 'HEAD'), await status('/live', 'POST')],
    [404, 200, 200, 405],
  );
});
