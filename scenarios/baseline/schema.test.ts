import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { baselineSchema, baselineSchemaPath } from './grammar.ts';

test('the schema on disk is the schema of the grammar', () => {
  const hint = 'write it again: node --import tsx scenarios/baseline/grammar.ts';
  assert.deepEqual(
    JSON.parse(readFileSync(baselineSchemaPath, 'utf8')),
    JSON.parse(JSON.stringify(baselineSchema())),
    hint,
  );
});
