import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deviation } from '../../sim/index.ts';
import { UsageError } from '../engine/basics/diagnostics.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { exitOf } from './kill-table.ts';
import { type MutantsOptions, mutants } from './mutants.ts';
import { chooseDeviations } from './scoring/scope.ts';
import type { KillTable } from './scoring/tables.ts';

const odd = new URL('./testing/odd-worker.ts', import.meta.url);
const deviation = (id: string, violates = 'latest.newest', also?: readonly string[]): Deviation => ({
  ...{ id, violates, says: `It ${id}.` },
  ...(also && { also }),
});

async function tableOf(options: MutantsOptions): Promise<KillTable> {
  return lastOf(mutants({ workers: 1, ...options }));
}

const verdictsIn = ({ rows }: KillTable) => rows.map(({ deviation, verdict }) => [deviation.id, verdict]);

test('a worker that dies, hangs or fails is reported as such, never as a kill, and a new one does the rest', async () => {
  const deviations = ['dies', 'sees it', 'is killed', 'hangs', 'spins', 'throws', 'sees nothing'].map((id) =>
    deviation(id),
  );
  const table = await tableOf({ deviations, worker: odd, limit: 3000 });
  assert.deepEqual(verdictsIn(table), [
    ['dies', 'not judged'],
    ['sees it', 'identified'],
    ['is killed', 'not judged'],
    ['hangs', 'not judged'],
    ['spins', 'not judged'],
    ['throws', 'not judged'],
    ['sees nothing', 'not killed'],
  ]);
  assert.deepEqual(
    table.rows.flatMap(({ reason }) => reason ?? []),
    [
      'the worker died: the process ended with 7',
      'the worker died: the process ended by SIGKILL',
      'the worker hung: no answer within 3 s',
      'the worker hung: no answer within 3 s',
      'the harness failed: no such thing',
    ],
  );
  assert.deepEqual([table.totals.killed, table.totals.verdicts['not judged'], exitOf(table)], [1, 5, 1]);
});

test('a deviation is identified by its own requirement, and collateral is what is neither that nor implied by it', async () => {
  const deviations = [
    deviation('sees it'),
    deviation('sees another'),
    deviation('sees both'),
    { ...deviation('sees both', 'latest.newest', ['container.create.status']), says: 'It sees both, as it must.' },
    deviation('runs nothing'),
    deviation('is in trouble'),
  ];
  const { rows, totals } = await tableOf({ deviations, worker: odd });
  assert.deepEqual(
    rows.map(({ verdict, collateral }) => [verdict, ...collateral]),
    [
      ['identified'],
      ['killed', 'ae.aei'],
      ['identified', 'container.create.status'],
      ['identified'],
      ['not judged'],
      ['not judged'],
    ],
  );
  assert.deepEqual(
    rows[2]?.violations.map(({ requirement }) => requirement),
    ['latest.newest', 'container.create.status'],
  );
  assert.equal(rows[5]?.reason, 'one (and 1 more)');
  assert.deepEqual([totals.killed, totals.withCollateral], [4, 2]);
});

test('an equivalent deviation is reported with its reason, and is no failure; if it is seen after all, that is said', async () => {
  const equivalent = 'The same octets are written.';
  const deviations = [
    { ...deviation('sees nothing'), equivalent },
    { ...deviation('sees it'), equivalent },
    { ...deviation('dies'), equivalent },
  ];
  const table = await tableOf({ deviations, worker: odd });
  assert.deepEqual(
    table.rows.map(({ verdict, reason }) => [verdict, reason]),
    [
      ['equivalent', undefined],
      ['identified', `it is declared equivalent: ${equivalent}`],
      ['not judged', 'the worker died: the process ended with 7'],
    ],
  );
  assert.deepEqual([table.totals.killed, exitOf(table)], [1, 1]);
  assert.equal(exitOf(await tableOf({ deviations: deviations.slice(0, 2), worker: odd })), 0);
});

test('what only sequences show is no row unless it is named, and is listed apart', async () => {
  const deviations = [deviation('sees it'), { ...deviation('sees nothing'), sequencesOnly: true } as const];
  const table = await tableOf({ deviations, worker: odd });
  assert.deepEqual([verdictsIn(table), table.leftToGenerators], [[['sees it', 'identified']], deviations.slice(1)]);
  const named = await tableOf({ deviations, worker: odd, ids: ['sees nothing'] });
  assert.deepEqual([verdictsIn(named), named.leftToGenerators], [[['sees nothing', 'not killed']], []]);
});

test('a worker is kept for what comes next; several work at the same time', async () => {
  const deviations = Array.from({ length: 6 }, () => deviation('says its pid'));
  const pids = (table: KillTable) => new Set(table.rows.map(({ scenarios }) => scenarios)).size;
  assert.equal(pids(await tableOf({ deviations, worker: odd })), 1);
  assert.equal(pids(await tableOf({ deviations, worker: odd, workers: 2 })), 2);
});

test('work that is interrupted ends at once, with what is there', async () => {
  const interrupt = new AbortController();
  const events = mutants({
    deviations: [deviation('sees it'), deviation('spins')],
    worker: odd,
    workers: 1,
    signal: interrupt.signal,
  });
  const first = await events.next();
  interrupt.abort();
  const last = await events.next();
  assert.deepEqual([first.done, last.done], [false, true]);
  const table = last.value as KillTable;
  assert.deepEqual([table.rows.length, table.interrupted, exitOf(table)], [1, true, 130]);
});

const some = [
  deviation('a.one', 'ae.aei'),
  deviation('a.two', 'ae.create.status'),
  deviation('b.one', 'container.cni.counts'),
];
const chosen = (...args: Parameters<typeof chooseDeviations>) => chooseDeviations(...args).map(({ id }) => id);

test('deviations are chosen by their ids, by what they break, or by the beginning of either', () => {
  assert.deepEqual(chosen(some, {}), ['a.one', 'a.two', 'b.one']);
  assert.deepEqual(chosen(some, { requirements: ['ae'] }), ['a.one', 'a.two']);
  assert.deepEqual(chosen(some, { ids: ['a.two'], requirements: ['container'] }), ['a.two', 'b.one']);
  assert.throws(() => chooseDeviations(some, { ids: ['a.twoo'] }), UsageError);
  assert.throws(() => chooseDeviations(some, { requirements: ['a'] }), /no deviation breaks a requirement called "a"/);
});

test('a sample is the same each time, whatever the order, and takes first what it has to', () => {
  const many = Array.from({ length: 50 }, (_, index) => deviation(`f.${index}`));
  const ten = chosen(many, { sample: { size: 10 } });
  assert.equal(ten.length, 10);
  assert.deepEqual(chosen(many.toReversed(), { sample: { size: 10 } }).toReversed(), ten);
  const first = new Set(
    many
      .map(({ id }) => id)
      .filter((id) => !ten.includes(id))
      .slice(0, 3),
  );
  const changed = chosen(many, { sample: { size: 10, first } });
  assert.deepEqual(
    [...first].filter((id) => !changed.includes(id)),
    [],
  );
  assert.equal(changed.filter((id) => ten.includes(id)).length, 7);
});

test('a deviation of which the catalogue does not know what it violates is refused', async () => {
  await assert.rejects(
    tableOf({ deviations: [deviation('sees it', 'ae.aie')], worker: odd }),
    /"ae\.aie", which is no requirement; did you mean "ae\.aei"/,
  );
});
