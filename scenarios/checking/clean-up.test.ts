import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { crashingReference } from '../engine/targets/embedded/testing/crashing-reference.ts';
import { collect, type Deviation, fileOf, openTestTarget, planOf, testCse } from '../engine/test-cse.ts';
import type { ChangeLine, RunLine } from '../safety/ledger-line.ts';
import { type CleanedRun, type CleanUpOptions, cleanUp } from './clean-up.ts';

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'cselab-ledger-'));
  t.after(() => rmSync(path, { recursive: true }));
  return path;
}

function ledgerHead(url: string, head: Partial<Record<keyof RunLine, unknown>> = {}): object {
  const names = { base: 'onem2m', cseId: 'test-cse', spId: 'openmtc.org' };
  const process = { pid: 2 ** 22 + 1, host: hostname() };
  const run = { kind: 'run', ledger: 1, run: 'abc1234', startedAt: '2017-03-02T16:00:00.000Z', ...process } as const;
  return { ...run, gateway: { url, ...names }, dialect: 'documented', release: '3', ...head };
}

function ledger(t: TestContext, url: string, changes: readonly ChangeLine[], head: Partial<RunLine> = {}): string {
  const directory = folder(t);
  const lines = [ledgerHead(url, head), ...changes].map((one) => JSON.stringify(one));
  writeFileSync(join(directory, 'abc1234.ndjson'), `${lines.join('\n')}\n{"kind":"creat`);
  return directory;
}

async function cleaned(directory: string, options: Omit<CleanUpOptions, 'ledger'> = {}): Promise<CleanedRun[]> {
  const all: CleanedRun[] = [];
  for await (const one of cleanUp({ ledger: directory, timeout: 2000, ...options })) all.push(one);
  return all;
}

const named = (number: number, parent: string, name: string): ChangeLine[] => [
  { kind: 'creating', number, on: 'gateway', in: parent, name },
];

async function furnished(t: TestContext, deviate?: Deviation) {
  const cse = await testCse(t, deviate);
  for (const path of ['/onem2m/cl-abc1234-1', '/onem2m/cl-abc1234-1/inner', '/onem2m/foreign']) cse.tree.set(path, {});
  return cse;
}

test('what is left is removed, the youngest first, and the ledger with it', async (t) => {
  const cse = await furnished(t);
  const changes: ChangeLine[] = [
    ...named(1, '/onem2m', 'cl-abc1234-1'),
    { kind: 'created', number: 1, paths: ['/onem2m/cl-abc1234-1'] },
    ...named(2, '/onem2m/cl-abc1234-1', 'inner'),
    ...named(3, '/onem2m', 'foreign'),
    { kind: 'refused', number: 3 },
  ];
  const directory = ledger(t, cse.url, changes);
  writeFileSync(join(directory, 'begun.ndjson'), '{"kind":"ru');
  const [done] = await cleaned(directory);
  assert.equal(done?.outcome, 'gone');
  assert.deepEqual(done?.removed, ['/onem2m/cl-abc1234-1/inner', '/onem2m/cl-abc1234-1']);
  assert.deepEqual([...cse.tree.keys()], ['/onem2m', '/onem2m/foreign']);
  assert.deepEqual(readdirSync(directory), ['begun.ndjson']);
  assert.deepEqual(await cleaned(directory), []);
});

test('what has a name that could be of others is not removed as long as nobody said that it was created', async (t) => {
  const cse = await furnished(t, ({ path }) =>
    path === '/onem2m?fu=1' ? { status: 200, body: { 'm2m:uril': ['/onem2m/foreign'] } } : undefined,
  );
  cse.tree.set('/onem2m/foreign', { 'm2m:cnt': { rn: 'foreign', ct: '2017-03-02T16:12:53.350093+00:00' } });
  const [done] = await cleaned(ledger(t, cse.url, named(1, '/onem2m', 'foreign')));
  assert.equal(done?.outcome, 'left');
  assert.match(done?.left[0]?.why ?? '', /without a name and without an answer; perhaps \/onem2m\/foreign$/);
  assert(cse.tree.has('/onem2m/foreign'));
});

test('what was created without a name is found by what stands in it', async (t) => {
  const list = ['/onem2m/made-7', '/onem2m/foreign'];
  const cse = await furnished(t, ({ path }) =>
    path === '/onem2m?fu=1' ? { status: 200, body: { 'm2m:uril': list } } : undefined,
  );
  cse.tree.set('/onem2m/made-7', { 'm2m:cnt': { rn: 'made-7', lbl: ['cl-abc1234-9-red'] } });
  const [done] = await cleaned(ledger(t, cse.url, [{ kind: 'creating', number: 1, on: 'gateway', in: '/onem2m' }]));
  assert.deepEqual([done?.outcome, done?.removed], ['gone', ['/onem2m/made-7']]);
  assert(cse.tree.has('/onem2m/foreign'));
});

