import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { displayWidth } from '../document/screen.ts';
import { run } from '../testing/in-process.ts';

const unreachable = ['check', '--url', 'http://127.0.0.1:9', '--wait-for-target', '0'];

test('a target that cannot be reached is reported in three lines, once', async () => {
  const { code, stdout, stderr } = await run(unreachable);
  assert.deepEqual([code, stderr], [3, '']);
  assert.match(
    stdout,
    /^No verdict: http:\/\/127\.0\.0\.1:9 does not answer: .*refused\n.*ECONNREFUSED.*\nExit code 3; cselab doctor http:\/\/127\.0\.0\.1:9 looks for the reason\n$/,
  );
});

test('where no text is reported, the reason is on stderr', async () => {
  const { code, stdout, stderr } = await run([...unreachable, '--report', 'json=-']);
  assert.equal(code, 3);
  assert.match(stderr, /^cselab: http:\/\/127\.0\.0\.1:9 does not answer: /);
  assert.equal((JSON.parse(stdout) as { exit: { code: number } }).exit.code, 3);
});

test('on a terminal progress is reported beside any report, and in the end where the files are', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cselab-in-process-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'report.html');
  const { code, stdout, stderr } = await run(
    ['check', 'ae.create.status', '--in-process', '--report', `html=${file}`],
    {
      columns: 80,
    },
  );
  assert.deepEqual([code, stdout], [0, '']);
  assert.match(stripVTControlCharacters(stderr), /^\r\d+ of \d+ scenarios: [^\r]+\r/);
  assert.match(stderr, /cselab: written: \S+report\.html\n$/);
  assert.match(readFileSync(file, 'utf8'), /^<!doctype html>/);
});

test('on a terminal lint shows its progress with many files, but not beside JSON', async (t) => {
  const many = mkdtempSync(join(tmpdir(), 'cselab-in-process-'));
  t.after(() => rmSync(many, { recursive: true }));
  const text = 'feature: many\nscenarios:\n  one:\n    title: one\n    steps:\n      - retrieve: /${base}\n';
  for (let at = 0; at < 3; at += 1) writeFileSync(join(many, `file-${at}.yaml`), text);
  const { code, stderr } = await run(['lint', many], { columns: 80 });
  assert.equal(code, 0);
  assert.match(stripVTControlCharacters(stderr), /^\r1 of 3 scenario files\r2 of 3 scenario files[^\r]*\r3 of 3/);
  assert.equal((await run(['lint', many, '--json'], { columns: 80 })).stderr, '');
});

test('chosen ids hide the rest, in 80 columns with colours and without', async () => {
  for (const columns of [80, 0, undefined]) {
    const { stdout } = await run(['check', 'ae.create', '--in-process'], columns === undefined ? {} : { columns });
    const text = stripVTControlCharacters(stdout);
    assert.equal(text === stdout, columns === undefined);
    assert.doesNotMatch(text, /not selected|excluded/);
    assert.match(
      text,
      /^12 requirements: 1 satisfied, 11 implementation-defined\n {2}\d+ other requirements not asked for$/m,
    );
    for (const line of text.split('\n')) assert.ok(displayWidth(line) <= 80, line);
  }
});

test('a mistake in the usage is explained on stderr, with exit code 2', async () => {
  const { code, stdout, stderr } = await run(['check', 'nothing.is-called-so', '--in-process']);
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(stderr, /^cselab: no scenario and no requirement is called "nothing\.is-called-so"/);
});
