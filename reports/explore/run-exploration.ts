/** What every way of `cselab explore` does once its flags are read: explores until the end or Ctrl-C, writes what was found, and tells. */
import { join } from 'node:path';
import pc from 'picocolors';
import { type ExploreOptions, type ExploreResult, type TargetChoice, UsageError } from '../../scenarios/index.ts';
import { type ChosenTarget, chosenTarget } from '../chosen-target.ts';
import type { ExploreFlags } from '../explore-command.ts';
import { maskOutput } from '../masked-streams.ts';
import { writeWhole } from '../output-file.ts';
import { follow, type Teller } from '../progress/follow.ts';
import { interruptible } from '../progress/interruptible.ts';
import type { LineProgress } from '../progress/line-progress.ts';
import { takesColor } from '../reporting.ts';
import { secrets } from '../run-check.ts';
import { safetyOf } from '../safety-flags.ts';
import { askedOfSequences } from './asked.ts';
import type { ExplorationPage } from './page.ts';

/** What is the same for each way: what is explored, how long, and who listens. */
type Common = Pick<
  ExploreOptions,
  'target' | 'runs' | 'seed' | 'path' | 'maxTime' | 'safety' | 'secrets' | 'signal' | 'level'
>;

/** One way of exploring. */
export interface WayOfExploring<Own extends object, Event, Result extends Pick<ExploreResult, 'exit'>> {
  /** What it takes from the flags alone. Throws a UsageError for flags that do not go with it. */
  ownOptions(flags: ExploreFlags, chosen: ChosenTarget): Own;
  explore(options: Own & Common): AsyncGenerator<Event, Result>;
  progress(lines: LineProgress): Teller<Event>;
  /** The counterexample as a file; undefined where nothing was found. */
  fileOf(result: Result): { readonly name: string; readonly text: string } | undefined;
  text(result: Result, page: ExplorationPage): string;
}

export async function runExploration<Own extends object, Event, Result extends Pick<ExploreResult, 'exit'>>(
  flags: ExploreFlags,
  way: WayOfExploring<Own, Event, Result>,
): Promise<void> {
  const redactor = maskOutput([]);
  const chosen = chosenTarget(flags, secrets());
  for (const secret of chosen.secrets) redactor.learn(secret);
  const options = { ...way.ownOptions(flags, chosen), ...commonOptions(flags, chosen), secrets: redactor.secrets };
  const result = await interruptible((signal) => follow(way.explore({ ...options, signal }), way.progress, flags.json));
  process.exitCode = result.exit.code;
  const file = await written(way.fileOf(result), flags.out);
  const text = flags.json
    ? `${JSON.stringify({ ...result, ...(file && { file }) }, null, 2)}\n`
    : way.text(result, pageOf(flags, file));
  process.stdout.write(text);
}

function commonOptions(flags: ExploreFlags, { target: chosen }: ChosenTarget): Common {
  const target = withFaults(chosen, flags.deviation);
  const asked = askedOfSequences('explore', flags);
  return { ...asked, target, safety: safetyOf(flags, target), ...(flags.level && { level: flags.level }) };
}

function withFaults(target: TargetChoice, faults: readonly string[] | undefined): TargetChoice {
  if (faults === undefined) return target;
  if (target.kind === 'url' || target.kind === 'fetch')
    throw new UsageError('--deviation goes with the reference CSE, not with --url');
  return { ...target, faults };
}

/** The path of the file; undefined where there is none. */
async function written(
  file: { readonly name: string; readonly text: string } | undefined,
  out: string,
): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const path = join(out, 'counterexamples', file.name);
  await writeWhole(path, file.text);
  return path;
}

function pageOf(flags: ExploreFlags, file: string | undefined): ExplorationPage {
  return {
    columns: Math.min(process.stdout.columns ?? 100, 120),
    colors: pc.createColors(flags.color && takesColor(process.stdout)),
    verbose: flags.verbose === true,
    ...(file !== undefined && { file }),
  };
}
