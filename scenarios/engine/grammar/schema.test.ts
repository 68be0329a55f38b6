import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verbs } from './grammar-step.ts';
import { scenarioSchema } from './schema.ts';

interface Node {
  readonly [key: string]: unknown;
}

function nodes(value: unknown): Node[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Node, ...Object.values(value).flatMap(nodes)];
}

test('every reference leads to a definition with a name that people gave it', () => {
  const schema = scenarioSchema() as Node;
  const definitions = Object.keys(schema.definitions as Node);
  assert(definitions.every((name) => !name.startsWith('__')));
  const references = nodes(schema).flatMap((node) => (typeof node.$ref === 'string' ? [node] : []));
  assert(references.length > 0);
  for (const node of references) {
    assert(definitions.includes(String(node.$ref).replace('#/definitions/', '')), String(node.$ref));
    assert.deepEqual(Object.keys(node), ['$ref'], 'draft 7 ignores what stands beside a reference');
  }
});

test('an editor is offered every verb of a step', () => {
  const schema = scenarioSchema() as { definitions: { Step: { anyOf: Array<{ required: string[] }> } } };
  const required = schema.definitions.Step.anyOf.map((step) => step.required[0]);
  assert.deepEqual(required.sort(), [...verbs].sort());
});
