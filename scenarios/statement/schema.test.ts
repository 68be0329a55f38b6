import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { featureIds, featureOf } from './features.ts';
import { targetSchemaPath, targetSchemaText } from './target-file.ts';

interface Node {
  readonly properties: Readonly<Record<string, Node & { readonly description?: string }>>;
}

test('the schema on disk is the schema of the grammar', () => {
  const hint = 'write it again: node --import tsx scenarios/statement/target-file.ts';
  assert.equal(readFileSync(targetSchemaPath, 'utf8'), targetSchemaText(), hint);
});

test('an editor is offered every feature, with its name for people', () => {
  const { properties } = JSON.parse(targetSchemaText()) as Node;
  const offered = Object.entries(properties.implements?.properties ?? {});
  assert.deepEqual(
    offered.map(([id, { description }]) => [id, description]),
    featureIds.map((id) => [id, featureOf(id).name]),
  );
});

test('nothing refers to a definition that is not there', () => {
  assert.doesNotMatch(targetSchemaText(), /\$ref/);
});
