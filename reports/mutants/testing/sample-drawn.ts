/** For tests: what was seen of deviations that were drawn, with one row of each verdict, and with what could do harm on a page or a terminal. */
import { type DrawnRow, type DrawnTable, drawnSettingsOf, drawnTableOf } from '../../../scenarios/index.ts';

const witness = {
  requests: ['create onem2m by Cone {"m2m:cnt":{"rn":"n1"}}', 'retrieve onem2m/n1 by Cone'],
  sound: `2000 {"m2m:cnt":{"rn":"n1","lbl":[${'"label",'.repeat(30)}"x"],"cni":0}}`,
  deviating: `2000 {"m2m:cnt":{"rn":"n1","lbl":[${'"label",'.repeat(30)}"x"],"cni":1}}`,
};

function violation(requirement: string, actual: string) {
  return { requirement, scenario: 'documented/container/attributes', expected: ['cni is 0', 'cni is absent'], actual };
}

function row(number: number, says: string, more: Partial<DrawnRow>): DrawnRow {
  const deviation = { when: { type: 'm2m:cnt', operation: 'retrieve' }, does: { add: 1, to: 'cni' } } as const;
  const nothing = { violations: [], collateral: [], identified: 0, took: 2_345.5 };
  return { number, drawn: { deviations: [deviation] }, says, witness, verdict: 'not seen', ...nothing, ...more };
}

const rows: readonly DrawnRow[] = [
  row(0, 'm2m:cnt, retrieve: add 1, to cni', {
    ...{ verdict: 'identified', by: 'check', identified: 1, collateral: ['latest.newest'] },
    violations: [violation('container.cni', 'cni is 1'), violation('latest.newest', 'status 404')],
  }),
  row(2, 'm2m:cnt, create: drop cni', {
    ...{ verdict: 'identified', by: 'check', identified: 1, violations: [violation('container.cni', 'cni is absent')] },
  }),
  row(3, 'm2m:cin: borrow <b>con</b>', {
    ...{ verdict: 'seen', by: 'explore', collateral: ['latest.newest'] },
    violations: [violation('latest.newest', '<script>alert(1)</script>\u001b[31m\u202e')],
    explored: { sequences: 12, steps: ['create container in /${base}', 'retrieve /${base}/a'] },
  }),
  row(5, 'm2m:cnt, retrieve by another originator: stop cni, at 50', { explored: { sequences: 200 } }),
  row(6, 'm2m:ae: drop api', { verdict: 'not judged', reason: 'the worker died: the process ended with 7', took: 0 }),
];

export const sampleDrawn: DrawnTable = drawnTableOf(
  drawnSettingsOf({ of: 'deviations', dialect: 'documented', seed: 7, count: 5, inPairs: false, runs: 200 }),
  { startedAt: '2027-01-02T03:04:05.678Z', took: 61_234, drawn: 9, kept: 2 },
  rows,
);
