/** What was seen of what a seed drew, for the terminal. */
import pc from 'picocolors';
import { type DrawnRow, type DrawnTable, type DrawnVerdict, drawnVerdicts } from '../../scenarios/index.ts';
import { dimmed, heading, prose, type Screen } from '../terminal/screen.ts';
import { wrap } from '../terminal/wrap.ts';
import { counted, durationText } from '../wording.ts';
import type { TextOptions } from './mutants-text.ts';
import { percent } from './mutants-words.ts';

const marks: Readonly<Record<DrawnVerdict, string>> = {
  identified: '✓',
  seen: '~',
  'not seen': '✗',
  quiet: '✓',
  'false alarm': '✗',
  'not judged': '!',
};

/** What is as it should be is listed with --verbose only. */
const asItShould: ReadonlySet<DrawnVerdict> = new Set(['identified', 'seen', 'quiet']);

export function renderDrawn(table: DrawnTable, { color, columns, verbose }: TextOptions): string {
  const screen: Screen = { verbose, columns: Math.max(columns, 40), colors: pc.createColors(color) };
  const { rows } = table;
  const shown = verbose ? rows : rows.filter(({ verdict }) => !asItShould.has(verdict));
  const left = rows.length - shown.length;
  const lines = [
    ...shown.flatMap((row) => rowLines(screen, row)),
    ...(left === 0 ? [] : [`${counted(left, 'row')} as it should be (-v shows all).`]),
    '',
    ...totalLines(screen, table),
    '',
    ...operatorLines(screen, rows),
    '',
    ...wrap(sentenceOf(table), screen.columns).map(screen.colors.bold),
  ];
  return `${lines.join('\n')}\n`;
}

function sentenceOf({ of, rows, dialect, seed, drawn, took }: DrawnTable): string {
  const number = (...verdicts: readonly DrawnVerdict[]) =>
    rows.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const how = `seed ${seed}, ${counted(drawn, 'draw')}; in ${durationText(took)}.`;
  if (of === 'variations')
    return `${counted(number('false alarm'), 'false alarm')} at ${counted(rows.length, 'variation')} that everybody has to take (${dialect} dialect); ${how}`;
  const seen = number('identified', 'seen');
  return `${seen} of ${counted(rows.length, 'deviation')} of the ${dialect} dialect seen (${percent(seen, rows.length)}), ${number('identified')} identified; ${how}`;
}

function colourOf({ colors }: Screen, verdict: DrawnVerdict): (text: string) => string {
  if (verdict === 'identified' || verdict === 'quiet') return colors.green;
  if (verdict === 'seen') return colors.yellow;
  return verdict === 'not judged' ? colors.magenta : colors.red;
}

function rowLines(screen: Screen, row: DrawnRow): string[] {
  const { number, says, verdict, violations, reason } = row;
  const [first, ...more] = violations;
  return [
    ...prose(screen, `${number}  ${says}  ${verdict}`, `${marks[verdict]} `).map(colourOf(screen, verdict)),
    ...(first === undefined ? [] : prose(screen, `${first.requirement}: ${first.actual}`, '    found   ')),
    ...(more.length === 0 ? [] : [`            and ${counted(more.length, 'more requirement')}`]),
    ...(verdict === 'not seen' ? witnessLines(screen, row) : []),
    ...(reason === undefined ? [] : prose(screen, reason, '    why     ')),
  ];
}

/** Letters of a request or an answer that are shown. */
const most = 160;

function witnessLines(screen: Screen, { witness }: DrawnRow): string[] {
  if (witness === undefined) return [];
  const shortened = (text: string) => (text.length > most ? `${text.slice(0, most)}…` : text);
  const requests = witness.requests.flatMap((one, at) => prose(screen, shortened(one), `    ${at + 1}  `.padEnd(8)));
  return [
    ...dimmed(screen, requests),
    ...prose(screen, shortened(witness.sound), '    sound   '),
    ...prose(screen, shortened(witness.deviating), '    but     '),
  ];
}

function totalLines(screen: Screen, { of, rows }: DrawnTable): string[] {
  const line = (verdict: DrawnVerdict) => {
    const count = rows.filter((row) => row.verdict === verdict).length;
    const numbers = `${count.toLocaleString('en').padStart(6)}  ${percent(count, rows.length).padStart(7)}`;
    return `  ${colourOf(screen, verdict)(marks[verdict])} ${numbers}  ${verdict}`;
  };
  const title = of === 'deviations' ? 'Deviations drawn' : 'Variations drawn';
  return [heading(screen, title), ...drawnVerdicts[of].map(line)];
}

function operatorLines(screen: Screen, rows: readonly DrawnRow[]): string[] {
  const operators = [...new Set(rows.map(({ operator }) => operator))].sort();
  const lines = operators.map((operator) => {
    const own = rows.filter((row) => row.operator === operator);
    const good = own.filter(({ verdict }) => asItShould.has(verdict)).length;
    return `  ${String(good).padStart(4)} of ${String(own.length).padStart(4)}  ${operator}`;
  });
  return [heading(screen, 'By operator'), ...lines];
}
