import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../environment/clock.ts';
import { Instruments } from '../instruments/instruments.ts';
import { type CseNode, startNode } from '../topology/node.ts';
import { serveHealth } from './health.ts';
import type { CountedNode } from './metrics.ts';
import { Activity } from './output/activity.ts';

const gone = 'http://127.0.0.1:1';
const remote = { base: 'onem2m', cseId: 'in-cse-1', cseType: 'IN-CSE' as const, ownPoa: [] };
const registered = { interval: 3600, offset: 3600, labels: [] };

const counted = (node: CseNode, role: CountedNode['role'], activity = new Activity('')): CountedNode => {
  activity.attach(node);
  return { node, role, activity };
};

test('the health port is live at once, and ready when all have started and are registered', async () => {
  await using backend = await startNode({ cse: { cseId: 'in-cse-1', cseType: 'IN-CSE' }, http: {} });
  const remoteCses = [{ ...remote, poa: [backend.url ?? ''] }];
  await using gateway = await startNode({ cse: {}, http: {}, registration: { ...registered, remoteCses } });
  const going = { started: false };
  const nodes = () => [counted(backend, 'backend'), counted(gateway, 'gateway')];
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
  await using health = await serveHealth({ nodes: () => [counted(gateway, 'gateway')], started: () => true, port: 0 });
  const answer = await fetch(`${health.url}/ready`);
  const { cses } = (await answer.json()) as { cses: { missing: Record<string, string> }[] };
  assert.equal(answer.status, 503);
  assert.match(cses[0]?.missing['in-cse-1'] ?? '', /ECONNREFUSED|bad port/);
});

test('the health port knows three paths and one method', async () => {
  await using health = await serveHealth({ nodes: () => [], started: () => true, port: 0 });
  const status = async (path: string, method = 'GET') => (await fetch(`${health.url}${path}`, { method })).status;
  assert.deepEqual(
    [
      await status('/'),
      await status('/ready?x=1'),
      await status('/ready', 'HEAD'),
      await status('/live', 'POST'),
      await status('/metrics'),
    ],
    [404, 200, 200, 405, 200],
  );
});

test('the health port counts what came and what is held, for Prometheus', async () => {
  const remoteCses = [{ ...remote, cseId: 'in"\\cse', poa: [gone] }];
  const instruments = new Instruments({ clock: manualClock(), maxEntries: 0, onError: assert.ifError });
  const activity = new Activity('');
  activity.listenTo(instruments);
  const settings = { cse: {}, http: {}, registration: { ...registered, remoteCses } };
  await using gateway = await startNode(settings, { instruments });
  await using backend = await startNode({ cse: { cseId: 'in-cse-1', cseType: 'IN-CSE' } });
  const nodes = () => [counted(gateway, 'gateway', activity), counted(backend, 'backend')];
  await using health = await serveHealth({ nodes, started: () => true, port: 0 });
  await fetch(`${gateway.url}/onem2m`);
  await fetch(`${gateway.url}/onem2m/none`);
  const answer = await fetch(`${health.url}/metrics`);
  assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  const lines = (await answer.text()).split('\n');
  const of = (name: string) => lines.filter((line) => line.startsWith(name));
  const [one, other] = ['{cse="mn-cse-1",role="gateway"}', '{cse="in-cse-1",role="backend"}'];
  assert.deepEqual(of('cselab_requests_total'), [`cselab_requests_total${one} 2`, `cselab_requests_total${other} 0`]);
  assert.deepEqual(of('# TYPE cselab_requests_total'), ['# TYPE cselab_requests_total counter']);
  assert.deepEqual(of(`cselab_requests_refused_total${one}`), [`cselab_requests_refused_total${one} 1`]);
  assert.deepEqual(of(`cselab_resources${one}`), [`cselab_resources${one} ${gateway.cse.core.tree.size}`]);
  assert.deepEqual(of('cselab_registered'), [
    'cselab_registered{cse="mn-cse-1",role="gateway",registrar="in\\"\\\\cse"} 0',
  ]);
  assert.equal(lines.at(-1), '');
});
