import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadScenarios } from '../files/load.ts';
import { fileOf, planOf, runPlan, testCse } from '../test-cse.ts';
import { pathsToRead } from './scenario/cleanup.ts';

const description = { kind: 'url', url: 'http://127.0.0.1:1', base: 'onem2m', cseId: 'mn', spId: 'sp' } as const;
const created = (path: string) => ({ on: 'gateway', path, originator: undefined, way: {} }) as const;
const paths = (all: readonly string[], turn: number) =>
  pathsToRead(all.map(created), { description } as never, { newest: 'latest', turn }).map(({ path }) => path);

test('what was created is read by both forms of its path in turns, and the newest of what holds others', () => {
  const all = ['/onem2m/a', '/onem2m/a/c', '/onem2m/a/c/i'];
  assert.deepEqual(paths(all, 0), ['/~/mn/onem2m/a', '/onem2m/a/c', '/~/mn/onem2m/a/c/i', '/onem2m/a/c/latest']);
  assert.deepEqual(paths(all, 1), ['/onem2m/a', '/~/mn/onem2m/a/c', '/onem2m/a/c/i', '/onem2m/a/c/latest']);
});

test('of many a few are read, the last among them', () => {
  const many = Array.from({ length: 100 }, (_, at) => `/onem2m/a${at}`);
  const chosen = paths(many, 1);
  assert.ok(chosen.length <= 9);
  assert.equal(chosen.at(-1)?.endsWith('a99'), true);
});

test('without rules for a plan nothing is looked at, and nothing removed but leaf by leaf', async (t) => {
  const { url, log } = await testCse(t);
  const steps = '- create: ae\n  in: /${base}\n  attributes: { rn: "${name}" }\n  check: { doc.one: { status: 201 } }';
  await runPlan(planOf(t, fileOf({ one: steps })), url, { jobs: 1 });
  assert.deepEqual(
    log.map((line) => line.split(' ')[0]),
    ['GET', 'POST', 'DELETE'],
  );
});

test('what a target leaves of a tree that it removed is found, and removed by itself', async (t) => {
  const cse = await testCse(t, ({ method, path }) => {
    if (method !== 'DELETE' || !cse.tree.has(path)) return undefined;
    cse.tree.delete(path);
    return { status: 200 };
  });
  const container = (below: string, rn: string) =>
    `- create: container\n  in: /\${base}/\${name}${below}\n  attributes: { rn: ${rn} }`;
  const steps = [
    '- create: ae\n  in: /${base}\n  attributes: { rn: "${name}" }',
    ...[container('', 'policy'), container('/policy', 'watch'), container('', 'other')],
  ];
  // With the rules of the documented dialect.
  const { catalogue } = loadScenarios();
  const chosen = { ...planOf(t, fileOf({ one: steps.join('\n') })), catalogue, unfiltered: true };
  const { scenario } = await runPlan(chosen, cse.url, { jobs: 1, rules: true });
  assert.deepEqual(scenario('one').leftBehind, []);
  assert.deepEqual([...cse.tree.keys()], ['/onem2m']);
  const removed = cse.log
    .filter((line) => line.startsWith('DELETE '))
    .map((line) => line.split('/').slice(3).join('/'));
  assert.deepEqual(removed.slice(0, 4), ['', 'other', 'policy/watch', 'policy']);
});
