/** For tests: what generators made of deviations, with one row of each verdict, and with what could do harm on a page or a terminal. */
import { type GeneratedRow, type GeneratedTable, generatedTotalsOf } from '../../../scenarios/words.ts';

type FoundExample = NonNullable<GeneratedRow['counterexample']>;

function exampleOf(requirement: string, more: Partial<FoundExample> = {}): FoundExample {
  return {
    ...{ requirement, path: '3:0:1', expected: 'status 201', actual: 'status 500', attempts: 21, smallest: true },
    steps: ['create AE in /${base}', 'create container in /${base}/a', 'retrieve /${base}/a'],
    ...{
      operations: { found: 30, left: 3 },
      scenario: 'feature: Counterexample\n',
      failsThere: true,
      passesElsewhere: true,
    },
    ...more,
  };
}

function row(id: string, violates: string, more: Partial<GeneratedRow>): GeneratedRow {
  return {
    deviation: { id, violates, says: `What ${id} does.`, sequencesOnly: true },
    ...{ level: 'documented', dialect: 'documented', pair: false, verdict: 'found', identified: true },
    ...{ sequences: 4, requests: 118, searched: 35.5, took: 412.25 },
    ...more,
  };
}

const rows: readonly GeneratedRow[] = [
  row('stateful.counts', 'container.cni.counts', { counterexample: exampleOf('container.cni.counts') }),
  row('stateful.loud', 'ae.create.status', {
    ...{ identified: false, pair: true },
    counterexample: exampleOf('ae.rr', { actual: '<script>alert(1)</script>\u001b[31m\u202e' }),
  }),
  row('stateful.moody', 'latest.newest', {
    ...{ verdict: 'not confirmed' },
    counterexample: exampleOf('latest.newest', { failsThere: false }),
  }),
  row('stateful.quiet', 'std.group.create', {
    ...{
      level: 'standard',
      dialect: 'onem2m',
      verdict: 'not found',
      identified: false,
      sequences: 2000,
      requests: 61_234,
    },
  }),
  row('stateful.deadly', 'latest.newest', {
    ...{ verdict: 'not judged', identified: false, sequences: 0, requests: 0, searched: 0, took: 0 },
    reason: 'the worker died: the process ended with 7',
  }),
];

export const sampleGenerated: GeneratedTable = {
  ...{ startedAt: '2027-01-02T03:04:05.678Z', took: 61_234, workers: 2, seed: 1, runs: 2000, chosen: 5 },
  ...{ interrupted: false, totals: generatedTotalsOf(rows), rows },
};
