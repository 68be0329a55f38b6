import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { describe, test } from 'node:test';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { defectNames } from '../../certs/pki.ts';
import { type CertificatePair, shipped } from '../../certs/shipped.ts';
import type { HttpRequest, HttpService } from '../dialects/http-message.ts';
import { type HttpServerOptions, serveHttp, type TlsMaterial } from './http.ts';
import { answersIn, type RawAnswer } from './testing/raw-client.ts';
import { TlsMaterialError, type TlsOptions } from './tls.ts';

const run = promisify(execFile);
const ca = readFileSync(shipped.chain, 'utf8');
const pair = ({ cert, key }: CertificatePair) => ({
  cert: readFileSync(cert, 'utf8'),
  key: readFileSync(key, 'utf8'),
});
const materialOf = (name: string): TlsMaterial => ({ ca, ...pair(shipped.certificate(name)) });
const gateway = materialOf('mn-cse-1-client-server');
const application = pair(shipped.certificate('test-ae'));

/** Answers with the peer of the request. */
async function serve(clientCertificate: TlsOptions['clientCertificate'], others: HttpServerOptions = {}) {
  const seen: HttpRequest[] = [];
  const incidents: string[] = [];
  const service: HttpService = {
    handle(request) {
      seen.push(request);
      return { status: 200, headers: {}, body: JSON.stringify(request.peer ?? null) };
    },
    refuse: (error) => ({ status: error.http, headers: {}, body: '' }),
  };
  const told: (() => void)[] = [];
  const server = await serveHttp(service, {
    tls: { material: gateway, clientCertificate },
    onIncident: (line) => {
      incidents.push(line);
      for (const tell of told.splice(0)) tell();
    },
    ...others,
  });
  const incidentTold = () => new Promise<void>((resolve) => (incidents.length > 0 ? resolve() : told.push(resolve)));
  return { ...server, seen, incidents, incidentTold };
}

/** The body of the answer, or the code of the failure. */
function get(port: number, options: ConnectionOptions = {}): Promise<string> {
  return new Promise((resolve) => {
    request({ port, host: '127.0.0.1', ca, agent: false, ...options }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      answer.on('end', () => resolve(body));
    })
      .on('error', (error: NodeJS.ErrnoException) => resolve(`failed: ${error.code}`))
      .end();
  });
}

/** The answer to a request on a connection that stays open. */
async function ask(socket: TLSSocket): Promise<RawAnswer> {
  let received = Buffer.alloc(0);
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  for (;;) {
    const [piece] = await once(socket, 'data');
    received = Buffer.concat([received, piece]);
    const [answer] = answersIn(received, false);
    if (answer !== undefined) return answer;
  }
}

