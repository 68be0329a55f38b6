import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import {
  type CheckOptions,
  check,
  configurationOf,
  fingerprintsOf,
  lastOf,
  plannedAt,
  type RunResult,
  rulesOf,
  wholePlan,
} from '../../scenarios/index.ts';
import { run } from '../testing/in-process.ts';
import { envelopeOf, statementOf } from './attestation.ts';
import { type EvidencePackage, packageBytes, packageOf, readPackage, resultIn } from './package-file.ts';
import { type VerifyOptions, verifyPackage } from './verification.ts';

const folder = mkdtempSync(join(tmpdir(), 'cselab-package-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);

const [lab, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
/** One that a rule sees, and one that only a check does. */
const deviations = ['container.cni.one-behind', 'content-instance.base64-body.refused'];
const ids = ['container.cni', 'content-instance.base64-body', 'documented/identifiers/times-in-order'];
const options: CheckOptions = { target: { kind: 'in-process', deviations }, ids, again: false };
const result = await lastOf(check(options));
const facts = {
  inventory: fingerprintsOf(wholePlan(options), plannedAt(options)),
  configuration: configurationOf(options),
};
const signed = packageOf(result, facts, lab.privateKey);

function judged(evidence: EvidencePackage | Uint8Array, given: VerifyOptions = {}) {
  const path = at('run.cselab');
  writeFileSync(path, evidence instanceof Uint8Array ? evidence : packageBytes(evidence));
  const { findings } = verifyPackage(readPackage(path), given);
  return new Map(findings.map((one) => [one.about, one]));
}

const stateOf = (found: ReturnType<typeof judged>) => [...found.values()].map(({ state }) => state);

test('a package is found as it was written, and checked again it comes to the same', () => {
  const found = judged(signed, { key: lab.publicKey });
  assert.deepEqual(stateOf(found), ['right', 'right', 'right', 'right', 'right']);
  assert.deepEqual(resultIn(signed.parts), JSON.parse(JSON.stringify(result)));
  assert.equal(result.exit.code, 1);
});

test('one changed character in any part is found, and the part is named', () => {
  for (const name of Object.keys(signed.parts)) {
    const text = signed.parts[name] ?? '';
    const middle = text.lastIndexOf('2', text.length / 2 + 1) >= 0 ? text.lastIndexOf('2', text.length / 2 + 1) : 5;
    const changed = `${text.slice(0, middle)}3${text.slice(middle + 1)}`;
    const parts = judged({ ...signed, parts: { ...signed.parts, [name]: changed } }, { key: lab.publicKey }).get(
      'parts',
    );
    assert.equal(parts?.state, 'wrong', name);
    assert.ok(parts?.says.endsWith(`: ${name}`), parts?.says);
  }
});

test('one changed byte of the file is found wherever it is, or changes nothing of what the package says', () => {
  const bytes = packageBytes(packageOf({ ...result, scenarios: [] }, facts, lab.privateKey));
  writeFileSync(at('short.cselab'), bytes);
  const whole = JSON.stringify(readPackage(at('short.cselab')));
  for (let place = 2; place < bytes.length; place += place < 40 ? 1 : 211) {
    const changed = Uint8Array.from(bytes, (byte, index) => (index === place ? byte ^ 1 : byte));
    writeFileSync(at('changed.cselab'), changed);
    const read = readPackage(at('changed.cselab'));
    assert.ok(read.damage !== undefined || JSON.stringify(read) === whole, `byte ${place}`);
  }
});

test('a part that is missing or was added is found', () => {
  const { 'environment.json': _gone, ...fewer } = signed.parts;
  for (const parts of [fewer, { ...signed.parts, 'more.json': '{}' }])
    assert.equal(judged({ ...signed, parts }).get('parts')?.state, 'wrong');
});

test('a signature is by the key that is given, or wrong, or missing; without a key it is not looked at', () => {
  assert.equal(judged(signed, { key: other.publicKey }).get('signature')?.state, 'wrong');
  assert.equal(judged(signed, { key: createPublicKey(lab.privateKey) }).get('signature')?.state, 'right');
  assert.equal(judged(signed).get('signature')?.state, 'unknown');
  const unsigned = packageOf(result, facts, undefined);
  assert.equal(judged(unsigned).get('signature')?.state, 'right');
  assert.equal(judged(unsigned, { key: lab.publicKey }).get('signature')?.state, 'wrong');
  const payload = Buffer.from(JSON.stringify(statementOf({}, result))).toString('base64');
  const resigned = { ...signed, attestation: { ...signed.attestation, payload } };
  assert.equal(judged(resigned, { key: lab.publicKey }).get('signature')?.state, 'wrong');
});

test('the signature is that of DSSE, and the statement that of in-toto with the result of the run', () => {
  const { payload, payloadType } = signed.attestation;
  assert.equal(payloadType, 'application/vnd.in-toto+json');
  const statement = JSON.parse(Buffer.from(payload, 'base64').toString('utf8'));
  assert.equal(statement._type, 'https://in-toto.io/Statement/v1');
  assert.equal(statement.predicateType, 'https://in-toto.io/attestation/test-result/v0.1');
  assert.equal(statement.predicate.result, 'FAILED');
  const violated = result.requirements.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);
  assert.deepEqual(statement.predicate.failedTests, violated);
});

test('no more is unpacked of a file than a package can hold', () => {
  const bytes = packageBytes(signed);
  writeFileSync(at('large.cselab'), bytes);
  assert.equal(readPackage(at('large.cselab'), gunzipSync(bytes).length).damage, undefined);
  assert.match(readPackage(at('large.cselab'), bytes.length).damage ?? '', /^it cannot be unpacked: /);
});

/** Somebody who writes a verdict of his own, and the whole manifest anew. */
function forged(requirement: string): EvidencePackage {
  const scenarios = result.scenarios.map((scenario) => ({
    ...scenario,
    state: 'passed' as const,
    steps: scenario.steps.map((step) => ({
      ...step,
      checks: step.checks.flatMap((one) => {
        if (one.requirement !== requirement || one.state !== 'failed') return one;
        return one.byRule === true ? [] : { ...one, state: 'passed' as const };
      }),
    })),
  }));
  const requirements = result.requirements.map((one) =>
    one.id === requirement ? { ...one, verdict: 'satisfied' as const, observations: 1, violations: [] } : one,
  );
  return packageOf({ ...result, scenarios, requirements } as RunResult, facts, other.privateKey);
}

test('a forged verdict is found by judging again, whether a rule or only a check of a scenario speaks of it', () => {
  const violated = result.requirements.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);
  const ruled = new Set(rulesOf('documented').map(({ requirement }) => requirement));
  assert.ok(violated.some((id) => ruled.has(id)) && violated.some((id) => !ruled.has(id)), violated.join());
  for (const id of violated) {
    const found = judged(forged(id), { key: other.publicKey });
    assert.deepEqual([found.get('parts')?.state, found.get('signature')?.state], ['right', 'right']);
    assert.equal(found.get('verdicts')?.state, 'wrong', id);
    assert.deepEqual(found.get('verdicts')?.details, [`${id}: satisfied, and by its messages violated`]);
  }
});

test('a manifest that says something else than the verdicts is found', () => {
  const statement = statementOf(signed.parts, { ...result, exit: { code: 0, reason: '' } });
  const found = judged({ ...signed, attestation: envelopeOf(statement, lab.privateKey) }, { key: lab.publicKey });
  assert.deepEqual([found.get('signature')?.state, found.get('parts')?.state], ['right', 'wrong']);
});

test('by other rules than those of the run nothing is called wrong', () => {
  const requirements = { ...facts.inventory.requirements, 'container.cni.counts': '0123456789abcdef' };
  const inventory = { ...facts.inventory, requirements };
  const found = judged(packageOf(result, { ...facts, inventory }, undefined));
  assert.deepEqual([found.get('rules')?.state, found.get('rules')?.details], ['unknown', ['container.cni.counts']]);
  assert.equal(found.get('verdicts')?.state, 'right');
});

test('no secret of the target file stands in a package, and nothing of a private key', async (t) => {
  const token = 'tell-nobody-4711';
  const server = createServer((request, response) => {
    response.writeHead(401, { 'X-Echo': request.headers.authorization ?? '' }).end(request.headers.authorization);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => server.close());
  const { port } = server.address() as { readonly port: number };
  process.env.CSELAB_TEST_TOKEN = token;
  t.after(() => delete process.env.CSELAB_TEST_TOKEN);
  const pem = lab.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  writeFileSync(at('lab.pem'), pem);
  const headers = "headers: { Authorization: 'Bearer ${env.CSELAB_TEST_TOKEN}' }";
  writeFileSync(at('target.yaml'), `product: Secretive\nurl: http://127.0.0.1:${port}\n${headers}\n`);
  const path = at('secret.cselab');
  const target = ['--target', at('target.yaml'), 'documented/identifiers/times-in-order'];
  await run(['check', ...target, '--package', path, '--sign-key', at('lab.pem'), '--wait-for-target', '0']);
  const text = gunzipSync(readFileSync(path)).toString('utf8');
  assert.match(text, /times-in-order/);
  const key = pem.split('\n')[1] ?? '';
  for (const secret of [token, Buffer.from(token).toString('base64').slice(0, 16), key, key.slice(-43)])
    assert.equal(text.includes(secret), false, secret);
  assert.match(text, /\\"headers\\": \[\\n\s+\\"Authorization\\"/);
});

test('verify tells what is wrong by its exit code, and says so in words', async () => {
  writeFileSync(at('ok.cselab'), packageBytes(signed));
  writeFileSync(at('lab.pub.pem'), lab.publicKey.export({ type: 'spki', format: 'pem' }));
  writeFileSync(at('other.pub.pem'), other.publicKey.export({ type: 'spki', format: 'pem' }));
  const right = await run(['verify', at('ok.cselab'), '--key', at('lab.pub.pem')]);
  assert.deepEqual([right.code, right.stdout.includes('Nothing is wrong.')], [0, true]);
  assert.equal((await run(['verify', at('ok.cselab')])).code, 4);
  const wrong = await run(['verify', at('ok.cselab'), '--key', at('other.pub.pem')]);
  assert.deepEqual([wrong.code, /✗ signature/.test(wrong.stdout)], [1, true]);
  writeFileSync(at('no.cselab'), 'nothing');
  assert.equal((await run(['verify', at('no.cselab')])).code, 2);
  assert.equal((await run(['verify', at('ok.cselab'), '--key', at('ok.cselab')])).code, 2);
});

test('a key that cannot be used, and flags without a meaning, are refused before anything is sent', async () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  writeFileSync(at('rsa.pem'), rsa.export({ type: 'pkcs8', format: 'pem' }));
  for (const more of [
    ['--sign-key', at('rsa.pem'), '--package', at('x')],
    ['--sign-key', at('nowhere.pem'), '--package', at('x')],
    ['--sign-key', at('rsa.pem')],
    ['--package', at('x'), '--dry-run'],
  ])
    assert.equal((await run(['check', 'container.cni', '--in-process', ...more])).code, 2, more.join(' '));
});

test('a package holds the files that people handed in, and a changed byte of one is found', async () => {
  const [file, upload] = [at('asks.yaml'), at('gateway.log')];
  const steps = '[{ ask: Its log?, answer: log, upload: file }, { retrieve: "/${base}" }]';
  writeFileSync(file, `feature: Own\nscenarios: { log: { title: It logs, steps: ${steps} } }\n`);
  writeFileSync(upload, 'it began\n');
  const args = ['check', file, '--in-process', '--out', at('out'), '--package', at('asked.cselab')];
  const types = (written: string) => (written === '> ' ? upload : undefined);
  await run(args, { columns: 80, types });
  const read = readPackage(at('asked.cselab'));
  assert.ok('evidence' in read);
  const { parts } = read.evidence;
  const name = Object.keys(parts).find((one) => /^uploads\/[0-9a-f]{64}\.log\.base64$/.test(one)) ?? '';
  assert.equal(Buffer.from(parts[name] ?? '', 'base64').toString(), 'it began\n');
  assert.equal(judged(read.evidence).get('parts')?.state, 'right');
  const changed = Buffer.from('it ended\n').toString('base64');
  const found = judged({ ...read.evidence, parts: { ...parts, [name]: changed } }).get('parts');
  assert.deepEqual([found?.state, found?.says.endsWith(name)], ['wrong', true]);
  // What was answered beforehand lies elsewhere.
  const again = ['--answers', at('out/answers.yaml'), '--out', at('later'), '--package', at('again.cselab')];
  await run([...args.slice(0, 3), ...again]);
  const later = readPackage(at('again.cselab'));
  assert.equal('evidence' in later && later.evidence.parts[name], parts[name]);
});
