import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CseOptions } from '../cse/create-cse.ts';
import type { HttpResponse, HttpService } from '../dialects/http-message.ts';
import { manualClock } from '../environment/clock.ts';
import type { Instruments } from '../instruments/instruments.ts';
import { type CseNode, startNode } from './node.ts';

const backendOptions: CseOptions = { cseId: 'in-cse-1', cseType: 'IN-CSE' };

async function startBackend(port: number, around?: Instruments['wrapService']): Promise<CseNode & { port: number }> {
  const node = await startNode(
    { cse: backendOptions, http: { port } },
    around ? { instruments: { wrapService: around, wrapSender: (sender) => sender } } : {},
  );
  return { ...node, port: Number(new URL(String(node.url)).port) };
}

/** A port at which nobody listens, for the moment. */
async function freePort(): Promise<number> {
  const { port, close } = await startBackend(0);
  await close();
  return port;
}

async function startGateway(port: number) {
  const clock = manualClock();
  const log: string[] = [];
  const registration = {
    interval: 3600,
    offset: 1800,
    labels: ['laboratory'],
    remoteCses: [
      { base: 'onem2m', cseId: 'in-cse-1', cseType: 'IN-CSE', ownPoa: [], poa: [`http://127.0.0.1:${port}`] },
    ],
  } as const;
  const node = await startNode({ cse: {}, http: {}, registration }, { clock, log: (line) => log.push(line) });
  // The first attempt has come to its end, whatever it came to.
  await node.registrations[0]?.settled();
  return { ...node, clock, log };
}

async function read(url: string | undefined, path: string): Promise<Record<string, unknown> | undefined> {
  const answer = await fetch(`${url}${path}`);
  if (answer.status !== 200) return undefined;
  const body = (await answer.json()) as Record<string, Record<string, unknown>>;
  return Object.values(body)[0];
}

const atBackend = (backend: CseNode) => read(backend.url, '/onem2m/mn-cse-1');
const atGateway = (gateway: CseNode) => read(gateway.url, '/onem2m/in-cse-1');

test('a registration shows on both sides what the configuration says', async () => {
  const backend = await startBackend(0);
  const gateway = await startGateway(backend.port);
  const there = await atBackend(backend);
  assert.deepEqual(
    [there?.csi, there?.cb, there?.cst, there?.lbl, there?.poa, there?.rr, there?.ty],
    ['/mn-cse-1', '/mn-cse-1/onem2m', 2, ['laboratory'], [gateway.url], true, 16],
  );
  const here = await atGateway(gateway);
  assert.deepEqual(
    [here?.csi, here?.cb, here?.cst, here?.poa, here?.ty],
    ['/in-cse-1', '/in-cse-1/onem2m', 1, [backend.url], 16],
  );
  assert.equal(Date.parse(String(there?.et)), Math.floor(gateway.clock.now() / 1000) + 5400_000);
  const found = await (await fetch(`${backend.url}/onem2m?fu=1&lbl=laboratory`)).json();
  assert.deepEqual(found, { 'm2m:uril': ['onem2m/mn-cse-1'] });
  await gateway.close();
  assert.equal(await atBackend(backend), undefined);
  await backend.close();
});

test('a registration is renewed every interval, and lives interval and offset', async () => {
  await using backend = await startBackend(0);
  await using gateway = await startGateway(backend.port);
  const first = Date.parse(String((await atBackend(backend))?.et));
  await gateway.clock.advance('59m');
  assert.equal(Date.parse(String((await atBackend(backend))?.et)), first);
  await gateway.clock.advance('1m');
  assert.equal(Date.parse(String((await atBackend(backend))?.et)), first + 3600_000);
  assert.equal(Date.parse(String((await atGateway(gateway))?.et)), first + 3600_000);
});

test('a backend that is absent at the start is found when it comes', async () => {
  const port = await freePort();
  await using gateway = await startGateway(port);
  await gateway.clock.advance('10m');
  assert.match(gateway.log.join('\n'), /^not registered at in-cse-1: http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED/);
  await using backend = await startBackend(port);
  await gateway.clock.advance('1m');
  assert.equal((await atBackend(backend))?.csi, '/mn-cse-1');
  assert.equal((await atGateway(gateway))?.csi, '/in-cse-1');
  assert.equal(gateway.log.at(-1), 'registered at in-cse-1');
});

