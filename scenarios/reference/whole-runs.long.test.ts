/** The reference CSE by every scenario: no deviation is found, nothing stays, and what is recorded of it is so. Its runs take long, so that tests share them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { behaviourPath, inventoryPath } from '../checking/behaviour.ts';
import { check, type Dialect, lastOf, type RunResult } from '../index.ts';
import { referenceTexts } from './observe-behaviour.ts';

const runs = new Map<string, Promise<RunResult>>();

function wholeRun(kind: 'embedded' | 'in-process', dialect: Dialect): Promise<RunResult> {
  const name = `${kind} ${dialect}`;
  const run = runs.get(name) ?? lastOf(check({ target: { kind }, dialect }));
  runs.set(name, run);
  return run;
}

for (const kind of ['embedded', 'in-process'] as const) {
  test(`the ${kind} reference CSE does what the interface says`, async () => {
    const { exit, scenarios, summary } = await wholeRun(kind, 'documented');
    const odd = scenarios.filter(({ state }) => !['passed', 'not testable', 'not applicable'].includes(state));
    assert.deepEqual([odd.map(({ id }) => id), exit.code], [[], 0], exit.reason);
    assert(summary.verdicts.satisfied > 0);
    const cleanUps = scenarios.flatMap(({ steps }) => steps.filter(({ phase }) => phase === 'cleanup'));
    assert(cleanUps.some(({ exchange }) => exchange?.request.method === 'GET'));
    assert.deepEqual(
      scenarios.flatMap(({ leftBehind }) => leftBehind),
      [],
    );
  });
}

test('the reference CSE does what the standard says', async () => {
  const { exit, scenarios, summary } = await wholeRun('embedded', 'onem2m');
  const failed = scenarios.filter(({ state }) => state === 'failed' || state === 'fault').map(({ id }) => id);
  assert.deepEqual([failed, summary.verdicts.violated], [[], 0], exit.reason);
  assert(summary.verdicts.satisfied > 500);
  assert.deepEqual(
    scenarios.flatMap(({ leftBehind }) => leftBehind),
    [],
  );
});

test('what is written of the reference CSE, and of what rules look at, is so; write-behaviour.ts writes it anew', async () => {
  const { behaviour, inventory } = await referenceTexts(wholeRun);
  assert.deepEqual(JSON.parse(behaviour), JSON.parse(readFileSync(behaviourPath, 'utf8')));
  assert.deepEqual(JSON.parse(inventory), JSON.parse(readFileSync(inventoryPath, 'utf8')));
});
