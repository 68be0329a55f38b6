import type { TogetherResult, UnexplainedHistory } from '../../scenarios/index.ts';
import { wrap } from '../terminal/wrap.ts';
import { visibleText } from '../visible-text.ts';
import { counted, durationText } from '../wording.ts';
import { countLines, type ExplorationPage, factLines, foundMark, pageText, requirementLines } from './page.ts';

/** An exploration by several originators for people. */
export function togetherText(result: TogetherResult, page: ExplorationPage): string {
  const { counterexample } = result;
  const found = counterexample === undefined ? [] : counterexampleLines(counterexample, result, page);
  return pageText(result, found, exercisedLines(result, page));
}

function counterexampleLines(found: UnexplainedHistory, { seed }: TogetherResult, page: ExplorationPage): string[] {
  const { colors, file, columns } = page;
  const told = (label: string, text: string) => factLines(label, text, page);
  const { size, attempts, smallest, seen, path } = found;
  const length = `${sizeText(size.found)} at first, ${sizeText(size.left)} after ${counted(attempts, 'attempt')}`;
  return [
    ...wrap(found.says, columns, `${foundMark(seen.times > 0, page)} ${colors.bold(found.requirement)}: `),
    '  No order of these requests explains their answers; bars that meet in a column were under way at the same moment.',
    ...tableLines(found, page),
    ...told('why', leftOverText(found)),
    ...told(
      'seen',
      seen.of === 0 ? 'once; it was not repeated' : `again in ${seen.times} of ${counted(seen.of, 'repetition')}`,
    ),
    ...(size.left.originators > 1
      ? []
      : told('note', 'it shows though nobody else asks for anything at the same time')),
    ...told('length', smallest ? length : `${length}; there may be a smaller one`),
    ...(file === undefined ? [] : told('written', `${file}; a scenario has no words for requests at the same time`)),
    ...told('again', `${found.command} --seed ${seed} --path ${path}`),
  ];
}

/** Beyond so many spans of time a bar is no help to a reader. */
const mostSpans = 24;

function tableLines({ rows, leftOver }: UnexplainedHistory, { columns, colors }: ExplorationPage): string[] {
  const last = Math.max(...rows.map(({ from, to = from }) => Math.max(from, to)));
  return rows.flatMap(({ originator = ' ', request, answer, from, to }, at) => {
    const bar =
      last < mostSpans
        ? Array.from({ length: last + 1 }, (_, span) => spanMark(span, from, to)).join('')
        : `${from}-${to ?? ''}`.padEnd(7);
    const isLeftOver = at === leftOver;
    const lines = wrap(
      visibleText(`${request} → ${answer}`),
      columns,
      `${isLeftOver ? '✗' : ' '} ${String(at + 1).padStart(3)} ${originator} ${bar} `,
    );
    return isLeftOver ? lines.map((line) => colors.bold(line)) : lines;
  });
}

function spanMark(span: number, from: number, to: number | undefined): string {
  if (span < from) return '·';
  if (to === undefined) return '┄';
  return span <= to ? '━' : '·';
}

function leftOverText({ order, leftOver }: UnexplainedHistory): string {
  const explained = order.map((at) => at + 1).join(', ');
  return `the answer to ${leftOver + 1}: the order ${explained} explains the most, and a CSE that has done these in it gives another`;
}

function sizeText({ originators, requests }: UnexplainedHistory['size']['found']): string {
  return `${counted(requests, 'request')} of ${counted(originators, 'originator')}`;
}

function exercisedLines(result: TogetherResult, page: ExplorationPage): string[] {
  const { histories, overlaps, steps, took, exercised, unanswered } = result;
  const { tried, undecided } = histories;
  return [
    `${counted(tried, 'program')}, ${counted(steps, 'request')}, ${counted(overlaps, 'pair')} of them under way at the same moment; ${durationText(took)} in all`,
    ...(undecided === 0 ? [] : [`${'undecided'.padEnd(14)}${undecided}: too many orders to try them all`]),
    ...(unanswered === 0
      ? []
      : [`${'unanswered'.padEnd(14)}${counted(unanswered, 'request')}, which may have been done or not`]),
    ...countLines('operations', exercised.operations, page),
    ...requirementLines(exercised.requirements, page),
  ];
}
