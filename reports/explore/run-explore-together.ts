/** What `cselab explore --concurrency` does once its flags are read. */
import { join } from 'node:path';
import {
  defined,
  exploreTogether,
  type TogetherOptions,
  type TogetherResult,
  UsageError,
} from '../../scenarios/index.ts';
import { chosenTarget } from '../chosen-target.ts';
import type { ExploreFlags } from '../explore-command.ts';
import { maskOutput } from '../masked-streams.ts';
import { writeWhole } from '../output-file.ts';
import { follow } from '../progress/follow.ts';
import { interruptible } from '../progress/interruptible.ts';
import { secrets } from '../run-check.ts';
import { safetyOf } from '../safety-flags.ts';
import { askedOfSequences } from './asked.ts';
import { explorationPage, withFaults } from './run-explore.ts';
import { togetherProgress } from './together-progress.ts';
import { togetherText } from './together-text.ts';

export async function runExploreTogether(flags: ExploreFlags, concurrency: number): Promise<void> {
  const redactor = maskOutput([]);
  const options = { ...optionsOf(flags, redactor), concurrency };
  const result = await interruptible((signal) =>
    follow(exploreTogether({ ...options, secrets: redactor.secrets, signal }), togetherProgress, flags.json),
  );
  process.exitCode = result.exit.code;
  const file = await written(result, flags);
  if (flags.json)
    return void process.stdout.write(`${JSON.stringify({ ...result, ...(file && { file }) }, null, 2)}\n`);
  process.stdout.write(togetherText(result, explorationPage(flags, file)));
}

function optionsOf(flags: ExploreFlags, redactor: ReturnType<typeof maskOutput>): Omit<TogetherOptions, 'concurrency'> {
  const { target: chosen, dialect, timeout, secrets: taken } = chosenTarget(flags, secrets());
  for (const secret of taken) redactor.learn(secret);
  if (dialect !== 'documented') throw new UsageError('explore --concurrency speaks the documented dialect only');
  if (flags.pair || flags.wire || flags.jobs !== undefined || flags.processes !== undefined) {
    throw new UsageError(
      '--pair, --wire, --jobs and --processes do not go with --concurrency, which has so many originators at one CSE',
    );
  }
  const asked = askedOfSequences('explore', flags);
  const { focus, level } = flags;
  const target = withFaults(chosen, flags.fault);
  return { ...asked, ...defined({ focus, level, timeout }), target, safety: safetyOf(flags, target) };
}

/** The path of the history; undefined where nothing was found. */
async function written({ counterexample }: TogetherResult, { out }: ExploreFlags): Promise<string | undefined> {
  if (counterexample === undefined) return undefined;
  const file = join(out, 'counterexamples', `together.${counterexample.requirement}.history.yaml`);
  await writeWhole(file, counterexample.data);
  return file;
}
