import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deviation } from '../../../sim/index.ts';
import { lastOf } from '../../engine/running/last-of.ts';
import { deviationsToFind, type GeneratedOptions, generated } from '../mutants.ts';
import type { GeneratedTable } from '../scoring/tables.ts';
import { exitOfGenerated } from './generated-table.ts';
import { replay, searchFor } from './search-task.ts';

const worker = new URL('../testing/odd-hunter.ts', import.meta.url);

function deviation(id: string, violates = 'latest.newest'): Deviation {
  return { id, violates, says: 'It is wrong.', sequencesOnly: true };
}

async function tableOf(options: GeneratedOptions): Promise<GeneratedTable> {
  return lastOf(generated(options));
}

test('found is what fails alone with the deviation and passes without; named is what cites the requirement that is broken', async () => {
  const ids = [
    'finds it',
    'finds another',
    'finds it once',
    'finds it everywhere',
    'finds nothing',
    'is in trouble',
    'dies',
  ];
  const table = await tableOf({ deviations: ids.map((id) => deviation(id)), worker });
  assert.deepEqual(
    table.rows.map(({ deviation: { id }, verdict, identified }) => [id, verdict, identified]),
    [
      ['finds it', 'found', true],
      ['finds another', 'found', false],
      ['finds it once', 'not confirmed', true],
      ['finds it everywhere', 'not confirmed', true],
      ['finds nothing', 'not found', false],
      ['is in trouble', 'not judged', false],
      ['dies', 'not judged', false],
    ],
  );
  assert.deepEqual(table.totals.medians, { sequences: 7, requests: 70, searched: 7, steps: 2 });
  assert.equal(table.totals.identified, 1);
  assert.equal(exitOfGenerated(table), 1);
  assert.equal(exitOfGenerated(await tableOf({ deviations: [deviation('finds it')], worker })), 0);
});

test('a deviation is looked for in the dialect of what it breaks, and through another CSE where it is about a pair', async () => {
  const deviations = [
    deviation('says what it was sent'),
    deviation('says what it was sent', 'std.group.create'),
    deviation('pair.says what it was sent'),
  ];
  const { rows } = await tableOf({ deviations: deviations, worker, seed: 5, runs: 9 });
  // Told as they come to their end.
  const reasons = rows.map(({ reason }) => reason);
  assert.deepEqual(reasons.toSorted(), ['documented false 5 9', 'onem2m false 5 9', 'true']);
});

test('when nothing is named those deviations are looked for that only sequences show', async () => {
  const deviations = [
    deviation('a'),
    { id: 'b', violates: 'ae.aei', says: '' },
    { ...deviation('stateful.c'), sequencesOnly: undefined },
  ];
  const idsOf = async (options: GeneratedOptions) => (await deviationsToFind(options)).map(({ id }) => id);
  assert.deepEqual(await idsOf({ deviations: deviations as Deviation[] }), ['a', 'stateful.c']);
  assert.deepEqual(await idsOf({ deviations: deviations as Deviation[], ids: ['b'] }), ['b']);
  await assert.rejects(deviationsToFind({ ids: ['no.such.fault'] }), { name: 'UsageError' });
});

const sequential = { dialect: 'documented', pair: false, level: 'documented', seed: 1 } as const;

test('a deviation that shows only to several who ask at the same time is looked for by several', async () => {
  const known = deviation('stateful.race.counted-once', 'container.cni.counts');
  const { counterexample } = await searchFor({ ...sequential, deviation: known, originators: 3, runs: 300 });
  assert.equal(counterexample?.requirement, known.violates);
  assert.deepEqual([counterexample?.failsThere, counterexample?.passesElsewhere], [true, true]);
  const { rows } = await tableOf({ deviations: [deviation('stateful.race.x'), deviation('stateful.x')], worker });
  assert.deepEqual(
    new Map(rows.map((row) => [row.deviation.id, row.originators])),
    new Map([
      ['stateful.race.x', 3],
      ['stateful.x', undefined],
    ]),
  );
});

test('a deviation of the simulator is found by sequences, and the scenario that comes of it tells the CSEs apart', async () => {
  const known = deviation('container.cbs.stays-zero', 'container.cbs.counts');
  const { counterexample } = await searchFor({ ...sequential, deviation: known, runs: 50 });
  assert.equal(counterexample?.requirement, known.violates);
  assert.deepEqual([counterexample?.failsThere, counterexample?.passesElsewhere], [true, true]);
  const place = { deviations: [], dialect: 'documented', pair: false } as const;
  assert.equal(await replay('feature: Nothing\nscenarios: {}\n', known.violates, place).catch(() => 'other'), 'other');
});
