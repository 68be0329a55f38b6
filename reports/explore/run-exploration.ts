/** Shared by commands that search by generated requests: searches until the end or Ctrl-C, and writes the results. */

import { join } from 'node:path';
import type { ExploreOptions, TargetChoice } from '../../scenarios/index.ts';
import { defined, type Exit, type Redactor, UsageError } from '../../scenarios/words.ts';
import type { ValuesOf } from '../../sim/command-line/flag.ts';
import { renderText, type TerminalText } from '../document/terminal.ts';
import type { ChosenTarget } from '../flags/chosen-target.ts';
import type { outputFlags } from '../flags/common-flags.ts';
import type { ExploreFlags } from '../flags/explore-flags.ts';
import { maskedTarget, maskOutput } from '../flags/masked-streams.ts';
import { safetyOf } from '../flags/safety-flags.ts';
import { textOptions } from '../formats/reporting.ts';
import { writeWhole } from '../writing/io.ts';
import { follow, interruptible, type ProgressEvent, type ProgressLines, progressOf } from '../writing/progress.ts';

type Control = Pick<ExploreOptions, 'secrets' | 'signal'>;
/** Paths of counterexamples that were written. */
type Files = readonly (string | undefined)[];

interface SearchOutput<Event extends ProgressEvent, Result> {
  /** Its progress. */
  readonly progress: ProgressLines<Event>;
  /** The counterexamples as files; undefined for one that has none. */
  filesOf(result: Result): readonly ({ readonly name: string; readonly text: string } | undefined)[];
  documentOf(result: Result, files: Files): TerminalText;
}

interface Search<Event extends ProgressEvent, Result> extends SearchOutput<Event, Result> {
  search(control: Control): AsyncGenerator<Event, Result>;
  /** The result with its files, for programs. */
  jsonOf(result: Result, files: Files): object;
  /** Columns where there is no terminal. */
  readonly columns: number;
}

type Flags = ValuesOf<ReturnType<typeof outputFlags>>;

export async function runSearch<Event extends ProgressEvent, Result extends { readonly exit: Exit }>(
  flags: Flags,
  { secrets }: Redactor,
  { search, progress, filesOf, documentOf, jsonOf, columns }: Search<Event, Result>,
): Promise<number> {
  const result = await interruptible((signal) => follow(search({ secrets, signal }), progressOf(progress), flags.json));
  const found = filesOf(result).map((one) => one && { ...one, path: join(flags.out, 'counterexamples', one.name) });
  for (const one of found) if (one !== undefined) await writeWhole(one.path, one.text);
  const files = found.map((one) => one?.path);
  const text = flags.json
    ? `${JSON.stringify(jsonOf(result, files), null, 2)}\n`
    : renderText(documentOf(result, files), textOptions(flags, { usual: columns, most: 120 }));
  await writeWhole('-', text);
  return result.exit.code;
}

/** The options of all modes: what is explored, how long, and who listens. */
type Common = Pick<ExploreOptions, 'target' | 'runs' | 'seed' | 'path' | 'maxTime' | 'safety' | 'level'> & Control;

/** One mode of exploring. */
export interface ExploreMode<Own extends object, Event extends ProgressEvent, Result>
  extends SearchOutput<Event, Result> {
  /** Its own options. Throws a UsageError for flags that do not go with it. */
  ownOptions(flags: ExploreFlags, chosen: ChosenTarget): Own;
  explore(options: Own & Common): AsyncGenerator<Event, Result>;
}

export async function runExploration<
  Own extends object,
  Event extends ProgressEvent,
  Result extends { readonly exit: Exit },
>(flags: ExploreFlags, { ownOptions, explore, ...mode }: ExploreMode<Own, Event, Result>): Promise<number> {
  const redactor = maskOutput([]);
  const chosen = maskedTarget(flags, redactor);
  const options = { ...ownOptions(flags, chosen), ...commonOptions(flags, chosen) };
  return runSearch(flags, redactor, {
    ...mode,
    search: (control) => explore({ ...options, ...control }),
    jsonOf: (result, [file]) => ({ ...result, ...(file && { file }) }),
    columns: 100,
  });
}

function commonOptions(flags: ExploreFlags, { target: chosen }: ChosenTarget): Common {
  const target = withDeviations(chosen, flags.deviation);
  const search = sequenceOptions('explore', flags);
  return { ...search, target, safety: safetyOf(flags, target), ...(flags.level && { level: flags.level }) };
}

function withDeviations(target: TargetChoice, deviations: readonly string[] | undefined): TargetChoice {
  if (deviations === undefined) return target;
  if (target.kind === 'url' || target.kind === 'fetch')
    throw new UsageError('--deviation goes with the reference CSE, not with --url');
  return { ...target, deviations };
}

/** Flags about sequences, which do not go with malformed bytes. */
export const sequenceOnly = ['focus', 'except', 'baseline', 'jobs', 'processes', 'pair', 'concurrency'] as const;

interface SequenceFlags {
  readonly readOnly?: true | undefined;
  readonly runs?: number;
  readonly seed?: number;
  readonly path?: string;
  readonly maxTime?: number;
}

/** The options of a command for its sequences. Throws a UsageError for impossible ones. */
export function sequenceOptions(command: string, { readOnly, runs, seed, path, maxTime }: SequenceFlags) {
  if (readOnly) throw new UsageError(`${command} creates resources; --read-only leaves it nothing to do`);
  if (path !== undefined && (seed === undefined || !/^\d+(:\d+)*$/.test(path))) {
    throw new UsageError('--path is a path such as 1:0:4, and goes with --seed');
  }
  if (runs === 0) throw new UsageError('--runs is at least 1');
  return defined({ runs, seed, path, maxTime });
}
