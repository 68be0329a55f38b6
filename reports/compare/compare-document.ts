/** Several targets beside each other, or two runs of one. */

import { checkedShare, isWhole } from '../../scenarios/words.ts';
import { checkFacts, clauseBlock, exchangeBlocks } from '../check/evidence-blocks.ts';
import {
  type Content,
  type Document,
  type Fact,
  type Fold,
  facts,
  fold,
  group,
  heading,
  list,
  muted,
  only,
  prose,
  type Table,
  type Cell as TableCell,
  type View,
} from '../document/model.ts';
import { actualsOf, type CheckEvidence, locationText } from '../facts/evidence.ts';
import { deathHeadline } from '../facts/run-facts.ts';
import {
  counted,
  groupedBy,
  inOrder,
  lookOf,
  looks,
  type Tone,
  targetText,
  timeText,
  verdictLine,
  verdictTone,
} from '../facts/wording.ts';
import type { ChangeKind, Changes, RequirementChange } from './changes.ts';
import type { Column, ComparedRequirement, ComparedRow, Comparison } from './comparison.ts';

/** One sign for each kind, so that nothing depends on colour. */
const changeLooks: Readonly<Record<ChangeKind, Readonly<{ mark: string; tone: Tone; title: string }>>> = {
  broken: { mark: '✗', tone: 'bad', title: 'Broken: passed before, fails now' },
  new: { mark: '+', tone: 'bad', title: 'New: fails now, was not checked before' },
  'still failing': { mark: '=', tone: 'open', title: 'Still failing' },
  fixed: { mark: '✓', tone: 'good', title: 'Fixed: failed before, passes now' },
  gone: { mark: '–', tone: 'quiet', title: 'Gone: failed before, is not checked now' },
};

export function compareDocument(comparison: Comparison): Document {
  const { columns, rows, changes } = comparison;
  const headline = changes ? `From A to B: ${changesText(changes)}` : differencesText(comparison);
  return {
    title: `${headline} – ${columns.map(({ label }) => label).join(', ')}`,
    kind: `cselab ${columns[0]?.result.tool.version}, ${changes ? 'two runs' : 'targets'} compared`,
    headline,
    tone: 'quiet',
    // Deaths first: a dead target violates nothing.
    alarms: columns
      .map(({ letter, result }) => deathHeadline(result) && `${letter}: ${deathHeadline(result)}`)
      .filter(Boolean),
    lead: checkedSentences(columns),
    intro: facts(...columns.map(columnFact)),
    search: { label: 'Search requirements and what targets do', hint: 'Search ids, sentences, answers' },
    levels: rows.map(({ requirement }) => requirement.level),
    views: viewsOf(comparison),
    nothing: changes ? 'Nothing fails in either run.' : 'All of them do the same.',
  };
}

function viewsOf(comparison: Comparison): View[] {
  const { columns, rows, displayed, gaps, changes } = comparison;
  const detailed = [...new Set([...displayed, ...gaps])].filter(hasDetails);
  return [
    {
      ...{ key: 'changes', title: 'Changes', count: changes?.changes.length ?? 0 },
      content: changes && changeBlocks(changes, columns),
    },
    {
      ...{ key: 'matrix', title: displayed === rows ? 'Requirements' : 'Differences', count: displayed.length },
      ...(changes && { on: 'page' }),
      content: displayed.length > 0 && signTable(comparison),
    },
    { key: 'gaps', title: 'Implementation-defined', count: gaps.length, content: behaviourBlocks(gaps, columns) },
    {
      ...{ key: 'details', title: 'What each did', on: 'page', count: detailed.length },
      content: detailed.map((row) => detailsFold(row, columns)),
    },
  ];
}

function columnFact({ letter, label, result }: Column): Fact {
  const about = `${targetText(result)}, dialect ${result.dialect}, ${timeText(result.startedAt, 16)}`;
  const verdict = { text: verdictLine(result), tone: verdictTone(result) };
  return [letter, { text: label, as: 'strong' }, { text: about, as: 'muted' }, verdict];
}

