/** The sentences that a comparison is told with, in whatever format. */
import { checkedShare, isWhole } from '../../scenarios/index.ts';
import { deathHeadline } from '../death-facts.ts';
import type { Evidence } from '../evidence.ts';
import { counted } from '../wording.ts';
import { type Change, type ChangeKind, type Changes, losesVerdict } from './changes.ts';
import type { Column } from './columns.ts';
import type { Comparison } from './comparison.ts';
import { type Cell, gapDifferences, type Matrix, type MatrixRow, shownSections } from './matrix.ts';

export const changeTitles: Readonly<Record<ChangeKind, string>> = {
  broken: 'Broken: kept before, fails now',
  new: 'New: fails now, and was not judged before',
  'still failing': 'Still failing',
  fixed: 'Fixed: failed before, kept now',
  gone: 'Gone: failed before, and is not judged now',
};

/** One sign for each kind, so that nothing depends on colour. */
export const changeMarks: Readonly<Record<ChangeKind, string>> = {
  broken: '✗',
  new: '+',
  'still failing': '=',
  fixed: '✓',
  gone: '–',
};

/** Such as `12 of 635 requirements differ, and 50 of what is left open; checked: A 581, B 12 of 581`. */
export function differencesText(matrix: Matrix): string {
  const rows = matrix.sections.flatMap((section) => section.rows);
  const differing = shownSections(matrix, false).flatMap((section) => section.rows).length;
  const open = gapDifferences(matrix).length;
  const text = `${differing.toLocaleString('en')} of ${counted(rows.length, 'requirement')} differ`;
  const gaps = open === 0 ? '' : `, and ${open.toLocaleString('en')} of what is left open`;
  return `${text}${gaps}${checkedPart(matrix)}`;
}

/** How much each of them checked, where one of them left out what it could have checked. */
function checkedPart({ columns }: Matrix): string {
  const shares = columns.map(({ letter, result }) => ({ letter, share: checkedShare(result.requirements) }));
  if (shares.every(({ share }) => isWhole(share))) return '';
  return `; checked: ${shares.map(({ letter, share: { checked, checkable } }) => `${letter} ${checked} of ${checkable}`).join(', ')}`;
}

/** Letters of the columns in which the same is done, with what that is. */
export function gapGroups({ cells }: MatrixRow, columns: readonly Column[]): { letters: string[]; does: string }[] {
  const groups = new Map<string, string[]>();
  cells.forEach((cell, index) => {
    if (cell === undefined) return;
    const does = gapText(cell);
    groups.set(does, [...(groups.get(does) ?? []), columns[index]?.letter ?? '']);
  });
  return [...groups].map(([does, letters]) => ({ letters, does }));
}

/** Such as `1 broken, 2 fixed, 3 still failing, 4 no longer judged`, and how much each run checked. */
export function changesText({ matrix, changes }: { readonly matrix: Matrix; readonly changes: Changes }): string {
  const counts = new Map<ChangeKind, number>();
  for (const { kind } of changes.changes) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const fewer = changes.lost.length === 0 ? [] : [`${changes.lost.length} no longer judged`];
  const parts = [...noVerdictPart(changes), ...[...counts].map(([kind, count]) => `${count} ${kind}`), ...fewer];
  return `${parts.length === 0 ? 'nothing fails in either run' : parts.join(', ')}${checkedPart(matrix)}`;
}

function noVerdictPart(changes: Changes): string[] {
  return losesVerdict(changes) ? [`B came to no verdict (${changes.after.exit.reason})`] : [];
}

/** What stands beside the sign of a cell: the variants, or what is done where something is left open. */
export function cellText({ verdict, variants, does, known }: Cell): string {
  if (variants.length > 0) return variants.join(', ');
  if (verdict === 'observed') return does.join('; ');
  return known ? 'known' : '';
}

/** The distinct things that failed checks saw. */
export function actualsOf(evidence: readonly Evidence[]): string[] {
  return [...new Set(evidence.map(({ check }) => check.actual))];
}

/** What a change is about: what failed before, what fails now, or why it cannot be told. */
export function changeSentences({ kind, before, after, otherwise, reason }: Change): string[] {
  const was = actualsOf(before).map((actual) => `before: ${actual}`);
  const is = actualsOf(after).map((actual) => `now: ${actual}`);
  const why = reason === undefined ? [] : [`${kind === 'new' ? 'before' : 'now'} not judged: ${reason}`];
  if (kind === 'still failing' && !otherwise) return actualsOf(after);
  return [...was, ...is, ...why];
}

/** What is done, or why that was not looked at. */
export function gapText({ verdict, does, reason }: Cell): string {
  return does.length > 0 ? does.join('; ') : `${verdict}${reason === undefined ? '' : `: ${reason}`}`;
}

/** The comparison in one line: first which of them died, since then what it did not answer is no virtue of it. */
export function headlineOf({ matrix, changes }: Comparison): string {
  const text = changes === undefined ? differencesText(matrix) : changesText({ matrix, changes });
  return [...deathsIn(matrix), text.slice(0, 1).toUpperCase() + text.slice(1)].join('. ');
}

/** Such as `B: The target died 2 times: …; 45 requirements lost`. */
export function deathsIn({ columns }: Matrix): string[] {
  return columns.flatMap(({ letter, result }) => {
    const line = deathHeadline(result);
    return line === '' ? [] : [`${letter}: ${line}`];
  });
}
