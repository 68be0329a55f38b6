import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { bundleForBrowser } from './browser-bundle.ts';

/** What only Node has; `typeof` asks for it without needing it. */
const ofNode = /(?<!typeof )\b(Buffer|process|require|__dirname|__filename)\b(?!:)/;
const comments = /\/\*[\s\S]*?\*\/|\/\/.*/g;
const texts = /'(?:[^'\\\n]|\\.)*'/g;

test('the module for browsers consists of files that need nothing of Node', async () => {
  const place = mkdtempSync(join(tmpdir(), 'cselab-bundle-'));
  try {
    const files = await bundleForBrowser(join(place, 'msw.js'));
    const own = files.filter((file) => file.startsWith('sim/'));
    assert.ok(own.includes('sim/core/operations/cse.ts') && own.includes('sim/msw.ts'));
    const bound = own.filter((file) =>
      ofNode.test(readFileSync(file, 'utf8').replace(comments, '').replace(texts, '')),
    );
    assert.deepEqual(bound, []);
    const others = new Set(
      files.filter((file) => !own.includes(file)).map((file) => /node_modules\/([^/]+)/.exec(file)?.[1]),
    );
    assert.deepEqual([...others].sort(), ['cborg', 'fastest-levenshtein']);
    assert.match(readFileSync(join(place, 'msw.js'), 'utf8'), /from "msw"/);
  } finally {
    rmSync(place, { recursive: true });
  }
});
