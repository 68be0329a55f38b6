/** What is shipped: for whom, for how long, and what TLS makes of it. */
import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect, createServer, type SecureVersion, type TLSSocket } from 'node:tls';
import { examine } from './examine.ts';
import { clientIssuer, type DefectName, defectNames, makePki } from './pki.ts';
import { type CertificatePair, shipped, shippedHolders } from './shipped.ts';
import { subjectUris } from './subject-uris.ts';

const versions = ['TLSv1.2', 'TLSv1.3'] as const;
const names = Object.keys(shippedHolders);
const ca = readFileSync(shipped.chain, 'utf8');
const authorities = ca
  .split(/(?<=-----END CERTIFICATE-----\n)/)
  .filter((text) => text.trim() !== '')
  .map((text) => new X509Certificate(text));

const read = ({ cert, key }: CertificatePair) => ({
  cert: readFileSync(cert, 'utf8'),
  key: readFileSync(key, 'utf8'),
});

test('every shipped certificate is what it is made to be, key and chain included', () => {
  const findings = examine([shipped.path]);
  assert.deepEqual(
    findings.flatMap(({ file, problems }) => problems.map((problem) => `${file}: ${problem}`)),
    [],
  );
  const leaves = findings.filter(({ key }) => key === 'fits');
  assert.equal(leaves.length, names.length + defectNames.length);
  assert.deepEqual(findings.map(({ madeToBe }) => madeToBe ?? '').filter(Boolean), [...defectNames].sort());
});

test('every shipped certificate but the expired one has a year left, or new ones are to be made', () => {
  const late = examine([shipped.path]).filter(({ madeToBe, daysLeft }) => madeToBe !== 'expired' && daysLeft < 365);
  assert.deepEqual(
    late.map(({ file }) => file),
    [],
  );
});

test('each certificate has the identifier of its holder and is for this machine', () => {
  for (const [name, identifier] of Object.entries(shippedHolders)) {
    const certificate = new X509Certificate(read(shipped.certificate(name)).cert);
    assert.deepEqual(subjectUris(certificate), [identifier]);
    assert.equal(certificate.checkHost('localhost'), 'localhost');
    assert.deepEqual(
      ['127.0.0.1', '::1'].map((address) => certificate.checkIP(address) === address),
      [true, true],
    );
    assert.match(certificate.subject, /test-only/);
  }
});

