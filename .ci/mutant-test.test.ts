import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { runBody } from './mutant-test.ts';

test('a test that judges mutants may compute for long, but not wait for what never comes', async () => {
  const later: string[] = [];
  await runBody(async ({ after }) => {
    after(() => later.push('after'));
    const end = performance.now() + 100;
    while (performance.now() < end) await setImmediate();
    later.push('computed');
  }, 50);
  assert.deepEqual(later, ['computed', 'after']);
  await assert.rejects(
    runBody(() => new Promise(() => undefined), 50),
    /waited too long/,
  );
});
