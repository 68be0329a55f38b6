import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Strictness } from '../engine/results/run-context.ts';
import { collect, type Deviation, fileOf, openTestTarget, planOf, testCse } from '../engine/test-cse.ts';

const container =
  '- create: container\n  in: /${base}\n  attributes: { rn: "${name}-x" }\n  check: { doc.one: { status: 201 } }';
const strictness: Strictness = { level: 'documented', failOn: ['violations', 'left-behind'], minEvidence: 1 };

async function judged(t: TestContext, deviate: Deviation, prepare: (tree: Map<string, unknown>) => void = () => {}) {
  const cse = await testCse(t, (request) => deviate(request) ?? listed(request.path));
  const listed = (path: string) =>
    path === '/onem2m?fu=1' ? { status: 200, body: { 'm2m:uril': [...cse.tree.keys()].slice(1) } } : undefined;
  prepare(cse.tree);
  const ledger = mkdtempSync(join(tmpdir(), 'cselab-survey-'));
  t.after(() => rmSync(ledger, { recursive: true }));
  const limits = { connections: 4, timeout: 2000, safety: { survey: true, ledger } };
  const open = (startedAt: number, run: string) => openTestTarget({ url: cse.url }, { ...limits, startedAt, run });
  return (await collect(planOf(t, fileOf({ one: container })), open, { strictness })).result;
}

test('a target that could be looked at before the run, and fails since, is damaged, and the run is red', async (t) => {
  let created = false;
  const { survey, exit } = await judged(t, ({ method, path }) => {
    created ||= method === 'POST';
    return created && path === '/onem2m?fu=1' ? { status: 500 } : undefined;
  });
  const damaged = 'a discovery of /onem2m returned no list of resources: 500, RSC 5000';
  assert.equal(survey?.damaged, damaged);
  assert.equal(exit.code, 1);
  assert(exit.reason.startsWith(`a request that worked before the run fails since: ${damaged}`), exit.reason);
});

test('one that failed before the run is unsound, and not damaged by it', async (t) => {
  const { survey, exit } = await judged(t, ({ path }) => (path === '/onem2m?fu=1' ? { status: 500 } : undefined));
  assert.equal(survey?.unsound, 'a discovery of /onem2m returned no list of resources: 500, RSC 5000');
  assert.deepEqual([survey?.damaged, exit.code], [undefined, 0]);
});

test('what earlier runs left is reported by its names, and left alone', async (t) => {
  let kept = false;
  const { survey } = await judged(
    t,
    () => undefined,
    (tree) => {
      tree.set('/onem2m/cl-1234567-1-app', {}).set('/onem2m/cl-1234567-1-app/inner', {}).set('/onem2m/other', {});
      kept = tree.has('/onem2m/cl-1234567-1-app');
    },
  );
  assert.deepEqual([survey?.earlier, survey?.before, survey?.after, kept], [['cl-1234567-1-app'], 3, 3, true]);
});

test('what a look at everything does not show is not left behind, whatever its removal was answered', async (t) => {
  const { survey, exit, scenarios, notes } = await judged(t, ({ method, path }) => {
    if (path === '/onem2m?fu=1') return { status: 200, body: { 'm2m:uril': [] } };
    return method === 'DELETE' ? { status: 403 } : undefined;
  });
  assert.deepEqual([survey?.left, scenarios[0]?.leftBehind, notes, exit.code], [[], [], undefined, 0]);
});
