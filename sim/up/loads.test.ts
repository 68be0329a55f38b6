import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const room = fileURLToPath(new URL('..', import.meta.url));
/** Imports of values, as far as they are there from the beginning. */
const statement = /^\s*(?:import|export)\s+(?!type\b)(?:[^'"();]*?\bfrom\s+)?'([^']+)'/gm;

/** What a file has loaded before its first line runs: paths in this room, and names of packages. */
function loadedBy(file: string): Set<string> {
  const loaded = new Set([join(room, file)]);
  for (const one of loaded) {
    if (!one.startsWith('/')) continue;
    for (const [, to = ''] of readFileSync(one, 'utf8').matchAll(statement)) {
      loaded.add(to.startsWith('.') ? join(dirname(one), to) : to);
    }
  }
  return new Set([...loaded].map((one) => (one.startsWith('/') ? relative(room, one) : one)));
}

test('a pair loads no more than it needs: neither deviations, their language and products nor the page, the reader of YAML, and all of undici', () => {
  const loaded = loadedBy('up/run.ts');
  assert.ok(loaded.has('topology/node.ts') && loaded.has('deviations/applying.ts'));
  const heavy = [
    'deviations/index.ts',
    'deviations/language/row.ts',
    'products/product-file.ts',
    'console/console.ts',
    'up/output/live.ts',
    'undici',
    'yaml',
    'zod',
  ];
  assert.deepEqual(
    heavy.filter((one) => loaded.has(one)),
    [],
  );
});

test('what CSEs are made with at once knows every deviation', () => {
  for (const file of ['cse/create-cse.ts', 'msw.ts', 'topology/joined-pair.ts']) {
    assert.ok(loadedBy(file).has('deviations/index.ts'), file);
  }
});
