import { basename } from 'node:path';
import { type BaselineChoice, markerOf } from '../baseline/mark.ts';
import { defined } from '../engine/basics/defined.ts';
import { version } from '../engine/basics/version.ts';
import { type Catalogue, loadRequirements } from '../engine/files/catalogue.ts';
import { isOfDialect, levelIn, levelsOf, specificationOf } from '../engine/files/levels.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { milliseconds } from '../engine/grammar/names.ts';
import { rejudge } from '../engine/judging/rejudge.ts';
import { isViolation, stateOf } from '../engine/judging/scenario-state.ts';
import { isOfRaw } from '../engine/judging/sentences.ts';
import {
  judgeRequirements,
  notAsked,
  type RequirementInput,
  requirementFacts,
  usualStrictness,
} from '../engine/judging/verdict.ts';
import type { CseNames } from '../engine/messages/address.ts';
import { now, since } from '../engine/messages/target.ts';
import type { Verdict } from '../engine/results/requirement-result.ts';
import type { RunEvent, RunResult, ScenarioResult } from '../engine/results/result.ts';
import { runId } from '../engine/running/scenario/scenario-context.ts';
import { MemberJudges } from '../engine/running/scenario/step-results.ts';
import { Judge, type JudgeOptions } from '../oracle/judge.ts';
import { notificationRequirements } from '../oracle/notification-demands.ts';
import { rulesOf } from '../oracle/rules.ts';
import { masked } from '../safety/masked.ts';
import { Redactor } from '../secrets/redactor.ts';
import { judgeFile, type RecordingResult, type TrafficChoice } from './judge-file.ts';
import { recordingName } from './read-traffic.ts';
import { isCut, isForeign } from './recorded.ts';

export interface JudgeTrafficOptions
  extends Pick<TrafficChoice, keyof CseNames | 'url' | 'isAlone' | 'signal' | 'listening'> {
  /** Recordings of one CSE: journals as lines of JSON, HTTP Archives, captures, or the URL of its MQTT server. */
  readonly files: readonly string[];
  /** Dialect of the CSE; `documented` when absent. */
  readonly dialect?: Dialect;
  readonly baseline?: BaselineChoice;
  /** Secrets to mask, besides the values of secret headers and parameters. */
  readonly secrets?: readonly string[];
}

/**
 * Checks recorded exchanges with a CSE against every applicable rule, each file separately; sends nothing. Throws a UsageError with the
 * position of an error.
 */
export async function* judgeTraffic(options: JudgeTrafficOptions): AsyncGenerator<RunEvent, RunResult> {
  const redactor = new Redactor(options.secrets);
  return yield* masked(judgeAll(options, redactor), redactor);
}

async function* judgeAll(options: JudgeTrafficOptions, redactor: Redactor): AsyncGenerator<RunEvent, RunResult> {
  const { files, dialect = 'documented', baseline } = options;
  const catalogue = loadRequirements();
  const mark = baseline && markerOf(baseline, { catalogue, scenarios: [], selective: true });
  const levelOf = levelsOf(catalogue, { dialect, level: 'documented' });
  const choice = { ...options, dialect, rules: rulesOf(dialect), levelOf, redactor, catalogue };
  const started = now();
  const run = runId();
  const done: RecordingResult[] = [];
  const results: ScenarioResult[] = [];
  for (const file of files) {
    const one = await judgeFile(file, choice);
    if (done.length === 0) yield { type: 'run started', run, target: one.target, planned: files.length };
    done.push(one);
    const result = toScenario(file, one);
    results.push(result);
    yield { type: 'scenario finished', result };
    if (options.signal?.aborted) break;
  }
  const [first] = done;
  if (first === undefined) throw new TypeError('there is nothing to judge');
  const { target, start } = first;
  const marked = mark?.(results, { run, dialect, target }) ?? { scenarios: results, outcome: undefined };
  const notes = done.flatMap((one) => one.notes);
  const about = { run, target, startedAt: new Date(start).toISOString(), took: since(started), notes };
  const result = resultOf(choice, about, marked);
  yield { type: 'run finished', result };
  return result;
}

