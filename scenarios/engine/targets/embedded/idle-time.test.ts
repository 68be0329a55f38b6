import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadScenarios } from '../../files/load.ts';
import { plan } from '../../files/plan.ts';
import { lastOf } from '../../running/last-of.ts';
import { run } from '../../running/run.ts';
import { openEmbedded } from './open-embedded.ts';

test('in process nobody waits for a timer, so that nothing can be late', { timeout: 120_000 }, async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const choice = {
    ids: ['standard/polling-channel', 'standard/polling-channel-notifications'],
    dialect: 'onem2m',
  } as const;
  const open = (startedAt: number) =>
    openEmbedded({ kind: 'in-process', dialect: 'onem2m', connections: 8, timeout: 10_000, startedAt });
  const { exit, scenarios } = await lastOf(run(plan(loadScenarios(), choice), open, { jobs: 8 }));
  const answered = (status: number) =>
    scenarios.flatMap(({ steps }) => steps).filter(({ exchange }) => exchange?.answer?.status === status).length;
  assert.equal(exit.code, 0);
  // What nothing comes for ends by the time of the CSE.
  assert.equal(answered(504), 1);
});
