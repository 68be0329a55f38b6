import type { LeaveReport } from '../../safety/run-safety.ts';
import { defined } from '../basics/defined.ts';
import { version } from '../basics/version.ts';
import { specificationOf } from '../files/levels.ts';
import type { Plan } from '../files/plan.ts';
import { isViolation } from '../judging/scenario-state.ts';
import { judgeRun, usualStrictness } from '../judging/verdict.ts';
import { now, since } from '../messages/target.ts';
import type { RunEvent, RunResult, ScenarioResult } from '../results/result.ts';
import { describeInstallation } from '../targets/installation.ts';
import { streamEvents } from './event-stream.ts';
import { deadlyIn } from './losses.ts';
import type { Opened } from './scenario/installations.ts';
import { runId } from './scenario/scenario-context.ts';
import { type RunnerOptions, ScenarioRunner } from './scenario/scenario-runner.ts';
import { type RunOptions, Workers, type WorkOutcome } from './workers.ts';

/** Opens the target for a run that starts at `startedAt` (`now()`). */
export type Open = (startedAt: number, run: string) => Promise<Opened>;

/** Runs a plan: events as they happen, the result as the last event and as the return value. */
export async function* run(plan: Plan, open: Open, options: RunOptions): AsyncGenerator<RunEvent, RunResult> {
  const header = { run: runId(), startedAt: new Date().toISOString() };
  const started = now();
  const opened = await open(started, header.run);
  const target = opened.description;
  const event: Started = { type: 'run started', run: header.run, target, planned: plan.scenarios.length };
  const finished = yield* runAll(plan, opened, event, options);
  const { strictness = usualStrictness, mark, compare, checkClaims, assumed = [] } = options;
  const about = { run: header.run, dialect: plan.dialect, target };
  const done = finished.scenarios.map((one) => withoutWhatIsGone(one, finished.departure));
  const scenarios = compare?.(done, about) ?? done;
  const marked = mark?.(scenarios, about) ?? { scenarios, outcome: undefined };
  const { deaths = [], stop, inUse, evidence = {}, departure: { survey } = {} } = finished;
  const baseline = marked.outcome;
  const claims = checkClaims?.(marked.scenarios, about) ?? defined({ ics: plan.claims });
  const notes = [...(finished.notes ?? []), ...(finished.departure?.notes ?? [])];
  const result: RunResult = {
    tool: { name: 'cselab', version: version() },
    specification: specificationOf(plan.catalogue, plan.dialect),
    dialect: plan.dialect,
    ...header,
    took: since(started),
    target,
    ...(deaths.length > 0 && { deaths }),
    installations: 'installations' in opened ? opened.installations.opened().map(describeInstallation) : [],
    scenarios: marked.scenarios,
    strictness,
    ...claims,
    ...defined({ shard: plan.shard && shardFacts(plan.shard) }),
    ...(assumed.length > 0 && { assumed }),
    ...(notes.length > 0 && { notes }),
    ...defined({ survey, baseline }),
    ...(Object.keys(evidence).length > 0 && { evidence }),
    ...judgeRun(plan, marked.scenarios, { stop, strictness, baseline, deaths, survey, claims, inUse, evidence }),
  };
  yield { type: 'run finished', result };
  return result;
}

interface Finished extends WorkOutcome {
  readonly departure?: LeaveReport | undefined;
}

type Started = Extract<RunEvent, { type: 'run started' }>;

/** When the reader stops, everything is cleaned up and closed. */
async function* runAll(
  plan: Plan,
  opened: Opened,
  event: Started,
  options: RunOptions,
): AsyncGenerator<RunEvent, Finished> {
  if ('unreachable' in opened) {
    yield event;
    const kind = opened.misconfigured ? 'misconfigured' : 'unreachable';
    return { scenarios: [], stop: { kind, reason: opened.unreachable } };
  }
  const { installations, survival } = opened;
  let workers: Workers | undefined;
  let departure: LeaveReport | undefined;
  const finished = yield* streamEvents<RunEvent, Finished>(
    async (emit, signal) => {
      emit(event);
      const shared = { plan, survival, signal, run: event.run, isRuled: options.rules !== false };
      const notice = (text: string) => emit({ type: 'notice', text });
      const runner = (notSent: RunnerOptions['notSent']) =>
        new ScenarioRunner({ ...shared, installations, notSent, notify: notice, ask: options.ask });
      workers = new Workers({ ...shared, emit, runner, isKnown: knownBy(options, plan, event) }, options);
      const { notes = [], ...outcome } = await workers.work();
      // While the guard and the ledger of the target still work.
      const more = workers.stop === undefined ? await options.notes?.({ run: event.run, installations }) : [];
      return { ...outcome, notes: [...notes, ...(more ?? [])] };
    },
    async () => {
      const { kind, reason } = workers?.stop ?? {};
      const dead = kind === 'unreachable' ? reason : undefined;
      departure = await installations.leave(kind === 'interrupted', dead, deadlyIn(workers?.deaths ?? []));
    },
    options.signal,
  );
  return { ...finished, departure };
}

/** Whether the baseline of a run knows every violation in a result. */
function knownBy(
  { mark }: RunOptions,
  { dialect }: Plan,
  { run, target }: Started,
): (result: ScenarioResult) => boolean {
  return (result) => {
    const steps = mark?.([result], { run, dialect, target }).scenarios.flatMap((one) => one.steps) ?? result.steps;
    return !steps.some(({ checks }) => checks.some((check) => isViolation(check) && check.known === undefined));
  };
}

/** Drops leftovers that the end of the run has removed, or has shown to be gone. */
function withoutWhatIsGone(scenario: ScenarioResult, departure: LeaveReport | undefined): ScenarioResult {
  if (departure === undefined || scenario.leftBehind.length === 0) return scenario;
  const isThere = (path: string) => departure.left.includes(path.replace(/ on the backend$/, ''));
  return { ...scenario, leftBehind: scenario.leftBehind.filter(isThere) };
}

function shardFacts({ elsewhere: _, ...facts }: NonNullable<Plan['shard']>): NonNullable<RunResult['shard']> {
  return facts;
}
