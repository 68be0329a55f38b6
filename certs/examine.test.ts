import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CertificateFilesError } from './certificate-files-error.ts';
import { examine } from './examine.ts';
import { makePki } from './pki.ts';
import { CertificateDirectory } from './shipped.ts';
import { writePki } from './write.ts';

const folder = mkdtempSync(join(tmpdir(), 'cselab-examine-test-'));
after(() => rmSync(folder, { recursive: true }));

const day = 24 * 60 * 60 * 1000;
const options = { holders: { app: '//sp/cse/CApp' }, refused: '//sp/cse/CApp', days: 10 };
const pki = await makePki(options);

/** A directory of its own with these certificates. */
async function laidOut(name: string, set = pki): Promise<CertificateDirectory> {
  const directory = new CertificateDirectory(join(folder, name));
  await writePki(set, directory.path);
  return directory;
}

const problemsOf = (path: string, now?: number) => examine([path], now).flatMap(({ problems }) => problems);

test('a fresh set fits, and the days are counted down to the last', async () => {
  const { path } = await laidOut('fresh');
  const app = join(path, 'app.cert.pem');
  assert.deepEqual(problemsOf(path), []);
  assert.equal(examine([app])[0]?.daysLeft, 9);
  assert.deepEqual(problemsOf(app, Date.now() + 9 * day), []);
  assert.match(
    problemsOf(app, Date.now() + 11 * day).join('; '),
    /^it expired on \S+; its authority .*: it expired on/,
  );
  assert.match(problemsOf(app, Date.now() - 2 * day).join('; '), /^it is not valid before \S+; its authority .*before/);
});

test('a foreign chain and a foreign key do not fit', async () => {
  const directory = await laidOut('strange');
  const stranger = await makePki({ holders: options.holders, days: 10 });
  writeFileSync(directory.certificate('app').key, stranger.certificates.app?.key ?? '');
  writeFileSync(directory.chain, stranger.chain);
  const [finding] = examine([directory.certificate('app').cert]);
  assert.deepEqual(finding?.problems, ['it leads to no root of ca-chain.cert.pem', 'its key does not fit']);
  writeFileSync(directory.certificate('app').key, 'nothing');
  assert.match(problemsOf(directory.certificate('app').cert).join(), /its key is no private key in PEM/);
});

test('a chain without its root ends nowhere, and one without its intermediate is completed by the file', async () => {
  const directory = await laidOut('incomplete');
  const { cert } = directory.certificate('app');
  writeFileSync(directory.chain, pki.root);
  assert.deepEqual(problemsOf(cert), []);
  writeFileSync(directory.chain, pki.chain.replace(pki.root, ''));
  assert.deepEqual(problemsOf(cert), ['it leads to no root of ca-chain.cert.pem']);
});

test('a certificate with nothing beside it has no problem', () => {
  const path = join(folder, 'alone.pem');
  writeFileSync(path, pki.certificates.app?.cert ?? '');
  const [finding] = examine([path]);
  assert.deepEqual(
    [finding?.chain, finding?.key, finding?.problems, finding?.uris],
    ['none beside it', 'none beside it', [], ['//sp/cse/CApp']],
  );
});

test('one that is made to be refused and is not any more is a problem', async () => {
  const directory = await laidOut('mended');
  writeFileSync(directory.refused('expired').cert, pki.certificates.app?.cert ?? '');
  writeFileSync(directory.refused('expired').key, pki.certificates.app?.key ?? '');
  assert.deepEqual(problemsOf(directory.path), ['it is made to be expired, and is not']);
});

test('what is no certificate, is not there or cannot be read is refused by its name', () => {
  const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  writeFileSync(join(folder, 'x.cert.pem'), 'nothing');
  writeFileSync(join(folder, 'y.cert.pem'), broken);
  mkdirSync(join(folder, 'nested', 'z.cert.pem'), { recursive: true });
  for (const name of ['x.cert.pem', 'y.cert.pem', 'absent', 'nested', join('nested', 'z.cert.pem')]) {
    assert.throws(
      () => examine([join(folder, name)]),
      (error: unknown) => error instanceof CertificateFilesError && error.message.includes(join(folder, name)),
      name,
    );
  }
});
