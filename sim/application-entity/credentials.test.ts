import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { DefectName } from '../../certs/pki.ts';
import { type CertificatePair, shipped } from '../../certs/shipped.ts';
import { manualClock } from '../environment/clock.ts';
import { startPair } from '../topology/pair.ts';
import { XAE } from './ae.ts';
import { originatorOf } from './credentials.ts';

const directory = mkdtempSync(join(tmpdir(), 'cselab-ae-test-'));
after(() => rmSync(directory, { recursive: true }));

const prefix = '//openmtc.org/mn-cse-1';
const own = shipped.certificate('test-ae');
const ssl = { caCerts: shipped.chain, certFile: own.cert, keyFile: own.key, originatorPre: prefix };
const https = { cse: 'https://127.0.0.1:1', name: 'Test-AE' };

test('all parameters: the application speaks HTTPS with its certificate, in the name of its originator', async () => {
  await using pair = await startPair({ tls: 'mutual' });
  await using app = new XAE({ ...ssl, cse: pair.gateway.url, name: 'Test-AE' });
  await app.start();
  assert.equal(app.originator, '//openmtc.org/mn-cse-1/CTest-AE');
  await app.push(await app.createContainer('c'), { over: 'TLS' });
  assert.deepEqual(await app.latest('/~/mn-cse-1/onem2m/Test-AE/c'), { over: 'TLS' });
  assert.equal((await app.retrieve('c')).cr, app.originator);
  assert.equal((await app.retrieve('/~/in-cse-1/onem2m')).csi, '/in-cse-1');
});

test('the chain alone is enough where no certificate is required', async () => {
  await using pair = await startPair({ tls: 'server' });
  await using app = new XAE({ cse: pair.gateway.url, name: 'App', caCerts: shipped.chain });
  await app.start();
  await using distrusting = new XAE({ cse: pair.gateway.url, name: 'App' });
  await assert.rejects(distrusting.start(), {
    name: 'UnreachableError',
    message: `${pair.gateway.url}: unable to get local issuer certificate`,
  });
});

test('the chain alone is refused by the CSE where a certificate is required', async () => {
  await using pair = await startPair({ tls: 'mutual' });
  await using app = new XAE({ cse: pair.gateway.url, name: 'App', caCerts: shipped.chain });
  await assert.rejects(app.start(), { name: 'RequestError', status: 403, code: 4107 });
});

test('an encrypted key needs its passphrase', async () => {
  const keyFile = join(directory, 'encrypted.key.pem');
  const encryption = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open, please' } as const;
  writeFileSync(keyFile, createPrivateKey(readFileSync(own.key)).export(encryption));
  await using pair = await startPair({ tls: 'mutual' });
  const options = { ...ssl, cse: pair.gateway.url, name: 'Test-AE', keyFile };
  await using app = new XAE({ ...options, passphrase: 'open, please' });
  await app.start();
  const message = `keyFile cannot be read as PEM, or its passphrase is missing or wrong: ${keyFile}`;
  assert.throws(() => new XAE(options), { name: 'ApplicationEntityError', message });
  assert.throws(() => new XAE({ ...options, passphrase: 'wrong' }), { name: 'ApplicationEntityError', message });
});

const absent = join(directory, 'absent.pem');
const notPem = join(directory, 'nonsense.pem');
writeFileSync(notPem, 'nonsense');
const otherKey = shipped.certificate('test-ipe').key;
const mismatch = 'originatorPre does not match the certificate: the originator would be';
const wrong: [string, object, string][] = [
  ['a missing key', { keyFile: undefined }, 'keyFile is missing: a client certificate has a file and a key'],
  ['a missing certificate', { certFile: undefined }, 'certFile is missing: a client certificate has a file and a key'],
  ['a missing chain', { caCerts: undefined }, 'caCerts is missing: certificate and key are given'],
  [
    'a missing prefix',
    { originatorPre: undefined },
    'originatorPre is missing: it has to match the client certificate',
  ],
  ['plain HTTP', { cse: 'http://127.0.0.1:1' }, 'SSL parameters are given, but http://127.0.0.1:1 is not an https URL'],
  ['no URL', { cse: 'gateway' }, 'cse: "gateway" is no URL that begins with http:// or https://'],
  ['a URL without a scheme', { cse: 'host:8000' }, 'cse: "host:8000" is no URL that begins with http:// or https://'],
  [
    'a certificate that is not there',
    { certFile: absent },
    `certFile: ENOENT: no such file or directory, open '${absent}'`,
  ],
  ['a chain that is not there', { caCerts: absent }, `caCerts: ENOENT: no such file or directory, open '${absent}'`],
  ['a certificate that is none', { certFile: notPem }, `certFile cannot be read as PEM certificates: ${notPem}`],
  ['a chain that is none', { caCerts: notPem }, `caCerts cannot be read as PEM certificates: ${notPem}`],
  [
    'a key that is none',
    { keyFile: notPem },
    `keyFile cannot be read as PEM, or its passphrase is missing or wrong: ${notPem}`,
  ],
  ['another key', { keyFile: otherKey }, `keyFile does not fit the certificate of certFile: ${otherKey}, ${own.cert}`],
  [
    'another prefix',
    { originatorPre: '//openmtc.org/mn-cse-2' },
    `${mismatch} //openmtc.org/mn-cse-2/CTest-AE, and its subjectAltName has //openmtc.org/mn-cse-1/CTest-AE`,
  ],
  [
    'another name',
    { name: 'Other' },
    `${mismatch} //openmtc.org/mn-cse-1/COther, and its subjectAltName has //openmtc.org/mn-cse-1/CTest-AE`,
  ],
];
for (const [what, change, message] of wrong) {
  test(`${what} is refused before anything is sent`, () => {
    assert.throws(() => new XAE({ ...ssl, ...https, ...change }), { name: 'ApplicationEntityError', message });
  });
}

