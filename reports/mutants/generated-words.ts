/** What is said of a hunt for faults, the same on the terminal and on the page. */
import type { GeneratedRow, GeneratedTable, GeneratedVerdict } from '../../scenarios/index.ts';
import { counted, durationText } from '../wording.ts';
import { percent } from './mutants-words.ts';

export const generatedMarks: Readonly<Record<GeneratedVerdict, string>> = {
  found: '✓',
  'not confirmed': '△',
  'not found': '✗',
  'not judged': '!',
};

/** The table in one line. */
export function generatedHeadline({ totals, rows, interrupted }: GeneratedTable): string {
  const { verdicts, medians } = totals;
  const found = `${percent(verdicts.found, rows.length)} found by generators alone`;
  const short = medians === undefined ? '' : `, the median counterexample in ${counted(medians.steps, 'request')}`;
  return `${interrupted ? 'Interrupted: ' : ''}${counted(rows.length, 'fault')}: ${found}${short}`;
}

/** What was done, as sentences. */
export function huntText({ totals, runs, seed, took, workers }: GeneratedTable): string {
  const { verdicts, named, medians } = totals;
  const limit = `Up to ${counted(runs, 'sequence')} for each fault, seed ${seed}; ${durationText(took)} with ${counted(workers, 'worker')}.`;
  if (medians === undefined) return limit;
  const cited = `${percent(named, verdicts.found)} of the counterexamples cite what the fault violates.`;
  const effort = `The median fault is found in sequence ${medians.sequences.toLocaleString('en')}, after ${counted(medians.requests, 'request')} and ${durationText(medians.searched)}.`;
  return `${limit} ${cited} ${effort}`;
}

/** How it was looked for, such as `sequence 4, 118 requests, 35 ms`. */
export function effortText({ verdict, sequences, requests, searched }: GeneratedRow): string {
  const times =
    verdict === 'found' || verdict === 'not confirmed'
      ? `sequence ${sequences.toLocaleString('en')}`
      : counted(sequences, 'sequence');
  return `${times}, ${counted(requests, 'request')}, ${durationText(searched)}`;
}

/** Why a counterexample does not count; undefined where it does. */
export function doubtText({ trophy }: GeneratedRow): string | undefined {
  if (trophy === undefined) return undefined;
  if (!trophy.failsThere) return 'as a scenario by itself it does not fail on the CSE with the fault';
  return trophy.passesElsewhere ? undefined : 'as a scenario by itself it does not pass on the sound CSE';
}
