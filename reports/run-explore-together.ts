/** What `cselab explore --concurrency` does once its flags are read. */
import { join } from 'node:path';
import { exploreTogether, type TogetherOptions, type TogetherResult, UsageError } from '../scenarios/index.ts';
import { chosenTarget } from './chosen-target.ts';
import { interruptible } from './explore/interruptible.ts';
import { TogetherProgress } from './explore/together-progress.ts';
import { togetherText } from './explore/together-text.ts';
import type { ExploreFlags } from './explore-command.ts';
import { maskOutput } from './masked-streams.ts';
import { writeWhole } from './output-file.ts';
import { secrets } from './run-check.ts';
import { explorationPage, withFaults } from './run-explore.ts';
import { safetyOf } from './safety-flags.ts';

export async function runExploreTogether(flags: ExploreFlags, concurrency: number): Promise<void> {
  const redactor = maskOutput([]);
  const options = { ...optionsOf(flags, redactor), concurrency };
  const result = await interruptible((signal) => follow({ ...options, secrets: redactor.secrets, signal }, flags));
  process.exitCode = result.exit.code;
  const file = await written(result, flags);
  if (flags.json)
    return void process.stdout.write(`${JSON.stringify({ ...result, ...(file && { file }) }, null, 2)}\n`);
  process.stdout.write(togetherText(result, explorationPage(flags, file)));
}

async function follow(options: TogetherOptions, { json }: ExploreFlags): Promise<TogetherResult> {
  const progress = new TogetherProgress(process.stderr, json === true);
  const events = exploreTogether(options);
  let step = await events.next();
  for (; !step.done; step = await events.next()) progress.onEvent(step.value);
  return step.value;
}

function optionsOf(flags: ExploreFlags, redactor: ReturnType<typeof maskOutput>): Omit<TogetherOptions, 'concurrency'> {
  const { target: chosen, dialect, timeout, secrets: taken } = chosenTarget(flags, secrets());
  for (const secret of taken) redactor.learn(secret);
  if (dialect !== 'documented') throw new UsageError('explore --concurrency speaks the documented dialect only');
  if (flags.readOnly) throw new UsageError('explore creates resources; --read-only leaves it nothing to do');
  if (flags.pair || flags.wire || flags.jobs !== undefined) {
    throw new UsageError(
      '--pair, --wire and --jobs do not go with --concurrency, which has so many originators at one CSE',
    );
  }
  const { runs, seed, path, maxTime, focus, level } = flags;
  if (path !== undefined && (seed === undefined || !/^\d+(:\d+)*$/.test(path))) {
    throw new UsageError('--path is a path such as 1:0:4, and goes with --seed');
  }
  if (runs === 0) throw new UsageError('--runs is at least 1');
  const target = withFaults(chosen, flags.fault);
  const asked = { runs, seed, path, maxTime, focus, level, timeout };
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  return { ...given, target, safety: safetyOf(flags, target) };
}

/** The path of the history; undefined where nothing was found. */
async function written({ counterexample }: TogetherResult, { out }: ExploreFlags): Promise<string | undefined> {
  if (counterexample === undefined) return undefined;
  const file = join(out, 'counterexamples', `together.${counterexample.requirement}.history.yaml`);
  await writeWhole(file, counterexample.data);
  return file;
}
