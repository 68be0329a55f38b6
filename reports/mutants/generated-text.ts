/** What the generators alone find, for the terminal. */
import pc from 'picocolors';
import {
  type GeneratedRow,
  type GeneratedTable,
  type GeneratedVerdict,
  generatedVerdicts,
} from '../../scenarios/index.ts';
import { dimmed, heading, prose, type Screen } from '../terminal/screen.ts';
import { wrap } from '../terminal/wrap.ts';
import { counted } from '../wording.ts';
import { doubtText, effortText, generatedHeadline, generatedMarks, huntText } from './generated-words.ts';
import type { TextOptions } from './mutants-text.ts';
import { percent } from './mutants-words.ts';

export function renderGenerated(table: GeneratedTable, { color, columns, verbose }: TextOptions): string {
  const screen: Screen = { verbose, columns: Math.max(columns, 40), colors: pc.createColors(color) };
  const shown = verbose ? table.rows : table.rows.filter(({ verdict, named }) => verdict !== 'found' || !named);
  const left = table.rows.length - shown.length;
  const lines = [
    ...shown.flatMap((row) => rowLines(screen, row)),
    ...(left === 0 ? [] : [`${counted(left, 'fault')} found and named (-v shows all).`]),
    '',
    ...totalLines(screen, table),
    '',
    ...wrap(huntText(table), screen.columns),
    ...wrap(`${generatedHeadline(table)}.`, screen.columns).map(screen.colors.bold),
  ];
  return `${lines.join('\n')}\n`;
}

function rowLines(screen: Screen, row: GeneratedRow): string[] {
  const { fault, verdict, named, trophy, reason } = row;
  const doubt = doubtText(row) ?? reason;
  const otherwise = verdict === 'found' && !named ? ' by another requirement' : '';
  return [
    `${colourOf(screen, verdict)(generatedMarks[verdict])} ${fault.id}  ${verdict}${otherwise}, ${effortText(row)}`,
    ...dimmed(screen, prose(screen, fault.says, '    ')),
    ...prose(screen, fault.violates, '    breaks  '),
    ...(trophy === undefined ? [] : prose(screen, `${trophy.requirement}: ${trophy.actual}`, '    found   ')),
    ...(trophy?.steps ?? []).flatMap((step, at) => dimmed(screen, prose(screen, step, `            ${at + 1}  `))),
    ...(doubt === undefined ? [] : prose(screen, doubt, '    but     ')),
  ];
}

function totalLines(screen: Screen, { totals, rows }: GeneratedTable): string[] {
  const shown = generatedVerdicts.filter((verdict) => totals.verdicts[verdict] > 0 || verdict === 'not found');
  return [
    heading(screen, 'Found by generators alone'),
    ...shown.map((verdict) => {
      const count = totals.verdicts[verdict];
      const numbers = `${count.toLocaleString('en').padStart(6)}  ${percent(count, rows.length).padStart(7)}`;
      return `  ${colourOf(screen, verdict)(generatedMarks[verdict])} ${numbers}  ${wordsFor[verdict]}`;
    }),
  ];
}

const wordsFor: Readonly<Record<GeneratedVerdict, string>> = {
  found: 'found: the counterexample fails alone with the fault, and passes on the sound CSE',
  'not confirmed': 'not confirmed: there is a counterexample of which that does not hold',
  'not found': 'not found',
  'not judged': 'not judged: the worker died or hung, or the search did not come to its end',
};

function colourOf({ colors }: Screen, verdict: GeneratedVerdict): (text: string) => string {
  if (verdict === 'found') return colors.green;
  if (verdict === 'not confirmed') return colors.yellow;
  return verdict === 'not found' ? colors.red : colors.magenta;
}
