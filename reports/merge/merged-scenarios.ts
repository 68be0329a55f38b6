/** The scenarios of several reports as one run would list them. */
import {
  byCodePoint,
  type RunResult,
  type ScenarioResult,
  type ScenarioState,
  type StepResult,
} from '../../scenarios/index.ts';

/**
 * In the order of a plan. Times count from the start of the earliest run; where runs are of different installations and several
 * have a scenario, the one that says most is kept: a failure before a pass, and that before what could not be judged.
 */
export function mergedScenarios(results: readonly RunResult[]): ScenarioResult[] {
  const begun = Math.min(...results.map(startOf));
  const kept = new Map<string, ScenarioResult>();
  for (const result of results) {
    for (const scenario of result.scenarios) {
      const other = kept.get(scenario.id);
      if (other !== undefined && weight(other) <= weight(scenario)) continue;
      kept.set(scenario.id, later(scenario, startOf(result) - begun));
    }
  }
  return [...kept.values()].sort(inOrderOfPlan);
}

/** Milliseconds since 1970. */
export function startOf({ startedAt }: RunResult): number {
  return Date.parse(startedAt);
}

const byWeight: readonly ScenarioState[] = [
  'failed',
  'fault',
  'interrupted',
  'lost',
  'blocked',
  'passed',
  'not testable',
  'left out',
  'not applicable',
];

function weight({ state }: ScenarioResult): number {
  return byWeight.indexOf(state);
}

/** The scenario as a run tells it that began so many milliseconds earlier. */
function later(scenario: ScenarioResult, by: number): ScenarioResult {
  return by === 0 ? scenario : { ...scenario, steps: scenario.steps.map((step) => laterStep(step, by)) };
}

function laterStep(step: StepResult, by: number): StepResult {
  const moved = <T extends { readonly at: number }>(one: T): T => ({ ...one, at: one.at + by });
  const { exchange, received, notifications } = step;
  return {
    ...step,
    ...(exchange && { exchange: moved(exchange) }),
    ...(received && { received: moved(received) }),
    ...(notifications && { notifications: { ...notifications, shown: notifications.shown.map(moved) } }),
  };
}

/**
 * The project's own files come first and are read by name, folder by folder; in a file, scenarios stand below each other, and those
 * for each row of a table at one line, by name.
 */
function inOrderOfPlan(a: ScenarioResult, b: ScenarioResult): number {
  return (
    Number(isForeign(a)) - Number(isForeign(b)) ||
    byPath(a.place.file, b.place.file) ||
    a.place.line - b.place.line ||
    byCodePoint(a.id, b.id)
  );
}

/** The id of a scenario in somebody's own file names no folder. */
function isForeign({ id }: ScenarioResult): boolean {
  return id.split('/').length < 3;
}

function byPath(a: string, b: string): number {
  const [one, two] = [a.split(/[/\\]/), b.split(/[/\\]/)];
  const at = one.findIndex((part, index) => part !== two[index]);
  return at < 0 ? one.length - two.length : byCodePoint(one[at] ?? '', two[at] ?? '');
}
