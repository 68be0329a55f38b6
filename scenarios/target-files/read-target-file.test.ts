import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ScenarioFilesError } from '../engine/basics/diagnostics.ts';
import { type ReadTarget, readTargetFile } from './read-target-file.ts';

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'cselab-target-'));
  t.after(() => rmSync(path, { recursive: true }));
  return path;
}

function read(t: TestContext, text: string, environment = {}, files: readonly string[] = []): ReadTarget {
  const room = folder(t);
  for (const name of files) writeFileSync(join(room, name), '');
  writeFileSync(join(room, 'gateway.yaml'), text);
  return readTargetFile(join(room, 'gateway.yaml'), environment);
}

/** `line:column message` of every problem. */
function problems(t: TestContext, text: string, environment = {}): string[] {
  try {
    read(t, text, environment);
  } catch (error) {
    assert(error instanceof ScenarioFilesError);
    return error.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
  }
  return [];
}

const whole = `product: Gateway
version: "1.2"
url: https://gateway:8000
dialect: onem2m
release: 3
serialization: cbor
base: cse-in
cse id: id-in
sp id: example.com
originators: { admin: CAdmin, may register: [Cone, Ctwo] }
headers: { Authorization: "Bearer \${env.TOKEN}", X-Tenant: blue }
tls: { cacert: chain.pem, cert: own.pem, key: own.key, passphrase: "\${env.PHRASE}", require cert: true }
access control: false
implements: { PICS_GRP: no, PICS_TS: unknown, PICS_SUB: yes }
limits: { rate: 300/m, connections: 2, jobs: 3, timeout: 5s, body: 64KiB }
lifetime: 10m
waits: 1m
hands off: [/cse-in/production]
notifications: { host: harness.example.com }
backend: { url: "http://backend:18000", base: onem2m, cse id: in-cse-1 }
`;
const environment = { TOKEN: 'abc.def', PHRASE: 'open sesame' };

test('a target file says everything that flags can say, and more', (t) => {
  const { choice, jobs, timeout, secrets, file } = read(t, whole, environment, ['chain.pem', 'own.pem', 'own.key']);
  const { tls, ...others } = choice;
  assert.deepEqual(others, {
    product: 'Gateway',
    version: '1.2',
    url: 'https://gateway:8000',
    dialect: 'onem2m',
    release: '3',
    serialization: 'cbor',
    base: 'cse-in',
    cseId: 'id-in',
    spId: 'example.com',
    admin: 'CAdmin',
    originator: 'Cone',
    accessControl: false,
    headers: [
      ['Authorization', 'Bearer abc.def'],
      ['X-Tenant', 'blue'],
    ],
    ics: { of: 'Gateway', claims: { PICS_GRP: 'no', PICS_TS: 'unknown', PICS_SUB: 'yes' } },
    rate: { requests: 300, per: 60_000 },
    connections: 2,
    bodyLimit: 65_536,
    lifetime: 600_000,
    waitBudget: 60_000,
    handsOff: ['/cse-in/production'],
    inboxHost: 'harness.example.com',
    backend: { url: 'http://backend:18000', base: 'onem2m', cseId: 'in-cse-1' },
  });
  assert.deepEqual([jobs, timeout, file.product], [3, 5000, 'Gateway']);
  assert.deepEqual(secrets, ['abc.def', 'open sesame']);
  assert.equal(tls?.requireCert, true);
  assert.equal(tls?.own?.passphrase, 'open sesame');
});

test('paths are relative to the file', (t) => {
  const room = folder(t);
  writeFileSync(join(room, 'chain.pem'), '');
  writeFileSync(join(room, 'gateway.yaml'), 'product: Gateway\ntls: { cacert: ./chain.pem, certs: . }\n');
  const { choice } = readTargetFile(join(room, 'gateway.yaml'));
  assert.deepEqual(choice.tls, { cacert: join(room, 'chain.pem'), certs: room });
});

test('a file that says little leaves the rest to what is usual', (t) => {
  const { choice, secrets } = read(t, 'product: Gateway\n');
  assert.deepEqual([choice, secrets], [{ product: 'Gateway', headers: [] }, []]);
});

test('a target that is told nothing about lifetimes, and cannot reach us', (t) => {
  const { choice } = read(t, 'product: Gateway\nlifetime: none\nnotifications: none\n');
  assert.deepEqual([choice.lifetime, choice.reachesHarness, choice.inboxHost], ['none', false, undefined]);
});

test('every problem is told at once, with its place and what may have been meant', (t) => {
  const text = `prodct: Gateway
dialect: one2m
implements:
  PICS_GROUP: yes
  PICS_SUB: maybe
headers:
  Authorization: "\${env.TOKEN}"
tls:
  cacert: chain.pem
limits: { rate: fast, jobs: 0 }
lifetime: forever
`;
  assert.deepEqual(problems(t, text), [
    '1:1 "product" is missing',
    '1:1 unknown key "prodct"; did you mean "product"?',
    '2:10 "one2m" is none of "documented", "onem2m"; did you mean "onem2m"?',
    '4:3 unknown key "PICS_GROUP"; did you mean "PICS_GRP"?',
    '5:13 "maybe" is none of "yes", "no", "unknown"',
    '7:19 the environment has no variable TOKEN',
    '9:11 there is no file "chain.pem" beside this one',
    '10:17 write 50/s or 300/m',
    '10:29 expected a number from 1, found the number 0',
    '11:11 write 10m, 1h or none',
  ]);
});

test('what stands in headers is looked at', (t) => {
  const text = `product: Gateway
headers:
  Host: example.com
  X-M2M-Origin: CAdmin
  "a b": c
  X-Tenant: "\${tenant}"
  X-Break: "a\\nb"
`;
  assert.deepEqual(problems(t, text), [
    '3:3 cselab writes the header Host itself',
    '4:3 who sends the requests stands in "originators"',
    '5:3 "a b" cannot be the name of a header',
    '6:14 "${tenant}" stands for nothing; write ${env.NAME} for a variable of the environment',
    '7:12 the header X-Break has characters that no header can have',
  ]);
});

test('a passphrase does not stand in a file, and goes with a certificate', (t) => {
  assert.deepEqual(problems(t, 'product: Gateway\ntls: { passphrase: sesame }\n'), [
    '2:8 "passphrase" goes with "cert"',
    '2:20 write ${env.NAME}: what is secret does not stand in a file',
  ]);
});

test('URLs are looked at where they stand', (t) => {
  const text = 'product: Gateway\nurl: gateway\nbackend: { url: "ftp://backend" }\n';
  assert.deepEqual(problems(t, text), [
    '2:6 "gateway" is no URL; it should look like http://127.0.0.1:8000',
    '3:17 "ftp://backend" is none of an http, https, mqtt, mqtts, ws, wss or coap URL',
  ]);
});

test('a file that is no YAML, no map, or not there', (t) => {
  assert.match(problems(t, 'product: [').join(), /^1:\d+ /);
  assert.deepEqual(problems(t, ''), ['1:1 expected a map, found nothing']);
  assert.throws(() => readTargetFile(join(folder(t), 'none.yaml')), /there is no file "\S+none\.yaml"/);
});
