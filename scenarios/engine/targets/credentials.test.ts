import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { shipped } from '../../../certs/shipped.ts';
import { UsageError } from '../basics/diagnostics.ts';
import { type CertificateFiles, readAuthorities, readCertificate } from './credentials.ts';

const room = mkdtempSync(join(tmpdir(), 'cselab-credentials-'));
after(() => rmSync(room, { recursive: true }));

function file(name: string, content: string | Buffer): string {
  writeFileSync(join(room, name), content);
  return join(room, name);
}

const own = shipped.certificate('test-ae');
const cert = readFileSync(own.cert, 'utf8');
const key = readFileSync(own.key, 'utf8');
const encrypted = createPrivateKey(key).export({
  type: 'pkcs8',
  format: 'pem',
  cipher: 'aes-256-cbc',
  passphrase: 'open sesame',
});
const encryptedKey = file('encrypted.key.pem', encrypted);
const originator = '//openmtc.org/mn-cse-1/CTest-AE';

/** The self-signed certificate of this project with its key, under the passphrase `geheim`. */
const pkcs12 = Buffer.from(
  'MIIE7AIBAzCCBKIGCSqGSIb3DQEHAaCCBJMEggSPMIIEizCCA0IGCSqGSIb3DQEHBqCCAzMwggMvAgEAMIIDKAYJKoZIhvcNAQcB' +
    'MFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjws4LOL4+hPwICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEM+6' +
    'RRCTPfUR92bqr2mZJbWAggLAGIPGO8pgRde0bZHjscyBrptAJYxtCX+jCC7yqTeezs0/y7q/acQ3c0SAg5QyGG+Vg046ih9E8yP4' +
    'zZ3LVGzBzpG0FUttTcFCGu72TIfdJCKFh8JxFNPdf5e0TVhRL9EPdjsYzL2mXIWfdENpnfcjgDhHPQKSRtPeuikLQ7rdDT+5RXd9' +
    'TigDg/MGOcvhQyF2rY1CeS3KeVJGLFe0EOECivxQIkw53uYIy4yBaqIsqe3majM+11n56qpRdd+0VphkvsRatFOMkEcNeHoabeWj' +
    'xHfuhFAx6NguT0XcCypokwOl+FOVFVMi067pBC4OqfUGHME0zUaU/1VWm05/Gn6chs05f5hT6OtkuB7D1GyLLlsWivTvzcJBlBkS' +
    'm9rVMp19jgyAPTD1BMS4ZrIDxikoZZYKMkqeV4IPX0zR10a1WNSw/tjj06WWIhiMW4Dbr0wGB7OlD5pIPOLWV1MymUdLOISeDKIc' +
    'TUCrdpQogjS0KXvgxN7gLtyWw+sOQGGhFS49ZzKkxGiaj+U83Xj526pm5tl0GSmr2etpwNqTPwff4TmBEQf1lvpwO1RtL7RI/Kbx' +
    'jbKyLwO8s5qyE6FKUeI/sD6Ukz0GvM//LQAN8eMNYQH7ShrCYcB4c+j+xavf4sok2zu10rNDxFjHNaEnthFhB+dXqU+8kWGcZxDD' +
    'oWfoFi2SGqOdU+HEwec9Ax5Fj+vgtWy3KSeqFVfyAV8NlSjczmM2wuKLXKCLpFphuxEHHSwxZuaZDUvTlBhpDzP0koL8dxSunZbD' +
    't934xRG2AM+Ky9WjMxpCchz5/o4mxSmq2WRYWIVb/8RKSFQtp8RE1pLF5TCGO/XG7UJoT+eqBHn6tA+EE7MjmehhY/bE7XzT/S4W' +
    'V/FUBUdR3nTr1WVxVom5xjU3E9A8Py7JQe7WuNGwTCSVOVUx+LwoSnIzoCtzBxIwggFBBgkqhkiG9w0BBwGgggEyBIIBLjCCASow' +
    'ggEmBgsqhkiG9w0BDAoBAqCB7zCB7DBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQItYMdyHDJ4xcCAggAMAwGCCqGSIb3' +
    'DQIJBQAwHQYJYIZIAWUDBAEqBBBzr+nrSeDC2rhR+G3D/RQsBIGQHlQ2/OqDzIe6cZMQZ/GeFuzWl3mix1KmmkJxMQ6fiW6WkogJ' +
    'FesfURO/H6XEn0GIc/4IU6InK6lA0bwSRTfl+H6M5XVEMrJY18KA+ZoQq7iJXZ/sy6K54SM5Hpx5HKLa+fIDiGq/g+UjvArEiIKp' +
    'mdjwGi7eKLwj9FABYxi560j2kKfeuOcV0j9oRLs1G0gUMSUwIwYJKoZIhvcNAQkVMRYEFENk3yWISCQJ1Te7GkiwjDgRjeU/MEEw' +
    'MTANBglghkgBZQMEAgEFAAQg3fz1Fzy8HghMIKcllnOoctJ+9zNUclZxOID1i6CGVxIECDt0Ag1+hOVeAgIIAA==',
  'base64',
);
const bundle = file('ae.p12', pkcs12);

