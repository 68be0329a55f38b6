import type { RunResult } from '../../scenarios/index.ts';
import { counted } from '../wording.ts';
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

/** What the target held before and after. */
function surveyText({ before, after, left, others, reason }: NonNullable<RunResult['survey']>): string {
  if (reason !== undefined) return `what the target held before and after could not be told: ${reason}`;
  const remains = left.length === 0 ? 'nothing of this run is left' : `left behind: ${left.join(', ')}`;
  const came = others === 0 ? '' : `, ${counted(others, 'resource')} of others came or went`;
  return `the target held ${counted(before, 'resource')} before and ${after} after${came}; ${remains}`;
}
