import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { createCse, serveHttp, writtenDeviations } from '../../sim/index.ts';
import { check } from '../checking/check.ts';
import type { Dialect, Serialization } from '../engine/grammar/dialects.ts';
import { contentText, serialize } from '../engine/messages/serialization.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { record } from './record.ts';
import { openRelay } from './relay.ts';

const never = (sentence: string) => assert.fail(sentence);

/** An application that listens, and what comes to it. */
async function application(t: TestContext) {
  const came: Array<{ readonly path: string; readonly body: string }> = [];
  const server = createServer(async (request, response) => {
    const body = contentText(Buffer.concat(await request.toArray()));
    response.writeHead(200, { 'X-M2M-RSC': '2000', 'X-M2M-RI': request.headers['x-m2m-ri'] ?? '' }).end();
    came.push({ path: request.url ?? '', body });
    server.emit('notified');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const events = async (count: number) => {
    const all = () => came.filter(({ body }) => body.includes('"nev"'));
    while (all().length < count) await once(server, 'notified');
    return all();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hear?it=1`, events };
}

/** Registers, subscribes in one form, creates two content instances, each after the notification of the one before. */
async function recorded(t: TestContext, dialect: Dialect, form: 'URL' | 'AE-ID', how: Serialization = 'json') {
  const cse = createCse({ dialect, ...(dialect === 'onem2m' && { admin: 'CAdmin' }) });
  const target = await serveHttp(cse.http);
  t.after(() => target.close());
  const folder = mkdtempSync(join(tmpdir(), 'cselab-record-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const out = join(folder, 'recorded.yaml');
  const base = dialect === 'onem2m' ? 'cse-in' : 'onem2m';
  const names = dialect === 'onem2m' ? { base, cseId: 'id-in', admin: 'CAdmin' } : {};
  const limits = { port: 0, timeout: 5000, onLost: never };
  const proxy = await record({ target: { url: target.url, dialect, ...names }, out, ...limits });
  t.after(() => proxy.close());
  const app = await application(t);
  let requests = 0;
  const post = async (path: string, ty: number, body: object) => {
    const common = { 'X-M2M-Origin': 'Cmeter', 'X-M2M-RI': `r${++requests}`, 'X-M2M-RVI': '3' };
    const headers = { ...common, Accept: `application/${how}`, 'Content-Type': `application/${how};ty=${ty}` };
    const sent = new Uint8Array(serialize(body, how));
    const answer = await fetch(proxy.url + path, { method: 'POST', headers, body: sent });
    const text = contentText(new Uint8Array(await answer.arrayBuffer()));
    assert.equal(answer.status, 201, text);
    return JSON.parse(text);
  };
  const own =
    dialect === 'onem2m'
      ? { rr: true, srv: ['3'], ...(how === 'cbor' && { csz: ['application/cbor'] }) }
      : { rr: 'TRUE' };
  const ae = await post(`/${base}`, 2, { 'm2m:ae': { rn: 'meter', api: 'Nmeter', ...own, poa: [app.url] } });
  assert.deepEqual(ae['m2m:ae'].poa, [app.url]);
  await post(`/${base}/meter`, 3, { 'm2m:cnt': { rn: 'values' } });
  const nu = [form === 'URL' ? app.url : ae['m2m:ae'].aei];
  await post(`/${base}/meter/values`, 23, { 'm2m:sub': { rn: 'watch', nu, nct: 1, enc: { net: [3] } } });
  for (const [at, con] of ['one', 'two'].entries()) {
    await post(`/${base}/meter/values`, 4, { 'm2m:cin': { con } });
    await app.events(at + 1);
  }
  await proxy.close();
  return { out, url: target.url, names, app };
}

const looks = (file: string) => {
  const { scenarios, needs, inboxes } = parse(readFileSync(file, 'utf8'));
  return { needs, inboxes, steps: scenarios.recorded.steps.filter((step: object) => 'notified' in step) };
};

for (const form of ['URL', 'AE-ID'] as const) {
  test(`what an application is notified by its ${form} becomes a step that passes again, and fails where it is lost`, async (t) => {
    const { out, url, names, app } = await recorded(t, 'onem2m', form);
    assert.deepEqual(
      (await app.events(2)).map(({ path }) => path),
      ['/hear?it=1', '/hear?it=1'],
    );
    const { needs, inboxes, steps } = looks(out);
    assert.deepEqual([needs, inboxes], [['notifications'], { inbox1: {} }]);
    const requirement = 'std.notification.event.create-child';
    const check = (con: string) => ({
      [requirement]: { notifications: 1, notification: { event: 3, root: 'm2m:cin', attributes: { con } } },
    });
    const look = { notified: 'inbox1', until: 1, within: '10s' };
    assert.deepEqual(steps, [
      { ...look, check: check('one') },
      { ...look, check: check('two') },
    ]);
    const again = await replayed({ kind: 'url', url, ...names }, out, 'onem2m');
    assert.equal(again.exit.code, 0, again.exit.reason);
    assert.equal(again.requirements.find(({ id }) => id === requirement)?.verdict, 'satisfied');
    const [deviation] = writtenDeviations().filter(({ violates }) => violates === requirement);
    assert.ok(deviation);
    const lost = await replayed({ kind: 'embedded', deviations: [deviation.id], hasty: true }, out, 'onem2m');
    assert.equal(lost.exit.code, 1);
    assert.match(lost.exit.reason, /std\.notification\.event\.create-child/);
  });
}

test('an application that speaks CBOR is notified in it, which becomes the same steps', async (t) => {
  const { out, url, names } = await recorded(t, 'onem2m', 'AE-ID', 'cbor');
  const { inboxes, steps } = looks(out);
  assert.deepEqual([inboxes, steps.length], [{ inbox1: {} }, 2]);
  const again = await replayed({ kind: 'url', url, ...names }, out, 'onem2m');
  const shown = again.requirements.find(({ id }) => id === 'std.notification.event.create-child');
  assert.deepEqual([again.exit.code, shown?.verdict], [0, 'satisfied'], again.exit.reason);
});

test('a CSE that sends nothing fails by the step that waits for it', async (t) => {
  const { out, names } = await recorded(t, 'onem2m', 'AE-ID');
  await using mute = await serveHttp(createCse({ dialect: 'onem2m', notifyDeny: ['private'] }).http);
  writeFileSync(out, readFileSync(out, 'utf8').replaceAll('within: 10s', 'within: 200ms'));
  const { exit, scenarios } = await replayed(
    { kind: 'url', url: mute.url, inboxHost: '127.0.0.1', ...names },
    out,
    'onem2m',
  );
  assert.equal(exit.code, 1, exit.reason);
  const failed = scenarios
    .flatMap(({ steps }) => steps.flatMap(({ checks }) => checks))
    .find(({ state }) => state === 'failed');
  assert.equal(failed?.requirement, 'std.notification.event.create-child');
  assert.match(failed.actual, /0/);
});

test('in the documented dialect as well', async (t) => {
  const { out, url } = await recorded(t, 'documented', 'AE-ID');
  const { steps } = looks(out);
  assert.deepEqual(
    steps.map(({ notified, until }: { notified: string; until: number }) => [notified, until]),
    [
      ['inbox1', 1],
      ['inbox1', 1],
    ],
  );
  const again = await replayed({ kind: 'url', url }, out, 'documented');
  assert.equal(again.exit.code, 0, again.exit.reason);
  assert.ok(again.scenarios.every(({ state }) => state === 'passed'));
});

test('a relay hands nothing on but to a URL that the application has given', async (t) => {
  const app = await application(t);
  const kept: string[] = [];
  const relay = await openRelay({ timeout: 5000, onLost: never, onNotified: ({ url }) => kept.push(url) });
  t.after(() => relay.close());
  const given = JSON.stringify({ 'm2m:sub': { nu: [app.url], lbl: ['http://127.0.0.1:9/'] } });
  const { nu, lbl } = JSON.parse(relay.outward(Buffer.from(given)).toString())['m2m:sub'];
  assert.deepEqual(lbl, ['http://127.0.0.1:9/']);
  const post = (url: string) =>
    fetch(url, { method: 'POST', body: '{"m2m:sgn":{"nev":{}}}' }).then(({ status }) => status);
  const elsewhere = [
    nu[0].replace(/0$/, '1'),
    `${nu[0]}/more`,
    new URL(`/${app.url}`, nu[0]).href,
    `${nu[0]}?to=${app.url}`,
  ];
  assert.deepEqual(await Promise.all(elsewhere.map(post)), [404, 404, 404, 404]);
  assert.deepEqual(kept, []);
  assert.equal(await post(nu[0]), 200);
  assert.deepEqual(kept, [app.url]);
  assert.equal((await app.events(1)).length, 1);
});

function replayed(target: Parameters<typeof check>[0]['target'], file: string, dialect: Dialect) {
  return lastOf(check({ target, files: [file], dialect, again: false }));
}
