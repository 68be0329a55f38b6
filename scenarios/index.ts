/** The door of the scenarios room: what conformance means, and what runs it. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Dialect } from './engine/grammar.ts';
import type { Opened } from './engine/installations.ts';
import { describeScenarios, type ListedScenario } from './engine/list.ts';
import { type Loaded, loadScenarios } from './engine/load.ts';
import { type Plan, plan, type Selection } from './engine/plan.ts';
import type { RunEvent, RunResult } from './engine/result.ts';
import { mayRunIn, ownScenarioFiles } from './engine/rooms.ts';
import { run } from './engine/run.ts';
import { openUrl } from './engine/targets/open-url.ts';
import { type PreparedUrl, prepareUrl, type UrlChoice } from './engine/targets/url-choice.ts';

export type { Catalogue, Requirement } from './engine/catalogue.ts';
export { loadRequirements } from './engine/catalogue.ts';
export type { Coverage, GroupCoverage } from './engine/coverage.ts';
export { coverageOf } from './engine/coverage.ts';
export type { Problem } from './engine/diagnostics.ts';
export { renderProblem, ScenarioFilesError, UsageError } from './engine/diagnostics.ts';
export type * from './engine/exchange.ts';
export { type Dialect, dialects } from './engine/grammar.ts';
export type { ListedScenario, ListedStep } from './engine/list.ts';
export type { Loaded, LoadedScenario } from './engine/load.ts';
export { loadScenarios } from './engine/load.ts';
export type { Plan, Selection } from './engine/plan.ts';
export { plan } from './engine/plan.ts';
export type * from './engine/result.ts';
export type TargetChoice =
  | { readonly kind: 'embedded' | 'in-process' }
  | ({ readonly kind: 'url' } & Omit<UrlChoice, 'dialect'>);

export interface ScenarioChoice extends Omit<Selection, 'ownFiles'> {
  /** Scenario files or directories; the project's own when absent. */
  readonly files?: readonly string[];
}

export interface CheckOptions extends ScenarioChoice {
  readonly target: TargetChoice;
  /** Scenarios at the same time; 8 when absent. */
  readonly jobs?: number;
  /** Milliseconds for each request; 10,000 when absent. */
  readonly timeout?: number;
  /** Stop after so many failed scenarios. */
  readonly maxFail?: number;
  /** Ends the run: what runs finishes its request and cleans up; the result says so. */
  readonly signal?: AbortSignal;
}

/**
 * Judges a target. Yields events while it goes on; the last event carries the result, which is also the return value.
 * Throws UsageError and ScenarioFilesError before the first event; everything later becomes part of the result.
 */
export async function* check(options: CheckOptions): AsyncGenerator<RunEvent, RunResult> {
  const { target, jobs = 8, timeout = 10_000, maxFail, signal } = options;
  const chosen = planScenarios(options);
  const { dialect } = chosen;
  const prepared = target.kind === 'url' ? await prepareUrl({ ...target, dialect }) : target.kind;
  const limits = { connections: jobs, timeout, dialect };
  return yield* run(chosen, (startedAt) => open(prepared, { ...limits, startedAt }), {
    jobs,
    ...(maxFail === undefined ? {} : { maxFail }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** What a run would do: every chosen scenario with its steps, as they are written. Nothing is sent. */
export function listScenarios(choice: ScenarioChoice = {}): ListedScenario[] {
  return describeScenarios(planScenarios(choice).scenarios);
}

function planScenarios(choice: ScenarioChoice): Plan {
  const ownFiles = choice.files !== undefined;
  return plan(load(choice), { ...choice, ownFiles });
}

/** A path of a scenario file among the ids is read as well, wherever it lies. */
function load({ files, ids = [], dialect = 'documented' }: ScenarioChoice): Loaded {
  const named = ids.filter((id) => /\.ya?ml$/.test(id) && existsSync(id)).map((path) => resolve(path));
  // An id may mean something that is judged in the other dialect; whoever names none asks for nothing of that.
  if (ids.length === 0) return loadScenarios(files ?? ownScenarioFiles().filter((path) => mayRunIn(path, dialect)));
  if (named.length === 0) return loadScenarios(files);
  return loadScenarios([...new Set([...(files ?? ownScenarioFiles()), ...named])]);
}

type Limits = {
  readonly dialect: Dialect;
  readonly connections: number;
  readonly timeout: number;
  readonly startedAt: number;
};

async function open(target: PreparedUrl | 'embedded' | 'in-process', limits: Limits): Promise<Opened> {
  if (typeof target === 'object') return openUrl(target, limits);
  const { openEmbedded } = await import('./engine/targets/embedded.ts');
  return openEmbedded({ ...limits, kind: target });
}
