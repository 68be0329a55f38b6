import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sampleRun } from '../testing/sample-run.ts';
import { UnwritableReport } from '../writing/output-file.ts';
import { createReporters } from './reporter.ts';
import type { ReporterContext } from './reporting.ts';

async function contextIn(t: TestContext): Promise<ReporterContext & { written: string[] }> {
  const outDir = await mkdtemp(join(tmpdir(), 'cselab-reports-'));
  t.after(() => rm(outDir, { recursive: true }));
  const written: string[] = [];
  const stdout = { write: (text: string) => written.push(text) };
  const rest = { color: false, isTTY: false, verbose: false, columns: 80 };
  return { outDir, stdout, stderr: { write: () => true }, written, ...rest };
}

test('every reporter writes its own file of a fixed name', async (t) => {
  const context = await contextIn(t);
  for (const reporter of await createReporters(['terminal', 'json', 'junit', 'html'], context)) {
    await reporter.finish(sampleRun);
  }
  assert.deepEqual((await readdir(context.outDir)).sort(), ['junit.xml', 'report.html', 'report.json']);
  assert.match(context.written.join(''), /^cselab 0\.1\.0/);
});

test('a path of its own is used, and its directories are created', async (t) => {
  const context = await contextIn(t);
  const path = join(context.outDir, 'a', 'b=c', 'out.json');
  await writeFile(join(context.outDir, 'report.json'), 'kept');
  for (const reporter of await createReporters([`json=${path}`], context)) await reporter.finish(sampleRun);
  assert.equal(JSON.parse(await readFile(path, 'utf8')).run, sampleRun.run);
  assert.equal(await readFile(join(context.outDir, 'report.json'), 'utf8'), 'kept');
});

test('a report replaces an older one whole, and leaves nothing else behind', async (t) => {
  const context = await contextIn(t);
  await writeFile(join(context.outDir, 'junit.xml'), 'x'.repeat(1_000_000));
  for (const reporter of await createReporters(['junit'], context)) await reporter.finish(sampleRun);
  assert.match(await readFile(join(context.outDir, 'junit.xml'), 'utf8'), /^<\?xml[\s\S]*<\/testsuites>\n$/);
  assert.deepEqual(await readdir(context.outDir), ['junit.xml']);
});

test('a report that cannot be written says where and why', async (t) => {
  const context = await contextIn(t);
  const file = join(context.outDir, 'file');
  await writeFile(file, '');
  const [reporter] = await createReporters([`json=${join(file, 'below.json')}`], context);
  await assert.rejects(
    async () => reporter?.finish(sampleRun),
    (error) => error instanceof UnwritableReport && error.path === join(file, 'below.json'),
  );
});

test('reporters that cannot be made are refused with the reason', async (t) => {
  const context = await contextIn(t);
  const refusal = async (...specs: string[]) => {
    try {
      await createReporters(specs, context);
      return undefined;
    } catch (error) {
      return error instanceof Error ? `${error.name}: ${error.message}` : error;
    }
  };
  assert.match(
    String(await refusal('tap13')),
    /^UsageError: unknown report "tap13"; there are terminal, html, json, junit, tap, /,
  );
  assert.equal(await refusal('json='), 'UsageError: report "json=" names no file after the =');
  assert.match(String(await refusal('json=/tmp/x', 'html=/tmp/x')), /two reports would be written to \/tmp\/x/);
  assert.match(String(await refusal('terminal', 'tap=-')), /two reports would be written to stdout/);
});

test('what GitHub reads stands beside what a terminal shows, whichever is named first', async (t) => {
  const context = await contextIn(t);
  for (const specs of [
    ['terminal', 'github'],
    ['github', 'terminal'],
  ])
    assert.deepEqual(
      (await createReporters(specs, context)).map(({ file }) => file),
      [undefined, undefined],
    );
});

test('what GitHub reads goes into a file that is named', async (t) => {
  const context = await contextIn(t);
  const path = join(context.outDir, 'commands.txt');
  const [reporter] = await createReporters([`github=${path}`], context);
  await reporter?.finish(sampleRun);
  assert.deepEqual([reporter?.file, context.written], [path, []]);
  assert.match(await readFile(path, 'utf8'), /^::error /);
});
