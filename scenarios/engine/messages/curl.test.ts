import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { bodyOf, httpServer, tcpServer } from '../targets/test-servers.ts';
import { curlLine, rawLine } from './curl.ts';
import type { RawMessage, RequestMessage } from './target.ts';

const execute = promisify(execFile);
const bin = mkdtempSync(join(tmpdir(), 'cselab-nc-'));
after(() => rmSync(bin, { recursive: true }));
/** Not every machine has nc; this one does what nc does here. */
const nc = `#!${process.execPath}
const socket = require('node:net').connect(Number(process.argv[3]), process.argv[2]);
process.stdin.pipe(socket);
socket.pipe(process.stdout);
`;
writeFileSync(join(bin, 'nc'), nc);
chmodSync(join(bin, 'nc'), 0o755);

function sh(line: string): Promise<unknown> {
  return execute('sh', ['-c', line], { env: { ...process.env, PATH: `${bin}:${process.env.PATH}` }, timeout: 20_000 });
}

interface Recorded {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

async function recording(t: TestContext): Promise<{ url: string; seen: Recorded[] }> {
  const seen: Recorded[] = [];
  const url = await httpServer(t, async (request, response) => {
    const body = (await bodyOf(request)).toString('latin1');
    const { 'user-agent': _, accept: __, host: ___, 'content-length': ____, ...headers } = request.headers;
    seen.push({ method: request.method, url: request.url, headers, body });
    response.end();
  });
  return { url, seen };
}

const type = ['Content-Type', 'application/vnd.onem2m-res+json'] as const;
const requests: ReadonlyArray<readonly [name: string, request: RequestMessage]> = [
  ['a retrieval', { method: 'GET', path: '/onem2m/a?lbl=x+y&cra=2017-03-02+16%3A12', headers: [] }],
  ['a creation', { method: 'POST', path: '/onem2m', headers: [type], body: Buffer.from('{"m2m:ae":{"rn":"it\'s"}}') }],
  ['a removal', { method: 'DELETE', path: '/onem2m/x', headers: [['X-M2M-Origin', "//sp/cse/C'1 $HOME `x`"]] }],
  ['an update', { method: 'PUT', path: '/onem2m/x', headers: [type], body: Buffer.from('{"é":"\\n \\" $x"}\n') }],
  ['a body that begins with @', { method: 'POST', path: '/x', headers: [type], body: Buffer.from('@/etc/hostname') }],
  ['a body of bytes', { method: 'POST', path: '/x', headers: [], body: Buffer.from([0, 1, 255, 37, 92, 39, 10]) }],
  ['an empty body', { method: 'POST', path: '/x', headers: [] }],
  ['a body in a retrieval', { method: 'GET', path: '/x', headers: [type], body: Buffer.from('{}') }],
  ['a HEAD', { method: 'HEAD', path: '/x', headers: [] }],
  ['dots and brackets in the path', { method: 'GET', path: '/a/../b/./[1]{2}', headers: [] }],
  ['an empty header', { method: 'GET', path: '/x', headers: [['X-M2M-Origin', '']] }],
  ['an unusual method', { method: 'PATCH', path: '/x', headers: [type], body: Buffer.from('{}') }],
];

for (const [name, request] of requests) {
  test(`the curl line repeats ${name}`, async (t) => {
    const { url, seen } = await recording(t);
    await sh(curlLine(url, request));
    const headers = Object.fromEntries(request.headers.map(([key, value]) => [key.toLowerCase(), value]));
    const body = Buffer.from(request.body ?? []).toString('latin1');
    assert.deepEqual(seen, [{ method: request.method, url: request.path, headers, body }]);
  });
}

test('a long body is cut, and the line says so', () => {
  const line = curlLine('http://x', { method: 'POST', path: '/', headers: [], body: Buffer.alloc(10_000, 'a') });
  assert(line.endsWith(' # cut: these are the first 4096 of 10000 bytes'));
});

function bytesReceived(t: TestContext, enough: number): Promise<{ url: string; received: () => Buffer }> {
  let received = Buffer.alloc(0);
  const url = tcpServer(t, (socket) =>
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length >= enough) socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
    }),
  );
  return url.then((known) => ({ url: known, received: () => received }));
}

test('exact bytes go through nc', async (t) => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const { url, received } = await bytesReceived(t, bytes.length);
  await sh(rawLine(url, { bytes }));
  assert(received().equals(bytes));
});

