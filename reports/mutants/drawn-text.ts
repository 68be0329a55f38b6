/** What was seen of deviations that a seed drew, for the terminal. */
import pc from 'picocolors';
import { type DrawnRow, type DrawnTable, type DrawnVerdict, drawnVerdicts } from '../../scenarios/index.ts';
import { dimmed, heading, prose, type Screen } from '../terminal/screen.ts';
import { wrap } from '../terminal/wrap.ts';
import { counted } from '../wording.ts';
import type { TextOptions } from './mutants-text.ts';
import { percent } from './mutants-words.ts';

const marks: Readonly<Record<DrawnVerdict, string>> = {
  identified: '✓',
  seen: '~',
  'not seen': '✗',
  'not judged': '!',
};

export function renderDrawn(table: DrawnTable, { color, columns, verbose }: TextOptions): string {
  const screen: Screen = { verbose, columns: Math.max(columns, 40), colors: pc.createColors(color) };
  const { rows, dialect, seed, drawn } = table;
  const shown = verbose ? rows : rows.filter(({ verdict }) => verdict === 'not seen' || verdict === 'not judged');
  const left = rows.length - shown.length;
  const found = rows.filter(isSeen).length;
  const sentence = `${found} of ${counted(rows.length, 'deviation')} of the ${dialect} dialect seen (${percent(found, rows.length)}), ${rows.filter(({ verdict }) => verdict === 'identified').length} identified; seed ${seed}, ${counted(drawn, 'draw')}; in ${Math.round(table.took / 1000).toLocaleString('en')} s.`;
  const lines = [
    ...shown.flatMap((row) => rowLines(screen, row)),
    ...(left === 0 ? [] : [`${counted(left, 'deviation')} seen (-v shows all).`]),
    '',
    ...totalLines(screen, rows),
    '',
    ...operatorLines(screen, rows),
    '',
    ...wrap(sentence, screen.columns).map(screen.colors.bold),
  ];
  return `${lines.join('\n')}\n`;
}

function isSeen({ verdict }: DrawnRow): boolean {
  return verdict === 'identified' || verdict === 'seen';
}

function colourOf({ colors }: Screen, verdict: DrawnVerdict): (text: string) => string {
  if (verdict === 'identified') return colors.green;
  if (verdict === 'seen') return colors.yellow;
  return verdict === 'not seen' ? colors.red : colors.magenta;
}

function rowLines(screen: Screen, row: DrawnRow): string[] {
  const { number, says, verdict, violations, witness, reason } = row;
  const [first, ...more] = violations;
  const { requests, sound, deviating } = witness;
  const shortened = (text: string) => (text.length > 160 ? `${text.slice(0, 160)}…` : text);
  return [
    `${colourOf(screen, verdict)(marks[verdict])} ${number}  ${says}  ${verdict}`,
    ...(first === undefined ? [] : prose(screen, `${first.requirement}: ${first.actual}`, '    found   ')),
    ...(more.length === 0 ? [] : [`            and ${counted(more.length, 'more requirement')}`]),
    ...(isSeen(row)
      ? []
      : requests.flatMap((one, at) => dimmed(screen, prose(screen, shortened(one), `    ${at + 1}  `)))),
    ...(isSeen(row) ? [] : prose(screen, shortened(sound), '    sound   ')),
    ...(isSeen(row) ? [] : prose(screen, shortened(deviating), '    but     ')),
    ...(reason === undefined ? [] : prose(screen, reason, '    why     ')),
  ];
}

function totalLines(screen: Screen, rows: readonly DrawnRow[]): string[] {
  const line = (verdict: DrawnVerdict) => {
    const count = rows.filter((row) => row.verdict === verdict).length;
    const numbers = `${count.toLocaleString('en').padStart(6)}  ${percent(count, rows.length).padStart(7)}`;
    return `  ${colourOf(screen, verdict)(marks[verdict])} ${numbers}  ${verdict}`;
  };
  return [heading(screen, 'Deviations drawn'), ...drawnVerdicts.map(line)];
}

function operatorLines(screen: Screen, rows: readonly DrawnRow[]): string[] {
  const operators = [...new Set(rows.map(({ operator }) => operator))].sort();
  const lines = operators.map((operator) => {
    const own = rows.filter((row) => row.operator === operator);
    return `  ${operator.padEnd(10)} ${String(own.filter(isSeen).length).padStart(4)} of ${String(own.length).padStart(4)}`;
  });
  return [heading(screen, 'Seen, by operator'), ...lines];
}
