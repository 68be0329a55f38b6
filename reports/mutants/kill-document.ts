/** The kill table: how the harness detects each deviation of the simulator. */

import { exitOf, type KillRow, type KillTable, type KillVerdict, killVerdicts } from '../../scenarios/words.ts';
import {
  type Content,
  type Count,
  type Document,
  type Fold,
  facts,
  fold,
  group,
  groupsBy,
  list,
  muted,
  only,
  type View,
} from '../document/model.ts';
import { counted, durationText, levelWords, percent } from '../facts/wording.ts';
import { type CountStyle, prefix, scoreDocument, violationBlocks } from './score.ts';

const looks: Readonly<Record<KillVerdict, CountStyle>> = {
  identified: {
    ...{ name: 'identified', mark: '✓', tone: 'good' },
    says: 'identified: killed by a check of the requirement that the deviation breaks',
  },
  killed: { mark: '△', tone: 'open', says: 'killed by checks of other requirements only' },
  equivalent: { mark: '≡', tone: 'good', says: 'not killed, since it cannot be observed: each says why' },
  'not killed': { mark: '✗', tone: 'bad', says: 'not killed' },
  'not judged': {
    ...{ mark: '!', tone: 'fault' },
    says: 'not judged: the worker died or hung, or the harness could not run everything',
  },
};
const collateral: Omit<Count, 'count'> = {
  ...{ name: 'with collateral', mark: '≈', tone: 'open', narrows: false, always: true },
  says: 'with collateral: unrelated requirements are reported as well',
};

/** Requirements without a deviation that a brief text lists. */
const mostListed = 8;

export function killDocument(table: KillTable): Document {
  const { rows, totals } = table;
  return scoreDocument({
    ...{ name: 'Kill table', kind: 'cselab, kill table of the harness' },
    headline: headlineOf(table),
    tone: ({ 0: 'good', 1: 'bad', 130: 'open' } as const)[exitOf(table)],
    lead: leadOf(table),
    startedAt: table.startedAt,
    counts: {
      ...{ title: 'Kill table', verdicts: killVerdicts, looks, totals: totals.verdicts, always: ['not killed'] },
      more: [{ ...collateral, count: totals.withCollateral }],
    },
    search: ['deviations, requirements and what was found', 'deviations, requirements, answers'],
    levels: rows.map(({ level }) => level),
    rows,
    // Listed without --verbose, too.
    remarkable: rows.filter((row) => row.verdict !== 'identified' || row.collateral.length > 0 || row.reason),
    restText: ['deviation', 'identified and without collateral'],
    views: ['remarkable', 'deviations', 'All deviations'],
    rowBlocks: areas,
    more: [generatorsView(table), unbrokenView(table)],
    nothing: 'No deviation was tried.',
  });
}

function leadOf(table: KillTable): string[] {
  return [
    ...table.levels.map(levelText),
    ...generatorsText(table),
    breadthText(table),
    ...choiceText(table),
    `${durationText(table.took)} with ${counted(table.workers, 'worker')}.`,
  ];
}

function generatorsView({ leftToGenerators: left }: KillTable): View {
  const folds = left.map(({ id, violates, says }) => fold(id, says, {}, facts(['breaks', violates])));
  const [title, count] = ['Left to generators', left.length];
  return { key: 'generators', title, on: 'verbose', count, content: count > 0 && group(title, folds) };
}

function unbrokenView({ levels }: KillTable): View {
  const unbroken = levels.filter((level) => level.unbroken.length > 0);
  return {
    ...{ key: 'unbroken', title: 'Without a deviation', count: levels.flatMap((level) => level.unbroken).length },
    content: unbroken.map(({ level, unbroken: ids }) =>
      group(`${levelWords[level]}, without a deviation that breaks it`, list(ids, { most: mostListed, ids: level })),
    ),
  };
}