test('no key of an authority is shipped', () => {
  assert.equal(authorities.length, 2);
  const texts = readdirSync(shipped.path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.pem'))
    .map((name) => ({ name, text: readFileSync(join(shipped.path, name), 'utf8') }))
    .filter(({ text }) => text.includes('PRIVATE KEY'));
  assert.equal(texts.length, names.length + defectNames.length);
  for (const { name, text } of texts) {
    const key = createPrivateKey(text);
    assert.ok(!authorities.some((authority) => authority.checkPrivateKey(key)), name);
  }
});

interface Opinions {
  /** What the server thinks of the client: `authorized`, or why not. */
  readonly ofClient: string;
  readonly ofServer: string;
}

const opinion = (socket: TLSSocket): string => (socket.authorized ? 'authorized' : String(socket.authorizationError));

/** Both sides go through with it whatever they find, and say what it was. */
async function handshake(server: CertificatePair, client: CertificatePair, version: SecureVersion): Promise<Opinions> {
  const listening = createServer({ ...read(server), ca, requestCert: true, rejectUnauthorized: false });
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const limits = { minVersion: version, maxVersion: version, rejectUnauthorized: false };
  const near = connect({ port, host: '127.0.0.1', ca, ...read(client), ...limits });
  const [[far]] = (await Promise.all([once(listening, 'secureConnection'), once(near, 'secureConnect')])) as [
    [TLSSocket],
    unknown,
  ];
  const opinions = { ofClient: opinion(far), ofServer: opinion(near) };
  near.destroy();
  far.destroy();
  listening.close();
  return opinions;
}

/** Whether a server that refuses what it cannot verify lets a client in. */
async function isLetIn(client: CertificatePair, version: SecureVersion): Promise<boolean> {
  const own = read(shipped.certificate('mn-cse-1-client-server'));
  const listening = createServer({ ...own, ca, requestCert: true, rejectUnauthorized: true });
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const near = connect({ port, host: '127.0.0.1', ca, ...read(client), minVersion: version, maxVersion: version });
  near.on('error', () => undefined); // What it is told of its refusal depends on the version of TLS.
  const letIn = await Promise.race([
    once(listening, 'secureConnection').then(() => true),
    once(listening, 'tlsClientError').then(() => false),
  ]);
  near.destroy();
  listening.close();
  return letIn;
}

/** What either side finds in each certificate when the other one presents it. Clients go to 127.0.0.1. */
const expected: Readonly<Record<DefectName, Opinions>> = {
  expired: { ofClient: 'CERT_HAS_EXPIRED', ofServer: 'CERT_HAS_EXPIRED' },
  'not-yet-valid': { ofClient: 'CERT_NOT_YET_VALID', ofServer: 'CERT_NOT_YET_VALID' },
  'other-authority': {
    ofClient: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    ofServer: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  },
  'self-signed': { ofClient: 'DEPTH_ZERO_SELF_SIGNED_CERT', ofServer: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
  'server-only': { ofClient: 'INVALID_PURPOSE', ofServer: 'authorized' },
  'no-alternative-names': { ofClient: 'authorized', ofServer: 'ERR_TLS_CERT_ALTNAME_INVALID' },
  'dns-only': { ofClient: 'authorized', ofServer: 'ERR_TLS_CERT_ALTNAME_INVALID' },
  'two-uris': { ofClient: 'authorized', ofServer: 'authorized' },
  'wrong-identifier': { ofClient: 'authorized', ofServer: 'authorized' },
};

for (const version of versions) {
  test(`over ${version} every shipped certificate is good for servers and for clients`, async () => {
    for (const server of names)
      for (const client of names) {
        const opinions = await handshake(shipped.certificate(server), shipped.certificate(client), version);
        assert.deepEqual(opinions, { ofClient: 'authorized', ofServer: 'authorized' }, `${client} to ${server}`);
      }
  });

  test(`over ${version} either side sees what is wrong with the others`, async () => {
    for (const kind of defectNames) {
      const { ofClient, ofServer } = await handshake(shipped.refused(kind), shipped.refused(kind), version);
      assert.deepEqual({ ofClient, ofServer }, expected[kind], kind);
    }
  });

  test(`over ${version} a server that verifies lets in only whom an authority it knows vouches for`, async () => {
    for (const name of names) assert.equal(await isLetIn(shipped.certificate(name), version), true, name);
    for (const kind of defectNames) {
      assert.equal(await isLetIn(shipped.refused(kind), version), expected[kind].ofClient === 'authorized', kind);
    }
  });
}

test('of many certificates for clients each has its own identifier and number, and the signature of the authority', async () => {
  const { chain, authorityKeys } = await makePki({ holders: {}, days: 1 });
  const issue = await clientIssuer(chain, authorityKeys.intermediate);
  const authority = new X509Certificate(chain).publicKey;
  const identifiers = ['//sp/cse/C1', '//sp/cse/C2', '//sp/cse/longer', '//sp/cse/é', '//sp/cse/C3', '//sp/cse/C3'];
  const numbers = new Set<string>();
  for (const identifier of identifiers) {
    const { cert, key } = await issue(identifier);
    const certificate = new X509Certificate(cert);
    assert.deepEqual(subjectUris(certificate), [identifier]);
    assert.ok(certificate.verify(authority) && certificate.checkPrivateKey(createPrivateKey(key)), identifier);
    assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.2']);
    assert.ok(cert.endsWith(`\n${chain.slice(0, chain.indexOf('-----BEGIN', 1))}`));
    numbers.add(certificate.serialNumber);
  }
  assert.equal(numbers.size, identifiers.length);
});
