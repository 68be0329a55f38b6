/**
 * A flood of sound, mutated and malformed requests at the reference CSE. `CSELAB_FLOOD=500000` sends so many in all; without it a
 * part of them. `CSELAB_FLOOD_SEED` makes it another flood.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { type TestContext, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { shipped } from '../../../certs/shipped.ts';
import { createCse, createFetch, type InMemoryCse, type Snapshot, serveHttp } from '../../../sim/index.ts';
import { flood } from './testing/flood.ts';
import { containers, FloodRequests, floodPaths } from './testing/flood-requests.ts';

const count = Number(process.env.CSELAB_FLOOD ?? 24_000) / 4;
const seed = Number(process.env.CSELAB_FLOOD_SEED ?? 1);
const bases = { documented: 'onem2m', onem2m: 'cse-in' } as const;
type Dialect = keyof typeof bases;

for (const dialect of ['documented', 'onem2m'] as const) {
  for (const secure of [false, true]) {
    test(`${dialect}, over ${secure ? 'TLS' : 'plain HTTP'}: every answer belongs to its request, and the tree is sound`, (t) =>
      flooded(t, dialect, secure));
  }
}

async function flooded(t: TestContext, dialect: Dialect, secure: boolean): Promise<void> {
  const defects: unknown[] = [];
  const onError = (error: unknown) => defects.push(error);
  await using cse = createCse({ dialect, onError, journal: 0 });
  const pem = (path: string) => readFileSync(path, 'utf8');
  const { cert, key } = shipped.certificate('mn-cse-1-client-server');
  const tls = {
    material: { cert: pem(cert), key: pem(key), ca: pem(shipped.chain) },
    clientCertificate: 'optional' as const,
  };
  await using server = await serveHttp(cse.http, { onError, ...(secure && { tls }) });
  const application = await furnish(cse, dialect);
  const place = floodPaths(new URL(server.url).host, application, dialect);
  const at = { port: server.port, host: '127.0.0.1', allowHalfOpen: true };
  const report = await flood({
    requests: new FloodRequests(place, seed),
    count,
    connect: () => (secure ? connectTls({ ...at, rejectUnauthorized: false }) : connectTcp(at)),
  });
  const statuses = [...report.statuses]
    .sort(([one], [other]) => one - other)
    .map(([status, times]) => `${status}: ${times}`);
  t.diagnostic(
    `${report.requests} requests on ${report.connections} connections, ${(report.successes * 100).toFixed(1)} % 2xx`,
  );
  t.diagnostic(statuses.join(', '));
  assert.deepEqual(report.failures, []);
  assert.deepEqual(defects, []);
  assert.ok(report.successes >= 0.3, String(report.successes));
  await assertSound(cse, dialect);
}

/** An application entity with containers, some of which keep only the newest instances. */
async function furnish(cse: InMemoryCse, dialect: Dialect): Promise<string> {
  const base = `/${bases[dialect]}`;
  const rr = dialect === 'onem2m' ? true : 'TRUE';
  await create(cse, base, 2, {
    'm2m:ae': { rn: 'flood', api: 'Nflood', rr, ...(dialect === 'onem2m' && { srv: ['3'] }) },
  });
  for (const [at, rn] of containers.entries()) {
    const limits = [{ mni: 300 }, { mbs: 20_000 }, { mni: 50, mbs: 5000 }][at % 3];
    await create(cse, `${base}/flood`, 3, { 'm2m:cnt': { rn, ...limits } });
  }
  return `${base}/flood`;
}

const headers = { 'X-M2M-Origin': 'CFlood', 'X-M2M-RI': 'furnish', 'X-M2M-RVI': '3' };

async function create(cse: InMemoryCse, path: string, ty: number, body: object): Promise<void> {
  const fetch = createFetch(cse.http);
  const type = { 'Content-Type': `application/json;ty=${ty}` };
  const request = new Request(`http://cse.test${path}`, {
    method: 'POST',
    headers: { ...headers, ...type },
    body: JSON.stringify(body),
  });
  const answer = await fetch(request);
  assert.equal(answer.status, 201, await answer.text());
}

/** Identifiers are there once, parents are there, and each container counts what is below it. */
async function assertSound(cse: InMemoryCse, dialect: Dialect): Promise<void> {
  const { resources } = cse.snapshot();
  const byId = new Map(resources.map((resource) => [resource.id, resource]));
  assert.equal(byId.size, resources.length);
  const paths = new Set(resources.map(({ parent, name }) => `${parent}/${name}`));
  assert.equal(paths.size, resources.length);
  for (const { id, parent } of resources) assert.ok(parent === null || byId.has(parent), id);
  const fetch = createFetch(cse.http);
  const read = async (id: string) => {
    const path = dialect === 'onem2m' ? `/${id}` : `/~/mn-cse-1/${id}`;
    const answer = await fetch(
      new Request(`http://cse.test${path}`, { headers: { ...headers, 'X-M2M-Origin': 'CFlood' } }),
    );
    return { status: answer.status, body: (await answer.json()) as Record<string, Record<string, unknown>> };
  };
  let instances = 0;
  for (const { id, root } of resources.filter((one) => one.root === 'm2m:cnt')) {
    const held = resources.filter((one) => one.parent === id && one.root === 'm2m:cin');
    const { status, body } = await read(id);
    assert.equal(status, 200, id);
    const bytes = held.reduce((sum, one) => sum + sizeOf(one), 0);
    assert.deepEqual([body[root]?.cni, body[root]?.cbs, body[root]?.ri], [held.length, bytes, id]);
    instances += held.length;
  }
  assert.ok(instances > 100, String(instances));
}

/** In the onem2m dialect one without content is created as well. */
function sizeOf({ values }: Snapshot['resources'][number]): number {
  const { con = '' } = values as { readonly con?: unknown };
  return Buffer.byteLength(typeof con === 'string' ? con : JSON.stringify(con));
}