describe('HTTPS', () => {
  test('the URL says so, and TLS 1.2 and 1.3 are spoken, 1.1 is not', async () => {
    await using server = await serve('ignored');
    assert.match(server.url, /^https:\/\/127\.0\.0\.1:\d+$/);
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      assert.equal(await get(server.port, { minVersion: version, maxVersion: version }), '{}', version);
    }
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    assert.match(await get(server.port, old), /^failed: /);
    assert.equal(server.seen.length, 2);
  });

  for (const clientCertificate of ['optional', 'required'] as const) {
    test(`a certificate that is ${clientCertificate} is the peer of the request, also on a kept connection`, async () => {
      await using server = await serve(clientCertificate);
      assert.equal(await get(server.port, application), '{"uris":["//openmtc.org/mn-cse-1/CTest-AE"]}');
      assert.equal(await get(server.port), '{}');
      const twoUris = pair(shipped.refused('two-uris'));
      const uris = ['//openmtc.org/mn-cse-1/CFirst', '//openmtc.org/mn-cse-1/CSecond'];
      assert.deepEqual(JSON.parse(await get(server.port, twoUris)), { uris });
      assert.equal(await get(server.port, pair(shipped.refused('dns-only'))), '{"uris":[]}');
      assert.equal(await get(server.port, pair(shipped.refused('no-alternative-names'))), '{"uris":[]}');
      assert.deepEqual(server.incidents, []);
    });
  }

  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    test(`over ${version} a certificate that cannot be verified gets no answer and one line`, async () => {
      await using server = await serve('optional');
      const lines: string[] = [];
      for (const kind of defectNames.slice(0, 5)) {
        const options = { ...pair(shipped.refused(kind)), minVersion: version, maxVersion: version };
        assert.match(await get(server.port, options), /^failed: /, kind);
        await server.incidentTold();
        lines.push(...server.incidents.splice(0));
      }
      assert.deepEqual(
        lines.map((line) => line.replace(/^127\.0\.0\.1 port \d+: /, '')),
        [
          'CERT_HAS_EXPIRED',
          'CERT_NOT_YET_VALID',
          'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
          'DEPTH_ZERO_SELF_SIGNED_CERT',
          'INVALID_PURPOSE',
        ].map((reason) => `the client's certificate cannot be verified: ${reason}`),
      );
      assert.deepEqual(server.seen, []);
    });

    test(`over ${version} a client without the certificate that the handshake requires gets no answer`, async () => {
      await using server = await serve('required at handshake');
      const options = { minVersion: version, maxVersion: version };
      assert.match(await get(server.port, options), /^failed: /);
      await server.incidentTold();
      assert.match(server.incidents.join(), /the client presents no certificate, and one is required/);
      assert.match(await get(server.port, { ...options, ...application }), /CTest-AE/);
    });
  }

  test('a session is not resumed', async () => {
    await using server = await serve('optional');
    const first = connect({ port: server.port, host: '127.0.0.1', ca, ...application, maxVersion: 'TLSv1.2' });
    await once(first, 'secureConnect');
    const session = first.getSession();
    first.destroy();
    const again = connect({
      port: server.port,
      host: '127.0.0.1',
      ca,
      maxVersion: 'TLSv1.2',
      ...(session && { session }),
    });
    await once(again, 'secureConnect');
    assert.equal(again.isSessionReused(), false);
    again.destroy();
  });

  test('curl speaks with it, by its own words', async () => {
    await using server = await serve('required');
    const { cert, key } = shipped.certificate('test-ae');
    const { stdout } = await run('curl', ['-sS', '--cert', cert, '--key', key, '--cacert', shipped.chain, server.url]);
    assert.equal(stdout, '{"uris":["//openmtc.org/mn-cse-1/CTest-AE"]}');
    assert.equal((await run('curl', ['-sS', '-k', server.url])).stdout, '{}');
  });
});

describe('key and certificates', () => {
  test('new ones are used without a restart, and wrong ones change nothing', async () => {
    await using server = await serve('optional');
    const commonName = async () => {
      const socket = connect({ port: server.port, host: '127.0.0.1', ca });
      await once(socket, 'secureConnect');
      const { subject } = socket.getPeerCertificate();
      socket.destroy();
      return subject.CN;
    };
    assert.equal(await commonName(), 'mn-cse-1-client-server');
    server.renewTls(materialOf('in-cse-1-client-server'));
    assert.equal(await commonName(), 'in-cse-1-client-server');
    assert.throws(() => server.renewTls({ ...gateway, key: application.key }), TlsMaterialError);
    assert.equal(await commonName(), 'in-cse-1-client-server');
  });

  test('a connection that exists goes on when they are renewed, with the peer that was verified', async () => {
    await using server = await serve('optional');
    const peer = '{"uris":["//openmtc.org/mn-cse-1/CTest-AE"]}';
    const kept = connect({ port: server.port, host: '127.0.0.1', ca, ...application });
    assert.equal((await ask(kept)).body, peer);
    const otherAuthority = readFileSync(shipped.refused('self-signed').cert, 'utf8');
    server.renewTls({ ...materialOf('in-cse-1-client-server'), ca: otherAuthority });
    assert.match(await get(server.port, application), /^failed: /);
    const answer = await ask(kept);
    assert.equal(answer.body, peer);
    assert.equal(answer.headers.connection, 'keep-alive');
    assert.equal(kept.getPeerCertificate().subject.CN, 'mn-cse-1-client-server');
    assert.equal(await get(server.port), '{}');
    kept.destroy();
  });

  test('what cannot be used is refused, without a word of the key', async () => {
    const wrong = [
      { ...gateway, key: application.key },
      { ...gateway, key: 'nonsense' },
      { ...gateway, cert: 'nonsense' },
      { ...gateway, cert: '' },
      { ...gateway, ca: 'nonsense' },
    ];
    for (const material of wrong) {
      const tls = { material, clientCertificate: 'ignored' } as const;
      const service = { handle: () => assert.fail(), refuse: () => assert.fail() };
      await assert.rejects(serveHttp(service, { tls }), (error: Error) => {
        assert.equal(error.name, 'TlsMaterialError');
        assert.doesNotMatch(error.message, /PRIVATE|nonsense/);
        return true;
      });
    }
  });

  test('a plain server has none to renew', async () => {
    const service = { handle: () => assert.fail(), refuse: () => assert.fail() };
    await using server = await serveHttp(service);
    assert.throws(() => server.renewTls(gateway), TypeError);
  });
});
