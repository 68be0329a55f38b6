/** Checks a target: plans the scenarios, identifies the target, and runs them. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { answeredBy, type KeepUpload } from '../answers/answers-file.ts';
import { type BaselineChoice, markerOf } from '../baseline/mark.ts';
import { defined } from '../engine/basics/defined.ts';
import { ownRuleFiles } from '../engine/files/extends.ts';
import { manualFiles, mayRunIn, ownScenarioFiles } from '../engine/files/folders.ts';
import {
  existingFiles,
  type Loaded,
  type LoadedScenario,
  type LoadedStep,
  loadScenarios,
} from '../engine/files/load.ts';
import { type Plan, plan, requirementsOf, type Selection } from '../engine/files/plan.ts';
import { type Durations, type Shard, shardOf, shippedDurations } from '../engine/files/shard.ts';
import { titleOf } from '../engine/judging/sentences.ts';
import { usualStrictness } from '../engine/judging/verdict.ts';
import type { RunEvent, RunResult } from '../engine/results/result.ts';
import type { Failure } from '../engine/results/run-context.ts';
import { run } from '../engine/running/run.ts';
import type { Installations } from '../engine/running/scenario/installations.ts';
import type { QuestionToPerson } from '../engine/running/scenario/scenario-context.ts';
import type { RunOptions } from '../engine/running/workers.ts';
import { prepareUrl } from '../engine/targets/url-choice.ts';
import { applyIcs } from '../ics/apply-ics.ts';
import { behavedAs } from '../ics/behaviour.ts';
import { claimsOf } from '../ics/ics.ts';
import { overWire } from '../ics/over-wire.ts';
import { profileCalled } from '../ics/profiles.ts';
import { ownRulesIn } from '../oracle/rules.ts';
import { undeclared } from '../probe/undeclared.ts';
import { maskedRun } from '../safety/masked.ts';
import { readOnlyPlan, withoutMarked } from '../safety/risks.ts';
import type { SafetyChoice } from '../safety/run-safety.ts';
import { comparedWith, shippedBehaviour } from './behaviour.ts';
import { type DryRun, dryRun } from './dry-run.ts';
import { assumptionOf, examinerOf, open, prepareTarget, type TargetChoice } from './open-target.ts';

export interface ScenarioChoice extends Omit<Selection, 'ownFiles'> {
  /** Scenario files or directories; the project's own when absent. */
  readonly files?: readonly string[];
  /** More scenario files or directories. */
  readonly moreFiles?: readonly string[];
  /** Only the part of this shard. */
  readonly shard?: Shard;
  /** Durations to balance shards; the project's own measurements when absent. */
  readonly durations?: Durations;
}

export interface CheckOptions
  extends ScenarioChoice,
    Pick<RunOptions, 'maxFail' | 'again' | 'rules' | 'restart' | 'signal' | 'ask'> {
  readonly target: TargetChoice;
  /** Scenarios at the same time; 8 when absent. */
  readonly jobs?: number;
  /** Milliseconds for each request; 12,000 when absent. */
  readonly timeout?: number;
  /** What makes the run fail; violations and intermittent failures when absent. */
  readonly failOn?: readonly Failure[];
  /** Name of a TS-0025 profile, or path of a profile, that the target must satisfy; that of the target file when absent. */
  readonly profile?: string;
  /** Passed checks needed to satisfy a requirement; 1 when absent. */
  readonly minEvidence?: number;
  /** Known deviations of the target. */
  readonly baseline?: BaselineChoice;
  /** Safety of a run on a live target, beyond the defaults. */
  readonly safety?: SafetyChoice;
  /** Secrets to mask in all output, besides keys, passphrases and the values of secret headers. */
  readonly secrets?: readonly string[];
  /** Whether to try features that the ICS of the target denies; true when absent. */
  readonly undeclared?: boolean;
  /** A file with earlier answers of people, who are not asked again. */
  readonly answers?: string;
  /** Receives each file that a scenario asks people for. */
  readonly keep?: KeepUpload;
  /** Ids of scenarios that must not be skipped: a run that skips one is inconclusive. */
  readonly locked?: Iterable<string>;
}

/**
 * Checks a target. Yields events of the run; the last event carries the result, which is also the return value.
 * Throws UsageError and ScenarioFilesError before the first event; everything later becomes part of the result.
 */