test('a ledger that lacks its run, or has a line that none is, is refused, and nothing is sent', async (t) => {
  const cse = await furnished(t);
  const said: Array<readonly [object, string]> = [
    [ledgerHead(cse.url, { run: undefined }), 'abc1234.ndjson is no ledger of this version of cselab'],
    [ledgerHead(cse.url, { run: '' }), 'abc1234.ndjson is no ledger of this version of cselab'],
    [ledgerHead(cse.url, { gateway: undefined }), 'abc1234.ndjson is no ledger of this version of cselab'],
    [ledgerHead(cse.url), 'abc1234.ndjson:2: this is no line of a ledger'],
  ];
  for (const [head, message] of said) {
    const directory = folder(t);
    const lines = [head, { kind: 'creating', number: 1, on: 'elsewhere', in: '/onem2m', name: 'foreign' }];
    writeFileSync(join(directory, 'abc1234.ndjson'), `${lines.map((one) => JSON.stringify(one)).join('\n')}\nnull\n`);
    await assert.rejects(cleaned(directory), (error: Error) => error.message.endsWith(message));
  }
  assert.deepEqual(cse.log, []);
});

test('what a ledger has as proved is read again before it is removed', async (t) => {
  const cse = await furnished(t);
  for (const name of ['foreign', 'made-7'])
    cse.tree.set(`/onem2m/${name}`, { 'm2m:cnt': { rn: name, ...(name === 'made-7' && { lbl: ['cl-abc1234-1'] }) } });
  const proved = (number: number, path: string): ChangeLine[] => [
    { kind: 'creating', number, on: 'gateway', in: '/onem2m' },
    { kind: 'created', number, paths: [] },
    { kind: 'proved', number, path },
  ];
  const [done] = await cleaned(ledger(t, cse.url, [...proved(1, '/onem2m/foreign'), ...proved(2, '/onem2m/made-7')]));
  assert.deepEqual([done?.outcome, done?.removed], ['left', ['/onem2m/made-7']]);
  assert(cse.tree.has('/onem2m/foreign'));
});

test('what the target had named, and nobody finds any more, is gone', async (t) => {
  const cse = await furnished(t);
  const changes: ChangeLine[] = [
    { kind: 'creating', number: 1, on: 'gateway', in: '/onem2m' },
    { kind: 'created', number: 1, paths: ['/onem2m/made-7', '/~/test-cse/x7'] },
  ];
  const directory = ledger(t, cse.url, changes);
  const [done] = await cleaned(directory);
  assert.deepEqual([done?.outcome, done?.removed, readdirSync(directory)], ['gone', [], []]);
});

test('the ledger of a process that is alive is left alone, unless its run is named', async (t) => {
  const cse = await furnished(t);
  const { pid } = process;
  const parent = process.ppid;
  const directory = ledger(t, cse.url, named(1, '/onem2m', 'cl-abc1234-1'), { pid: parent === 0 ? pid : parent });
  assert.deepEqual(
    (await cleaned(directory)).map(({ outcome }) => outcome),
    ['in use'],
  );
  assert(cse.tree.has('/onem2m/cl-abc1234-1'));
  assert.deepEqual(
    (await cleaned(directory, { run: 'abc1234' })).map(({ outcome }) => outcome),
    ['gone'],
  );
});

test('a dry run only tells', async (t) => {
  const cse = await furnished(t);
  const directory = ledger(t, cse.url, named(1, '/onem2m', 'cl-abc1234-1'));
  const [told] = await cleaned(directory, { dryRun: true });
  assert.deepEqual([told?.outcome, told?.removed], ['listed', ['/onem2m/cl-abc1234-1']]);
  assert.deepEqual(cse.log, []);
});

test('what is refused stays, with the reason; the administrator may do it', async (t) => {
  const cse = await furnished(t, ({ method, headers }) =>
    method === 'DELETE' && headers['x-m2m-origin'] !== 'CAdmin' ? { status: 403 } : undefined,
  );
  const directory = ledger(t, cse.url, named(1, '/onem2m', 'cl-abc1234-1'));
  const [done] = await cleaned(directory);
  assert.deepEqual([done?.outcome, done?.left], ['left', [{ path: '/onem2m/cl-abc1234-1', why: '403, RSC 4030' }]]);
  assert.deepEqual(
    (await cleaned(directory, { choice: { admin: 'CAdmin' } })).map(({ outcome }) => outcome),
    ['gone'],
  );
});

test('what a removal left, though it was answered as done, is left, in the ledger of the run as well', async (t) => {
  let isHonest = false;
  const cse = await testCse(t, ({ method, path }) => {
    if (path === '/onem2m?fu=1') return { status: 200, body: { 'm2m:uril': [...cse.tree.keys()].slice(1) } };
    return method === 'DELETE' && !isHonest ? { status: 200 } : undefined;
  });
  const directory = folder(t);
  const container = '- create: container\n  in: /${base}\n  attributes: { rn: "${name}" }';
  const { result } = await collect(planOf(t, fileOf({ one: container })), (startedAt, run) =>
    openTestTarget(
      { url: cse.url },
      { connections: 4, timeout: 2000, startedAt, run, safety: { ledger: directory, survey: true } },
    ),
  );
  const path = `/onem2m/cl-${result.run}-1`;
  assert.deepEqual(result.survey?.left, [path]);
  const { run } = result;
  const [left] = await cleaned(directory, { run });
  assert.deepEqual([left?.outcome, left?.removed, left?.left.map((one) => one.path)], ['left', [], [path]]);
  assert.match(left?.left[0]?.why ?? '', /^200.*, and yet GET .* answers 200/);
  isHonest = true;
  const [done] = await cleaned(directory, { run });
  assert.deepEqual([done?.outcome, done?.removed, [...cse.tree.keys()]], ['gone', [path], ['/onem2m']]);
});

