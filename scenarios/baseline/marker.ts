import { type LoadedScenario, loadScenarios } from '../engine/files/load.ts';
import type { ScenarioResult } from '../engine/result.ts';
import type { Plan } from '../engine/running/plan.ts';
import { type Marked, markKnown } from './mark.ts';
import type { Observed } from './observe.ts';
import { type Baseline, readBaseline } from './read.ts';
import { knowledgeOf } from './unknown.ts';

export interface BaselineChoice {
  readonly file: string;
  /** The day that decides what has expired, such as `2027-03-31`; today (UTC) when absent. */
  readonly today?: string;
}

/** What a run does with a baseline at its end. Throws UsageError and ScenarioFilesError for a file that cannot be used. */
export function markerOf(
  { file, today = new Date().toISOString().slice(0, 10) }: BaselineChoice,
  plan: Plan,
): (scenarios: readonly ScenarioResult[], run: Omit<Observed, 'scenarios'>) => Marked {
  const baseline = readBaseline(file);
  return (scenarios, run) =>
    markKnown(
      baseline,
      { ...run, scenarios },
      {
        today,
        knowledge: knowledgeOf(allScenarios(baseline, plan), plan.catalogue),
      },
    );
}

/** A selection leaves out scenarios, and checks of those that it keeps; a baseline may speak of all of them. */
function allScenarios({ entries }: Baseline, { scenarios, selective }: Plan): readonly LoadedScenario[] {
  const planned = new Set(scenarios.map(({ id }) => id));
  if (!selective && entries.every((entry) => planned.has(entry.scenario))) return scenarios;
  const own = loadScenarios().scenarios;
  const ids = new Set(own.map(({ id }) => id));
  return [...own, ...scenarios.filter(({ id }) => !ids.has(id))];
}
