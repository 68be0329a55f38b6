import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCse } from '../cse/create-cse.ts';
import { watchTree } from './tree.ts';

test('a watcher is called for each created and removed resource, and the CSE answers as before', () => {
  const { core } = createCse();
  const heard: string[] = [];
  watchTree(core.tree, {
    added: ({ path }) => heard.push(`+${path}`),
    removed: ({ path }, how) => heard.push(`-${path} ${how}`),
  });
  const create = (to: string, content: object) => core.perform({ operation: 'create', to, content });
  create('onem2m', { 'm2m:cnt': { rn: 'c', mni: 1 } });
  create('onem2m/c', { 'm2m:cin': { rn: 'a', con: '1' } });
  create('onem2m/c', { 'm2m:cin': { rn: 'b', con: '2' } });
  core.perform({ operation: 'delete', to: 'onem2m/c' });
  assert.deepEqual(heard, [
    '+onem2m/c',
    '+onem2m/c/a',
    '-onem2m/c/a to make room',
    '+onem2m/c/b',
    '-onem2m/c itself',
    '-onem2m/c/b with its parent',
  ]);
  assert.equal(core.tree.size, 1);
});
