import type { CheckState, RunResult, ScenarioState } from '../../scenarios/index.ts';
import { counted, countsText, durationText, verdictLine, verdictOrder } from '../wording.ts';
import { prose, type Screen } from './screen.ts';
import { wrap } from './wrap.ts';

const checkOrder: readonly CheckState[] = ['failed', 'fault', 'not testable', 'not applicable', 'passed'];
const scenarioOrder: readonly ScenarioState[] = [
  'failed',
  'fault',
  'interrupted',
  'blocked',
  'not testable',
  'not applicable',
  'passed',
];

/** The counts of the run and its verdict. */
export function summaryBlock(screen: Screen, result: RunResult): string[] {
  const { verdicts, checks, scenarios, requests } = result.summary;
  const { code } = result.exit;
  const paint = code === 0 ? screen.colors.green : code === 1 ? screen.colors.red : screen.colors.yellow;
  return [
    ...countLine(screen, 'requirement', countsText(verdictOrder, verdicts), verdicts),
    ...countLine(screen, 'check', countsText(checkOrder, checks), checks),
    ...countLine(screen, 'scenario', countsText(scenarioOrder, scenarios), scenarios),
    `${counted(requests, 'request')} in ${durationText(result.took)}`,
    '',
    ...prose(screen, verdictLine(result), '').map((line) => screen.colors.bold(paint(line))),
    screen.colors.dim(`Exit code ${code}`),
  ];
}

function countLine(screen: Screen, noun: string, text: string, counts: Readonly<Record<string, number>>): string[] {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return wrap(text === '' ? counted(total, noun) : `${counted(total, noun)}: ${text}`, screen.columns);
}