function resultOf(
  choice: JudgeTrafficOptions & TrafficChoice,
  { run, target, startedAt, took, notes }: Pick<RunResult, 'run' | 'target' | 'startedAt' | 'took' | 'notes'>,
  { scenarios, outcome }: Pick<RunResult, 'scenarios'> & { readonly outcome: RunResult['baseline'] | undefined },
): RunResult {
  const { catalogue, dialect, files, signal } = choice;
  const stop = { kind: 'interrupted', reason: 'the run was interrupted' } as const;
  return {
    tool: { name: 'cselab', version: version() },
    specification: specificationOf(catalogue, dialect),
    ...{ dialect, run, target, strictness: usualStrictness, startedAt, took },
    installations: [{ name: 'recorded', has: [], gateway: target }],
    ...{ scenarios, ...defined({ notes, baseline: outcome }) },
    ...judgeRequirements(selectionOf(catalogue, choice), scenarios, {
      plan: { dialect, level: 'documented', scenarios: files },
      stop: signal?.aborted ? stop : undefined,
      ...{ strictness: usualStrictness, baseline: outcome },
    }),
  };
}

function toScenario(path: string, { steps, took }: RecordingResult): ScenarioResult {
  const file = recordingName(path);
  return {
    id: `recorded/${basename(file)}`,
    feature: 'recorded',
    title: `What is recorded in ${file}`,
    tags: [],
    place: { file, line: 1, column: 1 },
    installation: 'recorded',
    ...stateOf(steps, { block: undefined, fault: undefined, interrupted: false }),
    ...{ steps, leftBehind: [], took },
  };
}

/** Every requirement of the dialect; those without rules are excluded. */
function selectionOf(catalogue: Catalogue, { rules, levelOf, dialect }: TrafficChoice): RequirementInput[] {
  const withRules = new Set([...rules.map(({ requirement }) => requirement), ...notificationRequirements(dialect)]);
  const own = [...catalogue.requirements.values()].filter((one) => isOfDialect(one, dialect) || withRules.has(one.id));
  return own.map((one) => ({
    requirement: requirementFacts(one),
    selected: true,
    level: levelOf(one.id),
    fallback: withRules.has(one.id)
      ? { verdict: 'not asked', reason: notAsked }
      : { verdict: 'excluded', reason: 'no rule speaks of it' },
  }));
}

const unchecked: ReadonlySet<Verdict> = new Set(['excluded', 'not applicable', 'not asked', 'left out']);

/** The report of a run, with what rules find in its exchanges; sends nothing. */
export function judgeReport(report: RunResult): RunResult {
  const checked = new Set(report.requirements.filter(({ verdict }) => !unchecked.has(verdict)).map(({ id }) => id));
  const all = rulesOf(report.dialect);
  const rules = all.filter(({ requirement }) => checked.has(requirement));
  const withRules = new Set(all.map(({ requirement }) => requirement));
  const scale = { dialect: report.dialect, level: report.strictness.level };
  const levels = new Map(report.requirements.map((one) => [one.id, levelIn(scale, one)]));
  const levelOf = (id: string) => levels.get(id) ?? 'documented';
  const { dialect } = report;
  const scenarios = report.scenarios.map((scenario) => {
    const installation = report.installations.find(({ name }) => name === scenario.installation);
    if (installation === undefined) return scenario;
    const demandsCertificate = installation.has.includes('certificate required');
    const looksAtPolicies = installation.has.includes('access control');
    const about = { rules, dialect, levelOf, demandsCertificate, looksAtPolicies };
    const judge = (names: JudgeOptions['names']) => new Judge({ ...about, names });
    return rejudgeScenario(scenario, new MemberJudges(installation, judge), withRules);
  });
  return { ...report, scenarios, ...rejudge([report], scenarios, report) };
}

type Ids = ReadonlySet<string>;

/** Keeps findings of a team's rules, and of messages that the report has cut. */
function rejudgeScenario(scenario: ScenarioResult, judges: MemberJudges, withRules: Ids): ScenarioResult {
  const steps = scenario.steps.map((step) => {
    const { exchange, passed } = step;
    if (passed !== undefined) judges.passTime(milliseconds(passed.duration));
    const isKnown = exchange !== undefined && !isCut(exchange) && !isForeign(exchange);
    const before = step.checks.filter(({ byRule }) => byRule === true);
    const checks = step.checks.filter(({ byRule }) => byRule !== true);
    const isOrdinary = exchange?.connection === undefined && !isOfRaw(step.title);
    const result = judges.judge({ ...step, checks }, { isKnown, isOrdinary });
    const found = result.checks.slice(checks.length);
    // Messages do not show whether it was intermittent, or is known.
    const again = found.map((one) => before.find(({ requirement }) => requirement === one.requirement) ?? one);
    const kept = before.filter(({ requirement }) => !isKnown || !withRules.has(requirement));
    return { ...result, checks: [...checks, ...again, ...kept] };
  });
  const fails = steps.some(({ checks }) => checks.some(isViolation));
  return { ...scenario, steps, ...(fails && scenario.state === 'passed' && { state: 'failed' }) };
}
