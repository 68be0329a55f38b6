import { normaliserOf, type RunResult } from '../../scenarios/index.ts';
import type { Evidence } from '../evidence.ts';

/** What checks saw, without what differs in each run, in a fixed order; each with the first check that saw it. */
export function distinctEvidence(result: RunResult, evidence: readonly Evidence[]): Map<string, Evidence> {
  const facts = new Map<string, Evidence>();
  for (const one of evidence) {
    const says = saidIn(result, one);
    if (!facts.has(says)) facts.set(says, one);
  }
  return new Map([...facts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What a check saw, as it would read in any other run. */
export function saidIn(result: RunResult, { scenario, check }: Evidence): string {
  // A merged report has the names of several runs.
  const names = new RegExp(`cl-(?:${result.run.split('+').join('|')})-\\d+`, 'g');
  // A long value is cut somewhere, perhaps in the middle of such a name: that word says nothing.
  const text = check.actual.replace(names, () => '${name}').replace(/[^\s/"']*…/g, '…');
  return normaliserOf(result, scenario)(text);
}
