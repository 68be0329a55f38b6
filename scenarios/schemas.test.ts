import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { featureIds, featureOf } from './ics/features.ts';
import { editorSchemas } from './schemas.ts';

for (const { path, text } of editorSchemas) {
  test(`${basename(path)} on disk is the schema of the grammar`, () => {
    assert.equal(readFileSync(path, 'utf8'), text, 'write it again: node --import tsx scenarios/schemas.ts');
  });
}

interface Node {
  readonly properties: Readonly<Record<string, Node & { readonly description?: string }>>;
}

const ofTargets = editorSchemas.find(({ path }) => path.endsWith('target.schema.json'))?.text ?? '';

test('an editor is offered every feature of a target, with its name for people', () => {
  const { properties } = JSON.parse(ofTargets) as Node;
  const offered = Object.entries(properties.implements?.properties ?? {});
  assert.deepEqual(
    offered.map(([id, { description }]) => [id, description]),
    featureIds.map((id) => [id, featureOf(id).name]),
  );
});

test('nothing in the schema of target files refers to a definition that is not there', () => {
  assert.doesNotMatch(ofTargets, /\$ref/);
});