/** Requirements by targets. */
function signTable({ columns, rows: all, displayed }: Comparison): Table {
  const verdicts = inOrder(all.flatMap(({ cells }) => cells.flatMap((cell) => cell?.requirement.verdict ?? [])));
  return {
    kind: 'table',
    columns: columns.map(({ letter, label }) => ({ name: letter, label })),
    signs: { legend: verdicts.map((verdict) => [looks[verdict].mark, verdict, looks[verdict].tone]) },
    groups: [...groupedBy(displayed, ({ requirement }) => requirement.section)].map(([section, rows]) => ({
      title: countedSection(section, rows, all),
      rows: rows.map((row) => ({
        ...{ id: row.requirement.id, says: row.requirement.says, level: row.requirement.level, leads: hasDetails(row) },
        cells: row.cells.map((cell) => cell && signOf(cell)),
      })),
    })),
  };
}

/** Beside the sign stand the variants, or the implementation-defined behaviour. */
function signOf({ requirement: { verdict, known }, variants, actuals }: ComparedRequirement): TableCell {
  const behaviour = [...actuals.keys()].join('; ');
  const text =
    variants.length > 0 ? variants.join(', ') : verdict === 'implementation-defined' ? behaviour : known ? 'known' : '';
  return { ...lookOf(verdict), text, ...((text === '' || text === 'known') && { more: behaviour }) };
}

function changeBlocks({ changes, lost }: Changes, columns: readonly Column[]): Content {
  const byKind = groupedBy(changes, ({ kind }) => kind);
  const ids = lost.map(({ id }) => id);
  const lostIds = list(ids, { ids: 'any' });
  return [
    // A page counts the entries of a group itself.
    [...byKind].map(([kind, own]) => {
      const { title } = changeLooks[kind];
      const folds = own.map((change) => changeFold(change, columns));
      return [only('page', group(title, folds)), only('text', group(`${title} (${own.length})`, folds))];
    }),
    lost.length > 0 && group(`${counted(lost.length, 'requirement')} that A keeps and B does not check`, lostIds),
  ];
}

function changeFold(
  { kind, requirement, before, after, otherwise, reason }: RequirementChange,
  columns: readonly Column[],
): Fold {
  const { id, says, section, source, level } = requirement;
  const [was, is] = [actualsOf(before), actualsOf(after)];
  const why = reason === undefined ? [] : [`${kind === 'new' ? 'before' : 'now'} not checked: ${reason}`];
  const isAsBefore = kind === 'still failing' && !otherwise;
  const { mark, tone } = changeLooks[kind];
  const look = {
    ...({ level, state: kind, mark, tone, isOpen: true, anchor: false, hidesState: true } as const),
    note: otherwise ? 'otherwise than before' : undefined,
  };
  const sides = [isAsBefore ? [] : before, after].map(([first, ...others], at) => [
    first && [heading(`${columns[at]?.letter} ${columns[at]?.label}`), evidenceBlocks(first)],
    others.length > 0 && muted(`And at ${counted(others.length, 'other place')}.`),
  ]);
  const both = [...was.map((one) => `before: ${one}`), ...is.map((one) => `now: ${one}`), ...why];
  return fold(id, says, look, [
    only('page', clauseBlock(section, source), otherwise && 'It fails otherwise than before.', why),
    only('text', list(isAsBefore ? is : both)),
    only('page', sides),
  ]);
}

/** Implementation-defined behaviour, with the letters of the targets. */
function behaviourBlocks(rows: readonly ComparedRow[], columns: readonly Column[]): Content {
  const folds = rows.map(({ requirement: { id, says, level }, cells }): Fold => {
    const known = columns.flatMap(({ letter }, at) => (cells[at] === undefined ? [] : [{ letter, cell: cells[at] }]));
    const groups = [...groupedBy(known, ({ cell }) => behaviourText(cell))];
    const behaviours = groups.map(([text, own]): Fact => [own.map(({ letter }) => letter).join(' '), text]);
    const look = { level, isOpen: true, anchor: false } as const;
    return fold(id, says, look, facts(...behaviours));
  });
  return folds.length > 0 && group('Implementation-defined behaviour, and what each does', folds);
}