const refusals: [DefectName, RegExp][] = [
  ['expired', /^the certificate of certFile expired on .* GMT: .*expired\.cert\.pem$/],
  ['not-yet-valid', /^the certificate of certFile is not valid before .* GMT: .*not-yet-valid\.cert\.pem$/],
  ['no-alternative-names', /would be \/\/openmtc\.org\/mn-cse-1\/CTest-AE, and its subjectAltName has no URI$/],
  ['dns-only', /subjectAltName has no URI$/],
  ['two-uris', /has \/\/openmtc\.org\/mn-cse-1\/CFirst, \/\/openmtc\.org\/mn-cse-1\/CSecond$/],
  ['wrong-identifier', /has \/\/openmtc\.org\/mn-cse-1\/COther$/],
];
for (const [kind, message] of refusals) {
  test(`a certificate that is ${kind} is refused before anything is sent`, () => {
    const { cert, key } = shipped.refused(kind);
    const expected = { name: 'ApplicationEntityError', message };
    assert.throws(() => new XAE({ ...ssl, ...https, certFile: cert, keyFile: key }), expected);
  });
}

test('the prefix may be the whole identifier, and one of several in the certificate', () => {
  assert.equal(originatorOf('App', undefined), 'CApp');
  assert.equal(originatorOf('App', prefix), `${prefix}/CApp`);
  assert.equal(originatorOf('App', `${prefix}/`), `${prefix}/CApp`);
  assert.equal(originatorOf('App', `${prefix}/Sabc`), `${prefix}/Sabc`);
  const { cert, key } = shipped.refused('two-uris');
  const app = new XAE({ ...ssl, ...https, certFile: cert, keyFile: key, originatorPre: `${prefix}/CSecond` });
  assert.equal(app.originator, `${prefix}/CSecond`);
});

test('certificates that were replaced are presented without a restart, and unusable ones are not', async () => {
  const [certFile, keyFile] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  let changed = 0;
  const replace = ({ cert, key }: CertificatePair) => {
    copyFileSync(cert, certFile);
    copyFileSync(key, keyFile);
    utimesSync(certFile, ++changed, changed);
  };
  replace(own);
  await using pair = await startPair({ tls: 'mutual' });
  const clock = manualClock();
  const failures: unknown[] = [];
  const files = { ...ssl, certFile, keyFile, clock, onError: (error: unknown) => failures.push(error) };
  await using app = new XAE({ ...files, cse: pair.gateway.url, name: 'Test-AE' });
  await app.start();

  // The CSE refuses it, which shows that it was presented.
  replace(shipped.refused('other-authority'));
  assert.equal((await app.retrieve(app.path)).rn, 'Test-AE');
  await clock.advance('1s');
  await assert.rejects(app.retrieve(app.path), { name: 'UnreachableError' });
  replace(own);
  await clock.advance('1s');
  assert.equal((await app.retrieve(app.path)).rn, 'Test-AE');
  assert.deepEqual(failures, []);

  replace({ cert: own.cert, key: otherKey });
  for (let times = 0; times < 3; times++) {
    await clock.advance('1s');
    assert.equal((await app.retrieve(app.path)).rn, 'Test-AE');
  }
  assert.deepEqual(failures.map(String), [
    `ApplicationEntityError: keyFile does not fit the certificate of certFile: ${keyFile}, ${certFile}`,
  ]);
});
