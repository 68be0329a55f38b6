import type { Requirement } from '../engine/files/catalogue.ts';
import { loadScenarios } from '../engine/files/load.ts';
import type { RunResult } from '../engine/results/result.ts';
import { type BaselineObservation, conditionText, isWholeRun, observe } from './observe.ts';
import { type BaselineEntry, readBaseline } from './read.ts';
import { knowledgeOf, unknownIn } from './unknown.ts';

/** State of an entry, the worst first. */
type Standing = 'unknown' | 'stale' | 'expired' | 'fails otherwise' | 'about to expire' | 'not meant' | 'excused';

export interface ExplainedEntry {
  readonly entry: BaselineEntry;
  /** Absent if unknown. */
  readonly requirement?: Requirement;
  /** Its condition in a few words; empty if it has none. */
  readonly condition: string;
  readonly standing: Standing;
  readonly says: string;
  /** Its state in the report; absent without a report. */
  readonly seen?: BaselineObservation['state'];
}

/** Days before the last one in which an entry is about to expire. */
const soon = 14;

/**
 * Explains the entries of a baseline, in order, with their state in a run. `today`: a day such as `2027-03-31`; `ownRules`: files of
 * a team's own requirements. Throws as `readBaseline` does.
 */
export function explainBaseline(
  file: string,
  today: string,
  run?: RunResult,
  ownRules: readonly string[] = [],
): ExplainedEntry[] {
  const { entries, ...baseline } = readBaseline(file);
  const { scenarios, catalogue } = loadScenarios(undefined, { ownRules });
  const knowledge = knowledgeOf(scenarios, catalogue);
  const observations = run === undefined ? [] : observe({ ...baseline, entries }, run, isWholeRun(run));
  return entries.map((entry, at) => {
    const state = observations[at]?.state;
    const unknown = unknownIn(entry, knowledge)?.message;
    const requirement = catalogue.requirements.get(entry.requirement);
    return {
      entry,
      ...(requirement && { requirement }),
      condition: conditionText(entry.when),
      ...(unknown === undefined ? standingOf(entry, state, today) : { standing: 'unknown' as const, says: unknown }),
      ...(state && { seen: state }),
    };
  });
}

function standingOf(
  { expires, intermittent = false }: BaselineEntry,
  state: ExplainedEntry['seen'],
  today: string,
): Pick<ExplainedEntry, 'standing' | 'says'> {
  if (state === 'not meant for this target')
    return { standing: 'not meant', says: 'its condition does not hold for this target' };
  if (state === 'passed' && !intermittent) return { standing: 'stale', says: 'the check passes now; prune removes it' };
  if (expires !== undefined && expires < today) return { standing: 'expired', says: `it held until ${expires}` };
  if (state === 'failed otherwise') return { standing: 'fails otherwise', says: 'the check fails in another way now' };
  const left = expires === undefined ? Number.POSITIVE_INFINITY : daysBetween(today, expires);
  if (left > soon) return { standing: 'excused', says: '' };
  const says = left === 0 ? 'today is its last day' : `${left} more days until ${expires}`;
  return { standing: 'about to expire', says };
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}
