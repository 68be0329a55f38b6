/** What `cselab explore` does once its flags are read. */
import { join } from 'node:path';
import pc from 'picocolors';
import {
  defined,
  type ExploreOptions,
  type ExploreResult,
  explore,
  type TargetChoice,
  UsageError,
} from '../../scenarios/index.ts';
import { chosenTarget } from '../chosen-target.ts';
import type { ExploreFlags } from '../explore-command.ts';
import { maskOutput } from '../masked-streams.ts';
import { writeWhole } from '../output-file.ts';
import { follow } from '../progress/follow.ts';
import { interruptible } from '../progress/interruptible.ts';
import { takesColor } from '../reporting.ts';
import { secrets } from '../run-check.ts';
import { safetyOf } from '../safety-flags.ts';
import { askedOfSequences } from './asked.ts';
import { explorationText } from './exploration-text.ts';
import type { ExplorationPage } from './page.ts';
import { exploreProgress } from './progress.ts';

export async function runExplore(flags: ExploreFlags): Promise<void> {
  const redactor = maskOutput([]);
  const options = optionsOf(flags, redactor);
  const result = await interruptible((signal) =>
    follow(explore({ ...options, secrets: redactor.secrets, signal }), exploreProgress, flags.json),
  );
  process.exitCode = result.exit.code;
  const file = await written(result, flags);
  if (flags.json)
    return void process.stdout.write(`${JSON.stringify({ ...result, ...(file && { file }) }, null, 2)}\n`);
  process.stdout.write(explorationText(result, explorationPage(flags, file)));
}

/** How what is found is shown here. */
export function explorationPage(flags: ExploreFlags, file: string | undefined): ExplorationPage {
  return {
    columns: Math.min(process.stdout.columns ?? 100, 120),
    colors: pc.createColors(flags.color && takesColor(process.stdout)),
    verbose: flags.verbose === true,
    ...(file !== undefined && { file }),
  };
}

function optionsOf(flags: ExploreFlags, redactor: ReturnType<typeof maskOutput>): ExploreOptions {
  const { target: chosen, dialect, jobs, timeout, secrets: taken } = chosenTarget(flags, secrets());
  for (const secret of taken) redactor.learn(secret);
  const asked = askedOfSequences('explore', flags);
  if (jobs === 0) throw new UsageError('--jobs is at least 1');
  if (flags.processes === 0) throw new UsageError('--processes is at least 1');
  const { pair, focus, level, processes } = flags;
  const target = withFaults(chosen, flags.fault);
  const given = defined({ dialect, pair, focus, level, jobs, processes, timeout });
  return { ...asked, ...given, target, safety: safetyOf(flags, target) };
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
