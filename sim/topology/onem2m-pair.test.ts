/** A gateway and a backend that speak the onem2m dialect to each other. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { HttpClient } from '../bindings/client.ts';
import { readCbor, writeCbor } from '../dialects/cbor.ts';
import { type Pair, startPair } from './pair.ts';

let pair: Pair;

before(async () => {
  pair = await startPair({ dialect: 'onem2m' });
});
after(() => pair.close());

interface Sent {
  readonly ty?: number;
  readonly content?: object;
  readonly headers?: Record<string, string>;
}

async function send(url: string, method: string, path: string, from: string, { ty, content, headers }: Sent = {}) {
  const answer = await fetch(url + path, {
    method,
    headers: {
      ...{ 'x-m2m-origin': from, 'x-m2m-ri': 'r1', 'x-m2m-rvi': '4' },
      ...(content && { 'content-type': `application/json${ty ? `;ty=${ty}` : ''}` }),
      ...headers,
    },
    ...(content && { body: JSON.stringify(content) }),
  });
  const text = await answer.text();
  const json = (text === '' ? {} : JSON.parse(text)) as Record<string, Record<string, unknown>>;
  return { status: answer.status, headers: answer.headers, json, attributes: Object.values(json)[0] ?? {} };
}

const ae = (rn: string, others: object = {}) => ({ 'm2m:ae': { rn, api: 'N', rr: true, srv: ['4'], ...others } });

test('they are called as usual, and know each other with access control on', async () => {
  const { gateway, backend } = pair;
  assert.deepEqual([gateway.base, gateway.cseId, backend.base, backend.cseId], ['cse-mn', 'id-mn', 'cse-in', 'id-in']);
  const there = await send(backend.url, 'GET', '/cse-in/id-mn', 'CAdmin');
  const { csi, cb, cst, srv, poa, et } = there.attributes;
  assert.deepEqual([csi, cb, cst, srv, poa], ['/id-mn', '/id-mn/cse-mn', 2, ['2a', '3', '4', '5'], [gateway.url]]);
  assert.match(String(et), /^\d{8}T\d{6},\d{6}$/);
  const here = await send(gateway.url, 'GET', '/cse-mn/id-in', 'CAdmin');
  assert.deepEqual([here.attributes.csi, here.attributes.poa], ['/id-in', [backend.url]]);
});

test('a request for the other CSE arrives in the name of its originator, in JSON and in CBOR', async () => {
  const { gateway, backend } = pair;
  const policy = {
    pv: { acr: [{ acor: ['/id-mn/CFar'], acop: 63 }] },
    pvs: { acr: [{ acor: ['CAdmin'], acop: 63 }] },
  };
  await send(backend.url, 'POST', '/cse-in', 'CAdmin', { ty: 1, content: { 'm2m:acp': { rn: 'far', ...policy } } });
  const container = { rn: 'open', acpi: ['cse-in/far'] };
  await send(backend.url, 'POST', '/cse-in', 'CAdmin', { ty: 3, content: { 'm2m:cnt': container } });
  const made = await send(gateway.url, 'POST', '/~/id-in/cse-in/open', 'CFar', {
    ty: 4,
    content: { 'm2m:cin': { con: 'ü', cnf: 'text/plain:0', cr: null } },
  });
  assert.equal(made.status, 201);
  assert.equal(made.attributes.cr, '/id-mn/CFar');
  assert.match(String(made.headers.get('content-location')), /^\/~\/id-in\/cse-in\/open\//);
  const answer = await fetch(`${gateway.url}/~/id-in/cse-in/open`, {
    method: 'POST',
    headers: {
      ...{ 'x-m2m-origin': 'CFar', 'x-m2m-ri': 'r2', 'x-m2m-rvi': '4' },
      'content-type': 'application/cbor;ty=4',
    },
    body: Uint8Array.from(writeCbor({ 'm2m:cin': { con: [1, 2.5], cnf: 'application/json:0' } })),
  });
  assert.equal(answer.headers.get('content-type'), 'application/cbor');
  const read = readCbor(new Uint8Array(await answer.arrayBuffer()));
  assert.ok('value' in read);
  assert.deepEqual((read.value as { 'm2m:cin': { con: unknown } })['m2m:cin'].con, [1, 2.5]);
  const stranger = await send(gateway.url, 'GET', '/~/id-in/cse-in/open', 'COther');
  assert.deepEqual([stranger.status, stranger.headers.get('x-m2m-rsc')], [403, '4103']);
});

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** An application's server: `next` resolves with what comes. */
async function application() {
  const received: Received[] = [];
  let wake = () => {};
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    received.push({ headers: request.headers, body: Buffer.concat(pieces) });
    response.writeHead(200, { 'x-m2m-rsc': '2000' }).end();
    wake();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close().closeAllConnections());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async next(): Promise<Received> {
      while (received[0] === undefined) await new Promise<void>((resolve) => (wake = resolve));
      return received.shift() as Received;
    },
  };
}

