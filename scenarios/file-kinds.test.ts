import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { kindIn, schemaFor, schemaPaths } from './file-kinds.ts';

test('a file is told by its keys, and offered the schema of its kind', () => {
  const offered: Readonly<Record<string, readonly [kind: string | undefined, schema: string | undefined]>> = {
    'feature: Mine\nscenarios: {}\n': ['scenario', 'scenario.schema.json'],
    'feature: Mine\nscen': ['scenario', 'scenario.schema.json'],
    'deviations: []\n': ['baseline', 'baseline.schema.json'],
    'specification: House\nrules: []\n': ['rules', 'own-rules.schema.json'],
    'product: Ours\nurl: http://x\n': ['target', 'target.schema.json'],
    'applications: {}\n': ['duties', 'application.schema.json'],
    '# yaml-language-server: $schema=x/plan.schema.json\ndialect: onem2m\n': ['plan', 'plan.schema.json'],
    'specification: House\n': ['requirement', undefined],
    'rules:\n  - apiGroups: [""]\n': [undefined, undefined],
    'other: 1\n': [undefined, undefined],
  };
  for (const [text, expected] of Object.entries(offered))
    assert.deepEqual([kindIn(text), schemaFor(text)], expected, text);
});

test('each schema is there', () => {
  assert.deepEqual(
    schemaPaths.filter((path) => !existsSync(path)),
    [],
  );
});
