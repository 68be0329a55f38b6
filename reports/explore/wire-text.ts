import type { WireCounterexample, WireResult } from '../../scenarios/index.ts';
import { wrap } from '../terminal/wrap.ts';
import { visibleText } from '../visible-text.ts';
import { counted, durationText } from '../wording.ts';
import { countLines, type ExplorationPage, factLines, foundMark, pageText } from './page.ts';

/** Characters of the bytes that are shown; all of them are in the file. */
const shown = 600;

/** An exploration by malformed bytes for people. */
export function wireText(result: WireResult, page: ExplorationPage): string {
  const { counterexample } = result;
  const found = counterexample === undefined ? [] : counterexampleLines(counterexample, result, page);
  return pageText(result, found, exercisedLines(result, page));
}

function counterexampleLines(
  found: WireCounterexample,
  { dialect, seed }: WireResult,
  page: ExplorationPage,
): string[] {
  const { colors, file } = page;
  const told = (label: string, text: string) => factLines(label, text, page);
  const { requirement, says, what, bytes, answer, length, attempts, smallest, confirmed, path, curl } = found;
  const sizes = `${counted(length.found, 'byte')} at first, ${length.left} after ${counted(attempts, 'attempt')}`;
  const speaking = dialect === 'documented' ? '' : ` --dialect ${dialect}`;
  const named = requirement === 'gap' ? 'no requirement' : requirement;
  return [
    ...wrap(visibleText(says), page.columns, `${foundMark(confirmed, page)} ${colors.bold(named)}: `),
    ...told('unusual', what),
    ...told('bytes', bytes.length > shown ? `${bytes.slice(0, shown)}…` : bytes),
    ...told('came', answer),
    ...told('length', smallest ? sizes : `${sizes}; fewer may do`),
    ...(confirmed
      ? []
      : told('note', 'seen once: done again it came out otherwise. It depends on what was before, or comes and goes')),
    ...(file === undefined ? [] : told('written', found.file.kind === 'scenario' ? `${file}, for cselab check` : file)),
    ...told('again', `cselab explore --wire${speaking} --seed ${seed} --path ${path}`),
    ...told('by hand', curl),
  ];
}

function exercisedLines({ runs, withheld, split, took, exercised }: WireResult, page: ExplorationPage): string[] {
  const kinds = Object.keys(exercised.malformations).length;
  const kept = withheld === 0 ? '' : `; ${withheld} more could have changed what is not ours, and were not sent`;
  const cut = split === 0 ? '' : `, ${counted(split, 'sound one')} cut at every byte`;
  return [
    `${counted(runs, 'malformed or odd request')} of ${counted(kinds, 'kind')}${cut}${kept}; ${durationText(took)} in all`,
    ...countLines('unusual in', exercised.parts, page),
    ...countLines('answers', exercised.answers, page),
    ...(page.verbose
      ? [
          ...countLines('kinds', exercised.malformations, page),
          ...countLines('requirements', exercised.requirements, page),
        ]
      : [
          `${'requirements'.padEnd(14)}${Object.keys(exercised.requirements).length} about them; -v lists them, and the kinds`,
        ]),
  ];
}
