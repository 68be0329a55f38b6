import type pc from 'picocolors';
import type { ExploreResult } from '../../scenarios/index.ts';
import { wrap } from '../terminal/wrap.ts';
import { visibleText } from '../visible-text.ts';
import { counted, durationText } from '../wording.ts';
import { exitWords } from './exit-words.ts';

export interface ExplorationPage {
  readonly columns: number;
  readonly colors: ReturnType<typeof pc.createColors>;
  readonly verbose: boolean;
  /** Where the counterexample was written. */
  readonly file?: string;
}

type Counterexample = NonNullable<ExploreResult['counterexample']>;

/** An exploration for people. */
export function explorationText(result: ExploreResult, page: ExplorationPage): string {
  const { counterexample, notes, exit } = result;
  const found = counterexample === undefined ? [] : [...counterexampleLines(counterexample, result.seed, page), ''];
  const lines = [
    ...found,
    ...exercisedLines(result, page),
    ...notes.map((note) => `note: ${visibleText(note)}`),
    '',
    `${exitWords[exit.code]}: ${visibleText(exit.reason)}`,
  ];
  return `${lines.join('\n')}\n`;
}

function counterexampleLines(found: Counterexample, seed: number, page: ExplorationPage): string[] {
  const { colors, file } = page;
  const told = (label: string, text: string) => wrap(visibleText(text), page.columns, `  ${label.padEnd(9)}`);
  const { operations, attempts, smallest, confirmed } = found;
  const length = `${counted(operations.found, 'operation')} at first, ${operations.left.length} after ${counted(attempts, 'attempt')}`;
  return [
    ...wrap(found.says, page.columns, `${colors.red('✗')} ${colors.bold(found.requirement)}: `),
    ...found.steps.flatMap((step, at) => told(`  ${at + 1}`, step)),
    ...told('expected', found.expected === '' ? found.says : found.expected),
    ...told('came', found.actual),
    ...told('length', smallest ? length : `${length}; there was no time to look for a shorter one`),
    ...(confirmed
      ? []
      : told('note', 'as a scenario by itself it did not fail: it depends on what was before, or comes and goes')),
    ...(file === undefined ? [] : told('written', `${file}, for cselab check`)),
    ...told('again', `${found.command ?? 'cselab explore'} --seed ${seed} --path ${found.path}`),
    ...(found.curl === undefined ? [] : told('by hand', found.curl)),
  ];
}

function exercisedLines(
  { sequences, steps, searched, took, exercised }: ExploreResult,
  page: ExplorationPage,
): string[] {
  const rate = searched > 0 ? Math.round((steps / searched) * 1000) : 0;
  const requirements = Object.keys(exercised.requirements).length;
  const listed = (label: string, counts: Readonly<Record<string, number>>) =>
    wrap(
      Object.entries(counts)
        .map(([name, count]) => `${name} ${count.toLocaleString('en')}`)
        .join(', '),
      page.columns,
      label.padEnd(14),
    );
  return [
    `${counted(sequences, 'sequence')}, ${counted(steps, 'request')}, ${rate.toLocaleString('en')} each second; ${durationText(took)} in all`,
    ...listed('operations', exercised.operations),
    ...listed('kinds', exercised.kinds),
    ...listed('addresses', exercised.forms),
    ...(page.verbose
      ? listed('requirements', exercised.requirements)
      : [`${'requirements'.padEnd(14)}${requirements} judged; -v lists them`]),
  ];
}
