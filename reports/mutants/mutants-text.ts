/** The kill table for the terminal. */
import pc from 'picocolors';
import { type KillRow, type KillTable, type KillVerdict, killVerdicts } from '../../scenarios/index.ts';
import { dimmed, heading, prose, type Screen } from '../terminal/screen.ts';
import { wrap } from '../terminal/wrap.ts';
import { counted, levelWords } from '../wording.ts';
import {
  breadthText,
  choiceText,
  generatorsText,
  headlineOf,
  isRemarkable,
  killMarks,
  percent,
  sightText,
  timeText,
} from './mutants-words.ts';

/** So many requirements without a fault are listed without --verbose, and so many violations of a fault. */
const listed = 8;
const shownViolations = 3;

export interface TextOptions {
  readonly color: boolean;
  readonly columns: number;
  readonly verbose: boolean;
}

export function renderMutants(table: KillTable, { color, columns, verbose }: TextOptions): string {
  const screen: Screen = { verbose, columns: Math.max(columns, 40), colors: pc.createColors(color) };
  const choice = choiceText(table);
  const lines = [
    ...rowLines(screen, table.rows),
    ...totalLines(screen, table),
    '',
    ...table.levels.flatMap((level) => levelLines(screen, level)),
    '',
    ...generatorLines(screen, table),
    ...wrap(breadthText(table), screen.columns),
    ...(choice === undefined ? [] : wrap(choice, screen.columns)),
    ...wrap(`${headlineOf(table)}; ${timeText(table)}.`, screen.columns).map(screen.colors.bold),
  ];
  return `${lines.join('\n')}\n`;
}

function generatorLines(screen: Screen, table: KillTable): string[] {
  const text = generatorsText(table);
  if (text === undefined) return [];
  const ids = table.leftToGenerators.map(({ id }) => id).join(', ');
  return [...wrap(text, screen.columns), ...(screen.verbose ? dimmed(screen, prose(screen, ids, '  ')) : [])];
}

function rowLines(screen: Screen, rows: readonly KillRow[]): string[] {
  const shown = screen.verbose ? rows : rows.filter(isRemarkable);
  const lines = shown.flatMap((row) => faultLines(screen, row));
  const left = rows.length - shown.length;
  const rest = left === 0 ? [] : [`${counted(left, 'fault')} named and without noise (-v shows all).`];
  return [...lines, ...wrap(rest.join(''), screen.columns).filter((line) => line !== ''), ''];
}

function faultLines(screen: Screen, { fault, verdict, violations, noise, reason }: KillRow): string[] {
  const noisy = noise.length > 0 ? ', noisy' : '';
  const head = `${colourOf(screen, verdict)(killMarks[verdict])} ${fault.id}  ${verdict}${noisy}`;
  const seen = violations.slice(0, shownViolations);
  const more = violations.length - seen.length;
  return [
    head,
    ...dimmed(screen, prose(screen, fault.says, '    ')),
    ...prose(screen, fault.violates, '    breaks  '),
    ...(verdict === 'equivalent' ? prose(screen, fault.equivalent ?? '', '    since   ') : []),
    ...seen.flatMap((one) => [
      ...prose(screen, `${one.requirement}${noise.includes(one.requirement) ? ' (noise)' : ''}`, '    found   '),
      ...dimmed(screen, prose(screen, sightText(one), '            ')),
    ]),
    ...(more > 0 ? [`            and ${counted(more, 'more requirement')}`] : []),
    ...(reason === undefined ? [] : prose(screen, reason, '    but     ')),
  ];
}

function colourOf({ colors }: Screen, verdict: KillVerdict): (text: string) => string {
  if (verdict === 'named' || verdict === 'equivalent') return colors.green;
  if (verdict === 'killed') return colors.yellow;
  return verdict === 'not killed' ? colors.red : colors.magenta;
}

function totalLines(screen: Screen, { totals, rows }: KillTable): string[] {
  const line = (mark: string, count: number, word: string) =>
    `  ${mark} ${count.toLocaleString('en').padStart(6)}  ${percent(count, rows.length).padStart(7)}  ${word}`;
  const verdicts = killVerdicts.filter((verdict) => totals.verdicts[verdict] > 0 || verdict === 'not killed');
  return [
    heading(screen, 'Kill table'),
    ...verdicts.map((verdict) =>
      line(colourOf(screen, verdict)(killMarks[verdict]), totals.verdicts[verdict], wordsFor[verdict]),
    ),
    line('≈', totals.noisy, 'noisy: requirements are reported as well that the fault has nothing to do with'),
  ];
}

const wordsFor: Readonly<Record<KillVerdict, string>> = {
  named: 'named: killed by a check of the requirement that the fault breaks',
  killed: 'killed by checks of other requirements only',
  equivalent: 'not killed, since nobody can see it: each says why',
  'not killed': 'not killed',
  'not judged': 'not judged: the worker died or hung, or the harness could not run everything',
};

function levelLines(screen: Screen, { level, testable, unbroken }: KillTable['levels'][number]): string[] {
  const broken = testable - unbroken.length;
  const text = `${levelWords[level]}: ${broken} of ${counted(testable, 'testable requirement')} have a fault that breaks them (${percent(broken, testable)}).`;
  const shown = screen.verbose ? unbroken : unbroken.slice(0, listed);
  const more = unbroken.length - shown.length;
  const ids = shown.join(', ') + (more > 0 ? ` and ${more} more (-v)` : '');
  return [...wrap(text, screen.columns), ...(shown.length === 0 ? [] : dimmed(screen, prose(screen, ids, '  none: ')))];
}
