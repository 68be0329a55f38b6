import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { collect, fileOf, openTestTarget, planOf, type TestAnswer, testCse } from '../engine/test-cse.ts';
import { isInUse, LedgerFile } from './ledger-file.ts';
import type { RunLine } from './ledger-line.ts';

const originator = '//sp/cse/CMine';
const left = '/onem2m/cl-abc1234-1';
const registering =
  '- create: ae\n  in: /${base}\n  attributes: { rn: "${name}" }\n  check: { doc.one: { status: 201 } }';

interface Circumstances {
  /** What a removal of it is answered by, without anything being removed. */
  readonly removal?: TestAnswer;
  readonly head?: Partial<RunLine>;
  /** Names of what the ledger tells of, below the base. */
  readonly names?: readonly string[];
}

const headOf = (url: string): RunLine => ({
  kind: 'run',
  ledger: 1,
  run: 'abc1234',
  startedAt: '2017-03-02T16:00:00.000Z',
  pid: 2 ** 22 + 1,
  host: hostname(),
  gateway: { url, base: 'onem2m', cseId: 'test-cse', spId: 'openmtc.org' },
  dialect: 'documented',
  release: '3',
});

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'cselab-vacate-'));
  t.after(() => rmSync(path, { recursive: true }));
  return path;
}

/** One registration at a CSE where a run that was killed is registered with the same originator. */
async function register(t: TestContext, { removal, head, names = ['cl-abc1234-1'] }: Circumstances = {}) {
  const cse = await testCse(t, ({ method, path, body }) => {
    if (path.startsWith('/onem2m?fu=1')) return { status: 200, body: { 'm2m:uril': [...cse.tree.keys()] } };
    if (method === 'DELETE' && path === left) return removal;
    return method === 'POST' && body.includes('m2m:ae') && cse.tree.has(left) ? { status: 409 } : undefined;
  });
  cse.tree.set(left, { 'm2m:ae': { rn: 'cl-abc1234-1', aei: 'CMine' } });
  const directory = folder(t);
  const lines = names.map((name, at) => ({ kind: 'creating', number: at + 1, on: 'gateway', in: '/onem2m', name }));
  const text = [{ ...headOf(cse.url), ...head }, ...lines].map((line) => JSON.stringify(line)).join('\n');
  writeFileSync(join(directory, 'abc1234.ndjson'), `${text}\n{"kind":"go`);
  const { result } = await collect(planOf(t, fileOf({ one: registering })), (startedAt, run) =>
    openTestTarget(
      { url: cse.url, lifetime: 'none', originator },
      { connections: 4, timeout: 2000, startedAt, run, safety: { ledger: directory } },
    ),
  );
  const removals = cse.log.filter((line) => line === `DELETE ${left}`).length;
  return { result, removals, directory, isThere: cse.tree.has(left), reason: result.scenarios[0]?.reason ?? '' };
}

test('what only a ledger of a run that is over names is removed, and then the ledger', async (t) => {
  const { result, isThere, directory } = await register(t);
  assert.deepEqual([result.exit.code, result.scenarios[0]?.state, isThere], [0, 'passed', false]);
  assert.deepEqual(readdirSync(directory), []);
});

test('a ledger that names more is kept, and says what is gone', async (t) => {
  const { result, directory } = await register(t, { names: ['cl-abc1234-1', 'cl-abc1234-2'] });
  assert.equal(result.exit.code, 0);
  const lines = readFileSync(join(directory, 'abc1234.ndjson'), 'utf8').split('\n');
  assert(lines.includes(JSON.stringify({ kind: 'gone', on: 'gateway', path: left })), lines.join());
});

for (const status of [404, 500]) {
  test(`what is there though its removal is answered by ${status} is reported, and its ledger stays`, async (t) => {
    const { result, removals, directory, reason } = await register(t, { removal: { status } });
    assert.deepEqual([result.exit.code, removals], [4, 1]);
    assert.match(
      reason,
      new RegExp(`^//sp/cse/CMine is registered already: ${left}, left by run abc1234 of cselab, and`),
    );
    assert.match(reason, new RegExp(`its removal was answered by ${status}.*, and yet GET ${left} answers 200`));
    assert.deepEqual(readdirSync(directory), ['abc1234.ndjson']);
  });
}

const untouched: Readonly<Record<string, [Circumstances, RegExp]>> = {
  'that goes on': [{ head: { pid: process.ppid } }, /which goes on \(process \d+\)$/],
  'on another machine': [{ head: { host: 'elsewhere.example' } }, /of run abc1234 of cselab on elsewhere\.example$/],
  'at another target': [{ head: { gateway: headOf('http://127.0.0.1:9').gateway } }, /left by run abc1234 of cselab$/],
  'whose ledger does not name it': [{ names: ['cl-abc1234-2'] }, /of which no ledger is here$/],
};
for (const [which, [circumstances, why]] of Object.entries(untouched)) {
  test(`what bears the name of a run ${which} is not touched`, async (t) => {
    const { result, removals, isThere, reason } = await register(t, circumstances);
    assert.deepEqual([result.exit.code, removals, isThere], [4, 0, true]);
    assert.match(reason, why);
  });
}

test('a run of this process is one that goes on, until its ledger is closed', (t) => {
  const head = { ...headOf('http://127.0.0.1:9'), pid: process.pid };
  const ledger = new LedgerFile(folder(t), head);
  assert.equal(isInUse(head), true);
  ledger.close();
  assert.equal(isInUse(head), false);
});

test('with a ledger go the directories that were created for it, as far as nothing else is in them', (t) => {
  const own = folder(t);
  const [lab, ledgers] = [join(own, '.cselab'), join(own, '.cselab', 'ledgers')];
  new LedgerFile(ledgers, headOf('http://x')).remove();
  assert.deepEqual([existsSync(lab), existsSync(own)], [false, true]);
  mkdirSync(lab);
  new LedgerFile(ledgers, headOf('http://x')).remove();
  assert.deepEqual([existsSync(ledgers), existsSync(lab)], [false, true]);
  const [first, second] = ['one', 'two'].map((run) => new LedgerFile(ledgers, { ...headOf('http://x'), run }));
  first?.remove();
  assert.deepEqual(readdirSync(ledgers), ['two.ndjson']);
  second?.remove();
  assert.ok(existsSync(ledgers));
});
