/** `cselab certs` as a process of its own. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const folder = mkdtempSync(join(tmpdir(), 'cselab-certs-command-test-'));
after(() => rmSync(folder, { recursive: true }));

interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function certs(...args: readonly string[]): Promise<Finished> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', 'cli.ts', 'certs', ...args], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

const keysIn = (path: string) =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.key.pem'))
    .map((name) => join(path, name));

const isPrivate = (path: string) => (statSync(path).mode & 0o777) === 0o600;

test('the shipped ones are as they are meant to be, in lines of eighty columns', async () => {
  const { code, stdout, stderr } = await certs('check');
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^certs\/test-ae\.cert\.pem: fits\n {2}test-ae\n {2}\/\/openmtc\.org\/mn-cse-1\/CTest-AE\n/m);
  assert.match(stdout, /refused\/server-only\.cert\.pem: made to be refused\n(.*\n){3} {2}not for clients;/);
  assert.match(stdout, /\n15 certificates, 9 made to be refused; all are as they are meant to be\n$/);
  assert.deepEqual(
    stdout.split('\n').filter((line) => line.length > 80),
    [],
  );
});

test('a fresh set is written once, is complete, and keeps its secrets also when it is made anew', async () => {
  const out = join(folder, 'fresh');
  const flags = [
    'make',
    '--out',
    out,
    '--ae',
    'CMyApp',
    '//sp.example/cse/Other',
    '--host',
    'gateway.example',
    '2001:db8::7',
  ];
  const made = await certs(...flags);
  assert.deepEqual([made.code, made.stderr], [0, '']);
  const lines = `  --cert ${out}/my-app.cert.pem \\\n  --key ${out}/my-app.key.pem \\\n  --cacert ${out}/ca-chain.cert.pem \\\n`;
  assert.ok(made.stdout.includes(lines), made.stdout);
  assert.ok(made.stdout.includes("-H 'X-M2M-Origin: //sp.example/cse/Other'"));
  const text = readFileSync(join(out, 'my-app.cert.pem'), 'utf8');
  const certificate = new X509Certificate(text);
  assert.equal(certificate.checkHost('gateway.example'), 'gateway.example');
  assert.equal(certificate.checkIP('2001:db8::7'), '2001:db8::7');

  const keys = keysIn(out);
  assert.equal(keys.length, 2 + 4 + 9);
  assert.deepEqual(
    keys.filter((path) => !isPrivate(path)),
    [],
  );
  for (const path of keys) chmodSync(path, 0o644);
  const again = await certs(...flags);
  assert.equal(again.code, 2);
  assert.match(again.stderr, /ca-chain\.cert\.pem exists; --force overwrites it/);
  assert.equal(readFileSync(join(out, 'my-app.cert.pem'), 'utf8'), text);
  assert.equal((await certs(...flags, '--force')).code, 0);
  assert.notEqual(readFileSync(join(out, 'my-app.cert.pem'), 'utf8'), text);
  assert.deepEqual(
    keys.filter((path) => !isPrivate(path)),
    [],
  );

  const soon = await certs('check', out, '--days', '400');
  assert.equal(soon.code, 1);
  assert.match(soon.stdout, /! fewer than 400 days are left\n/);
  assert.match(soon.stdout, /; attention needed: 6\n$/);
});

test('what cannot be done is said in one line, with exit code 2', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const attempts = [
    ['make', '--out', file],
    ['make', '--out', join(folder, 'reserved'), '--ae', 'Croot-ca'],
    ['check', file],
    ['check', '--days', 'many'],
  ];
  const finished = await Promise.all(attempts.map((attempt) => certs(...attempt)));
  for (const [at, { code, stdout, stderr }] of finished.entries()) {
    assert.deepEqual([code, stdout], [2, ''], `${attempts[at]?.join(' ')}: ${stderr}`);
    assert.match(stderr.replace('Try --help.\n', ''), /^(cselab|error): [^\n]+\n$/);
  }
});
