import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { shipped } from '../../certs/shipped.ts';
import { createCse, serveHttp, startPair } from '../../sim/index.ts';
import { serialize } from '../engine/messages/serialization.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { crashingReference } from '../engine/targets/embedded/testing/crashing-reference.ts';
import { check, type RunResult, type TargetChoice } from '../index.ts';
import { record } from './record.ts';

const limits = { port: 0, timeout: 5000 };

function fileIn(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'cselab-record-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'recorded.yaml');
}

async function replayed(
  target: TargetChoice,
  file: string,
  dialect: 'documented' | 'onem2m' = 'documented',
): Promise<RunResult> {
  return lastOf(check({ target, files: [file], dialect, again: false }));
}

const never = (sentence: string) => assert.fail(sentence);

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

async function send(url: string, { method, path, headers = {}, body }: Sent) {
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const response = await fetch(url + path, { method, headers: { ...type, ...headers }, ...content });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

async function anApplication(url: string): Promise<void> {
  const registered = await send(url, {
    method: 'POST',
    path: '/onem2m',
    headers: { 'X-M2M-Origin': 'Cmeter' },
    body: { 'm2m:ae': { rn: 'meter', api: 'Nmeter', rr: true } },
  });
  const { ri } = registered.body['m2m:ae'];
  await send(url, { method: 'POST', path: '/onem2m/meter', body: { 'm2m:cnt': { rn: 'values', lbl: ['kWh'] } } });
  await send(url, {
    method: 'POST',
    path: '/onem2m/meter/values',
    body: { 'm2m:cin': { con: '42', cnf: 'text/plain:0' } },
  });
  await send(url, { method: 'GET', path: `/~/mn-cse-1/${ri}` });
  await send(url, { method: 'GET', path: '/onem2m/meter/values/latest' });
  await send(url, { method: 'GET', path: '/onem2m?fu=1&lbl=kWh' });
  await send(url, { method: 'GET', path: '/onem2m/meter/nothing' });
  await send(url, { method: 'DELETE', path: '/onem2m/meter', headers: { Authorization: 'Bearer very-secret' } });
}

test('what an application did passes through unchanged and becomes a scenario that passes again, twice', async (t) => {
  await using target = await serveHttp(createCse().http);
  const out = fileIn(t);
  const proxy = await record({ target: { url: target.url }, out, ...limits, onLost: never });
  t.after(() => proxy.close());
  await anApplication(proxy.url);
  for (const _ of [1, 2]) {
    const result = await replayed({ kind: 'url', url: target.url }, out);
    assert.equal(result.exit.code, 0, result.exit.reason);
    const satisfied = result.requirements.filter(({ verdict }) => verdict === 'satisfied').map(({ id }) => id);
    for (const id of ['ae.create.status', 'container.create.status', 'latest.status', 'discovery.by-label.status']) {
      assert.ok(satisfied.includes(id), id);
    }
  }
});

test('a target that does otherwise than the recorded one is found', async (t) => {
  await using sound = await serveHttp(createCse().http);
  await using wrong = await serveHttp(createCse({ deviations: ['container.create.status.200'] }).http);
  const out = fileIn(t);
  const proxy = await record({ target: { url: sound.url }, out, ...limits, onLost: never });
  t.after(() => proxy.close());
  await anApplication(proxy.url);
  const { exit } = await replayed({ kind: 'url', url: wrong.url }, out);
  assert.equal(exit.code, 1);
  assert.match(exit.reason, /container\.create\.status/);
});

test('who does not register is sent again as who it was, and so is who has the name of its originator', async (t) => {
  await using target = await serveHttp(createCse().http);
  const out = fileIn(t);
  const proxy = await record({ target: { url: target.url }, out, ...limits, onLost: never });
  t.after(() => proxy.close());
  const reader = { 'X-M2M-Origin': 'Creader' };
  const absolute = { 'X-M2M-Origin': '//openmtc.org/mn-cse-1/CTest-AE' };
  await send(proxy.url, { method: 'GET', path: '/onem2m', headers: reader });
  const ae = { 'm2m:ae': { rn: 'CTest-AE', api: 'Ntest', rr: true } };
  await send(proxy.url, { method: 'POST', path: '/onem2m', headers: absolute, body: ae });
  await send(proxy.url, { method: 'DELETE', path: '/onem2m/CTest-AE', headers: absolute });
  const { actors } = parse(readFileSync(out, 'utf8'));
  assert.deepEqual([actors.app1.originator, actors.app2.originator], ['Creader', '//openmtc.org/mn-cse-1/CTest-AE']);
  const { exit } = await replayed({ kind: 'url', url: target.url }, out);
  assert.equal(exit.code, 0, exit.reason);
});

test('identifiers are captured, names are unique, secrets stay out, and what has no check says so', async (t) => {
  await using target = await serveHttp(createCse().http);
  const out = fileIn(t);
  const proxy = await record({ target: { url: target.url }, out, ...limits, onLost: never });
  t.after(() => proxy.close());
  await anApplication(proxy.url);
  const text = readFileSync(out, 'utf8');
  const [, schema = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
  assert.equal(resolve(dirname(out), schema), resolve('scenarios/scenario.schema.json'));
  const { actors, scenarios } = parse(text);
  const { steps } = scenarios.recorded;
  assert.deepEqual(actors.app1, { registered: false, originator: 'C$' + '{name}-app1' });
  assert.equal(steps[0].attributes.rn, '$' + '{name}');
  assert.deepEqual(steps[0].capture, { 'ri-1': 'ri' });
  assert.equal(steps[3].retrieve, '/~/$' + '{cse}/$' + '{ri-1}');
  assert.deepEqual(steps[5].where, { lbl: 'kWh' });
  assert.equal(steps[6].expect, 'refusal');
  assert.match(text, /# answered 404, RSC 4004; no check yet\n/);
  assert.doesNotMatch(text, /very-secret|Authorization/);
});

test('the standard binding is recorded with its originators, and over TLS on both sides', async (t) => {
  await using pair = await startPair({ dialect: 'onem2m', tls: 'server' });
  const out = fileIn(t);
  const { backend } = pair;
  assert.ok(pair.certs);
  const tls = { cacert: pair.certs.chain };
  const target = {
    url: backend.url,
    base: 'cse-in',
    cseId: backend.cseId,
    dialect: 'onem2m',
    admin: 'CAdmin',
    tls,
  } as const;
  const listener = shipped.certificate('in-cse-1-client-server');
  const own = { cert: readFileSync(listener.cert, 'utf8'), key: readFileSync(listener.key, 'utf8') };
  const proxy = await record({ target, out, ...limits, tls: own, onLost: never });
  t.after(() => proxy.close());
  assert.match(proxy.url, /^https:/);
  const { Agent, request } = await import('undici');
  const dispatcher = new Agent({ connect: { ca: readFileSync(shipped.chain), servername: 'localhost' } });
  t.after(() => dispatcher.close());
  const speak = async (method: 'GET' | 'POST', path: string, ty?: number, body?: unknown) => {
    const headers = {
      'X-M2M-Origin': 'Cmeter',
      'X-M2M-RI': 'r1',
      'X-M2M-RVI': '3',
      ...(ty && { 'Content-Type': `application/json;ty=${ty}` }),
    };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await request(proxy.url + path, { method, headers, dispatcher, ...content });
    return { status: answer.statusCode, body: await answer.body.text() };
  };
  const ae = { 'm2m:ae': { rn: 'meter', api: 'Nmeter', rr: false, srv: ['3'] } };
  assert.equal((await speak('POST', '/cse-in', 2, ae)).status, 201);
  assert.equal((await speak('POST', '/cse-in/meter', 3, { 'm2m:cnt': { rn: 'values' } })).status, 201);
  assert.equal((await speak('GET', '/cse-in/meter/values')).status, 200);
  // The first one is still registered: the recording has to get along with that.
  const result = await replayed({ kind: 'url', ...target }, out, 'onem2m');
  assert.equal(result.exit.code, 0, result.exit.reason);
  assert.ok(result.requirements.some(({ id, verdict }) => id === 'std.http.2001' && verdict === 'satisfied'));
});

test('what an application says in CBOR is a scenario like any other, and passes again in JSON', async (t) => {
  await using server = await serveHttp(createCse({ dialect: 'onem2m' }).http);
  const out = fileIn(t);
  const target = { url: server.url, dialect: 'onem2m' } as const;
  const proxy = await record({ ...limits, target, out, onLost: never });
  const headers = {
    ...{ 'X-M2M-Origin': 'Cmeter', 'X-M2M-RI': 'r1', 'X-M2M-RVI': '3', Accept: 'application/cbor' },
    'Content-Type': 'application/vnd.onem2m-res+cbor;ty=2',
  };
  const body = new Uint8Array(serialize({ 'm2m:ae': { rn: 'meter', api: 'Nmeter', rr: true, srv: ['3'] } }, 'cbor'));
  const { status } = await fetch(`${proxy.url}/cse-in`, { method: 'POST', headers, body });
  assert.equal(status, 201);
  await proxy.close();
  const [step] = parse(readFileSync(out, 'utf8')).scenarios.recorded.steps;
  assert.deepEqual([step.create, step.attributes.api], ['ae', 'Nmeter']);
  const { exit } = await replayed({ kind: 'url', url: server.url, admin: 'CAdmin' }, out, 'onem2m');
  assert.equal(exit.code, 0, exit.reason);
});

test('times are kept as so much from then, who listened is an inbox, and what was answered needs no claim', async (t) => {
  await using target = await serveHttp(createCse().http);
  const out = fileIn(t);
  const proxy = await record({ target: { url: target.url }, out, ...limits, onLost: never });
  t.after(() => proxy.close());
  const et = new Date(Date.now() + 3_600_000).toISOString().replace('Z', '+00:00');
  const poa = ['http://127.0.0.1:9/notify'];
  const headers = { 'X-M2M-Origin': 'Cmeter' };
  const ae = { 'm2m:ae': { rn: 'meter', api: 'Nmeter', rr: true, et, poa } };
  assert.equal((await send(proxy.url, { method: 'POST', path: '/onem2m', headers, body: ae })).status, 201);
  await send(proxy.url, { method: 'POST', path: '/onem2m/meter', body: { 'm2m:cnt': { rn: 'values' } } });
  await send(proxy.url, { method: 'GET', path: '/onem2m/meter?rcn=5' });
  await send(proxy.url, { method: 'DELETE', path: '/onem2m/meter' });
  const { inboxes, scenarios } = parse(readFileSync(out, 'utf8'));
  const [registration, , read] = scenarios.recorded.steps;
  const inbox = '$' + '{inbox1.url}';
  assert.deepEqual([inboxes, registration.attributes.poa], [{ inbox1: {} }, [inbox]]);
  assert.match(registration.attributes.et, /^\$\{now\+(3599|3600)s\}$/);
  assert.equal(read.retrieve, '/$' + '{base}/$' + '{name}?rcn=5');
  const ics = { of: 'it', claims: { PICS_RESULT_CONTENT: 'no' } } as const;
  const { exit, scenarios: replays } = await replayed({ kind: 'url', url: target.url, ics }, out);
  assert.equal(exit.code, 0, exit.reason);
  const [sent] = replays[0]?.steps ?? [];
  const again = JSON.parse(sent?.exchange?.request.body ?? '{}')['m2m:ae'];
  assert.ok(Math.abs(Date.parse(again.et) - Date.now() - 3_600_000) < 60_000, again.et);
  assert.match(again.poa[0], /^http:\/\/127\.0\.0\.1:\d+\/cl-[^/]+\/inbox1$/);
});

test('a target that does not answer gives 502, is told, and is not recorded', async (t) => {
  const target = await serveHttp(createCse().http);
  await target.close();
  const lost: string[] = [];
  const out = fileIn(t);
  const options = { target: { url: target.url, waitForTarget: 0 }, out, ...limits };
  const proxy = await record({ ...options, onLost: (one) => lost.push(one) });
  t.after(() => proxy.close());
  const response = await fetch(`${proxy.url}/onem2m`);
  assert.equal(response.status, 502);
  assert.match(lost.at(-1) ?? '', /^GET \/onem2m got no answer from the target: /);
  assert.deepEqual(parse(readFileSync(out, 'utf8')).scenarios.recorded.steps, []);
});

test('a target that dies is said to, what follows is held until it is back, and what was under way is not sent again', async (t) => {
  const cse = await crashingReference(t, ({ target }, deaths) => deaths === 0 && target.endsWith('fu=1'));
  const lost: string[] = [];
  const died = new EventEmitter();
  const out = fileIn(t);
  const onLost = (sentence: string) => {
    lost.push(sentence);
    if (sentence.startsWith('the target died')) died.emit('died');
  };
  const proxy = await record({ target: { url: cse.url }, out, ...limits, onLost });
  t.after(() => proxy.close());
  const dies = once(died, 'died');
  const deadly = fetch(`${proxy.url}/onem2m?fu=1`);
  await dies;
  const held = fetch(`${proxy.url}/onem2m`);
  await cse.restart();
  assert.equal((await deadly).status, 502);
  assert.equal((await held).status, 200);
  assert.equal(cse.deaths(), 1);
  assert.match(lost[0] ?? '', /^the target died with GET \/onem2m\?fu=1 under way, culprit not proved; waiting$/);
  assert.equal(lost[1], 'the target is back');
  assert.equal(parse(readFileSync(out, 'utf8')).scenarios.recorded.steps.length, 1);
});
