import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { behaviourPath } from './behaviour.ts';
import { behaviourText } from './see-behaviour.ts';

test('what is written of the reference CSE is what it does; write-behaviour.ts writes it anew', async () => {
  assert.deepEqual(JSON.parse(await behaviourText()), JSON.parse(readFileSync(behaviourPath, 'utf8')));
});
