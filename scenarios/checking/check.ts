/** Judges a target: reads what is to be done, finds out what the target is, and runs it. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { answeredBy, type KeepUpload } from '../answers/answers-file.ts';
import { type BaselineChoice, markerOf } from '../baseline/mark.ts';
import { defined } from '../engine/basics/defined.ts';
import { ownRuleFiles } from '../engine/files/extends.ts';
import { filesBelow, manualFiles, mayRunIn, ownScenarioFiles } from '../engine/files/folders.ts';
import { type Loaded, type LoadedScenario, type LoadedStep, loadScenarios } from '../engine/files/load.ts';
import { type Plan, plan, requirementsOf, type Selection } from '../engine/files/plan.ts';
import { titleOf } from '../engine/judging/sentences.ts';
import { usualStrictness } from '../engine/judging/verdict.ts';
import type { RunEvent, RunResult } from '../engine/results/result.ts';
import type { Failure } from '../engine/results/run-context.ts';
import { run } from '../engine/running/run.ts';
import type { Installations } from '../engine/running/scenario/installations.ts';
import type { QuestionToPerson } from '../engine/running/scenario/questions.ts';
import { type Durations, type Shard, shardOf, shippedDurations } from '../engine/running/shard.ts';
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
  /** Scenario files or directories beside those. */
  readonly moreFiles?: readonly string[];
  /** Only the part that falls to this shard. */
  readonly shard?: Shard;
  /** By what the parts are made equal; the project's own measurements when absent. */
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
  /** What makes the run red; violations and what is intermittent when absent. */
  readonly failOn?: readonly Failure[];
  /** The name of a profile of TS-0025, or the path of one: what the target is to have; that of the target when absent. */
  readonly profile?: string;
  /** So many checks have to pass before a requirement counts as satisfied; 1 when absent. */
  readonly minEvidence?: number;
  /** Known deviations of the target. */
  readonly baseline?: BaselineChoice;
  /** How a run on a live target is kept safe, beyond what always holds. */
  readonly safety?: SafetyChoice;
  /** What is masked in everything that the run tells, beside keys, passphrases and the values of headers that hold secrets. */
  readonly secrets?: readonly string[];
  /** Whether it is tried what works though the statement of the target denies it; true when absent. */
  readonly undeclared?: boolean;
  /** A file of what people answered before: they are not asked again. */
  readonly answers?: string;
  /** Is given each file of those that a scenario asks for. */
  readonly keep?: KeepUpload;
  /** Ids of scenarios that must not be skipped: a run that skips one is inconclusive. */
  readonly locked?: Iterable<string>;
}

/**
 * Judges a target. Yields events while it goes on; the last event carries the result, which is also the return value.
 * Throws UsageError and ScenarioFilesError before the first event; everything later becomes part of the result.
 */
export async function* check(options: CheckOptions): AsyncGenerator<RunEvent, RunResult> {
  return yield* maskedRun(judge, options);
}

async function* judge(options: CheckOptions): AsyncGenerator<RunEvent, RunResult> {
  const { target, jobs = 8, timeout = 12_000, maxFail, again, rules, restart, signal, answers } = options;
  const { level, failOn, minEvidence, locked } = options;
  const chosen = withIcs(planScenarios(options), target);
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

/** What is found beside the scenarios is shown in the statement, too. Throws UsageError for a profile that nobody knows. */
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
    checkClaims: (scenarios) => defined({ statement: claims && behavedAs(claims, scenarios, found), profile }),
  };
}

const nothingFound = { works: new Map<string, string>(), notes: [] };

/** Only what a target file says is looked at again, once for all shards; what was assumed the target has said itself. */
async function foundBeside(
  { target, safety, signal, undeclared: isWanted = true }: CheckOptions,
  { shard }: Plan,
  { run: id, installations }: { readonly run: string; readonly installations: Installations },
): ReturnType<typeof undeclared> {
  const [installation] = installations.opened();
  if (target.kind !== 'url' || target.statement === undefined || installation === undefined) return nothingFound;
  if (!isWanted || safety?.readOnly || (shard !== undefined && shard.index !== 1)) return nothingFound;
  return undeclared({ run: id, installation }, claimsOf(target.statement), signal);
}

/** What a run at this target would do. Throws as `check` does. */
export function plannedAt(options: ScenarioChoice & Pick<CheckOptions, 'target' | 'safety'>): Plan {
  return permitted(withIcs(planScenarios(options), options.target), options);
}

