/** What the generators alone find. */
import {
  exitOfGenerated,
  type GeneratedRow,
  type GeneratedTable,
  type GeneratedVerdict,
  generatedVerdicts,
} from '../../scenarios/index.ts';
import {
  type Content,
  countsOf,
  type Document,
  type Fold,
  facts,
  hidden,
  type Look,
  muted,
  only,
  steps,
} from '../document/model.ts';
import { counted, durationText, percent, timeText } from '../wording.ts';

const looks: Readonly<Record<GeneratedVerdict, Look>> = {
  found: {
    ...{ mark: '✓', tone: 'good' },
    says: 'found: the counterexample fails alone with the fault, and passes on the sound CSE',
  },
  'not confirmed': {
    ...{ mark: '△', tone: 'open' },
    says: 'not confirmed: there is a counterexample of which that does not hold',
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
  const headline = `${table.interrupted ? 'Interrupted: ' : ''}${counted(rows.length, 'fault')}: ${percent(verdicts.found, rows.length)} found by generators alone${short}`;
  const remarkable = rows.filter(({ verdict, named }) => verdict !== 'found' || !named);
  return {
    ...{ title: `Generators: ${headline}`, kind: 'cselab, what generators find alone', headline },
    tone: ({ 0: 'good', 1: 'bad', 130: 'open' } as const)[exitOfGenerated(table)],
    lead: huntText(table),
    facts: [['Started', timeText(startedAt)]],
    counts: {
      ...{ title: 'Found by generators alone', of: rows.length },
      each: countsOf(generatedVerdicts, looks, verdicts, (verdict) => verdict === 'not found'),
    },
    search: { label: 'Search faults, requirements and requests', hint: 'Search faults, requirements, requests' },
    views: [
      {
        ...{ key: 'remarkable', title: 'To look at', on: 'brief', count: remarkable.length },
        content: [
          remarkable.map((row) => rowFold(row, false)),
          hidden(rows.length - remarkable.length, 'fault', 'found and named'),
        ],
      },
      {
        ...{ key: 'faults', title: 'All faults', on: 'verbose', count: rows.length },
        content: rows.map((row) => rowFold(row, row.fault.id)),
      },
    ],
  };
}

/** What was done. */
function huntText({ totals, runs, seed, took, workers }: GeneratedTable): string[] {
  const { verdicts, named, medians } = totals;
  return [
    `Up to ${counted(runs, 'sequence')} for each fault, seed ${seed}; ${durationText(took)} with ${counted(workers, 'worker')}.`,
    ...(medians === undefined
      ? []
      : [
          `${percent(named, verdicts.found)} of the counterexamples cite what the fault violates.`,
          `The median fault is found in sequence ${medians.sequences.toLocaleString('en')}, after ${counted(medians.requests, 'request')} and ${durationText(medians.searched)}.`,
        ]),
  ];
}

function rowFold(row: GeneratedRow, anchor: string | false): Fold {
  const { fault, verdict, named, level, trophy, reason, dialect, pair, originators, searched } = row;
  const doubt = doubtText(trophy) ?? reason;
  const otherwise = verdict === 'found' && !named ? 'by another requirement, ' : '';
  const asked = originators === undefined ? '' : `, asked by ${originators} originators at the same time`;
  return {
    ...{ kind: 'fold', id: fault.id, level, state: verdict, ...looks[verdict], says: fault.says, anchor },
    note: `${otherwise}${effortText(row)}`,
    aside: trophy === undefined ? durationText(searched) : counted(trophy.steps.length, 'request'),
    texts: [fault.violates, trophy?.requirement ?? '', trophy?.actual ?? '', ...(trophy?.steps ?? [])],
    content: [
      facts(['breaks', fault.violates], doubt !== undefined && ['but', doubt]),
      only('page', muted(`${effortText(row)}, in the dialect ${dialect}${pair ? ', of a pair of CSEs' : ''}${asked}.`)),
      trophy === undefined ? only('page', 'No counterexample was found.') : trophyTold(trophy),
    ],
  };
}

type Trophy = NonNullable<GeneratedRow['trophy']>;

function trophyTold(trophy: Trophy): Content {
  const { requirement, expected, actual, operations, attempts } = trophy;
  return [
    facts(['cites', requirement], ['expected', expected], ['actual', { text: actual, tone: 'bad' }]),
    steps(trophy.steps),
    only(
      'page',
      muted(
        `${counted(operations.found, 'operation')} at first, ${operations.left} after ${counted(attempts, 'attempt')}.`,
      ),
      { kind: 'code', label: 'As a scenario', text: trophy.scenario },
    ),
  ];
}

/** How it was looked for, such as `sequence 4, 118 requests, 35 ms`. */
function effortText({ verdict, sequences, requests, searched }: GeneratedRow): string {
  const isCaught = verdict === 'found' || verdict === 'not confirmed';
  const times = isCaught ? `sequence ${sequences.toLocaleString('en')}` : counted(sequences, 'sequence');
  return `${times}, ${counted(requests, 'request')}, ${durationText(searched)}`;
}

/** Why a counterexample does not count; undefined where it does. */
function doubtText(trophy: Trophy | undefined): string | undefined {
  if (trophy === undefined || (trophy.failsThere && trophy.passesElsewhere)) return undefined;
  const what = trophy.failsThere ? 'pass on the sound CSE' : 'fail on the CSE with the fault';
  return `as a scenario by itself it does not ${what}`;
}