const raw: RawMessage = {
  method: 'GET',
  path: '/x',
  headers: [],
  version: '1.1',
  addHost: true,
  addContentLength: true,
};
const unusual: ReadonlyArray<readonly [name: string, request: RawMessage, wire: string]> = [
  ['without Host', { ...raw, addHost: false }, 'GET /x HTTP/1.1\r\n\r\n'],
  ['with a target that is no path', { ...raw, path: '*', addHost: false }, 'GET * HTTP/1.1\r\n\r\n'],
  [
    'with a wrong length',
    {
      ...raw,
      method: 'POST',
      addHost: false,
      addContentLength: false,
      headers: [['Content-Length', '9']],
      body: Buffer.from('ab'),
    },
    'POST /x HTTP/1.1\r\nContent-Length: 9\r\n\r\nab',
  ],
];

for (const [name, request, wire] of unusual) {
  test(`a raw request ${name} goes through nc`, async (t) => {
    const { url, received } = await bytesReceived(t, wire.length);
    await sh(rawLine(url, request));
    assert.equal(received().toString('latin1'), wire);
  });
}

test('a raw request that curl can send goes through curl', async (t) => {
  const { url, seen } = await recording(t);
  const request: RawMessage = { ...raw, version: '1.0', headers: [['X-M2M-RI', '1']] };
  assert.match(rawLine(url, request), /^curl -i --http1.0 /);
  await sh(rawLine(url, request));
  const [one] = seen;
  assert.deepEqual([one?.method, one?.url, one?.headers['x-m2m-ri']], ['GET', '/x', '1']);
});

test('bytes for https go through openssl', () => {
  const line = rawLine('https://gateway.example', { bytes: Buffer.from("a%\\'") });
  assert.equal(
    line,
    `printf 'a%%\\\\'\\''' | openssl s_client -quiet -connect gateway.example:443 -servername gateway.example`,
  );
});

const files = { cert: 'my certs/ae.cert.pem', key: 'ae.key.pem' };
const own = { name: 'own', identity: {}, uris: [], files } as const;
const bundle = { ...own, files: { cert: 'ae.p12', type: 'P12' } } as const;
const get: RequestMessage = { method: 'GET', path: '/x', headers: [] };

test('a curl line names the files of the certificates and never a passphrase', () => {
  const url = 'https://gateway.example';
  const trust = { ca: 'PEM', caFile: 'chain.pem' };
  const identity = { key: 'PRIVATE', passphrase: 'open sesame' };
  assert.equal(
    curlLine(url, get, { certificate: { ...own, identity }, trust }),
    "curl -i --cert 'my certs/ae.cert.pem' --key ae.key.pem --cacert chain.pem https://gateway.example/x",
  );
  assert.equal(
    curlLine(url, get, { certificate: bundle, trust: { insecure: true } }),
    'curl -i --cert-type P12 --cert ae.p12 -k https://gateway.example/x',
  );
  assert.equal(
    curlLine('http://gateway.example', get, { certificate: own, trust }),
    'curl -i http://gateway.example/x',
  );
});

test('a curl line takes the way that the step insists on', () => {
  const url = 'https://gateway.example/base';
  assert.match(curlLine(url, get, { over: 'TLS 1.2' }), /--tls-max 1\.2 https:/);
  assert.match(curlLine(url, get, { over: 'TLS 1.3' }), /--tlsv1\.3 https:/);
  assert.match(curlLine(url, get, { over: 'plain TCP' }), / http:\/\/gateway\.example:443\/base\/x$/);
  assert.match(curlLine('http://gateway.example', get, { over: 'TLS 1.3' }), / https:\/\/gateway\.example:80\/x$/);
  assert.match(rawLine(url, { bytes: Buffer.from('a') }, { over: 'plain TCP' }), /\| nc gateway\.example 443$/);
});

test('openssl gets the same files', () => {
  const line = rawLine(
    'https://gateway.example',
    { bytes: Buffer.from('a') },
    { certificate: own, over: 'TLS 1.2', trust: { caFile: 'chain.pem' } },
  );
  assert.match(
    line,
    /-servername gateway\.example -cert 'my certs\/ae\.cert\.pem' -key ae\.key\.pem -CAfile chain\.pem -tls1_2$/,
  );
});

test('what only the target is to know is masked', () => {
  const headers = [
    ['Authorization', 'Bearer 1'],
    ['X-Api-Key', '2'],
    ['X-M2M-Origin', 'C3'],
  ] as const;
  assert.equal(
    curlLine('http://x', { ...get, headers }),
    "curl -i -H 'Authorization: ***' -H 'X-Api-Key: ***' -H 'X-M2M-Origin: C3' http://x/x",
  );
  assert.doesNotMatch(rawLine('http://x', { ...raw, path: '*', headers }), /Bearer/);
});
