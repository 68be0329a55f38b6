/** The scores of drawn deviations. */

import {
  type DrawnRow,
  type DrawnTable,
  type DrawnVerdict,
  drawnVerdicts,
  type Figure,
} from '../../scenarios/words.ts';
import { shortened } from '../document/markdown.ts';
import { type Content, type Document, type Fold, facts, fold, heading, only, steps } from '../document/model.ts';
import { counted, durationText, groupedBy, percent } from '../facts/wording.ts';
import { type CountStyle, prefix, scoreDocument, violationBlocks } from './score.ts';

const looks: Readonly<Record<DrawnVerdict, CountStyle>> = {
  identified: { mark: '✓', tone: 'good', says: 'identified: the first violation names what deviates' },
  seen: { mark: '△', tone: 'open', says: 'seen, by a violation of another thing first' },
  'not seen': { mark: '✗', tone: 'bad', says: 'not seen' },
  quiet: { mark: '✓', tone: 'good', says: 'quiet: nothing is reported' },
  'false alarm': { mark: '✗', tone: 'bad', says: 'false alarm' },
  'not judged': { mark: '!', tone: 'fault', says: 'not judged' },
};

/** The columns of figures. */
const columns: Readonly<Record<string, (figure: Figure) => number>> = {
  drawn: ({ rows }) => rows,
  check: ({ check }) => check,
  explore: ({ explore }) => explore,
  identified: ({ identified }) => identified,
  collateral: ({ collateral }) => collateral,
};

export function drawnDocument(table: DrawnTable): Document {
  const { of, rows, totals, figures, interrupted, inPairs } = table;
  const isBad = totals.verdicts['not seen'] + totals.verdicts['false alarm'] > 0;
  const verdicts = drawnVerdicts[of];
  return scoreDocument({
    name: 'Drawn',
    kind: `cselab, ${of} drawn by a seed`,
    headline: headlineOf(table),
    tone: interrupted ? 'open' : isBad ? 'bad' : 'good',
    lead: [...sentences(table), drawText(table)],
    startedAt: table.startedAt,
    counts: {
      title: `${of === 'deviations' ? 'Deviations' : 'Variations'} drawn${inPairs ? ', in pairs' : ''}`,
      ...{ verdicts, looks, totals: totals.verdicts, always: verdicts },
    },
    search: ['what was drawn, requirements and answers', 'draws, requirements, answers'],
    rows,
    remarkable: rows.filter(({ verdict }) => ['bad', 'fault'].includes(looks[verdict].tone)),
    restText: ['row', of === 'deviations' ? 'seen' : 'quiet'],
    views: ['bad', 'all', 'All drawn'],
    rowBlocks: (visible, isAnchored) => visible.map((row) => rowFold(row, isAnchored && `drawn-${row.number}`)),
    more: [{ key: 'figures', title: 'Figures', count: figures.length, isPlain: true, content: figureTables(table) }],
  });
}

function rowFold(row: DrawnRow, anchor: string | false): Fold {
  const { number, says, verdict, by, violations, collateral, explored, allowedBy = [], reason, took } = row;
  const others = collateral.filter((id) => id !== violations[0]?.requirement);
  const isExplored = by === 'explore';
  const look = {
    ...{ state: verdict, ...looks[verdict], anchor, note: isExplored ? exploredText(row) : undefined },
    aside: isExplored ? 'by explore' : durationText(took),
  };
  return fold(says, `draw ${number}`, look, [
    violationBlocks(violations, collateral),
    facts(
      others.length > 0 && ['beside', { text: others.join(', '), as: 'muted' }],
      !isExplored && explored !== undefined && ['explore', exploredText(row) ?? ''],
      verdict === 'false alarm' && allowedBy.length > 0 && ['allowed', ...allowedBy],
      reason !== undefined && ['why', reason],
    ),
    steps(explored?.steps),
    verdict === 'not seen' ? witnessBlocks(row) : only('page', witnessBlocks(row)),
  ]);
}

