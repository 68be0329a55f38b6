/** What was seen of what a seed drew, for the terminal. */
import pc from 'picocolors';
import {
  type DrawnRow,
  type DrawnTable,
  type DrawnVerdict,
  drawnVerdicts,
  type Figure,
} from '../../scenarios/index.ts';
import { dimmed, heading, prose, type Screen } from '../terminal/screen.ts';
import { wrap } from '../terminal/wrap.ts';
import { counted } from '../wording.ts';
import {
  differenceOf,
  drawnHeadline,
  drawnHow,
  drawnMarks,
  drawnSentences,
  drawnTones,
  drawnWords,
  exploredText,
  figureColumns,
  shortened,
} from './drawn-words.ts';
import type { TextOptions } from './mutants-text.ts';
import { percent, sightText } from './mutants-words.ts';

export function renderDrawn(table: DrawnTable, { color, columns, verbose }: TextOptions): string {
  const screen: Screen = { verbose, columns: Math.max(columns, 40), colors: pc.createColors(color) };
  const { rows, figures } = table;
  const shown = verbose ? rows : rows.filter(({ verdict }) => !['good', 'open'].includes(drawnTones[verdict]));
  const left = rows.length - shown.length;
  const lines = [
    ...shown.flatMap((row) => rowLines(screen, row)),
    ...(left === 0 ? [] : [`${counted(left, 'row')} ${table.of === 'deviations' ? 'seen' : 'quiet'} (-v shows all).`]),
    '',
    ...totalLines(screen, table),
    '',
    ...[...new Set(figures.map(({ by }) => by))].flatMap((by) => figureLines(screen, table, by)),
    ...drawnSentences(table).flatMap((sentence) => wrap(sentence, screen.columns)),
    ...wrap(drawnHow(table), screen.columns),
    ...wrap(`${drawnHeadline(table)}.`, screen.columns).map(screen.colors.bold),
  ];
  return `${lines.join('\n')}\n`;
}

function colourOf({ colors }: Screen, verdict: DrawnVerdict): (text: string) => string {
  return { good: colors.green, open: colors.yellow, bad: colors.red, fault: colors.magenta }[drawnTones[verdict]];
}

function rowLines(screen: Screen, row: DrawnRow): string[] {
  const { number, says, verdict, by, violations, collateral, explored, allowedBy = [], reason } = row;
  const [first] = violations;
  const how = by === 'explore' ? ` ${exploredText(row)}` : '';
  const others = collateral.filter((id) => id !== first?.requirement);
  return [
    ...prose(screen, `${number}  ${says}  ${verdict}${how}`, `${drawnMarks[verdict]} `).map(colourOf(screen, verdict)),
    ...(first === undefined ? [] : prose(screen, `${first.requirement}: ${sightText(first)}`, '    found   ')),
    ...(violations.length < 2 ? [] : [`            and ${counted(violations.length - 1, 'more requirement')}`]),
    ...(others.length === 0 ? [] : dimmed(screen, prose(screen, others.join(', '), '    beside  '))),
    ...(explored?.steps ?? []).flatMap((step, at) => dimmed(screen, prose(screen, step, `    ${at + 1}  `.padEnd(8)))),
    ...(verdict === 'false alarm' ? allowedBy.flatMap((one) => prose(screen, one, '    allowed ')) : []),
    ...(verdict === 'not seen' ? witnessLines(screen, row) : []),
    ...(reason === undefined ? [] : prose(screen, reason, '    why     ')),
  ];
}

function witnessLines(screen: Screen, { witness }: DrawnRow): string[] {
  if (witness === undefined) return [];
  const [sound, deviating] = differenceOf(witness);
  const requests = witness.requests.flatMap((one, at) => prose(screen, shortened(one), `    ${at + 1}  `.padEnd(8)));
  return [
    ...dimmed(screen, requests),
    ...prose(screen, sound, '    sound   '),
    ...prose(screen, deviating, '    but     '),
  ];
}

function totalLines(screen: Screen, { of, inPairs, rows, totals }: DrawnTable): string[] {
  const lines = drawnVerdicts[of].map((verdict) => {
    const count = totals.verdicts[verdict];
    const numbers = `${count.toLocaleString('en').padStart(6)}  ${percent(count, rows.length).padStart(7)}`;
    return `  ${colourOf(screen, verdict)(drawnMarks[verdict])} ${numbers}  ${drawnWords[verdict]}`;
  });
  const what = of === 'deviations' ? 'Deviations' : 'Variations';
  return [heading(screen, `${what} drawn${inPairs ? ', in pairs' : ''}`), ...lines];
}

const nameWidth = 30;

function figureLines(screen: Screen, { of, figures }: DrawnTable, by: string): string[] {
  const columns = Object.entries(figureColumns).filter(([name]) => of === 'deviations' || name === 'drawn');
  const line = (name: string, cells: readonly string[]) => `  ${name.padEnd(nameWidth)}${cells.join('')}`.trimEnd();
  const cell = (text: string, name: string) => text.padStart(name.length + 2);
  const head = line(
    '',
    columns.map(([name]) => cell(name, name)),
  );
  const lines = figures
    .filter((figure) => figure.by === by)
    .map((figure: Figure) =>
      line(
        figure.is,
        columns.map(([name, count]) => cell(String(count(figure)), name)),
      ),
    );
  return [heading(screen, `By ${by}`), ...dimmed(screen, [head]), ...lines, ''];
}
