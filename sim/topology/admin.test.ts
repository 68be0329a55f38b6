import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ManualClock, manualClock } from '../environment/clock.ts';
import { exampleMoment } from '../testing/sample-cse.ts';
import { type Pair, startPair } from './pair.ts';

let clock: ManualClock;
let pair: Pair;

before(async () => {
  clock = manualClock(exampleMoment);
  pair = await startPair({ clock, gateway: { adminPort: 0 } });
});
after(() => pair.close());

async function admin(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(`${pair.gateway.adminUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${pair.gateway.adminToken}`, ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
}

async function send(method: string, path: string, body?: unknown) {
  const answer = await fetch(`${pair.gateway.url}${path}`, {
    method,
    headers: { 'content-type': 'application/vnd.onem2m-res+json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const json = (await answer.json()) as Record<string, Record<string, unknown>>;
  return { status: answer.status, attributes: Object.values(json)[0] ?? {} };
}

test('there is an admin port only on request, at the loopback interface', () => {
  assert.equal(pair.backend.adminUrl, undefined);
  assert.equal(new URL(String(pair.gateway.adminUrl)).hostname, '127.0.0.1');
});

test('a reset goes back to what was there at the start, the registration and the counters too', async () => {
  const first = await send('POST', '/onem2m', { 'm2m:ae': { rn: 'app', api: 'N', rr: 'TRUE' } });
  await send('POST', '/onem2m/app', { 'm2m:sub': { nu: ['http://127.0.0.1:9'], su: 'http://127.0.0.1:9' } });
  assert.deepEqual(await admin('POST', '/reset'), { status: 200, json: { resources: 2 } });
  assert.equal((await send('GET', '/onem2m/app')).status, 404);
  assert.equal((await send('GET', '/~/in-cse-1/onem2m')).status, 200);
  const again = await send('POST', '/onem2m', { 'm2m:ae': { rn: 'app', api: 'N', rr: 'TRUE' } });
  assert.equal(again.attributes.ri, first.attributes.ri);
  assert.equal(pair.gateway.cse.core.tree.size, 3);
  await admin('POST', '/reset');
});

test('a snapshot can be restored, as often as one likes', async () => {
  await send('POST', '/onem2m', { 'm2m:cnt': { rn: 'c' } });
  const { json: snapshot } = await admin('GET', '/snapshot');
  for (let round = 0; round < 2; round++) {
    const made = await send('POST', '/onem2m/c', { 'm2m:cin': { con: 'x' } });
    assert.equal(made.attributes.ri, 'cin0');
    assert.equal((await admin('PUT', '/restore', snapshot)).status, 200);
    assert.equal((await send('GET', '/onem2m/c')).attributes.cni, 0);
  }
  await admin('POST', '/reset');
});

test('the clock is advanced on request', async () => {
  await send('POST', '/onem2m', { 'm2m:cnt': { rn: 'short', et: '2017-03-02T17:00:00Z' } });
  const { status, json } = await admin('POST', '/clock/advance', { by: '1h' });
  assert.equal(status, 200);
  assert.equal(json.now, '2017-03-02T17:12:53.350Z');
  assert.equal((await send('GET', '/onem2m/short')).status, 404);
  for (const by of ['an hour', -1, '']) assert.equal((await admin('POST', '/clock/advance', { by })).status, 400);
});

test('what was sent is listed with its answers, until a reset', async () => {
  await admin('POST', '/reset');
  await send('GET', '/~/in-cse-1/onem2m/nothing');
  const { json } = await admin('GET', '/sent');
  const [entry, ...others] = json.sent as Record<string, unknown>[];
  assert.deepEqual([others, json.forgotten], [[], 0]);
  assert.deepEqual([entry?.method, entry?.target, entry?.url], ['GET', '/~/in-cse-1/onem2m/nothing', pair.backend.url]);
  const answer = entry?.answer as { status: number; headers: Record<string, string>; body: string };
  assert.deepEqual([answer.status, answer.headers['x-m2m-rsc']], [404, '4004']);
  assert.match(answer.body, /There is no resource/);
  await admin('POST', '/reset');
  assert.deepEqual((await admin('GET', '/sent')).json, { sent: [], forgotten: 0 });
});

test('notifications of before a reset are not sent after it', async () => {
  const { attributes } = await send('POST', '/onem2m', { 'm2m:cnt': { rn: 'c' } });
  assert.equal(attributes.rn, 'c');
  const poa = [pair.backend.url];
  const ae = { rn: 'app', api: 'N', rr: 'TRUE', poa };
  const { attributes: registered } = await send('POST', '/onem2m', { 'm2m:ae': ae });
  const sub = { nu: [registered.aei], enc: { net: [3] }, bn: { dur: 'PT1M' } };
  await send('POST', '/onem2m/c', { 'm2m:sub': sub });
  await send('POST', '/onem2m/c', { 'm2m:cin': { con: 'x' } });
  await admin('POST', '/reset');
  await admin('POST', '/clock/advance', { by: '2m' });
  const { sent } = (await admin('GET', '/sent')).json as { sent: { body?: string }[] };
  assert.deepEqual(
    sent.filter(({ body }) => body?.includes('m2m:')),
    [],
  );
});

test('invalid requests are refused with a reason', async () => {
  const cases = [
    ['GET', '/nothing', undefined, 404, /There is no GET \/nothing here; there is POST \/reset/],
    ['GET', '/reset', undefined, 405, /There is no GET \/reset/],
    ['POST', '/clock/advance', '', 400, /not JSON/],
    ['POST', '/clock/advance', {}, 400, /^by: /],
    ['PUT', '/restore', { resources: [] }, 400, /^dialect: /],
    ['PUT', '/restore', '[]', 400, /^The body: /],
  ] as const;
  for (const [method, path, body, status, message] of cases) {
    const answer = await admin(method, path, body);
    assert.equal(answer.status, status, `${method} ${path}`);
    assert.match(String(answer.json.error), message);
  }
  const { json: snapshot } = await admin('GET', '/snapshot');
  const misfit = await admin('PUT', '/restore', { ...snapshot, cseId: 'other' });
  assert.deepEqual(
    [misfit.status, misfit.json.error],
    [400, 'The snapshot does not fit: cseId is "other", and of this CSE mn-cse-1.'],
  );
});

test('without the token nothing is changed and nothing shown', async () => {
  await send('POST', '/onem2m', { 'm2m:cnt': { rn: 'kept' } });
  for (const authorization of ['', 'Bearer', 'Bearer wrong', `Basic ${pair.gateway.adminToken}`]) {
    for (const [method, path] of [
      ['POST', '/reset'],
      ['GET', '/snapshot'],
      ['GET', '/nothing'],
    ] as const) {
      assert.equal((await admin(method, path, undefined, { authorization })).status, 401, authorization);
    }
  }
  assert.equal((await send('GET', '/onem2m/kept')).status, 200);
  await admin('POST', '/reset');
});

test('a token can be given', async () => {
  await using other = await startPair({ gateway: { adminPort: 0, adminToken: 'ours' } });
  const answer = await fetch(`${other.gateway.adminUrl}/sent`, { headers: { authorization: 'Bearer ours' } });
  assert.equal(answer.status, 200);
});

test('a page in a browser is refused', async () => {
  assert.equal((await admin('GET', '/snapshot', undefined, { origin: 'http://evil.example' })).status, 403);
});

test("the system's clock cannot be moved", async () => {
  await using other = await startPair({ gateway: { adminPort: 0 } });
  const answer = await fetch(`${other.gateway.adminUrl}/clock/advance`, {
    method: 'POST',
    headers: { authorization: `Bearer ${other.gateway.adminToken}` },
    body: '{"by": "1h"}',
  });
  assert.equal(answer.status, 409);
  assert.match(await answer.text(), /start the CSE with a manual clock/);
});
