/** For tests: a kill table with one deviation of each verdict, two of them with collateral, and with what could do harm on a page or a terminal. */
import { type KillRow, type KillTable, totalsOf, type Violation } from '../../../scenarios/words.ts';

const violation = (requirement: string, actual = 'status 500'): Violation => ({
  ...{ requirement, scenario: 'documented/ae/registers', expected: ['status 201'], actual },
});

function row(id: string, violates: string, more: Partial<KillRow>, equivalent?: string): KillRow {
  return {
    deviation: { id, violates, says: `What ${id} does.`, ...(equivalent !== undefined && { equivalent }) },
    ...{ level: 'documented', dialect: 'documented', verdict: 'identified' },
    ...{ violations: [], collateral: [], scenarios: 3, possible: 400, took: 120.5 },
    ...more,
  };
}

const rows: readonly KillRow[] = [
  row('ae.aei.missing', 'ae.aei', { violations: [violation('ae.aei', 'attribute aei is absent')] }),
  row('ae.loud', 'ae.create.status', {
    violations: [violation('ae.create.status'), violation('ae.rr', '<script>alert(1)</script>\u001b[31m\u202e')],
    collateral: ['ae.rr'],
  }),
  row('std.group.odd', 'std.group.create', {
    ...{ level: 'standard', dialect: 'onem2m', verdict: 'killed', collateral: ['std.group.mt'] },
    violations: [violation('std.group.mt')],
  }),
  row('latest.quiet', 'latest.newest', { verdict: 'not killed' }),
  row('latest.deadly', 'latest.newest', {
    ...{ verdict: 'not judged', scenarios: 0, took: 0 },
    reason: 'the worker died: the process ended with 7',
  }),
  row('latest.unseen', 'latest.newest', { verdict: 'equivalent' }, 'Nothing of it reaches <a client>.'),
];

export const sampleTable: KillTable = {
  ...{ startedAt: '2027-01-02T03:04:05.678Z', took: 61_234, workers: 2, breadth: { kind: 'narrow', others: 2 } },
  ...{ known: 9, chosen: 6, interrupted: false, totals: totalsOf(rows), rows },
  leftToGenerators: [
    { id: 'stateful.later', violates: 'latest.newest', sequencesOnly: true, says: 'What <it> does later.' },
  ],
  levels: [
    { level: 'documented', testable: 114, unbroken: [] },
    { level: 'standard', testable: 862, unbroken: ['std.base-child.create', 'std.cbor.answer'] },
  ],
};
