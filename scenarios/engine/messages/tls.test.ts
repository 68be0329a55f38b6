import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import type { ServerOptions } from 'node:https';
import { type TestContext, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { shipped } from '../../../certs/shipped.ts';
import type { Exchange } from '../results/exchange.ts';
import { urlTarget } from '../targets/exchanging/url.ts';
import { clientCertificate, httpServer, httpsServer, pem, tcpServer, trust } from '../targets/test-servers.ts';
import { defaults } from '../targets/url-choice.ts';
import type { Target, Way } from './target.ts';
import type { Trust } from './tls.ts';

const request = { method: 'GET', path: '/onem2m', headers: [] };
const own = clientCertificate('own', shipped.certificate('test-ae'));
const other = clientCertificate('other', shipped.certificate('test-ipe'));
const expired = clientCertificate('expired', shipped.refused('expired'));
const stranger = clientCertificate('other authority', shipped.refused('other-authority'));

/** What a server that demands certificates says of them. */
const demanding: ServerOptions = { requestCert: true, rejectUnauthorized: true };

async function secure(
  t: TestContext,
  { server = {}, by = trust, seen = [] }: { server?: ServerOptions; by?: Trust; seen?: IncomingMessage[] } = {},
): Promise<Target> {
  const url = await httpsServer(t, server, (incoming, response) => {
    seen.push(incoming);
    response.end('{}');
  });
  return open(t, url, by);
}

function open(t: TestContext, url: string, by: Trust): Target {
  const description = { kind: 'url', url, ...defaults } as const;
  const options = { description, connections: 2, timeout: 5000, startedAt: performance.now(), keepAlive: true };
  const target = urlTarget({ ...options, trust: by });
  t.after(() => target.close());
  return target;
}

function alone(target: Target, way: Way = {}): Promise<Exchange> {
  return target.send(request, { ...way, alone: true });
}

function handshakeOf({ tls, answer, failure }: Exchange): unknown[] {
  return [tls?.handshake, tls?.alert, answer?.status, failure?.kind];
}

test('a handshake shows its version and whose certificate the target has', async (t) => {
  const { answer, tls } = await alone(await secure(t));
  assert.equal(answer?.status, 200);
  assert.deepEqual(tls, {
    handshake: 'completed',
    version: 'TLS 1.3',
    server: { verification: 'verified', uris: ['//openmtc.org/mn-cse-1'] },
  });
});

for (const over of ['TLS 1.2', 'TLS 1.3'] as const) {
  test(`a request goes over ${over} when the step says so`, async (t) => {
    const seen: IncomingMessage[] = [];
    const exchange = await (await secure(t, { seen })).send(request, { over });
    assert.deepEqual([exchange.tls?.version, exchange.over], [over, over]);
    assert.equal(seen.length, 1);
  });
}

test('with TLS 1.2 a missing certificate is refused in the handshake, with an alert', async (t) => {
  const exchange = await alone(await secure(t, { server: demanding }), { over: 'TLS 1.2' });
  assert.deepEqual(handshakeOf(exchange), ['refused', 'handshake failure', undefined, 'tls']);
  assert.equal(exchange.failure?.message, 'TLS: the target sent the alert "handshake failure"');
});

test('with TLS 1.3 a missing certificate is refused after the handshake, and the alert is not lost', async (t) => {
  const target = await secure(t, { server: demanding });
  for (let count = 0; count < 5; count += 1) {
    assert.deepEqual(handshakeOf(await alone(target)), ['dropped', 'certificate required', undefined, 'tls']);
  }
  assert.deepEqual(handshakeOf(await alone(target, { certificate: own })), ['completed', undefined, 200, undefined]);
});

test('a bad certificate that the target drops without a word is dropped', async (t) => {
  const target = await secure(t, { server: demanding });
  for (const certificate of [stranger, expired]) {
    assert.deepEqual(handshakeOf(await alone(target, { certificate })), ['dropped', undefined, undefined, 'closed']);
  }
});

test('a target that hangs up after the handshake drops it', async (t) => {
  const url = await httpsServer(t, {}, (incoming) => incoming.socket.destroy());
  assert.deepEqual(handshakeOf(await alone(open(t, url, trust))).slice(0, 3), ['dropped', undefined, undefined]);
});

test('a target that hangs up in the handshake refuses it', async (t) => {
  const url = await tcpServer(t, (socket) => socket.once('data', () => socket.end()));
  const exchange = await alone(open(t, url.replace('http', 'https'), trust));
  assert.deepEqual(handshakeOf(exchange), ['refused', undefined, undefined, 'tls']);
});

test('a handshake that comes to no end is neither completed nor refused', async (t) => {
  const url = await tcpServer(t, () => {});
  const description = { kind: 'url', url: url.replace('http', 'https'), ...defaults } as const;
  const target = urlTarget({ description, connections: 1, timeout: 150, startedAt: 0, keepAlive: true });
  t.after(() => target.close());
  const exchange = await alone(target);
  assert.deepEqual([exchange.tls, exchange.failure?.kind], [{}, 'timeout']);
});

test('to a target whose certificate does not verify nothing is sent', async (t) => {
  const servers: ReadonlyArray<readonly [ServerOptions, RegExp]> = [
    [pem(shipped.refused('self-signed')), /it is self-signed$/],
    [pem(shipped.refused('other-authority')), /its authority is not known$/],
    [pem(shipped.refused('expired')), /it has expired$/],
    [pem(shipped.refused('no-alternative-names')), /it is for another host$/],
  ];
  for (const [server, reason] of servers) {
    const seen: IncomingMessage[] = [];
    const target = await secure(t, { server, seen });
    const exchange = await alone(target);
    assert.equal(exchange.failure?.kind, 'tls');
    assert.match(exchange.failure?.message ?? '', reason);
    const pooled = await target.send(request);
    assert.match(pooled.failure?.message ?? '', reason);
    assert.equal(seen.length, 0);
  }
});

test('an unverified certificate is enough where the user says so, and is not judged', async (t) => {
  const target = await secure(t, { server: pem(shipped.refused('self-signed')), by: { insecure: true } });
  const exchange = await alone(target);
  assert.equal(exchange.answer?.status, 200);
  assert.equal(exchange.tls?.server?.verification, undefined);
  assert.equal((await target.send(request)).answer?.status, 200);
});

test('each certificate has connections of its own', async (t) => {
  const seen: IncomingMessage[] = [];
  const target = await secure(t, { server: { requestCert: true, rejectUnauthorized: false }, seen });
  for (const certificate of [own, other, undefined, own]) {
    const exchange = await target.send(request, certificate && { certificate });
    assert.deepEqual([exchange.answer?.status, exchange.certificate], [200, certificate?.name]);
  }
  assert.deepEqual(
    seen.map(({ socket }) => (socket as TLSSocket).getPeerCertificate().subject?.CN),
    ['test-ae', 'test-ipe', undefined, 'test-ae'],
  );
});

test('a bad certificate goes over a new connection that resumes nothing', async (t) => {
  const reused: boolean[] = [];
  const url = await httpsServer(t, { requestCert: true, rejectUnauthorized: false }, ({ socket }, response) => {
    reused.push((socket as TLSSocket).isSessionReused());
    response.end();
  });
  const target = open(t, url, trust);
  await target.send(request, { certificate: expired });
  await alone(target, { certificate: expired });
  await alone(target, { certificate: expired });
  assert.deepEqual(reused, [false, false, false]);
});

test('plain bytes to a port of TLS get no answer', async (t) => {
  const exchange = await (await secure(t)).send(request, { over: 'plain TCP' });
  assert.deepEqual([exchange.answer, exchange.tls, exchange.over], [undefined, undefined, 'plain TCP']);
  assert.match(exchange.failure?.kind ?? '', /^(closed|reset)$/);
});

test('TLS to a plain port is refused', async (t) => {
  const url = await httpServer(t, (_, response) => response.end());
  const exchange = await open(t, url, trust).send(request, { over: 'TLS 1.3' });
  assert.deepEqual([exchange.tls?.handshake, exchange.answer], ['refused', undefined]);
});
