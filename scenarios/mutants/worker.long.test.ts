/** The workers that judge the simulator with its deviations. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deviation } from '../../sim/index.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { exitOf } from './kill-table.ts';
import { mutants } from './mutants.ts';
import type { KillTable } from './scoring/tables.ts';

const deviation = (id: string, violates: string): Deviation => ({ id, violates, says: `It ${id}.` });
const tableOf = (deviations: readonly Deviation[]): Promise<KillTable> =>
  lastOf(mutants({ workers: 1, deviations: deviations }));

test('the simulator with a deviation is checked in its own process: identified, with collateral, and not killed by what looks elsewhere', async () => {
  const deviations = [
    deviation('container.create.status.200', 'container.create.status'),
    deviation('std.notification.creator.host', 'std.notification.creator'),
    deviation('latest.oldest', 'ae.aei'),
  ];
  const table = await tableOf(deviations);
  assert.deepEqual(
    table.rows.map(({ verdict, collateral }) => [verdict, ...collateral]),
    [['identified'], ['identified', 'std.notification.creator.told'], ['not killed']],
  );
  assert.ok(table.rows.every(({ scenarios, possible }) => scenarios > 0 && scenarios < possible));
  assert.equal(table.rows[0]?.violations[0]?.requirement, 'container.create.status');
  assert.deepEqual([table.known, table.chosen, exitOf(table)], [3, 3, 1]);
});

test('a gateway that never registers is checked by the installations that do not need it to', async () => {
  const table = await tableOf([deviation('registration.not-sent', 'registration.plugin')]);
  assert.deepEqual(
    table.rows.map(({ verdict }) => verdict),
    ['identified'],
  );
});
