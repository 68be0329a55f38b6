import type { RunResult } from '../scenarios/index.ts';
import { counted } from './wording.ts';

/** What the target held before and after a run, as the end of a sentence. */
export function surveyText({ before, after, left, others, reason }: NonNullable<RunResult['survey']>): string {
  if (reason !== undefined) return `what the target held before and after could not be told: ${reason}`;
  const remains = left.length === 0 ? 'nothing of this run is left' : `left behind: ${left.join(', ')}`;
  const came = others === 0 ? '' : `, ${counted(others, 'resource')} of others came or went`;
  return `the target held ${counted(before, 'resource')} before and ${after} after${came}; ${remains}`;
}

/** The same as a sentence of its own. */
export function surveySentence(survey: NonNullable<RunResult['survey']>): string {
  return sentence(surveyText(survey));
}

/** What has to be said before anything else about a target that cannot be relied on, as sentences. */
export function surveyWarnings({
  damaged,
  unsound,
  earlier = [],
}: Partial<NonNullable<RunResult['survey']>>): string[] {
  const shown =
    earlier.length > 5 ? `${earlier.slice(0, 5).join(', ')} and ${earlier.length - 5} more` : earlier.join(', ');
  return [
    ...(damaged === undefined
      ? []
      : [`The target is damaged: what worked before this run fails since. ${sentence(damaged)}`]),
    ...(unsound === undefined
      ? []
      : [
          `The target failed before this run had sent anything, so that deviations may come of that. ${sentence(unsound)}`,
        ]),
    ...(earlier.length === 0
      ? []
      : [`The target holds what earlier runs have left: ${shown}. cselab cleanup removes it.`]),
  ];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