test('pauses between attempts grow from one second to a minute', async () => {
  const attempts: number[] = [];
  const gateway: { clock?: { now(): number } } = {};
  const refusing = (service: HttpService): HttpService => ({
    ...service,
    handle: (): HttpResponse => {
      attempts.push(gateway.clock?.now() ?? 0);
      return { status: 503, headers: {}, body: '' };
    },
  });
  await using backend = await startBackend(0, refusing);
  await using started = await startGateway(backend.port);
  gateway.clock = started.clock;
  const start = started.clock.now();
  await started.clock.advance('4m');
  const seconds = attempts.slice(1).map((at) => (at - start) / 1_000_000);
  assert.deepEqual(seconds, [1, 3, 7, 15, 31, 63, 123, 183]);
});

test('a backend that refuses for a while gets its registration when it takes it', async () => {
  let refuses = true;
  const moody = (service: HttpService): HttpService => ({
    ...service,
    handle: (request) =>
      refuses ? { status: 403, headers: { 'X-M2M-RSC': '4103' }, body: '' } : service.handle(request),
  });
  await using backend = await startBackend(0, moody);
  await using gateway = await startGateway(backend.port);
  assert.deepEqual(gateway.log, ['not registered at in-cse-1: POST was answered with 403, RSC 4103']);
  refuses = false;
  assert.equal(await atBackend(backend), undefined);
  await gateway.clock.advance('1s');
  assert.equal((await atBackend(backend))?.csi, '/mn-cse-1');
});

test('a backend that was restarted empty has the registration again after five seconds', async () => {
  const former = await startBackend(0);
  await using gateway = await startGateway(former.port);
  await former.close();
  await using backend = await startBackend(former.port);
  assert.equal(await atBackend(backend), undefined);
  await gateway.clock.advance('5s');
  assert.equal((await atBackend(backend))?.csi, '/mn-cse-1');
});

test('while nothing else happens in virtual time the backend gets no repeated requests', async () => {
  const asked: string[] = [];
  const backend = await startBackend(0, (service) => ({
    ...service,
    handle: (request) => {
      asked.push(request.method);
      return service.handle(request);
    },
  }));
  const gateway = await startGateway(backend.port);
  asked.length = 0;
  await gateway.clock.advance('24h');
  // In each hour a look, a renewal, and a look after it.
  assert.deepEqual([asked.filter((one) => one === 'PUT').length, asked.length], [24, 72]);
  assert.equal((await atBackend(backend))?.csi, '/mn-cse-1');
  await Promise.all([gateway.close(), backend.close()]);
});

test('a registration that a former life of the gateway left behind is taken over', async () => {
  await using backend = await startBackend(0);
  const content = { rn: 'mn-cse-1', csi: '/mn-cse-1', cb: '/mn-cse-1/onem2m', rr: true, poa: ['http://127.0.0.1:9'] };
  backend.cse.core.request({ operation: 'create', to: 'onem2m', content: { 'm2m:csr': content } });
  await using gateway = await startGateway(backend.port);
  const there = await atBackend(backend);
  assert.deepEqual([there?.ri, there?.poa, there?.lbl], ['csr0', [gateway.url], ['laboratory']]);
  assert.equal((await atGateway(gateway))?.csi, '/in-cse-1');
});

test('a stale registration that cannot be updated is made anew', async () => {
  const withoutUpdates = (service: HttpService): HttpService => ({
    ...service,
    handle: (request) => (request.method === 'PUT' ? { status: 405, headers: {}, body: '' } : service.handle(request)),
  });
  await using backend = await startBackend(0, withoutUpdates);
  const content = { rn: 'mn-cse-1', csi: '/mn-cse-1', cb: '/mn-cse-1/onem2m', rr: true };
  backend.cse.core.request({ operation: 'create', to: 'onem2m', content: { 'm2m:csr': content } });
  await using gateway = await startGateway(backend.port);
  assert.deepEqual([(await atBackend(backend))?.ri, gateway.registrations[0]?.registered], ['csr1', true]);
});

test('a lost entry in the own tree is restored', async () => {
  await using backend = await startBackend(0);
  await using gateway = await startGateway(backend.port);
  await fetch(`${gateway.url}/onem2m/in-cse-1`, { method: 'DELETE' });
  assert.equal(await atGateway(gateway), undefined);
  await gateway.clock.advance('5s');
  assert.equal((await atGateway(gateway))?.csi, '/in-cse-1');
});

test('a CSE that ends while the backend is away ends all the same', async () => {
  const backend = await startBackend(0);
  const gateway = await startGateway(backend.port);
  await backend.close();
  await gateway.close();
  assert.equal(gateway.registrations[0]?.registered, false);
});
