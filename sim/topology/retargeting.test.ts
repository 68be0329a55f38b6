import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { startNode } from './node.ts';
import type { NodeSettings } from './node-settings.ts';
import { type Pair, startPair } from './pair.ts';

const type = 'application/vnd.onem2m-res+json';
let pair: Pair;

before(async () => {
  pair = await startPair();
});
after(() => pair.close());

async function send(url: string, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(url + path, {
    method,
    headers: { 'content-type': type, ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const json = text === '' ? undefined : (JSON.parse(text) as Record<string, Record<string, unknown>>);
  return { status: answer.status, headers: answer.headers, json, attributes: Object.values(json ?? {})[0] ?? {} };
}

for (const [here, there] of [
  ['gateway', 'backend'],
  ['backend', 'gateway'],
] as const) {
  test(`from the ${here} everything can be done at the ${there}`, async () => {
    const near = pair[here].url;
    const far = pair[there].url;
    const remote = `/~/${pair[there].cseId}/onem2m`;
    const originator = { 'x-m2m-origin': 'CAE7', 'x-m2m-ri': 'r1' };
    const name = `from-${here}`;

    const created = await send(near, 'POST', remote, { 'm2m:cnt': { rn: name, lbl: ['über & co'] } }, originator);
    assert.equal(created.status, 201);
    assert.equal(created.headers.get('x-m2m-rsc'), '2001');
    assert.equal(created.headers.get('x-m2m-ri'), 'r1');
    assert.equal(created.headers.get('content-location'), `${remote}/${name}`);
    assert.equal(created.attributes.cr, `//openmtc.org/${pair[here].cseId}/CAE7`);
    assert.deepEqual((await send(far, 'GET', `/onem2m/${name}`)).json, created.json);

    await send(near, 'POST', `${remote}/${name}`, { 'm2m:cin': { con: 'ünïcode 😀', cnf: 'text/plain:0' } });
    const base64 = Buffer.from('{"t": 21}').toString('base64');
    await send(near, 'POST', `/_/openmtc.org${remote.slice(2)}/${name}`, base64);
    assert.equal((await send(near, 'GET', `${remote}/${name}/oldest`)).attributes.con, 'ünïcode 😀');
    assert.equal((await send(near, 'GET', `${remote}/${name}/latest`)).attributes.con, base64);

    const query = `?fu=1&lbl=${encodeURIComponent('über & co')}`;
    const found = await send(near, 'GET', remote + query);
    assert.deepEqual(found.json, (await send(far, 'GET', remote + query)).json);
    assert.deepEqual(found.json, { 'm2m:uril': [`/${pair[there].cseId}/onem2m/${name}`] });

    const updated = await send(near, 'PUT', `${remote}/${name}`, { 'm2m:cnt': { mni: 1 } });
    assert.deepEqual([updated.status, updated.attributes.cni], [200, 1]);
    const refused = await send(near, 'POST', remote, { 'm2m:cnt': { rn: name } });
    assert.deepEqual(refused.json, (await send(far, 'POST', remote, { 'm2m:cnt': { rn: name } })).json);
    assert.deepEqual([refused.status, refused.headers.get('x-m2m-rsc')], [409, '4105']);
    const unknown = await send(near, 'GET', `${remote}/nothing`);
    assert.deepEqual([unknown.status, unknown.headers.get('x-m2m-rsc')], [404, '4004']);
    const removed = await send(near, 'DELETE', `${remote}/${name}`);
    assert.deepEqual([removed.status, removed.attributes.rn], [200, name]);
    assert.equal((await send(far, 'GET', `/onem2m/${name}`)).status, 404);
  });
}

test('without an originator none arrives', async () => {
  const created = await send(pair.gateway.url, 'POST', '/~/in-cse-1/onem2m', { 'm2m:cnt': {} });
  assert.equal(created.attributes.cr, 'nobody');
});

test('HEAD and OPTIONS go the same way', async () => {
  const head = await fetch(`${pair.gateway.url}/~/in-cse-1/onem2m/mn-cse-1`, { method: 'HEAD' });
  assert.deepEqual([head.status, head.headers.get('x-m2m-rsc'), await head.text()], [200, '2000', '']);
  const options = await fetch(`${pair.gateway.url}/~/in-cse-1/onem2m/mn-cse-1`, { method: 'OPTIONS' });
  assert.deepEqual([options.status, options.headers.get('allow')], [204, 'POST, GET, HEAD, PUT, DELETE, OPTIONS']);
});

test('a CSE that nobody knows, and one of another service provider, cannot be reached', async () => {
  for (const path of ['/~/mn-cse-9/onem2m', '/_/openmtc.org/mn-cse-9/onem2m', '/_/other.org/in-cse-1/onem2m']) {
    const answer = await send(pair.gateway.url, 'GET', path, undefined, { 'x-m2m-ri': 'r2' });
    assert.deepEqual([answer.status, answer.headers.get('x-m2m-rsc')], [404, '5103'], path);
    assert.equal(answer.headers.get('x-m2m-ri'), 'r2');
  }
});

/** Registers a CSE by hand at the gateway, with these points of access. */
async function enter(cseId: string, poa: string[], others: object = {}): Promise<void> {
  const csr = { rn: cseId, csi: `/${cseId}`, cb: `/${cseId}/onem2m`, rr: true, poa, ...others };
  assert.equal((await send(pair.gateway.url, 'POST', '/onem2m', { 'm2m:csr': csr })).status, 201);
}

test('points of access that make a loop are noticed', async () => {
  await enter('loop', [pair.gateway.url]);
  const answer = await send(pair.gateway.url, 'GET', '/~/loop/onem2m');
  assert.deepEqual([answer.status, answer.headers.get('x-m2m-rsc')], [404, '5103']);
  assert.match(String(answer.json?.['m2m:dbg']), /came back to mn-cse-1/);
});

test('a request that has passed too many CSEs is not handed on', async () => {
  await enter('far', [pair.backend.url]);
  const via = Array.from({ length: 8 }, (_, index) => `1.1 cse${index}`).join(', ');
  const answer = await send(pair.gateway.url, 'GET', '/~/far/onem2m', undefined, { via });
  assert.deepEqual([answer.status, answer.headers.get('x-m2m-rsc')], [404, '5103']);
  assert.match(String(answer.json?.['m2m:dbg']), /mostHops/);
});

test('without a reachable point of access the CSE cannot be reached', async () => {
  await enter('silent-1', []);
  await enter('silent-2', ['http://127.0.0.1:1', 'http://127.0.0.1:9']);
  await enter('silent-3', [pair.backend.url], { rr: false });
  for (const cseId of ['silent-1', 'silent-2', 'silent-3']) {
    const answer = await send(pair.gateway.url, 'GET', `/~/${cseId}/onem2m`);
    assert.deepEqual([answer.status, answer.headers.get('x-m2m-rsc')], [404, '5103'], cseId);
  }
});

test('the next point of access is tried when the first does not answer', async () => {
  await enter('second-door', ['http://127.0.0.1:1', await listeningServer((_, answer) => answer('hello'))]);
  const response = await fetch(`${pair.gateway.url}/~/second-door/x`);
  assert.equal(await response.text(), 'hello');
});

const servers: Server[] = [];
after(() => {
  for (const server of servers) server.close().closeAllConnections();
});

async function listeningServer(handle: (request: IncomingMessage, answer: (text: string) => void) => void) {
  const server = createServer((request, response) => handle(request, (text) => response.end(text)));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a CSE that stays silent past the time limit cannot be reached', async () => {
  await using node = await startNode({ cse: {}, http: {} }, { sendingTimeout: 50 });
  const csr = { rn: 'mute', csi: '/mute', cb: '/mute/x', rr: true, poa: [await listeningServer(() => {})] };
  node.cse.core.request({ operation: 'create', to: 'onem2m', content: { 'm2m:csr': csr } });
  const answer = await send(String(node.url), 'GET', '/~/mute/onem2m');
  assert.deepEqual([answer.status, answer.headers.get('x-m2m-rsc')], [404, '5103']);
  assert.match(String(answer.json?.['m2m:dbg']), /cannot be reached/);
});

test('headers of the message arrive, headers of the connection do not', async () => {
  let seen: IncomingMessage | undefined;
  const url = await listeningServer((request, answer) => {
    seen = request;
    answer('{}');
  });
  await enter('mirror', [url]);
  await send(pair.gateway.url, 'POST', '/~/mirror/a%20b?x=%C3%A9&x=2+3', '{"a": 1}', {
    'x-m2m-origin': '/mn-cse-1/CApp',
    'x-m2m-ri': 'r3',
    'x-m2m-rvi': '3',
    'x-m2m-vsi': 'vendor',
    accept: 'application/json',
    'proxy-authorization': 'secret',
  });
  assert.equal(seen?.url, '/~/mirror/a%20b?x=%C3%A9&x=2+3');
  const { headers = {} } = seen ?? {};
  assert.equal(headers['x-m2m-origin'], '//openmtc.org/mn-cse-1/CApp');
  assert.deepEqual(
    [headers['x-m2m-ri'], headers['x-m2m-rvi'], headers['x-m2m-vsi'], headers.accept, headers['content-type']],
    ['r3', '3', 'vendor', 'application/json', type],
  );
  assert.equal(headers['proxy-authorization'], undefined);
  assert.equal(headers.via, '1.1 mn-cse-1');
});

test('a gateway that speaks the standard forwards with an originator relative to the service provider', async () => {
  assert.equal(await forwardedOriginator({ cse: { dialect: 'onem2m', cseId: 'mn-cse-1' } }), '/mn-cse-1/CApp');
});

test('an overwritten originator applies to forwarded requests only where configured', async () => {
  const overwriteOriginator = '//openmtc.org/another';
  assert.equal(await forwardedOriginator({ cse: {}, overwriteOriginator }), '//openmtc.org/mn-cse-1/CApp');
  assert.equal(
    await forwardedOriginator({ cse: {}, overwriteOriginator, overwriteForwarded: true }),
    overwriteOriginator,
  );
});

test('nothing is forwarded where the configuration disables it', async () => {
  assert.equal(await forwardedOriginator({ cse: {}, disableForwarding: true }), undefined);
});

/** With which originator a request of CApp arrives at the other CSE; undefined when it does not. */
async function forwardedOriginator(settings: NodeSettings): Promise<string | undefined> {
  let seen: IncomingMessage | undefined;
  const url = await listeningServer((request, answer) => {
    seen = request;
    answer('{}');
  });
  await using node = await startNode({ ...settings, http: {} });
  const csr = { rn: 'far', csi: '/far', cb: '/far/x', rr: true, srv: ['3'], poa: [url] };
  const entered = node.cse.core.perform({
    operation: 'create',
    to: node.cse.core.configuration.base,
    content: { 'm2m:csr': csr },
    from: '/far',
  });
  assert.equal(entered.status.code, 2001, JSON.stringify(entered.content));
  const headers = { 'x-m2m-origin': 'CApp', 'x-m2m-ri': 'r4', 'x-m2m-rvi': '3' };
  await send(String(node.url), 'GET', '/~/far/x', undefined, headers);
  return seen?.headers['x-m2m-origin'] as string | undefined;
}