export async function* check(options: CheckOptions): AsyncGenerator<RunEvent, RunResult> {
  return yield* maskedRun(judge, options);
}

async function* judge(options: CheckOptions): AsyncGenerator<RunEvent, RunResult> {
  const { target, jobs = 8, timeout = 12_000, maxFail, again, rules, restart, signal, answers } = options;
  const { level, failOn, minEvidence, locked } = options;
  const chosen = planScenarios(options);
  const { dialect } = chosen;
  const ask = answers === undefined ? options.ask : answeredBy(answers, wholePlan(options).scenarios, options);
  const mark = options.baseline && markerOf(options.baseline, chosen);
  const selected = await prepareTarget(target, dialect);
  const { prepared, assumed, ics } = await assumptionOf(selected, { timeout, signal });
  const applicable = permitted(chosen, options);
  const known = ics === undefined ? applicable : applyIcs(applicable, ics);
  const claimed = overWire(known, ('choice' in prepared && prepared.route?.wire) || 'HTTP');
  const examine = examinerOf(prepared, { timeout, signal });
  const limits = { connections: jobs, timeout, dialect, signal, examine, safety: options.safety };
  const planned = locked === undefined ? claimed : { ...claimed, locked: new Set(locked) };
  return yield* run(planned, (startedAt, id) => open(prepared, { ...limits, startedAt, run: id }), {
    jobs,
    assumed,
    ...claimsLookedAt(options, claimed),
    strictness: { ...usualStrictness, ...defined({ level, failOn, minEvidence }) },
    compare: (scenarios, about) => comparedWith(shippedBehaviour(), scenarios, about),
    ...defined({ mark, maxFail, again, rules, restart, signal, ask }),
  });
}

/** The ICS also shows what was found besides the scenarios. Throws UsageError for an unknown profile. */
function claimsLookedAt(options: CheckOptions, plan: Plan): Pick<RunOptions, 'notes' | 'checkClaims'> {
  const { target } = options;
  const named = options.profile ?? (target.kind === 'url' ? target.profile : undefined);
  const profile = named === undefined ? undefined : profileCalled(named);
  const claims = plan.claims ?? (profile && claimsOf({ of: 'nobody', claims: {} }));
  let found: ReadonlyMap<string, string> = new Map();
  return {
    notes: async (about) => {
      const { works, notes } = await foundBeside(options, plan, about);
      found = works;
      return notes;
    },
    checkClaims: (scenarios) => defined({ ics: claims && behavedAs(claims, scenarios, found), profile }),
  };
}

const nothingFound = { works: new Map<string, string>(), notes: [] };

/** Only claims of a target file are tried, once for all shards; assumed ones come from the target itself. */
async function foundBeside(
  { target, safety, signal, undeclared: isWanted = true }: CheckOptions,
  { shard }: Plan,
  { run: id, installations }: { readonly run: string; readonly installations: Installations },
): ReturnType<typeof undeclared> {
  const [installation] = installations.opened();
  if (target.kind !== 'url' || target.ics === undefined || installation === undefined) return nothingFound;
  if (!isWanted || safety?.readOnly || (shard !== undefined && shard.index !== 1)) return nothingFound;
  return undeclared({ run: id, installation }, claimsOf(target.ics), signal);
}

/** Scenarios, and the target whose ICS and safety decide which of them run. */
export type PlannedChoice = ScenarioChoice & Partial<Pick<CheckOptions, 'target' | 'safety'>>;

/** The plan of a run at this target. Throws as `check` does. */
export function plannedAt(options: PlannedChoice): Plan {
  return permitted(planScenarios(options), options);
}

/** Everything that can be checked in this dialect and release, whatever is selected. */
export function wholePlan({ dialect, level, ...choice }: ScenarioChoice): Plan {
  const { release } = choice;
  const ownRules = ownRuleFiles(choice.ownRules ?? []);
  const loaded = load({ ...choice, ownRules, ...defined({ dialect }) });
  return plan(loaded, { ownRules, ...defined({ dialect, level, release }) });
}

