import type { WireCounterexample, WireResult } from '../../scenarios/index.ts';
import { wrap } from '../terminal/wrap.ts';
import { visibleText } from '../visible-text.ts';
import { counted, durationText } from '../wording.ts';
import { exitWords } from './exit-words.ts';
import type { ExplorationPage } from './exploration-text.ts';

/** Characters of the bytes that are shown; all of them are in the file. */
const shown = 600;

/** An exploration by malformed bytes for people. */
export function wireText(result: WireResult, page: ExplorationPage): string {
  const { counterexample, notes, exit } = result;
  const found = counterexample === undefined ? [] : [...counterexampleLines(counterexample, result, page), ''];
  const lines = [
    ...found,
    ...exercisedLines(result, page),
    ...notes.map((note) => `note: ${visibleText(note)}`),
    '',
    `${exitWords[exit.code]}: ${visibleText(exit.reason)}`,
  ];
  return `${lines.join('\n')}\n`;
}

function counterexampleLines(
  found: WireCounterexample,
  { dialect, seed }: WireResult,
  page: ExplorationPage,
): string[] {
  const { colors, file } = page;
  const told = (label: string, text: string) => wrap(visibleText(text), page.columns, `  ${label.padEnd(9)}`);
  const { requirement, says, what, bytes, answer, length, attempts, smallest, confirmed, path, curl } = found;
  const sizes = `${counted(length.found, 'byte')} at first, ${length.left} after ${counted(attempts, 'attempt')}`;
  const speaking = dialect === 'documented' ? '' : ` --dialect ${dialect}`;
  const named = requirement === 'gap' ? 'no requirement' : requirement;
  return [
    ...wrap(visibleText(says), page.columns, `${colors.red('✗')} ${colors.bold(named)}: `),
    ...told('unusual', what),
    ...told('bytes', bytes.length > shown ? `${bytes.slice(0, shown)}…` : bytes),
    ...told('came', answer),
    ...told('length', smallest ? sizes : `${sizes}; there was no time to look for fewer`),
    ...(confirmed
      ? []
      : told('note', 'done once more it came out otherwise: it depends on what was before, or comes and goes')),
    ...(file === undefined ? [] : told('written', found.file.kind === 'scenario' ? `${file}, for cselab check` : file)),
    ...told('again', `cselab explore --wire${speaking} --seed ${seed} --path ${path}`),
    ...told('by hand', curl),
  ];
}

function exercisedLines({ runs, withheld, took, exercised }: WireResult, page: ExplorationPage): string[] {
  const listed = (label: string, counts: Readonly<Record<string, number>>) => {
    const text = Object.entries(counts).map(([name, count]) => `${name} ${count.toLocaleString('en')}`);
    return text.length === 0 ? [] : wrap(visibleText(text.join(', ')), page.columns, label.padEnd(14));
  };
  const kinds = Object.keys(exercised.malformations).length;
  const kept = withheld === 0 ? '' : `; ${withheld} more could have changed what is not ours, and were not sent`;
  return [
    `${counted(runs, 'malformed or odd request')} of ${counted(kinds, 'kind')}${kept}; ${durationText(took)} in all`,
    ...listed('unusual in', exercised.parts),
    ...listed('answers', exercised.answers),
    ...(page.verbose
      ? [...listed('kinds', exercised.malformations), ...listed('requirements', exercised.requirements)]
      : [
          `${'requirements'.padEnd(14)}${Object.keys(exercised.requirements).length} about them; -v lists them, and the kinds`,
        ]),
  ];
}