test('a notification for an application of the other CSE is relayed by that CSE', async () => {
  const { gateway, backend } = pair;
  const { url, next } = await application();
  await send(backend.url, 'POST', '/cse-in', 'CGui', { ty: 2, content: ae('gui', { poa: [`${url}/n`] }) });
  await send(gateway.url, 'POST', '/cse-mn', 'CIpe', { ty: 2, content: ae('ipe') });
  const open = { acr: [{ acor: ['/id-in/CGui', 'CIpe'], acop: 63 }] };
  await send(gateway.url, 'POST', '/cse-mn/ipe', 'CIpe', {
    ty: 1,
    content: { 'm2m:acp': { rn: 'p', pv: open, pvs: open } },
  });
  const container = { rn: 'c', acpi: ['cse-mn/ipe/p'] };
  await send(gateway.url, 'POST', '/cse-mn/ipe', 'CIpe', { ty: 3, content: { 'm2m:cnt': container } });
  const sub = { 'm2m:sub': { rn: 's', nu: ['/id-in/CGui'], enc: { net: [3] } } };
  const subscribed = await send(backend.url, 'POST', '/~/id-mn/cse-mn/ipe/c', 'CGui', { ty: 23, content: sub });
  assert.equal(subscribed.status, 201, JSON.stringify(subscribed.json));
  const cin = { 'm2m:cin': { con: '21', cnf: 'text/plain:0' } };
  await send(gateway.url, 'POST', '/cse-mn/ipe/c', 'CIpe', { ty: 4, content: cin });
  const { headers, body } = await next();
  assert.equal(headers['content-type'], 'application/json');
  assert.equal(headers['x-m2m-origin'], '/id-mn');
  assert.match(String(headers['x-m2m-ot']), /^\d{8}T\d{6},\d{6}$/);
  assert.equal(JSON.parse(body.toString())['m2m:sgn'].nev.rep['m2m:cin'].con, '21');
});

test('a target that asks for CBOR is written to in CBOR', async () => {
  const { backend } = pair;
  const { url, next } = await application();
  await send(backend.url, 'POST', '/cse-in', 'CBor', { ty: 2, content: ae('bor', { poa: [url] }) });
  await send(backend.url, 'POST', '/cse-in/bor', 'CBor', { ty: 3, content: { 'm2m:cnt': { rn: 'c' } } });
  const sub = { 'm2m:sub': { nu: [`${url}/?ct=cbor`], enc: { net: [3] } } };
  assert.equal((await send(backend.url, 'POST', '/cse-in/bor/c', 'CBor', { ty: 23, content: sub })).status, 201);
  const { headers, body } = await next();
  assert.equal(headers['content-type'], 'application/cbor');
  const read = readCbor(body);
  assert.ok('value' in read);
  assert.equal((read.value as { 'm2m:sgn': { vrq: boolean } })['m2m:sgn'].vrq, true);
});

test('over mutual TLS an originator may be written in each of its forms, notifications go over TLS too', async () => {
  await using secure = await startPair({ dialect: 'onem2m', tls: 'mutual' });
  assert.ok(secure.certs !== undefined);
  const { ae: files, chain } = secure.certs;
  const read = (path: string) => readFileSync(path, 'utf8');
  await using client = new HttpClient({ tls: { ca: read(chain), cert: read(files.cert), key: read(files.key) } });
  const get = async (origin: string) => {
    const headers = { 'x-m2m-origin': origin, 'x-m2m-ri': 'r', 'x-m2m-rvi': '4' };
    return client.send(secure.gateway.url, { method: 'GET', target: '/cse-mn?fu=1', headers });
  };
  for (const origin of [files.originator, '/id-mn/CTest-AE', 'CTest-AE']) {
    assert.equal((await get(origin)).status, 200, origin);
  }
  // ORIGINATOR_NOT_AUTHENTICATED (TS-0004 7.3.2.1).
  assert.equal((await get('COther')).headers['x-m2m-rsc'], '4106');
  const { messenger } = secure.gateway.cse.core.services.ports;
  const answer = await messenger.send(secure.backend.url, {
    ...{ operation: 'retrieve', to: '/id-in/cse-in', from: '/id-mn', requestIdentifier: 'r' },
    releaseVersionIndicator: '4',
  });
  assert.equal(answer.status.code, 2000);
});
