/** Exact bytes at the HTTPS port: before the handshake has ended, and after it. */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as connectTcp, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { type CertificatePair, shipped } from '../../certs/shipped.ts';
import type { HttpLimits } from './limits.ts';
import { assertRefused, echoIn, handedOver, only, serveEcho, targetsIn } from './testing/echo-server.ts';
import { answersIn, type RawAnswer } from './testing/raw-client.ts';

const ca = readFileSync(shipped.chain, 'utf8');
const pair = ({ cert, key }: CertificatePair) => ({
  cert: readFileSync(cert, 'utf8'),
  key: readFileSync(key, 'utf8'),
});
const material = { ca, ...pair(shipped.certificate('mn-cse-1-client-server')) };
const application = pair(shipped.certificate('test-ae'));
const host = '127.0.0.1';
const HOST = 'Host: a\r\n';
const LAST = `${HOST}Connection: close\r\n`;

/** The echo service over HTTPS; clients are asked for a certificate and need none. */
async function serveTls(limits: Partial<HttpLimits> = {}) {
  const incidents: string[] = [];
  const told = new EventEmitter();
  const onIncident = (line: string): void => {
    incidents.push(line.replace(/^(127\.0\.0\.1 port \d+|a client): /, ''));
    told.emit('incident');
  };
  const running = await serveEcho({ tls: { material, clientCertificate: 'optional' }, limits, onIncident });
  /** Resolves with the first line that was told, and forgets it. */
  const incident = async (): Promise<string | undefined> => {
    if (incidents.length === 0) await once(told, 'incident');
    return incidents.shift();
  };
  return { ...running, incidents, incident };
}

interface Client {
  /** Carries the TLS connection; bytes written to it do not pass through TLS. */
  readonly tcp: Socket;
  readonly tls: TLSSocket;
}

async function secured(port: number, options: ConnectionOptions = {}): Promise<Client> {
  const tcp = connectTcp({ port, host });
  const tls = connect({ socket: tcp, ca, ...options });
  await once(tls, 'secureConnect');
  return { tcp, tls };
}

/** All answers until the server closes, which it does in order. */
async function answersOn(tls: TLSSocket): Promise<RawAnswer[]> {
  return answersIn(await buffer(tls), false);
}

async function assertServes(port: number): Promise<void> {
  const { tls } = await secured(port);
  tls.write(`GET /still-there HTTP/1.1\r\n${LAST}\r\n`);
  assert.equal(echoIn(only(await answersOn(tls))).target, '/still-there');
}

/** Resolves when the connection has gone, in order or not. */
async function gone(socket: Socket): Promise<void> {
  socket.on('error', () => {}).resume();
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}

