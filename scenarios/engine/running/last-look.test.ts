import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileOf, planOf, runPlan, testCse } from '../test-cse.ts';
import { pathsToLookAt } from './cleanup.ts';

const description = { kind: 'url', url: 'http://127.0.0.1:1', base: 'onem2m', cseId: 'mn', spId: 'sp' } as const;
const created = (path: string) => ({ on: 'gateway', path, originator: undefined, way: {} }) as const;
const paths = (all: readonly string[], turn: number) =>
  pathsToLookAt(all.map(created), { description } as never, { newest: 'latest', turn }).map(({ path }) => path);

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
