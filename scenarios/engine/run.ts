import { randomBytes } from 'node:crypto';
import { EventQueue } from './event-queue.ts';
import { describeInstallation } from './installation.ts';
import type { Installations, Opened } from './installations.ts';
import { specificationOf } from './levels.ts';
import type { Plan } from './plan.ts';
import type { RunEvent, RunResult, ScenarioResult } from './result.ts';
import { now, since } from './targets/target.ts';
import { judgeRun, type Stop, usualStrictness } from './verdict.ts';
import { version } from './version.ts';
import { type RunOptions, Workers } from './workers.ts';

/** Opens the target for a run that begins at `startedAt` (`now()`). */
export type Open = (startedAt: number) => Promise<Opened>;

/** Runs a plan: events as they happen, the result as the last event and as the return value. */
export async function* run(plan: Plan, open: Open, options: RunOptions): AsyncGenerator<RunEvent, RunResult> {
  const header = { run: runId(), startedAt: new Date().toISOString() };
  const started = now();
  const opened = await open(started);
  const target = opened.description;
  const event: Started = { type: 'run started', run: header.run, target, planned: plan.scenarios.length };
  const finished =
    'installations' in opened
      ? yield* runAll(plan, opened.installations, event, options)
      : yield* runNothing(event, opened.unreachable);
  const { strictness = usualStrictness, mark } = options;
  const marked = mark?.(finished.scenarios) ?? { scenarios: finished.scenarios, outcome: undefined };
  const result: RunResult = {
    tool: { name: 'cselab', version: version() },
    specification: specificationOf(plan.catalogue, plan.dialect),
    dialect: plan.dialect,
    ...header,
    took: since(started),
    target,
    installations: 'installations' in opened ? opened.installations.opened().map(describeInstallation) : [],
    scenarios: marked.scenarios,
    strictness,
    ...(marked.outcome && { baseline: marked.outcome }),
    ...judgeRun(plan, marked.scenarios, { stop: finished.stop, strictness, baseline: marked.outcome }),
  };
  yield { type: 'run finished', result };
  return result;
}

interface Finished {
  readonly scenarios: readonly ScenarioResult[];
  readonly stop: Stop | undefined;
}

type Started = Extract<RunEvent, { type: 'run started' }>;

async function* runNothing(event: Started, reason: string): AsyncGenerator<RunEvent, Finished> {
  yield event;
  return { scenarios: [], stop: { kind: 'unreachable', reason } };
}

/** Whenever the reader stops, everything is cleaned up and what is open is closed. */
async function* runAll(
  plan: Plan,
  installations: Installations,
  event: Started,
  options: RunOptions,
): AsyncGenerator<RunEvent, Finished> {
  const queue = new EventQueue<RunEvent>();
  queue.push(event);
  const workers = new Workers(plan, installations, event.run, options, queue);
  const done = workers.work().finally(() => queue.close());
  try {
    yield* queue;
    await done;
  } finally {
    workers.interrupt();
    await done.catch(() => {});
    await installations.close();
  }
  return { scenarios: workers.results(), stop: workers.stop };
}

/** Short, and safe in names, labels and paths. */
function runId(): string {
  return randomBytes(4).readUInt32BE().toString(36).padStart(7, '0');
}