test('a certificate and its key are read from two files', async () => {
  const certificate = await readCertificate('own', own);
  assert.deepEqual(certificate, { name: 'own', identity: { cert, key }, uris: [originator], files: own });
});

test('a certificate and its key are read from one file', async () => {
  const both = file('both.pem', cert + key);
  const { files, uris } = await readCertificate('own', { cert: both });
  assert.deepEqual([files, uris], [{ cert: both }, [originator]]);
});

test('a PKCS#12 file is known by its ending, or by what is said', async () => {
  const { files, uris } = await readCertificate('own', { cert: bundle, passphrase: 'geheim' });
  assert.deepEqual([files, uris], [{ cert: bundle, type: 'P12' }, [originator]]);
  const nameless = file('bundle', pkcs12);
  assert.deepEqual((await readCertificate('own', { cert: nameless, type: 'P12', passphrase: 'geheim' })).uris, uris);
});

test('a passphrase opens what is encrypted; it is asked for where none is given', async () => {
  const asked: string[] = [];
  const askPassphrase = async (path: string) => {
    asked.push(path);
    return path === bundle ? 'geheim' : 'open sesame';
  };
  const given = await readCertificate('own', { ...own, key: encryptedKey, passphrase: 'open sesame', askPassphrase });
  assert.equal(given.identity.passphrase, 'open sesame');
  assert.deepEqual(asked, []);
  await readCertificate('own', { ...own, key: encryptedKey, askPassphrase });
  await readCertificate('own', { cert: bundle, askPassphrase });
  assert.deepEqual(asked, [encryptedKey, bundle]);
});

test('a passphrase for a key that is not encrypted does no harm and is not kept', async () => {
  assert.equal((await readCertificate('own', { ...own, passphrase: 'x' })).identity.passphrase, undefined);
});

const wrong: Readonly<Record<string, readonly [CertificateFiles, RegExp]>> = {
  'a file that is not there': [{ cert: join(room, 'none.pem') }, /there is no file ".*none\.pem"/],
  'a key that is not there': [{ ...own, key: join(room, 'none.pem') }, /there is no file ".*none\.pem"/],
  'no certificate': [{ ...own, cert: own.key }, /holds no certificate in PEM form/],
  'no key in the only file': [{ cert: own.cert }, /holds no private key; name its file with --key/],
  'a key file without a key': [{ ...own, key: own.cert }, /holds no private key in PEM form/],
  'the key of another': [{ ...own, key: shipped.certificate('test-ipe').key }, /does not belong to the certificate/],
  'a key that is broken': [
    { ...own, key: file('broken.pem', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n') },
    /the private key in .*broken\.pem cannot be read/,
  ],
  'a wrong passphrase': [{ ...own, key: encryptedKey, passphrase: 'x' }, /the passphrase does not open .*encrypted/],
  'no passphrase and nobody to ask': [
    { ...own, key: encryptedKey },
    /is encrypted: put its passphrase into .*CSELAB_PASS/,
  ],
  'a wrong passphrase of a PKCS#12 file': [{ cert: bundle, passphrase: 'x' }, /the passphrase does not open/],
  'no PKCS#12 file': [{ cert: file('no.p12', 'hello') }, /no\.p12 cannot be read as PKCS#12/],
  'a key beside a PKCS#12 file': [{ cert: bundle, key: own.key }, /--key does not go with .*ae\.p12/],
};

for (const [name, [files, message]] of Object.entries(wrong)) {
  test(`${name} is a usage error that names the file`, async () => {
    await assert.rejects(
      readCertificate('own', files),
      (error) => error instanceof UsageError && message.test(error.message),
    );
  });
}

test('a chain is read as it is; what is none is refused', async () => {
  assert.equal(await readAuthorities(shipped.chain), readFileSync(shipped.chain, 'utf8'));
  await assert.rejects(readAuthorities(own.key), UsageError);
});
