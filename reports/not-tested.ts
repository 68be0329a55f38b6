import type { RunResult, ScenarioState, Verdict } from '../scenarios/index.ts';
import { indexEvidence } from './evidence.ts';
import { groupedBy } from './grouped.ts';

/** Requirements or scenarios that gave no verdict for the same reason. */
export interface ReasonGroup {
  readonly of: 'requirement' | 'scenario';
  readonly state: Verdict | ScenarioState;
  readonly reason: string;
  /** Whether the run tried: false for requirements that no check of this run is about. */
  readonly tried: boolean;
  readonly ids: readonly string[];
}

const unjudged: ReadonlyArray<Verdict | ScenarioState> = [
  'harness fault',
  'lost',
  'not testable',
  'not asked',
  'left out',
  'not applicable',
  'excluded',
  'blocked',
  'fault',
  'interrupted',
];

interface Entry extends Pick<ReasonGroup, 'state' | 'tried'> {
  readonly id: string;
  readonly reason: string | undefined;
}

/**
 * What was not judged and why: requirements first, then scenarios; in each state what was tried, the largest group first.
 * A scenario is left out when its reason is one that a requirement was already listed with.
 */
export function reasonGroups(result: RunResult): ReasonGroup[] {
  const evidence = indexEvidence(result);
  const requirements = result.requirements.map(({ id, verdict, reason }) => ({
    id,
    state: verdict,
    reason,
    tried: evidence.of(id).length > 0,
  }));
  const scenarios = result.scenarios.map(({ id, state, reason }) => ({ id, state, reason, tried: true }));
  const groups = grouped('requirement', requirements);
  const told = new Set(groups.map(({ reason }) => reason));
  return [...groups, ...grouped('scenario', scenarios).filter(({ reason }) => !told.has(reason))];
}

function grouped(of: ReasonGroup['of'], entries: readonly Entry[]): ReasonGroup[] {
  const open = entries
    .filter(({ state }) => unjudged.includes(state))
    .map(({ reason = 'no reason given', ...one }) => ({ ...one, reason: asWritten(reason) }));
  const alike = groupedBy(open, ({ state, reason, tried }) => JSON.stringify([state, reason, tried]));
  return [...alike.values()]
    .flatMap((all) => all.slice(0, 1).map(({ id: _, ...one }) => ({ of, ...one, ids: all.map(({ id }) => id) })))
    .sort(
      (a, b) =>
        unjudged.indexOf(a.state) - unjudged.indexOf(b.state) ||
        Number(b.tried) - Number(a.tried) ||
        b.ids.length - a.ids.length,
    );
}

/** Without the names that differ in each scenario and run, and without the words that say that a step before it failed. */
function asWritten(reason: string): string {
  const names = reason.replace(/\bcl-[0-9a-z]{7}-\d+(?:-([a-z][a-z0-9-]*))?/g, (_, actor = 'name') => `\${${actor}}`);
  const parts = names.split('; ').map((part) => part.replace(/^blocked: /, ''));
  return [...new Set(parts)].join('; ');
}
