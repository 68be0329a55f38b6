import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleCse } from '../testing/sample-cse.ts';

async function stateTags(dialect: 'documented' | 'onem2m', base: string): Promise<unknown[]> {
  const cse = sampleCse({ dialect, base, requireAuth: false });
  const above = `/${base}/above`;
  const tags: unknown[] = [];
  const changes = [
    ['POST', `/${base}`, { 'm2m:cnt': { rn: 'above' } }],
    ['POST', above, { 'm2m:cnt': { rn: 'child' } }],
    ['PUT', `${above}/child`, { 'm2m:cnt': { lbl: ['x'] } }],
    ['POST', `${above}/child`, { 'm2m:cnt': { rn: 'grandchild' } }],
    ['POST', above, { 'm2m:cin': { con: 'x' } }],
    ['DELETE', `${above}/child`, undefined],
  ] as const;
  for (const [method, target, body] of changes) {
    assert.ok((await cse.send(method, target, body)).status < 300, `${method} ${target}`);
    tags.push((await cse.send('GET', above)).attributes.st);
  }
  return tags;
}

test('the state tag counts what changes among the containers and the instances directly below', async () => {
  assert.deepEqual(await stateTags('onem2m', 'cse-in'), [0, 1, 2, 2, 3, 4]);
});

test('the state tag of the documented dialect counts instances only', async () => {
  assert.deepEqual(await stateTags('documented', 'onem2m'), ['0', '0', '0', '0', '1', '1']);
});
