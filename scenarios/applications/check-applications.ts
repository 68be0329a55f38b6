/** Checks applications: the reference CSE serves them, and their requests and answers are checked against their duties. */
import { type BaselineChoice, markerOf } from '../baseline/mark.ts';
import { defined } from '../engine/basics/defined.ts';
import { version } from '../engine/basics/version.ts';
import { levelIn } from '../engine/files/levels.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import { stateOf } from '../engine/judging/scenario-state.ts';
import { judgeRequirements, notAsked, requirementFacts, usualStrictness } from '../engine/judging/verdict.ts';
import { now, since } from '../engine/messages/target.ts';
import type { RunEvent, RunResult, ScenarioResult, TargetDescription } from '../engine/results/result.ts';
import type { BaselineOutcome, Strictness } from '../engine/results/run-context.ts';
import { runId } from '../engine/running/scenario/scenario-context.ts';
import {
  everyRelease,
  type SimulatedCse,
  type SimulatedCseOptions,
  simulateCse,
} from '../engine/targets/embedded/cse-for-applications.ts';
import { masked } from '../safety/masked.ts';
import { Redactor } from '../secrets/redactor.ts';
import { ApplicationJudge } from './application-judge.ts';
import { catalogueOf, type Duty, dutiesOf } from './duty.ts';

export interface CheckApplicationsOptions extends Omit<SimulatedCseOptions, 'onEntry'> {
  /** Ends the recording; what was recorded is checked. */
  readonly until: AbortSignal;
  /** Number of requests that ends it as well. */
  readonly requests?: number;
  /** Release of oneM2M to check against; 3 when absent. */
  readonly release?: string;
  /** Called when applications can connect. */
  readonly onListening?: (cse: SimulatedCse) => void;
  readonly strictness?: Partial<Strictness>;
  readonly baseline?: BaselineChoice;
  /** Secrets to mask, besides the values of secret headers and parameters. */
  readonly secrets?: readonly string[];
}

/** Rejects with a UsageError where the harness cannot listen. */
export async function* checkApplications(options: CheckApplicationsOptions): AsyncGenerator<RunEvent, RunResult> {
  const redactor = new Redactor(options.secrets);
  return yield* masked(checked(options, redactor), redactor);
}

async function* checked(options: CheckApplicationsOptions, redactor: Redactor): AsyncGenerator<RunEvent, RunResult> {
  const { dialect, baseline } = options;
  const startedAt = new Date().toISOString();
  const started = now();
  const all = dutiesOf(dialect);
  const mark = baseline && markerOf(baseline, { catalogue: catalogueOf(all), scenarios: [], selective: true });
  const duties = all.filter((duty) => !isLater(duty, options.release));
  const judge = new ApplicationJudge({ duties, dialect, redactor, enough: options.requests });
  const cse = await simulateCse({ ...settingsOf(options), onEntry: (entry) => judge.record(entry) });
  const about = { run: runId(), dialect, target: descriptionOf(cse) };
  try {
    yield { type: 'run started', run: about.run, target: about.target, planned: 1 };
    await watched(cse, judge, options);
  } finally {
    await cse.close();
  }
  const took = since(started);
  const scenario = toScenario(judge.steps, took);
  yield { type: 'scenario finished', result: scenario };
  const marked = mark?.([scenario], about) ?? { scenarios: [scenario], outcome: undefined };
  const { evidence } = judge;
  const result = { ...about, ...madeOf(all, about), startedAt, took, evidence, ...checkDuties(all, marked, options) };
  yield { type: 'run finished', result };
  return result;
}

function settingsOf({ port, dialect, interface: where, base, cseId, spId, admin }: CheckApplicationsOptions) {
  return { port, dialect, ...defined({ interface: where, base, cseId, spId, admin }) };
}

function descriptionOf({ url, base, cseId, spId }: SimulatedCse): TargetDescription {
  return { kind: 'simulated', url, base, cseId, spId };
}

function madeOf(duties: readonly Duty[], { target }: { readonly target: TargetDescription }) {
  return {
    tool: { name: 'cselab', version: version() },
    specification: [...new Set(duties.map(({ specification }) => specification))].join(', '),
    installations: [{ name: label, has: [], gateway: target }],
  } as const;
}

/** Records until it is ended. */
async function watched(cse: SimulatedCse, judge: ApplicationJudge, options: CheckApplicationsOptions): Promise<void> {
  judge.begin(cse);
  options.onListening?.(cse);
  await ended(AbortSignal.any([options.until, judge.hasEnough]));
  await cse.idle(grace);
  judge.end();
}

type DutyVerdicts = Pick<RunResult, 'strictness' | 'scenarios' | 'baseline' | 'requirements' | 'summary' | 'exit'>;

function checkDuties(duties: readonly Duty[], marked: Marking, options: CheckApplicationsOptions): DutyVerdicts {
  const { scenarios, outcome } = marked;
  const scale = scaleOf(options.dialect);
  const strictness = { ...usualStrictness, ...defined(options.strictness ?? {}) };
  const basis = { plan: { ...scale, scenarios }, stop: undefined, strictness, baseline: outcome };
  return {
    ...{ strictness, scenarios, ...(outcome && { baseline: outcome }) },
    ...judgeRequirements(selectionOf(duties, options), scenarios, basis),
  };
}

interface Marking {
  readonly scenarios: readonly ScenarioResult[];
  readonly outcome: BaselineOutcome | undefined;
}

const scaleOf = (dialect: Dialect) => ({ dialect, level: 'documented' }) as const;

const label = 'application';
/** Milliseconds for pending exchanges at the end. */
const grace = 2_000;

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // A timeout signal alone would not keep the process alive.
    const alive = setInterval(() => {}, 2 ** 30);
    const end = () => {
      clearInterval(alive);
      resolve();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

function toScenario(steps: ScenarioResult['steps'], took: number): ScenarioResult {
  return {
    ...{ id: `${label}/observed`, feature: label, title: 'What applications sent and answered', tags: [] },
    ...{ place: { file: label, line: 1, column: 1 }, installation: label, steps, leftBehind: [], took },
    ...stateOf(steps, { block: undefined, fault: undefined, interrupted: false }),
  };
}

function selectionOf(
  duties: readonly Duty[],
  { dialect, release }: CheckApplicationsOptions,
): Parameters<typeof judgeRequirements>[0] {
  const unseen = { verdict: 'not asked', reason: notAsked } as const;
  const later = (duty: Duty) => ({ verdict: 'not applicable', reason: `since release ${duty.since}` }) as const;
  return duties.map((duty) => ({
    requirement: requirementFacts(duty),
    selected: true,
    level: levelIn(scaleOf(dialect), duty),
    fallback: isLater(duty, release) ? later(duty) : unseen,
  }));
}

/** Whether the duty is newer than the release. */
function isLater({ since: first = '1' }: Duty, release = '3'): boolean {
  return everyRelease.indexOf(first) > everyRelease.indexOf(release);
}
