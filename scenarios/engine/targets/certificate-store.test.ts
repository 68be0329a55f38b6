import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makePki } from '../../../certs/pki.ts';
import { CertificateDirectory, shipped } from '../../../certs/shipped.ts';
import { subjectUris } from '../../../certs/subject-uris.ts';
import { writePki } from '../../../certs/write.ts';
import { type CertificateName, certificateNames } from '../grammar/vocabulary.ts';
import { CertificateStore, type CertificateStoreOptions } from './certificate-store.ts';
import { clientCertificate } from './test-servers.ts';

const names = { gateway: 'mn-cse-1', backend: 'in-cse-1', identifier: '//sp/cse/Cme' };

function emptyDirectory(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'cselab-store-'));
  t.after(() => rmSync(path, { recursive: true }));
  return path;
}

async function found(options: Partial<CertificateStoreOptions>, name: CertificateName) {
  const certificate = await new CertificateStore({ ...names, ...options }).find(name);
  assert('identity' in certificate, JSON.stringify(certificate));
  return certificate;
}

async function missing(options: Partial<CertificateStoreOptions>, name: CertificateName): Promise<string> {
  const certificate = await new CertificateStore({ ...names, ...options }).find(name);
  assert('missing' in certificate);
  return certificate.missing;
}

test('a directory as it is shipped has every certificate', async () => {
  const store = new CertificateStore({ ...names, directory: shipped.path, displayDirectory: 'certs' });
  for (const name of certificateNames) {
    const certificate = await store.find(name);
    assert('identity' in certificate, `${name}: ${JSON.stringify(certificate)}`);
    assert.match(certificate.files.cert, /^certs\/[a-z0-9/-]+\.cert\.pem$/);
  }
  const gateway = await found({ directory: shipped.path }, 'gateway');
  assert.deepEqual(gateway.uris, ['//openmtc.org/mn-cse-1']);
});

test('the own certificate is the one that is given', async () => {
  const own = clientCertificate('own', shipped.certificate('test-ipe'));
  assert.equal(await found({ own, directory: shipped.path }, 'own'), own);
});

test('the certificate of the gateway goes by its identifier', async (t) => {
  const directory = emptyDirectory(t);
  const to = new CertificateDirectory(directory).certificate('gw-7-client-server');
  const from = shipped.certificate('in-cse-1-client-server');
  for (const part of ['cert', 'key'] as const) copyFileSync(from[part], to[part]);
  assert.deepEqual((await found({ directory, gateway: 'gw-7' }, 'gateway')).uris, ['//openmtc.org/in-cse-1']);
});

test('what is not at hand is missing, and the reason says what to do', async (t) => {
  assert.equal(await missing({}, 'own'), 'needs a client certificate: give --cert and --key');
  assert.match(await missing({}, 'expired'), /^needs the certificate "expired": give --certs DIR/);
  const directory = emptyDirectory(t);
  assert.equal(
    await missing({ directory }, 'dns only'),
    `needs the certificate "dns only": there is no ${join('refused', 'dns-only')}.cert.pem in ${directory}`,
  );
});

test('a file that cannot be used is missing as well', async (t) => {
  const directory = emptyDirectory(t);
  copyFileSync(shipped.certificate('test-ae').key, new CertificateDirectory(directory).certificate('test-ae').cert);
  assert.match(await missing({ directory }, 'own'), /^needs the certificate "own": .*holds no certificate/);
});

test('what no authority is needed for is made on the spot, for the own identity', async () => {
  const own = { ...clientCertificate('own', shipped.certificate('test-ipe')), uris: ['//sp/cse/CMine'] };
  for (const name of ['self-signed', 'other authority'] as const) {
    const { identity, uris } = await found({ own }, name);
    const made = new X509Certificate(String(identity.cert));
    assert.deepEqual([uris, made.subjectAltName?.includes('URI://sp/cse/CMine')], [['//sp/cse/CMine'], true]);
    assert.equal(made.issuer === made.subject, name === 'self-signed');
  }
  assert.deepEqual((await found({}, 'self-signed')).uris, ['//sp/cse/Cme']);
});

test('where the private key of the authority is at hand, anybody has a certificate that it vouches for', async (t) => {
  const directory = emptyDirectory(t);
  await writePki(await makePki({ holders: {}, days: 2 }), directory, { authorityKeys: true });
  const { issue } = new CertificateStore({ ...names, directory, issuing: true });
  const [one, again, other] = await Promise.all(
    ['//sp/cse/COne', '//sp/cse/COne', '//sp/other'].map((id) => issue?.(id)),
  );
  assert(one && other && 'identity' in one && 'identity' in other);
  assert.equal(again, one);
  const [issued, authority] = [String(one.identity.cert), readFileSync(new CertificateDirectory(directory).chain)];
  assert.deepEqual(
    [one.name, one.uris, subjectUris(new X509Certificate(issued))],
    ['//sp/cse/COne', one.uris, one.uris],
  );
  assert.equal(new X509Certificate(issued).verify(new X509Certificate(authority).publicKey), true);
  assert.deepEqual(subjectUris(new X509Certificate(String(other.identity.cert))), ['//sp/other']);
  assert.match(one.files.cert, /one\.cert\.pem$/);
});

test('nobody else has one without that key, with one that is none, or where one originator stands for all', async (t) => {
  assert.equal(new CertificateStore({ ...names, directory: shipped.path, issuing: true }).issue, undefined);
  const directory = emptyDirectory(t);
  copyFileSync(shipped.chain, new CertificateDirectory(directory).chain);
  writeFileSync(new CertificateDirectory(directory).issuingKey, 'no key');
  assert.equal(new CertificateStore({ ...names, directory }).issue, undefined);
  const broken = await new CertificateStore({ ...names, directory, issuing: true }).issue?.('//sp/cse/COne');
  assert(broken && 'missing' in broken);
  assert.match(broken.missing, /^needs the certificate "\/\/sp\/cse\/COne": \S/);
});
