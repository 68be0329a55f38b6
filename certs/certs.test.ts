import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { examine } from './examine.ts';
import { makePki, refusedKinds } from './pki.ts';
import { type CertificateFiles, shipped, shippedHolders } from './shipped.ts';
import { subjectUris, urisIn } from './subject-uris.ts';
import { CertificateFilesError, writePki } from './write.ts';

const directory = mkdtempSync(join(tmpdir(), 'cselab-certs-test-'));
after(() => rmSync(directory, { recursive: true }));

const read = ({ cert, key }: CertificateFiles) => ({
  cert: readFileSync(cert, 'utf8'),
  key: readFileSync(key, 'utf8'),
});

test('every shipped certificate fits its chain and key, has its identifier, and lasts longer than a year', () => {
  const findings = examine([shipped.path]).filter(({ meantToBeRefused }) => !meantToBeRefused);
  assert.deepEqual(
    findings.flatMap(({ problems }) => problems),
    [],
  );
  assert.ok(findings.every(({ daysLeft }) => daysLeft > 365));
  for (const [name, identifier] of Object.entries(shippedHolders)) {
    const certificate = new X509Certificate(read(shipped.certificate(name)).cert);
    assert.deepEqual(subjectUris(certificate), [identifier]);
    assert.equal(certificate.checkHost('localhost'), 'localhost');
    assert.equal(certificate.checkIP('127.0.0.1'), '127.0.0.1');
  }
});

test('no key of an authority is shipped', () => {
  const authorities = readFileSync(shipped.chain, 'utf8')
    .split(/(?<=-----END CERTIFICATE-----\n)/)
    .filter((text) => text.trim() !== '')
    .map((text) => new X509Certificate(text));
  assert.equal(authorities.length, 2);
  const keys = readdirSync(shipped.path, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.key.pem'),
  );
  assert.equal(keys.length, Object.keys(shippedHolders).length + refusedKinds.length);
  for (const name of keys) {
    const key = createPrivateKey(readFileSync(join(shipped.path, name)));
    assert.ok(!authorities.some((authority) => authority.checkPrivateKey(key)), name);
  }
});

/** What node's server thinks of a client with this certificate: `authorized`, or its reason. */
async function presented(files: CertificateFiles, version: 'TLSv1.2' | 'TLSv1.3'): Promise<string> {
  const ca = readFileSync(shipped.chain, 'utf8');
  const own = read(shipped.certificate('mn-cse-1-client-server'));
  const server = createServer({ ...own, ca, requestCert: true, rejectUnauthorized: false });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', ca, ...read(files), minVersion: version, maxVersion: version });
  const [socket] = (await once(server, 'secureConnection')) as [TLSSocket];
  client.destroy();
  server.close();
  return socket.authorized ? 'authorized' : String(socket.authorizationError);
}

const expected: Record<(typeof refusedKinds)[number], string> = {
  expired: 'CERT_HAS_EXPIRED',
  'not-yet-valid': 'CERT_NOT_YET_VALID',
  'other-authority': 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'self-signed': 'DEPTH_ZERO_SELF_SIGNED_CERT',
  'server-only': 'INVALID_PURPOSE',
  'no-alternative-names': 'authorized',
  'dns-only': 'authorized',
  'two-uris': 'authorized',
  'wrong-identifier': 'authorized',
};

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  test(`over ${version} a server verifies the good ones and sees what is wrong with the others`, async () => {
    for (const name of Object.keys(shippedHolders)) {
      assert.equal(await presented(shipped.certificate(name), version), 'authorized', name);
    }
    for (const kind of refusedKinds)
      assert.equal(await presented(shipped.refused(kind), version), expected[kind], kind);
  });
}

test('a fresh set is laid out as the shipped one and says what does not fit', async () => {
  const pki = await makePki({ holders: { app: '//sp/cse/CApp' }, days: 10, hosts: ['gateway.example', '192.0.2.7'] });
  const path = join(directory, 'fresh');
  const written = await writePki(pki, path);
  assert.deepEqual(
    written.map((file) => file.slice(path.length + 1)),
    ['ca-chain.cert.pem', 'root-ca.cert.pem', 'app.cert.pem', 'app.key.pem'],
  );
  const app = new X509Certificate(read({ cert: join(path, 'app.cert.pem'), key: join(path, 'app.key.pem') }).cert);
  assert.deepEqual([app.checkHost('gateway.example'), app.checkIP('192.0.2.7')], ['gateway.example', '192.0.2.7']);
  await assert.rejects(
    writePki(pki, path),
    (error) => error instanceof CertificateFilesError && /exists/.test(error.message),
  );

  const stranger = await makePki({ holders: { app: '//sp/cse/CApp' }, days: 10 });
  writeFileSync(join(path, 'app.key.pem'), stranger.certificates.app?.key ?? '');
  writeFileSync(join(path, 'ca-chain.cert.pem'), stranger.chain);
  const [finding] = examine([join(path, 'app.cert.pem')]);
  assert.deepEqual(finding?.problems, ['no authority of ca-chain.cert.pem has issued it', 'its key does not fit']);
  assert.equal(finding?.daysLeft, 9);
});

test('what is no certificate is refused by its name', () => {
  writeFileSync(join(directory, 'x.cert.pem'), 'nothing');
  for (const path of [join(directory, 'x.cert.pem'), join(directory, 'absent')]) {
    assert.throws(
      () => examine([path]),
      (error) => error instanceof CertificateFilesError && error.message.includes(path),
    );
  }
});

test('a name cannot pass for two', () => {
  assert.deepEqual(urisIn('URI://sp/cse/a, DNS:localhost, IP Address:127.0.0.1, URI://sp/cse/b'), [
    '//sp/cse/a',
    '//sp/cse/b',
  ]);
  assert.deepEqual(urisIn('DNS:"x, URI://sp/cse/admin"'), []);
  assert.deepEqual(urisIn(String.raw`URI:"//sp/cse/\"quoted\", DNS:x"`), ['//sp/cse/"quoted", DNS:x']);
  assert.deepEqual(urisIn(''), []);
});