function witnessBlocks({ witness }: DrawnRow): Content {
  if (witness === undefined) return undefined;
  const [sound, deviating] = differenceOf(witness);
  return [
    only('page', heading('What shows it'), steps(witness.requests)),
    only('text', steps(witness.requests.map((one) => shortened(one, most)))),
    facts(['sound', sound], ['but', { text: deviating, tone: 'bad' }]),
  ];
}

/** Letters of an answer that are shown. */
const most = 160;

/** Both answers from shortly before their difference. */
function differenceOf({ sound, deviating }: NonNullable<DrawnRow['witness']>): readonly [string, string] {
  const letters = [...sound];
  const first = letters.findIndex((letter, at) => letter !== deviating[at]);
  const from = Math.max(0, (first === -1 ? letters.length : first) - 60);
  const part = (text: string) => shortened(from === 0 ? text : `…${text.slice(from)}`, most);
  return [part(sound), part(deviating)];
}

function figureTables({ of, figures }: DrawnTable): Content {
  const visible = Object.entries(columns).filter(([name]) => of === 'deviations' || name === 'drawn');
  const rowOf = (figure: Figure) => {
    return { id: figure.is, cells: visible.map(([, count]) => ({ text: `${count(figure)}` })) };
  };
  return [...groupedBy(figures, ({ by }) => by)].map(([by, own]) => ({
    ...{ kind: 'table', caption: `By ${by}`, columns: visible.map(([name]) => ({ name })) },
    groups: [{ rows: own.map(rowOf) }],
  }));
}

const worldWords = {
  ...{ tls: ' over TLS', pair: ' in a pair' },
  ...{ mqtt: ' over MQTT', ws: ' over WebSocket', coap: ' over CoAP' },
} as const;

/** The table in one line. */
function headlineOf(table: DrawnTable): string {
  const { of, inPairs, rows, totals, dialect, world, differs } = table;
  const number = rows.length;
  const place = `${dialect} dialect${world === undefined ? '' : worldWords[world]}`;
  if (of === 'variations') {
    const alarms = counted(totals.verdicts['false alarm'], 'false alarm');
    return `${prefix(table)}${alarms} at ${counted(number, 'permitted variation')} (${place})`;
  }
  const found = totals.check + totals.explore;
  const what = inPairs ? `${counted(number, 'pair')} of deviations` : counted(number, 'deviation');
  const only = differs === undefined ? '' : `${worldWords[differs]} only`;
  return `${prefix(table)}${found} of ${what} of the ${place}${only} seen (${percent(found, number)}), ${totals.verdicts.identified} identified`;
}

/** How many each detected, and what else was reported. */
function sentences({ of, inPairs, totals, runs, rows, differs }: DrawnTable): string[] {
  if (of === 'variations') return [];
  const { check, explore, verdicts, bothIdentified, collateral } = totals;
  const generated = runs === 0 ? '' : `, ${explore} more by explore in up to ${counted(runs, 'sequence')}`;
  return [
    `Seen by ${differs === undefined ? 'check' : 'scenarios at both'}: ${check}${generated}; ${verdicts['not seen']} survived.`,
    ...(inPairs
      ? [`Both deviations are named by some violation at ${bothIdentified} of ${counted(rows.length, 'pair')}.`]
      : []),
    `Collateral: ${counted(collateral.requirements, 'requirement')} at ${counted(collateral.rows, inPairs ? 'pair' : 'deviation')}, reported as violated though unrelated to the deviation.`,
  ];
}

/** How it was drawn. */
function drawText({ seed, drawn, took, shard, kept }: DrawnTable): string {
  const part = shard === undefined ? '' : `, shard ${shard.index} of ${shard.count}`;
  const before = kept === 0 ? '' : `, ${counted(kept, 'row')} kept from before`;
  return `Seed ${seed}, ${counted(drawn, 'draw')}${part}${before}; ${durationText(took)}.`;
}

/** `by explore, in sequence 12`; undefined if there was no search. */
function exploredText({ by, explored }: DrawnRow): string | undefined {
  if (explored === undefined) return undefined;
  return by === 'explore'
    ? `by explore, in sequence ${explored.sequences}`
    : `nothing in ${counted(explored.sequences, 'sequence')}`;
}
