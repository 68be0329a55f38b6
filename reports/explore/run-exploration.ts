/** What every way of `cselab explore` does once its flags are read: explores until the end or Ctrl-C, writes what was found, and tells. */
import { join } from 'node:path';
import {
  defined,
  type ExploreOptions,
  type ExploreResult,
  type TargetChoice,
  UsageError,
} from '../../scenarios/index.ts';
import { written } from '../../sim/flag.ts';
import type { ChosenTarget } from '../commands/chosen-target.ts';
import type { ExploreFlags } from '../commands/explore.ts';
import { safetyOf } from '../commands/safety-flags.ts';
import { renderText, type Told } from '../document/terminal.ts';
import { chosenMasked, maskOutput } from '../masked-streams.ts';
import { writeWhole } from '../output-file.ts';
import { follow, type Progress, progressOf, type Told as ToldEvent } from '../progress/follow.ts';
import { interruptible } from '../progress/interruptible.ts';
import { textOptions } from '../reporting.ts';

/** What is the same for each way: what is explored, how long, and who listens. */
type Common = Pick<
  ExploreOptions,
  'target' | 'runs' | 'seed' | 'path' | 'maxTime' | 'safety' | 'secrets' | 'signal' | 'level'
>;

/** One way of exploring. */
export interface WayOfExploring<
  Own extends object,
  Event extends ToldEvent,
  Result extends Pick<ExploreResult, 'exit'>,
> {
  /** What it takes from the flags alone. Throws a UsageError for flags that do not go with it. */
  ownOptions(flags: ExploreFlags, chosen: ChosenTarget): Own;
  explore(options: Own & Common): AsyncGenerator<Event, Result>;
  /** How far it is. */
  readonly progress: Progress<Event>;
  /** The counterexample as a file; undefined where nothing was found. */
  fileOf(result: Result): { readonly name: string; readonly text: string } | undefined;
  /** `file`: where that was written. */
  told(result: Result, file: string | undefined): Told;
}

export async function runExploration<
  Own extends object,
  Event extends ToldEvent,
  Result extends Pick<ExploreResult, 'exit'>,
>(flags: ExploreFlags, way: WayOfExploring<Own, Event, Result>): Promise<void> {
  const redactor = maskOutput([]);
  const chosen = chosenMasked(flags, redactor);
  const options = { ...way.ownOptions(flags, chosen), ...commonOptions(flags, chosen), secrets: redactor.secrets };
  const result = await interruptible((signal) =>
    follow(way.explore({ ...options, signal }), progressOf(way.progress), flags.json),
  );
  process.exitCode = result.exit.code;
  const { name, text: written = '' } = way.fileOf(result) ?? {};
  const file = name && join(flags.out, 'counterexamples', name);
  if (file !== undefined) await writeWhole(file, written);
  const text = flags.json
    ? `${JSON.stringify({ ...result, ...(file && { file }) }, null, 2)}\n`
    : renderText(way.told(result, file), textOptions(flags, { usual: 100, most: 120 }));
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

/** Flags that say how sequences are made and judged, which go with no bytes that are given or made. */
export const ofSequences = ['focus', 'except', 'baseline', 'jobs', 'processes', 'pair', 'concurrency'] as const;

/** Throws a UsageError where one of these is given. */
export function refuse<Flags extends object>(
  flags: Flags,
  strange: ReadonlyArray<keyof Flags & string>,
  why: string,
): void {
  const given = new Map<string, unknown>(Object.entries(flags));
  const stray = strange.filter((flag) => given.get(flag) !== undefined);
  if (stray.length > 0) throw new UsageError(`${stray.map(written).join(', ')} does not go with ${why}`);
}

interface Asked {
  readonly readOnly?: true | undefined;
  readonly runs?: number;
  readonly seed?: number;
  readonly path?: string;
  readonly maxTime?: number;
}

/** What is said of the sequences of a command that makes some. Throws a UsageError where it cannot be done. */
export function askedOfSequences(command: string, { readOnly, runs, seed, path, maxTime }: Asked) {
  if (readOnly) throw new UsageError(`${command} creates resources; --read-only leaves it nothing to do`);
  if (path !== undefined && (seed === undefined || !/^\d+(:\d+)*$/.test(path))) {
    throw new UsageError('--path is a path such as 1:0:4, and goes with --seed');
  }
  if (runs === 0) throw new UsageError('--runs is at least 1');
  return defined({ runs, seed, path, maxTime });
}