/** All that could be judged in this dialect and release, whatever is chosen of it. */
export function wholePlan({ dialect, level, ...choice }: ScenarioChoice): Plan {
  const { release } = choice;
  const ownRules = ownRuleFiles(choice.ownRules ?? []);
  const loaded = load({ ...choice, ownRules, ...defined({ dialect }) });
  return plan(loaded, { ownRules, ...defined({ dialect, level, release }) });
}

function withIcs(chosen: Plan, target: TargetChoice): Plan {
  return target.kind === 'url' && target.statement ? applyIcs(chosen, target.statement) : chosen;
}

/** Every request that a run would send, in order. Nothing is sent. The embedded reference CSE stands for itself. */
export async function requestsOf(options: CheckOptions): Promise<DryRun> {
  const { target, safety } = options;
  const chosen = withIcs(planScenarios(options), target);
  const choice = target.kind === 'url' ? target : { url: 'http://127.0.0.1', admin: 'CAdmin', risky: 'all' as const };
  const prepared = await prepareUrl({ ...choice, dialect: chosen.dialect });
  return dryRun(permitted(chosen, options), prepared, safety);
}

export interface ListedStep {
  readonly phase: 'given' | 'step';
  /** With the names as they are written: `create container in ${base}`. */
  readonly title: string;
  readonly note?: string;
  readonly requirements: readonly string[];
  /** What a person is asked, by the name of the answer. */
  readonly asks?: Pick<QuestionToPerson, 'name' | 'choice' | 'upload'>;
}

export interface ListedScenario
  extends Pick<LoadedScenario, 'id' | 'feature' | 'title' | 'tags' | 'place' | 'inapplicable' | 'leftOut'> {
  /** What a target must have for it. */
  readonly needs: readonly string[];
  readonly requirements: readonly string[];
  readonly steps: readonly ListedStep[];
}

/**
 * What a run would do: every chosen scenario with its steps, as they are written, and why not where the statement of the target
 * or the choice to read only says so. Nothing is sent.
 */
export function listScenarios(
  choice: ScenarioChoice & Partial<Pick<CheckOptions, 'target' | 'safety'>> = {},
): ListedScenario[] {
  const { target, safety } = choice;
  const chosen = target === undefined ? planScenarios(choice) : withIcs(planScenarios(choice), target);
  return permitted(chosen, { target, safety }).scenarios.map(listed);
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

/** Without what the user, or the safety of a live target, keeps out. */
function permitted(
  chosen: Plan,
  { target, safety }: { readonly target?: TargetChoice | undefined; readonly safety?: SafetyChoice | undefined },
): Plan {
  const applicable = safety?.readOnly ? readOnlyPlan(chosen) : chosen;
  return target?.kind === 'url' ? withoutMarked(applicable, target) : applicable;
}

function planScenarios(choice: ScenarioChoice & { readonly target?: TargetChoice | undefined }): Plan {
  const ownFiles = choice.files !== undefined;
  const { shard, durations, target } = choice;
  const release = target?.kind === 'url' ? target.release : undefined;
  const ownRules = ownRuleFiles(choice.ownRules ?? []);
  const loaded = load({ ...choice, ownRules });
  // What is wrong with them is told before anything is sent.
  for (const path of ownRules) ownRulesIn(path, loaded.catalogue);
  const whole = plan(loaded, { ...choice, ownRules, release, ownFiles });
  return shard === undefined ? whole : shardOf(whole, shard, durations ?? shippedDurations());
}

/** A path of a scenario file among the ids is read as well, wherever it lies. */
function load({ files, moreFiles = [], ids = [], dialect = 'documented', ownRules = [] }: ScenarioChoice): Loaded {
  const named = ids.filter((id) => /\.ya?ml$/.test(id) && existsSync(id)).map((path) => resolve(path));
  // An id may mean something that is judged in the other dialect; whoever names none asks for nothing of that.
  const usual = () => ownScenarioFiles().filter((path) => ids.length > 0 || mayRunIn(path, dialect));
  const manual = ids.some((id) => /^manual(\/|$)/.test(id)) ? manualFiles() : [];
  const beside = [...moreFiles.flatMap(filesBelow), ...named, ...manual];
  if (beside.length === 0 && ids.length > 0) return loadScenarios(files, { ownRules });
  return loadScenarios([...new Set([...(files ?? usual()), ...beside])], { ownRules });
}
