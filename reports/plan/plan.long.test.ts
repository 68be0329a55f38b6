/** A locked plan of all that there is. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { readPackage, resultIn } from '../package/package-file.ts';
import { run } from '../testing/in-process.ts';

test('a locked plan of the documented dialect passes on the reference CSE, and stands in the package of its run', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cselab-plan-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [plan, packed] = [join(folder, 'plan.yaml'), join(folder, 'run.cselab')];
  writeFileSync(plan, 'about: All of it.\n');
  assert.equal((await run(['plan', 'lock', plan])).code, 0);
  const text = readFileSync(plan, 'utf8');
  const { code, stdout, stderr } = await run(['check', '--plan', plan, '--package', packed]);
  assert.equal(code, 0, stdout + stderr);
  assert.match(stdout, /^Conformant: /m);
  const read = readPackage(packed);
  assert.ok('evidence' in read);
  assert.equal(read.evidence.parts['plan.yaml'], text);
  const judged = resultIn(read.evidence.parts)?.scenarios.map(({ id }) => id) ?? [];
  assert.deepEqual(judged.toSorted(), Object.keys(parse(text).lock.scenarios));
  assert.equal((await run(['verify', packed])).code, 0);
});
