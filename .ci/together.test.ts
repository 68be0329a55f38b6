import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loader } from '../fixtures/testing/loader.ts';

const together = JSON.stringify(new URL('./together.ts', import.meta.url).href);
const waiting = 'await new Promise((done) => setTimeout(done, 20))';

/** What a test does, and what comes of it: how many pass and fail, beside one more that passes, and what is told of where it was thrown. */
const rows = {
  'a test within it that passes': ['await null; await t.test("within", async () => { await null; })', [3, 0, 0], false],
  'a test within it that fails': [
    'await null; await t.test("within", () => { throw new Error("stray"); })',
    [1, 2, 1],
    true,
  ],
  'an error that nobody catches': [`setTimeout(() => { throw new Error("stray"); }); ${waiting}`, [2, 0, 1], true],
  'a promise that nobody awaits': [`void Promise.reject(new Error("stray")); ${waiting}`, [2, 0, 1], true],
} as const;

for (const [name, [body, counts, isTold]] of Object.entries(rows)) {
  test(`files that share a process: ${name}`, (t) => {
    const place = mkdtempSync(join(tmpdir(), 'cselab-together-'));
    t.after(() => rmSync(place, { recursive: true }));
    const files = ['one.mjs', 'two.mjs', 'entry.mjs'].map((file) => join(place, file)) as [string, string, string];
    writeFileSync(files[0], `import { test } from 'node:test';\ntest('first', async (t) => { ${body}; });\n`);
    writeFileSync(
      files[1],
      `import { describe, it } from 'node:test';\ndescribe('second', () => it('passes', () => {}));\n`,
    );
    const call = `await together(${JSON.stringify(files.slice(0, 2))});`;
    writeFileSync(files[2], `import { together } from ${together};\n${call}\n`);
    const { NODE_TEST_CONTEXT: _outer, ...env } = process.env;
    const run = spawnSync(process.execPath, [...loader(), '--test-reporter=spec', files[2]], { encoding: 'utf8', env });
    const count = (what: string) => Number(new RegExp(`^ℹ ${what} (\\d+)$`, 'm').exec(run.stdout)?.[1]);
    assert.deepEqual([count('pass'), count('fail'), run.status], counts, run.stdout);
    assert.equal(/Error: stray\n\s+at .*one\.mjs:2/.test(run.stdout + run.stderr), isTold, run.stdout);
  });
}
