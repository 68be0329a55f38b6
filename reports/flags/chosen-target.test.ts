import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Command } from 'commander';
import { UsageError } from '../../scenarios/words.ts';
import { addFlags } from '../../sim/command-line/flag.ts';
import { type ChosenFlags, type ChosenTarget, chosenTarget, type Secrets } from './chosen-target.ts';
import { targetFlags } from './target-flags.ts';

function chosen(line: string, secrets: Secrets = {}): ChosenTarget {
  const command = addFlags(new Command().exitOverride(), targetFlags)
    .option('--jobs <number>', '', Number)
    .option('--timeout <number>', '', Number);
  command.parse(line === '' ? [] : line.split(' '), { from: 'user' });
  return chosenTarget(command.opts<ChosenFlags>(), secrets);
}

function fileOf(t: TestContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'cselab-chosen-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const name of ['own.pem', 'own.key', 'other.pem', 'chain.pem']) writeFileSync(join(folder, name), '');
  writeFileSync(join(folder, 'gateway.yaml'), text);
  return join(folder, 'gateway.yaml');
}

const whole = `product: Gateway
url: https://gateway:8000
dialect: onem2m
release: "3"
base: cse-in
originators: { admin: CAdmin }
headers: { X-Tenant: blue, X-Place: here }
tls: { cert: own.pem, key: own.key, insecure: true, require cert: true }
limits: { jobs: 2, timeout: 5s, rate: 10/s }
notifications: none
backend: { url: "http://backend:18000", base: onem2m }
`;

function urlOf({ target }: ChosenTarget) {
  assert(target.kind === 'url');
  return target;
}

test('without a target file the flags alone say what is checked', () => {
  assert.deepEqual(chosen(''), { target: { kind: 'embedded' }, dialect: 'documented', secrets: [] });
  assert.deepEqual(chosen('--dialect onem2m --jobs 3').dialect, 'onem2m');
  assert.deepEqual(chosen('--url http://127.0.0.1:1').dialect, 'documented');
  assert.deepEqual(chosen('--url mqtt://127.0.0.1:1').dialect, 'onem2m');
});

test('a target file alone says everything', (t) => {
  const { target, ...others } = chosen(`--target ${fileOf(t, whole)}`);
  assert(target.kind === 'url');
  const inherited = { rules: [], scenarios: [] };
  assert.deepEqual(others, { dialect: 'onem2m', jobs: 2, timeout: 5000, secrets: [], inherited });
  assert.deepEqual(
    [target.url, target.product, target.rate, target.reachesHarness, target.backend?.url, target.tls?.requireCert],
    ['https://gateway:8000', 'Gateway', { requests: 10, per: 1000 }, false, 'http://backend:18000', true],
  );
});

test('flags win over the target file', (t) => {
  const path = fileOf(t, whole);
  const line = `--target ${path} --url https://other --dialect documented --base onem2m --admin Cboss --release 4 --serialization cbor`;
  const one = chosen(`${line} --jobs 7 --timeout 9 -H x-tenant:red --no-require-cert --inbox-host harness`);
  assert.deepEqual([one.dialect, one.jobs, one.timeout], ['documented', 7, 9]);
  const { url, base, admin, release, serialization, headers, tls, inboxHost, reachesHarness } = urlOf(one);
  assert.deepEqual([url, base, admin, release, serialization], ['https://other', 'onem2m', 'Cboss', '4', 'cbor']);
  assert.deepEqual(headers, [
    ['X-Place', 'here'],
    ['x-tenant', 'red'],
  ]);
  assert.deepEqual([tls?.requireCert, inboxHost, reachesHarness], [false, 'harness', undefined]);
});

test('who names a chain, a key or a backend of his own gets that', (t) => {
  const path = fileOf(t, whole);
  const folder = path.replace(/\/[^/]*$/, '');
  const tlsOf = (line: string) => urlOf(chosen(`--target ${path} ${line}`)).tls;
  assert.deepEqual([tlsOf(`--cacert ${folder}/chain.pem`)?.insecure, tlsOf('-k')?.insecure], [undefined, true]);
  assert.deepEqual(tlsOf('--key other.key')?.own, { cert: `${folder}/own.pem`, key: 'other.key' });
  assert.deepEqual(tlsOf(`--cert ${folder}/other.pem`)?.own, { cert: `${folder}/other.pem` });
  const { backend, asBackend } = urlOf(chosen(`--target ${path} --as-backend 18000`));
  assert.deepEqual([backend, asBackend], [undefined, { port: 18_000 }]);
  assert.deepEqual(urlOf(chosen(`--target ${path} --backend-cse-id in-cse-2`)).backend, {
    url: 'http://backend:18000',
    cseId: 'in-cse-2',
  });
});

test('the passphrase for the certificate of a file comes from where it always comes', (t) => {
  const { tls } = urlOf(chosen(`--target ${fileOf(t, whole)}`, { passphrase: 'sesame' }));
  assert.equal(tls?.own?.passphrase, 'sesame');
});

test('a product that cselab knows is named by its name, and needs a URL', () => {
  const { target, dialect } = chosen('--target acme --url http://127.0.0.1:8080');
  assert(target.kind === 'url');
  assert.deepEqual(
    [target.url, target.base, target.admin, dialect],
    ['http://127.0.0.1:8080', 'cse-in', 'CAdmin', 'onem2m'],
  );
  assert.throws(
    () => chosen('--target acme'),
    new UsageError('the target file of ACME names no URL; give --url as well'),
  );
});

test('what contradicts itself is refused', () => {
  assert.throws(
    () => chosen('--target acme --in-process'),
    new UsageError('--target and --in-process exclude each other'),
  );
  assert.throws(() => chosen('--target acme --url http://a --key k'), new UsageError('--key goes with --cert'));
  assert.throws(() => chosen('--target nobody --url http://a'), /none is called "nobody"$/);
});
