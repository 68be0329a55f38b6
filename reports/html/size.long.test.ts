import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '../testing/in-process.ts';

test('the page of a conformant run of the onem2m dialect is smaller than a megabyte', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cselab-size-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'report.html');
  const { code, stderr } = await run(['check', '--in-process', '--dialect', 'onem2m', '--report', `html=${file}`]);
  assert.equal(code, 0, stderr);
  const { size } = statSync(file);
  assert.ok(size < 1_000_000, `${size} bytes`);
});
