/** `cselab rule new`: a rule to begin with, which is sound as it is written. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { lint } from '../../scenarios/index.ts';
import { run } from '../testing/in-process.ts';

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'cselab-rule-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

for (const [dialect, scenario] of [
  ['documented', 'documented/container/create'],
  ['onem2m', 'standard/content-instance'],
] as const)
  test(`what is begun for the ${dialect} dialect lints, is checked, and holds`, async (t) => {
    const file = join(folderOf(t), 'below', 'house.yaml');
    const { code, stdout } = await run(['rule', 'new', file, '--dialect', dialect]);
    assert.equal(code, 0);
    assert.match(stdout, /cselab lint .*house\.yaml\n.*--rules/);
    assert.deepEqual(lint([file]).problems, []);
    assert.match(
      readFileSync(file, 'utf8'),
      /\$schema=\S*node_modules\/cselab\/dist\/scenarios\/own-rules\.schema\.json\n/,
    );
    const args = ['check', scenario, '--dialect', dialect, '--in-process', '--rules', file, '--report', 'ndjson=-'];
    const checked = await run(args);
    assert.match(checked.stdout, /"id":"house\.container\.named"[^}]*"verdict":"satisfied"/);
  });

test('a file that exists stays as it is, and is a mistake of usage', async (t) => {
  const file = join(folderOf(t), 'house.yaml');
  await run(['rule', 'new', file]);
  const before = readFileSync(file, 'utf8');
  const { code, stderr } = await run(['rule', 'new', file, '--dialect', 'onem2m']);
  assert.equal(code, 2);
  assert.match(stderr, /house\.yaml exists already/);
  assert.equal(readFileSync(file, 'utf8'), before);
});
