/** What `cselab explore` does once its flags are read. */
import { join } from 'node:path';
import pc from 'picocolors';
import { type ExploreOptions, type ExploreResult, explore, type TargetChoice, UsageError } from '../scenarios/index.ts';
import { chosenTarget } from './chosen-target.ts';
import { type ExplorationPage, explorationText } from './explore/exploration-text.ts';
import { interruptible } from './explore/interruptible.ts';
import { ExploreProgress } from './explore/progress.ts';
import type { ExploreFlags } from './explore-command.ts';
import { maskOutput } from './masked-streams.ts';
import { writeWhole } from './output-file.ts';
import { secrets } from './run-check.ts';
import { safetyOf } from './safety-flags.ts';

export async function runExplore(flags: ExploreFlags): Promise<void> {
  const redactor = maskOutput([]);
  const options = optionsOf(flags, redactor);
  const result = await interruptible((signal) => follow({ ...options, secrets: redactor.secrets, signal }, flags));
  process.exitCode = result.exit.code;
  const file = await written(result, flags);
  if (flags.json)
    return void process.stdout.write(`${JSON.stringify({ ...result, ...(file && { file }) }, null, 2)}\n`);
  process.stdout.write(explorationText(result, explorationPage(flags, file)));
}

/** How what is found is shown here. */
export function explorationPage(flags: ExploreFlags, file: string | undefined): ExplorationPage {
  const colors = flags.color && process.stdout.isTTY && !process.env.NO_COLOR;
  return {
    columns: Math.min(process.stdout.columns ?? 100, 120),
    colors: pc.createColors(colors === true),
    verbose: flags.verbose === true,
    ...(file !== undefined && { file }),
  };
}

async function follow(options: ExploreOptions, { json }: ExploreFlags): Promise<ExploreResult> {
  const progress = new ExploreProgress(process.stderr, json === true);
  const events = explore(options);
  let step = await events.next();
  for (; !step.done; step = await events.next()) progress.onEvent(step.value);
  return step.value;
}

function optionsOf(flags: ExploreFlags, redactor: ReturnType<typeof maskOutput>): ExploreOptions {
  const { target: chosen, dialect, jobs, timeout, secrets: taken } = chosenTarget(flags, secrets());
  for (const secret of taken) redactor.learn(secret);
  if (flags.readOnly) throw new UsageError('explore creates resources; --read-only leaves it nothing to do');
  const { pair, runs, seed, path, maxTime, focus, level } = flags;
  if (path !== undefined && (seed === undefined || !/^\d+(:\d+)*$/.test(path))) {
    throw new UsageError('--path is a path such as 1:0:4, and goes with --seed');
  }
  if (runs === 0 || jobs === 0) throw new UsageError('--runs and --jobs are at least 1');
  const target = withFaults(chosen, flags.fault);
  const asked = { dialect, pair, runs, seed, path, maxTime, focus, level, jobs, timeout };
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  return { ...given, target, safety: safetyOf(flags, target) };
}

/** Throws a UsageError for a target that has none. */
export function withFaults(target: TargetChoice, faults: readonly string[] | undefined): TargetChoice {
  if (faults === undefined) return target;
  if (target.kind === 'url' || target.kind === 'fetch')
    throw new UsageError('--fault goes with the reference CSE, not with --url');
  return { ...target, faults };
}

/** The path of the scenario file; undefined where nothing was found. */
async function written({ counterexample }: ExploreResult, { out }: ExploreFlags): Promise<string | undefined> {
  if (counterexample === undefined) return undefined;
  const file = join(out, 'counterexamples', `${counterexample.requirement}.yaml`);
  await writeWhole(file, counterexample.scenario);
  return file;
}
