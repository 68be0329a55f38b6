import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { referenceTexts } from '../reference/see-behaviour.ts';
import { wholeRun } from '../testing/whole-run.ts';
import { behaviourPath, inventoryPath } from './behaviour.ts';

test('what is written of the reference CSE, and of what rules look at, is so; write-behaviour.ts writes it anew', async () => {
  const { behaviour, inventory } = await referenceTexts(wholeRun);
  assert.deepEqual(JSON.parse(behaviour), JSON.parse(readFileSync(behaviourPath, 'utf8')));
  assert.deepEqual(JSON.parse(inventory), JSON.parse(readFileSync(inventoryPath, 'utf8')));
});
