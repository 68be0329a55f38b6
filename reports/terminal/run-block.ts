import type { RunResult } from '../../scenarios/index.ts';
import { surveyText } from '../survey-text.ts';
import { heading, prose, type Screen } from './screen.ts';

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