/** Every request that a run would send, in order. Sends nothing. */
export async function requestsOf(options: CheckOptions): Promise<DryRun> {
  const { target, safety } = options;
  const planned = plannedAt(options);
  const choice = target.kind === 'url' ? target : { url: 'http://127.0.0.1', admin: 'CAdmin', risky: 'all' as const };
  return dryRun(planned, await prepareUrl({ ...choice, dialect: planned.dialect }), safety);
}

export interface ListedStep {
  readonly phase: 'given' | 'step';
  /** With names as written: `create container in ${base}`. */
  readonly title: string;
  readonly note?: string;
  readonly requirements: readonly string[];
  /** The question to a person, with the name of the answer. */
  readonly asks?: Pick<QuestionToPerson, 'name' | 'choice' | 'upload'>;
}

export interface ListedScenario
  extends Pick<LoadedScenario, 'id' | 'feature' | 'title' | 'tags' | 'place' | 'inapplicable' | 'leftOut'> {
  /** What it needs of a target. */
  readonly needs: readonly string[];
  readonly requirements: readonly string[];
  readonly steps: readonly ListedStep[];
}

/**
 * The selected scenarios with their steps as written, and the reasons why the ICS of the target, or a read-only run, excludes some.
 * Sends nothing.
 */
export function listScenarios(choice: PlannedChoice = {}): ListedScenario[] {
  return plannedAt(choice).scenarios.map(listed);
}

function listed(scenario: LoadedScenario): ListedScenario {
  const { id, feature, title, tags, place, inapplicable, leftOut } = scenario;
  const givenSteps = scenario.given.map((step) => listedStep('given', step));
  const steps = [...givenSteps, ...scenario.steps.map((step) => listedStep('step', step))];
  const needs = [...scenario.needs];
  const requirements = requirementsOf(scenario);
  return { id, feature, title, tags, needs, place, requirements, steps, ...defined({ inapplicable, leftOut }) };
}

function listedStep(phase: ListedStep['phase'], { step, checks }: LoadedStep): ListedStep {
  const requirements = [...new Set(checks.map((check) => check.requirement))];
  const asks = 'ask' in step ? { name: step.answer, choice: step.choice, upload: step.upload } : undefined;
  return { phase, title: titleOf(step, new Map()), requirements, ...defined({ note: step.note, asks }) };
}

/** Without scenarios that the user, or the safety of a live target, excludes. */
function permitted(chosen: Plan, { target, safety }: Partial<Pick<CheckOptions, 'target' | 'safety'>>): Plan {
  const applicable = safety?.readOnly ? readOnlyPlan(chosen) : chosen;
  return target?.kind === 'url' ? withoutMarked(applicable, target) : applicable;
}

/** With the claims of the target, if it has any. */
function planScenarios(choice: ScenarioChoice & Partial<Pick<CheckOptions, 'target'>>): Plan {
  const ownFiles = choice.files !== undefined;
  const { shard, durations, target } = choice;
  const { release, ics } = target?.kind === 'url' ? target : {};
  const ownRules = ownRuleFiles(choice.ownRules ?? []);
  const loaded = load({ ...choice, ownRules });
  // Errors in them are reported before anything is sent.
  for (const path of ownRules) ownRulesIn(path, loaded.catalogue);
  const whole = plan(loaded, { ...choice, ownRules, release, ownFiles });
  const chosen = shard === undefined ? whole : shardOf(whole, shard, durations ?? shippedDurations());
  return ics === undefined ? chosen : applyIcs(chosen, ics);
}

/** Paths of scenario files among the ids are read as well. */
function load({ files, moreFiles = [], ids = [], dialect = 'documented', ownRules = [] }: ScenarioChoice): Loaded {
  const named = ids.filter((id) => /\.ya?ml$/.test(id) && existsSync(id)).map((path) => resolve(path));
  // An id may be of the other dialect; without ids, only files of this dialect are needed.
  const usual = () => ownScenarioFiles().filter((path) => ids.length > 0 || mayRunIn(path, dialect));
  const manual = ids.some((id) => /^manual(\/|$)/.test(id)) ? manualFiles() : [];
  const beside = [...moreFiles.flatMap(existingFiles), ...named, ...manual];
  if (beside.length === 0 && ids.length > 0) return loadScenarios(files, { ownRules });
  return loadScenarios([...new Set([...(files ?? usual()), ...beside])], { ownRules });
}
