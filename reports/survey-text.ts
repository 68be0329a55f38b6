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
  const text = surveyText(survey);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
