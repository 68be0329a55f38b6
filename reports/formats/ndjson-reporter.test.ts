import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sampleRun } from '../testing/sample-run.ts';
import { hostileText } from '../testing/sample-scenarios.ts';
import { UnwritableReport } from '../writing/output-file.ts';
import { Report } from './json-reporter.ts';
import { ndjsonReporter } from './ndjson-reporter.ts';

const { run, target } = sampleRun;
const started = { type: 'run started', run, target, planned: 3 } as const;

function sink(): { readonly text: () => string; write(text: string): void } {
  const written: string[] = [];
  return { text: () => written.join(''), write: (text) => void written.push(text) };
}

test('each event is a line as soon as it happens, and the last holds the whole report', () => {
  const stdout = sink();
  const reporter = ndjsonReporter('-', stdout);
  reporter.onEvent(started);
  assert.deepEqual(JSON.parse(stdout.text()), started);
  reporter.onEvent({ type: 'scenario started', id: 'a/b/c', title: hostileText });
  reporter.onEvent({ type: 'run finished', result: sampleRun });
  reporter.finish(sampleRun);
  const lines = stdout
    .text()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ type }) => type),
    ['run started', 'scenario started', 'run finished'],
  );
  assert.equal(Report.safeParse(lines[2].result).success, true);
  assert.doesNotMatch(stdout.text().replaceAll('\n', ''), /[\p{Cc}\p{Bidi_Control}]/u);
});

test('a file holds what happened so far while the run goes on', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cselab-ndjson-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'below', 'events.ndjson');
  const reporter = ndjsonReporter(path, sink());
  reporter.onEvent(started);
  assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), started);
  reporter.finish(sampleRun);
  assert.equal((await readFile(path, 'utf8')).trimEnd().split('\n').length, 2);
});

test('a file that cannot be written does not stop the run; it is reported at its end', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cselab-ndjson-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'file'), '');
  const reporter = ndjsonReporter(join(folder, 'file', 'events.ndjson'), sink());
  reporter.onEvent(started);
  assert.throws(() => reporter.finish(sampleRun), UnwritableReport);
});