/** Deviations by area. `isAnchored`: links lead to these. */
function areas(rows: readonly KillRow[], isAnchored: boolean): Content {
  // `std.group` of `std.group.fan-out.status`, `ae` of `ae.create.status`.
  const areaOf = ({ deviation: { violates } }: KillRow) =>
    violates.split('.', violates.startsWith('std.') ? 2 : 1).join('.');
  return groupsBy(rows, areaOf, (row) => deviationFold(row, isAnchored));
}

function deviationFold(row: KillRow, anchored: boolean): Fold {
  const { deviation, verdict, level, collateral: others, violations, reason, took, scenarios, possible, dialect } = row;
  const { id, says, violates, also = [], equivalent } = deviation;
  const { name = verdict, ...style } = looks[verdict];
  const beside = others.length > 0 ? collateral.name : undefined;
  const look = {
    ...{ level, state: name, ...style, anchor: anchored && id },
    ...{ note: beside, aside: beside === undefined ? durationText(took) : `${collateral.mark} ${beside}` },
  };
  return fold(id, says, look, [
    facts(
      ['breaks', violates, ...(also.length > 0 ? [`and, inevitably, ${also.join(', ')}`] : [])],
      verdict === 'equivalent' && ['since', `it cannot be observed: ${equivalent}`],
      reason !== undefined && ['but', reason],
    ),
    violationBlocks(violations, others),
    only('page', muted(`${scenarios} of ${counted(possible, 'scenario')} of the dialect ${dialect} were run.`)),
  ]);
}

/** The table in one line. Shares are of detectable deviations. */
function headlineOf(table: KillTable): string {
  const { totals, rows } = table;
  const { identified, equivalent } = totals.verdicts;
  const share = (part: number) => percent(part, rows.length - equivalent);
  const invisible = equivalent === 0 ? '' : `, ${equivalent.toLocaleString('en')} that cannot be observed`;
  const shares = `${share(totals.killed)} killed, ${share(identified)} identified, ${share(totals.withCollateral)} with collateral${invisible}`;
  return `${prefix(table)}${counted(rows.length, 'deviation')}: ${shares}`;
}

function levelText({ level, testable, unbroken }: KillTable['levels'][number]): string {
  const broken = testable - unbroken.length;
  return `${levelWords[level]}: ${broken} of ${counted(testable, 'testable requirement')} have a deviation that breaks them (${percent(broken, testable)}).`;
}

/** What was run, so that runs are not confused. */
function breadthText({ breadth, totals }: KillTable): string {
  const run = `${totals.scenarios.toLocaleString('en')} of ${totals.possible.toLocaleString('en')} runs of scenarios.`;
  if (breadth.kind === 'wide') return `Every scenario of its dialect was run against each deviation: ${run}`;
  const { others = 0 } = breadth;
  const own = 'Each deviation was run against the files that check what it breaks';
  if (others === 0) return `${own}, and no others: ${run} Effects elsewhere were not looked for (--others, --wide).`;
  const files = `${counted(others, 'other file')} of its dialect, dealt by its id`;
  return `${own}, and ${files}: ${run} Effects in the rest were not looked for (--wide).`;
}

/** Why there are fewer rows than deviations. */
function choiceText({ rows, known, chosen }: KillTable): string[] {
  if (rows.length === known) return [];
  const all = `of ${counted(known, 'deviation')} of the simulator`;
  return rows.length === chosen
    ? [`${chosen.toLocaleString('en')} ${all} were chosen.`]
    : [`${rows.length.toLocaleString('en')} of the ${chosen.toLocaleString('en')} chosen, ${all}, were tried.`];
}

/** How many deviations are no rows, and why. */
function generatorsText({ leftToGenerators: { length: count } }: KillTable): string[] {
  if (count === 0) return [];
  const [are, show] = count === 1 ? ['is', 'It shows'] : ['are', 'They show'];
  return [
    `${counted(count, 'deviation')} ${are} left to generators. ${show} only after certain requests in a certain order, or after many of them, which no scenario is written for (--generators).`,
  ];
}