function behaviourText({ actuals, requirement: { verdict, reason } }: ComparedRequirement): string {
  return actuals.size > 0 ? [...actuals.keys()].join('; ') : `${verdict}${reason === undefined ? '' : `: ${reason}`}`;
}

function hasDetails({ cells }: ComparedRow): boolean {
  return cells.some((cell) => cell !== undefined && (cell.actuals.size > 0 || cell.requirement.reason !== undefined));
}

/** Different behaviours of one target that are shown in full. */
const mostShown = 3;

function detailsFold({ requirement, cells }: ComparedRow, columns: readonly Column[]): Fold {
  const { id, says, section, source, level } = requirement;
  const perColumn = columns.map(({ letter, label }, at): Content => {
    const cell = cells[at];
    const { verdict, reason } = cell?.requirement ?? {};
    return [
      heading(`${letter} ${label}${verdict === undefined ? '' : ` ${looks[verdict].mark} ${verdict}`}`),
      cell === undefined && 'Its report does not know this requirement.',
      facts(reason !== undefined && ['why', reason]),
      cell?.variants.join(', '),
      [...(cell?.actuals.values() ?? [])].slice(0, mostShown).map(evidenceBlocks),
    ];
  });
  return fold(id, says, { level }, [clauseBlock(section, source), perColumn]);
}

/** One check: expected and actual, where, and its messages. */
function evidenceBlocks(evidence: CheckEvidence): Content {
  const { check, scenario, stepNumber } = evidence;
  const location = prose([`${scenario.title}, step ${stepNumber} `, { text: locationText(check), as: 'code' }]);
  return [facts(...checkFacts(check)), location, exchangeBlocks(evidence, false)];
}

/** Such as `12 of 635 requirements differ · 50 implementation-defined behaviours differ`. */
function differencesText({ rows, differing, gaps }: Comparison): string {
  const open = gaps.length === 0 ? '' : ` · ${counted(gaps.length, 'implementation-defined behaviour')} differ`;
  return `${differing.length.toLocaleString('en')} of ${counted(rows.length, 'requirement')} differ${open}`;
}

/** Such as `Fan-out: 3 of 56`. */
function countedSection(section: string, displayed: readonly ComparedRow[], all: readonly ComparedRow[]): string {
  const { length } = all.filter(({ requirement }) => requirement.section === section);
  return displayed.length === length ? `${section}: ${length}` : `${section}: ${displayed.length} of ${length} differ`;
}

/** How much each run checked, if one left out what it could have checked. */
function checkedSentences(columns: readonly Column[]): string[] {
  const shares = columns.map(({ letter, result }) => ({ letter, share: checkedShare(result.requirements) }));
  if (shares.every(({ share }) => isWhole(share))) return [];
  const each = shares.map(({ letter, share: { checked, checkable } }) => `${letter} ${checked} of ${checkable}`);
  return [`Requirements that were checked, of those that can be: ${each.join(', ')}.`];
}

/** Such as `1 broken, 2 fixed, 3 still failing, 4 no longer checked`. */
function changesText({ changes, lost, noVerdict }: Changes): string {
  const parts = [
    ...(noVerdict === undefined ? [] : [`B came to no verdict (${noVerdict})`]),
    ...[...groupedBy(changes, ({ kind }) => kind)].map(([kind, { length }]) => `${length} ${kind}`),
    ...(lost.length === 0 ? [] : [`${lost.length} no longer checked`]),
  ];
  return parts.length === 0 ? 'nothing fails in either run' : parts.join(', ');
}
