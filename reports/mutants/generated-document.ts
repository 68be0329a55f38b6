/** The findings of the generators alone. */

import {
  exitOfGenerated,
  type GeneratedRow,
  type GeneratedTable,
  type GeneratedVerdict,
  generatedVerdicts,
} from '../../scenarios/words.ts';
import { type Content, code, type Document, type Fold, facts, fold, muted, only, steps } from '../document/model.ts';
import { counted, durationText, percent } from '../facts/wording.ts';
import { type CountStyle, prefix, scoreDocument } from './score.ts';

const looks: Readonly<Record<GeneratedVerdict, CountStyle>> = {
  found: {
    ...{ mark: '✓', tone: 'good' },
    says: 'found: the counterexample fails alone with the deviation, and passes on the sound CSE',
  },
  'not confirmed': {
    ...{ mark: '△', tone: 'open' },
    says: 'not confirmed: the counterexample does not show it alone',
  },
  'not found': { mark: '✗', tone: 'bad', says: 'not found' },
  'not judged': {
    ...{ mark: '!', tone: 'fault' },
    says: 'not judged: the worker died or hung, or the search did not come to its end',
  },
};

export function generatedDocument(table: GeneratedTable): Document {
  const { rows, totals, startedAt } = table;
  const { verdicts, medians } = totals;
  const short = medians === undefined ? '' : `, the median counterexample in ${counted(medians.steps, 'request')}`;
  const found = `${percent(verdicts.found, rows.length)} found by generators alone${short}`;
  return scoreDocument({
    name: 'Generators',
    kind: 'cselab, what generators find alone',
    headline: `${prefix(table)}${counted(rows.length, 'deviation')}: ${found}`,
    tone: ({ 0: 'good', 1: 'bad', 130: 'open' } as const)[exitOfGenerated(table)],
    lead: searchText(table),
    startedAt,
    counts: {
      ...{ title: 'Found by generators alone', verdicts: generatedVerdicts, looks, totals: verdicts },
      always: ['not found'],
    },
    search: ['deviations, requirements and requests', 'deviations, requirements, requests'],
    rows,
    remarkable: rows.filter(({ verdict, identified }) => verdict !== 'found' || !identified),
    restText: ['deviation', 'found and identified'],
    views: ['remarkable', 'deviations', 'All deviations'],
    rowBlocks: (visible, isAnchored) => visible.map((row) => rowFold(row, isAnchored && row.deviation.id)),
  });
}

/** What was done. */
function searchText({ totals, runs, seed, took, workers }: GeneratedTable): string[] {
  const { verdicts, identified, medians } = totals;
  return [
    `Up to ${counted(runs, 'sequence')} for each deviation, seed ${seed}; ${durationText(took)} with ${counted(workers, 'worker')}.`,
    medians && `${percent(identified, verdicts.found)} of the counterexamples cite what the deviation violates.`,
    medians &&
      `The median deviation is found in sequence ${medians.sequences.toLocaleString('en')}, after ${counted(medians.requests, 'request')} and ${durationText(medians.searched)}.`,
  ].filter((sentence) => sentence !== undefined);
}

function rowFold(row: GeneratedRow, anchor: string | false): Fold {
  const { deviation, verdict, identified, level, counterexample, reason, dialect, pair, originators, searched } = row;
  const doubt = objectionText(counterexample) ?? reason;
  const otherwise = verdict === 'found' && !identified ? 'by another requirement, ' : '';
  const by = originators === undefined ? '' : `, asked by ${originators} originators at the same time`;
  const look = {
    ...{ level, state: verdict, ...looks[verdict], anchor, note: `${otherwise}${effortText(row)}` },
    aside: counterexample === undefined ? durationText(searched) : counted(counterexample.steps.length, 'request'),
  };
  return fold(deviation.id, deviation.says, look, [
    facts(['breaks', deviation.violates], doubt !== undefined && ['but', doubt]),
    only('page', muted(`${effortText(row)}, in the dialect ${dialect}${pair ? ', of a pair of CSEs' : ''}${by}.`)),
    counterexample === undefined ? only('page', 'No counterexample was found.') : foundBlocks(counterexample),
  ]);
}

type FoundExample = NonNullable<GeneratedRow['counterexample']>;

function foundBlocks(counterexample: FoundExample): Content {
  const { requirement, expected, actual, operations, attempts, scenario } = counterexample;
  const length = `${counted(operations.found, 'operation')} at first, ${operations.left} after ${counted(attempts, 'attempt')}.`;
  return [
    facts(['cites', requirement], ['expected', expected], ['actual', { text: actual, tone: 'bad' }]),
    steps(counterexample.steps),
    only('page', muted(length), code('As a scenario', scenario)),
  ];
}

/** The effort of the search, such as `sequence 4, 118 requests, 35 ms`. */
function effortText({ verdict, sequences, requests, searched }: GeneratedRow): string {
  const isCaught = verdict === 'found' || verdict === 'not confirmed';
  const times = isCaught ? `sequence ${sequences.toLocaleString('en')}` : counted(sequences, 'sequence');
  return `${times}, ${counted(requests, 'request')}, ${durationText(searched)}`;
}

/** Why a counterexample does not count; undefined if it does. */
function objectionText(counterexample: FoundExample | undefined): string | undefined {
  if (counterexample === undefined || (counterexample.failsThere && counterexample.passesElsewhere)) return undefined;
  const what = counterexample.failsThere ? 'pass on the sound CSE' : 'fail on the CSE with the deviation';
  return `as a scenario by itself it does not ${what}`;
}
