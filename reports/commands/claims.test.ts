import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '../testing/in-process.ts';

test('what one target claims is written as a form, and taken into the file of another', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cselab-claims-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [form, file] = [join(folder, 'ics.csv'), join(folder, 'target.yaml')];
  writeFileSync(file, 'product: Ours\nimplements:\n  PICS_AE: yes\n');
  assert.equal((await run(['claims', 'export', 'openmtc', '--out', form])).code, 0);
  const taken = await run(['claims', 'import', form, file]);
  assert.deepEqual([taken.code, taken.stdout], [0, '']);
  assert.match(taken.stderr, /target\.yaml: \d+ claims written, 1 as before/);
  assert.match(readFileSync(file, 'utf8'), /^product: Ours\nimplements:\n {2}PICS_AE: yes\n {2}PICS_CNT: yes\n/);
  const shown = await run(['claims', 'export', file, '--profile', 'in']);
  assert.match(shown.stdout, /^PICS_CNT_MNI,"limits of containers: mni, mbs",TS-0017 A\.5\.7\.5,o,Yes,$/m);
  assert.match(shown.stdout, /^PICS_NON_BLOCKING,non-blocking requests,not known,m,,$/m);
});

test('a form that cannot be used is reported with its place, and nothing is written', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cselab-claims-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [form, file] = [join(folder, 'ics.csv'), join(folder, 'target.yaml')];
  writeFileSync(form, 'Item,Support\nPICS_GRP,perhaps\n');
  writeFileSync(file, 'product: Ours\n');
  const { code, stderr } = await run(['claims', 'import', form, file]);
  assert.equal(code, 2);
  assert.match(stderr, /ics\.csv:2:10: "perhaps" is neither Yes nor No, nor nothing/);
  assert.equal(readFileSync(file, 'utf8'), 'product: Ours\n');
});
