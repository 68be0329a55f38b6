import { checkedShare, type RunResult } from '../../scenarios/index.ts';
import { surveyText } from '../survey-text.ts';
import {
  checkedText,
  checkOrder,
  counted,
  countsText,
  durationText,
  scenarioOrder,
  verdictLine,
  verdictOrder,
  verdictTone,
} from '../wording.ts';
import { dimmed, heading, prose, type Screen } from './screen.ts';
import { wrap } from './wrap.ts';

/** What the verdict rests on beside the scenarios: what was assumed, what is worth knowing, what the run left behind. */
export function runBlock(screen: Screen, { assumed = [], notes = [], survey, shard }: RunResult): string[] {
  const lines = [
    ...(shard === undefined ? [] : [`part ${shard.index} of ${shard.count} of the plan`]),
    ...assumed.map((sentence) => `assumed: ${sentence}`),
    ...notes,
    ...(survey === undefined ? [] : [surveyText(survey)]),
  ];
  if (lines.length === 0) return [];
  return [heading(screen, 'This run'), ...lines.flatMap((line) => prose(screen, line, '  · ')), ''];
}

/** The counts of the run and its verdict. */
export function summaryBlock(screen: Screen, result: RunResult): string[] {
  const { verdicts, checks, scenarios, requests } = result.summary;
  return [
    ...countLine(screen, 'requirement', countsText(verdictOrder, verdicts), verdicts),
    ...shareLines(screen, result),
    ...countLine(screen, 'check', countsText(checkOrder, checks), checks),
    ...countLine(screen, 'scenario', countsText(scenarioOrder, scenarios), scenarios),
    `${counted(requests, 'request')} in ${durationText(result.took)}`,
    '',
    ...verdictBlock(screen, result),
  ];
}

const paints = { good: 'green', bad: 'red', open: 'yellow' } as const;

/** The verdict and the exit code. */
export function verdictBlock(screen: Screen, result: RunResult): string[] {
  const paint = screen.colors[paints[verdictTone(result)]];
  return [
    ...prose(screen, verdictLine(result), '').map((line) => screen.colors.bold(paint(line))),
    screen.colors.dim(`Exit code ${result.exit.code}`),
  ];
}

/** The listed requirements, those that anybody can check, and those that were checked here, by what they weigh. */
function shareLines(screen: Screen, result: RunResult): string[] {
  const { listed, checkable } = checkedShare(result.requirements);
  const satisfied = result.requirements.filter(({ verdict }) => verdict === 'satisfied');
  const advice = advisesOnly(result) ? satisfied.filter(({ level }) => level === 'standard').length : 0;
  const lines = [
    ...(checkable === listed ? [] : [`checked: ${checkedText(result)}; nothing shows the other ${listed - checkable}`]),
    ...(advice === 0
      ? []
      : [`satisfied: ${satisfied.length - advice} that count, ${advice} of the standard as advice`]),
  ];
  return dimmed(
    screen,
    lines.flatMap((line) => wrap(line, screen.columns, '  ')),
  );
}

/** Whether what only the standard says is told here and counts nothing. */
function advisesOnly({ dialect, strictness }: RunResult): boolean {
  return dialect === 'documented' && strictness.level === 'documented';
}

function countLine(screen: Screen, noun: string, text: string, counts: Readonly<Record<string, number>>): string[] {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return wrap(text === '' ? counted(total, noun) : `${counted(total, noun)}: ${text}`, screen.columns);
}
