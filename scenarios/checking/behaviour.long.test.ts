import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createCse, serveHttp } from '../../sim/index.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { referenceTexts } from '../reference/see-behaviour.ts';
import { wholeRun } from '../testing/whole-run.ts';
import { behaviourPath, inventoryPath } from './behaviour.ts';
import { check } from './check.ts';

test('what is written of the reference CSE, and of what rules look at, is so; write-behaviour.ts writes it anew', async () => {
  const { behaviour, inventory } = await referenceTexts(wholeRun);
  assert.deepEqual(JSON.parse(behaviour), JSON.parse(readFileSync(behaviourPath, 'utf8')));
  assert.deepEqual(JSON.parse(inventory), JSON.parse(readFileSync(inventoryPath, 'utf8')));
});

test('to an update that is not answered nobody has agreed', async (t) => {
  const { http } = createCse({ dialect: 'onem2m', base: 'cse-in', requireAuth: true, admin: 'CAdmin' });
  const handle: typeof http.handle = (request) =>
    request.method === 'PUT' ? new Promise(() => {}) : http.handle(request);
  const { url, close } = await serveHttp({ ...http, refuse: (error) => http.refuse(error), handle }, { port: 0 });
  t.after(close);
  const target = { kind: 'url', url, admin: 'CAdmin', waitForTarget: 0 } as const;
  const options = { dialect: 'onem2m', ids: ['standard/blocking-update/agreed'], timeout: 500, again: false } as const;
  const { scenarios } = await lastOf(check({ target, ...options }));
  const states = scenarios[0]?.steps.flatMap(({ checks }) =>
    checks.map(({ requirement, state }) => [requirement, state]),
  );
  assert.deepEqual(
    states?.filter(([, state]) => state !== 'passed'),
    [
      ['std.blocking-update.agreed', 'failed'],
      ['std.blocking-update.done', 'not testable'],
    ],
  );
});
