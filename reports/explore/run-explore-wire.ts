/** What `cselab explore --wire` does once its flags are read. */
import { join } from 'node:path';
import { defined, exploreWire, UsageError, type WireOptions, type WireResult } from '../../scenarios/index.ts';
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
import { wireProgress } from './wire-progress.ts';
import { wireText } from './wire-text.ts';

export async function runExploreWire(flags: ExploreFlags): Promise<void> {
  const redactor = maskOutput([]);
  const options = optionsOf(flags, redactor);
  const result = await interruptible((signal) =>
    follow(exploreWire({ ...options, secrets: redactor.secrets, signal }), wireProgress, flags.json),
  );
  process.exitCode = result.exit.code;
  const file = await written(result, flags);
  if (flags.json)
    return void process.stdout.write(`${JSON.stringify({ ...result, ...(file && { file }) }, null, 2)}\n`);
  process.stdout.write(wireText(result, explorationPage(flags, file)));
}

function optionsOf(flags: ExploreFlags, redactor: ReturnType<typeof maskOutput>): WireOptions {
  const { target: chosen, dialect, timeout, secrets: taken } = chosenTarget(flags, secrets());
  for (const secret of taken) redactor.learn(secret);
  const stray = (['focus', 'jobs', 'processes', 'pair', 'concurrency'] as const).filter(
    (flag) => flags[flag] !== undefined,
  );
  if (stray.length > 0) {
    const named = stray.map((flag) => `--${flag}`).join(', ');
    throw new UsageError(`${named} does not go with --wire, which sends one malformed request after the other`);
  }
  const asked = askedOfSequences('explore', flags);
  const target = withFaults(chosen, flags.fault);
  const given = defined({ level: flags.level, timeout });
  return { ...asked, ...given, target, dialect, safety: safetyOf(flags, target) };
}

/** The path of the file; undefined where nothing was found. */
async function written({ counterexample }: WireResult, { out }: ExploreFlags): Promise<string | undefined> {
  if (counterexample === undefined) return undefined;
  const { requirement, file } = counterexample;
  const name = file.kind === 'scenario' ? `wire.${requirement}.yaml` : 'wire.txt';
  const path = join(out, 'counterexamples', name);
  await writeWhole(path, file.text);
  return path;
}