test('a run forgets its ledger when nothing is left, else it says how to go on, and shows what is there', async (t) => {
  const stays: Deviation = ({ method, path }) => {
    if (path === '/onem2m?fu=1') return { status: 200, body: { 'm2m:uril': [...cse.tree.keys()].slice(1) } };
    return method === 'DELETE' && path.endsWith('-stays') ? { status: 403 } : undefined;
  };
  const cse = await testCse(t, (request) => stays(request));
  const container = (name: string) => `- create: container\n  in: /\${base}\n  attributes: { rn: "\${name}-${name}" }`;
  const judged = async (key: string) => {
    const directory = folder(t);
    const plan = planOf(t, fileOf({ [key]: container(key) }));
    const safety = { ledger: directory, survey: true };
    const open = (startedAt: number, run: string) =>
      openTestTarget(
        { url: cse.url, headers: [['Authorization', 'Bearer tell-nobody']] },
        { connections: 4, timeout: 2000, startedAt, run, safety },
      );
    return { directory, ...(await collect(plan, open)) };
  };
  const goes = await judged('goes');
  assert.deepEqual(readdirSync(goes.directory), []);
  assert.deepEqual(goes.result.survey, { before: 0, after: 0, left: [], others: 0 });
  const { directory, result } = await judged('stays');
  const path = `/onem2m/cl-${result.run}-1-stays`;
  assert.deepEqual(result.survey, { before: 0, after: 1, left: [path], others: 0 });
  assert.deepEqual(result.notes, [
    `the run left ${path} at the target. Remove it with: cselab cleanup --run ${result.run} --ledger ${directory}`,
  ]);
  const written = readFileSync(join(directory, `${result.run}.ndjson`), 'utf8');
  assert.match(written, /"headers":\["Authorization"\]/);
  assert.doesNotMatch(written, /tell-nobody/);
});

test('a removal that kills the target is named and not sent again, and the rest is removed when it is back', async (t) => {
  const deadly = '/onem2m/cl-abc1234-1/inner';
  const cse = await crashingReference(t, ({ method, target }) => method === 'DELETE' && target === deadly);
  const post = (path: string, ty: number, body: object) =>
    fetch(`${cse.url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': `application/vnd.onem2m-res+json; ty=${ty}` },
      body: JSON.stringify(body),
    });
  const app = { api: 'org.a', rr: 'TRUE' };
  await post('/onem2m', 2, { 'm2m:ae': { rn: 'cl-abc1234-1', ...app } });
  await post('/onem2m/cl-abc1234-1', 3, { 'm2m:cnt': { rn: 'inner' } });
  const changes: ChangeLine[] = [
    ...named(1, '/onem2m', 'cl-abc1234-1'),
    { kind: 'created', number: 1, paths: ['/onem2m/cl-abc1234-1'] },
    ...named(2, '/onem2m/cl-abc1234-1', 'inner'),
    { kind: 'created', number: 2, paths: [deadly] },
  ];
  const gateway = { url: cse.url, base: 'onem2m', cseId: 'mn-cse-1', spId: 'openmtc.org' };
  const directory = ledger(t, cse.url, changes, { gateway });
  const [done] = await cleaned(directory, { choice: { waitForTarget: 0 }, restart: cse.restart });
  assert.deepEqual(done?.removed, ['/onem2m/cl-abc1234-1']);
  assert.equal(cse.deaths(), 1);
  assert.deepEqual(
    done?.deaths?.map(({ inFlight }) => inFlight.map(({ path }) => path)),
    [[deadly]],
  );
  assert.equal(typeof done?.deaths?.[0]?.backAfter, 'number');
});

test('a target that stays dead is unreachable after its death is told, and the ledger stays', async (t) => {
  const cse = await crashingReference(t, ({ method }) => method === 'DELETE');
  const changes: ChangeLine[] = [
    ...named(1, '/onem2m', 'cl-abc1234-1'),
    { kind: 'created', number: 1, paths: ['/onem2m/cl-abc1234-1'] },
  ];
  const gateway = { url: cse.url, base: 'onem2m', cseId: 'mn-cse-1', spId: 'openmtc.org' };
  const directory = ledger(t, cse.url, changes, { gateway });
  const [done] = await cleaned(directory, { choice: { waitForTarget: 0 } });
  assert.equal(done?.outcome, 'unreachable');
  assert.equal(done?.deaths?.[0]?.culprit?.path, '/onem2m/cl-abc1234-1');
  assert.deepEqual(readdirSync(directory), ['abc1234.ndjson']);
});