describe('before the handshake has ended', () => {
  test('plain HTTP at the HTTPS port ends the connection, in one line', async () => {
    await using server = await serveTls();
    const socket = connectTcp(server.port, host);
    socket.write(`GET / HTTP/1.1\r\n${HOST}\r\n`);
    await gone(socket);
    assert.deepEqual(server.incidents, ['plain HTTP arrived at the HTTPS port']);
    await assertServes(server.port);
    assert.deepEqual(handedOver(server.service), []);
  });

  test('TLS at the HTTP port ends the connection, in one line', async () => {
    const incidents: string[] = [];
    await using server = await serveEcho({ onIncident: (line) => incidents.push(line) });
    const socket = connect({ port: server.port, host, ca });
    await gone(socket);
    assert.equal(incidents.length, 1);
    assert.match(incidents.join(), /: a TLS handshake arrived at the HTTP port$/);
  });

  test('bytes that are neither TLS nor HTTP end the connection, in one line', async () => {
    await using server = await serveTls();
    for (const bytes of ['\0'.repeat(100), '\xff'.repeat(100), '{"m2m:ae":{}}', '\x16\x03\x01\x00\x05hello']) {
      const socket = connectTcp(server.port, host);
      socket.write(bytes, 'latin1');
      await gone(socket);
      assert.match(server.incidents.join(), /^the TLS handshake failed: ERR_SSL_\w+$/);
      server.incidents.length = 0;
    }
    await assertServes(server.port);
  });

  test('a client that connects and sends nothing is cut off, in one line', async () => {
    await using server = await serveTls({ handshakeMilliseconds: 50 });
    await gone(connectTcp(server.port, host));
    assert.deepEqual(server.incidents, ['the TLS handshake did not end in time (handshakeMilliseconds)']);
  });

  test('a client that sends its greeting byte by byte without end is cut off, in one line', async () => {
    await using server = await serveTls({ handshakeMilliseconds: 50 });
    const socket = connectTcp(server.port, host);
    // A record of 16 KiB that begins with a greeting of the same length.
    socket.write(Buffer.from('1603014000', 'hex'));
    socket.write(Buffer.from('01003ffc0303', 'hex'));
    const trickle = (): void => {
      if (socket.writable) socket.write('a', () => setImmediate(trickle));
    };
    trickle();
    await gone(socket);
    assert.deepEqual(server.incidents, ['the TLS handshake did not end in time (handshakeMilliseconds)']);
  });

  test('a client that vanishes leaves one line', async () => {
    await using server = await serveTls();
    const socket = connectTcp(server.port, host);
    await once(socket, 'connect');
    socket.write(Buffer.from('16030100', 'hex'));
    socket.resetAndDestroy();
    assert.equal(await server.incident(), 'the client disconnected during the TLS handshake');
  });

  test('a client that closes its sending side is closed, in one line', async () => {
    await using server = await serveTls();
    const socket = connectTcp(server.port, host);
    socket.end(Buffer.from('16030100', 'hex'));
    await gone(socket);
    assert.deepEqual(server.incidents, ['the client disconnected during the TLS handshake']);
  });
});

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  const options = { minVersion: version, maxVersion: version };

  describe(`after a handshake of ${version}`, () => {
    test('half a request and then the end is refused, in one line', async () => {
      await using server = await serveTls();
      const { tls } = await secured(server.port, options);
      tls.end(`POST /half HTTP/1.1\r\n${HOST}Content-Length: 10\r\n\r\nabc`);
      assertRefused(only(await answersOn(tls)), 400, 4000, 'not valid HTTP');
      assert.deepEqual(server.incidents, ['the client disconnected during a request']);
      await assertServes(server.port);
      assert.deepEqual(handedOver(server.service), []);
    });

    test('half a request and then a reset is nothing but one line', async () => {
      await using server = await serveTls();
      const { tls, tcp } = await secured(server.port, options);
      tls.write(`POST /half HTTP/1.1\r\n${HOST}Content-Length: 10\r\nExpect: 100-continue\r\n\r\n`);
      await once(tls, 'data');
      tcp.resetAndDestroy();
      assert.equal(await server.incident(), 'the client disconnected during a request');
      await assertServes(server.port);
      assert.deepEqual(handedOver(server.service), []);
    });

    test('a client that goes away before its answer: the answer is dropped', async () => {
      await using server = await serveTls();
      const { tls, tcp } = await secured(server.port, options);
      tls.write(`GET /held/a HTTP/1.1\r\n${HOST}\r\n`);
      await server.service.arrival('/held/a');
      tcp.resetAndDestroy();
      await assertServes(server.port);
      server.service.release('a');
      await assertServes(server.port);
      assert.deepEqual(server.failures, []);
    });

    test('a client that closes its sending side still gets the answer', async () => {
      await using server = await serveTls();
      const { tls } = await secured(server.port, options);
      tls.allowHalfOpen = true;
      tls.end(`GET /held/a HTTP/1.1\r\n${HOST}\r\n`);
      await server.service.arrival('/held/a');
      await assertServes(server.port);
      server.service.release('a');
      assert.deepEqual(targetsIn(await answersOn(tls)), ['/held/a']);
      assert.deepEqual(server.incidents, []);
    });

    test('two pipelined requests are answered in order', async () => {
      await using server = await serveTls();
      const { tls } = await secured(server.port, options);
      tls.write(`POST /held/a HTTP/1.1\r\n${HOST}Content-Length: 2\r\n\r\n{}GET /held/b HTTP/1.1\r\n${LAST}\r\n`);
      await server.service.arrival('/held/b');
      for (const name of ['b', 'a']) server.service.release(name);
      assert.deepEqual(targetsIn(await answersOn(tls)), ['/held/a', '/held/b']);
      assert.deepEqual(server.service.targets, ['/held/a', '/held/b']);
    });

    test('a request of one TLS record for each byte is a request', async () => {
      await using server = await serveTls();
      const { tls } = await secured(server.port, options);
      for (const byte of `POST /slow HTTP/1.1\r\n${LAST}Content-Length: 4\r\n\r\nbody`) {
        await new Promise<void>((resolve) => tls.write(byte, () => setImmediate(resolve)));
      }
      assert.equal(echoIn(only(await answersOn(tls))).body, 'body');
    });

    test('bytes that are no HTTP are refused', async () => {
      await using server = await serveTls();
      for (const bytes of ['\0'.repeat(100), '{"m2m:ae":{}}\r\n\r\n', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03']) {
        const { tls } = await secured(server.port, options);
        tls.write(bytes, 'latin1');
        assertRefused(only(await answersOn(tls)), 400, 4000, 'does not begin with a method');
      }
      await assertServes(server.port);
    });

    for (const [name, bytes] of [
      ['no TLS record', `GET / HTTP/1.1\r\n${HOST}\r\n`],
      ['a TLS record with a wrong checksum', `\x17\x03\x03\x00\x40${'a'.repeat(64)}`],
    ] as const) {
      test(`${name} ends the connection, in one line`, async () => {
        await using server = await serveTls();
        const { tls, tcp } = await secured(server.port, options);
        tls.write(`GET /held/a HTTP/1.1\r\n${HOST}\r\n`);
        await server.service.arrival('/held/a');
        tcp.write(bytes, 'latin1');
        await gone(tls);
        assert.match(server.incidents.join(), /^the TLS connection broke: ERR_SSL_\w+$/);
        assert.deepEqual(server.service.targets, ['/held/a']);
        await assertServes(server.port);
      });
    }
  });
}

test('a new handshake within a connection is refused: a client is verified once', async () => {
  await using server = await serveTls();
  const { tls } = await secured(server.port, { maxVersion: 'TLSv1.2', ...application });
  const outcome = await new Promise<unknown>((resolve) => {
    tls.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    tls.renegotiate({}, (error) => resolve(error?.message ?? 'accepted'));
  });
  assert.equal(outcome, 'ERR_SSL_NO_RENEGOTIATION');
  await assertServes(server.port);
});
