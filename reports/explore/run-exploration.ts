/** Shared by commands that search by generated requests: searches until the end or Ctrl-C, and writes the results. */

import { join } from 'node:path';
import type { ExploreOptions, TargetChoice } from '../../scenarios/index.ts';
import { defined, type Exit, type Redactor, UsageError } from '../../scenarios/words.ts';
import { number, toggle, type ValuesOf, valued } from '../../sim/command-line/flag.ts';
import { renderText, type TerminalText } from '../document/terminal.ts';
import type { ChosenTarget } from '../flags/chosen-target.ts';
import { baseline, outputFlags, restartCommand, searchFlags, sequenceFlags, timeout } from '../flags/common-flags.ts';
import { maskedTarget, maskOutput } from '../flags/masked-streams.ts';
import { safetyOf, writingFlags } from '../flags/safety-flags.ts';
import { targetFlags } from '../flags/target-flags.ts';
import { textOptions } from '../formats/reporting.ts';
import { writeWhole } from '../writing/output-file.ts';
import { follow, interruptible, type ProgressEvent, type ProgressLines, progressOf } from '../writing/progress.ts';

export const exploreFlags = {
  ...targetFlags,
  ...writingFlags({}),
  'The sequences:': {
    pair: toggle('the target together with its backend: requests go to both, and through each to the other'),
    ...sequenceFlags,
    ...searchFlags(
      'only these requirements, or those with these prefixes; gaps too, if named',
      'what is checked: the specification, or also what the reference CSE does in its gaps',
      'documented',
    ),
    baseline: baseline.withHelp('file of known deviations, as of check: its entries are not checked'),
    processes: number('that search at the same time, each with a reference CSE of its own (default: 1)'),
    concurrency: number(
      'so many originators at the same time; some order of their requests has to explain the answers',
    ),
    wire: toggle('malformed and odd HTTP, byte by byte, instead of sequences (default: 500 requests, 5s for each)'),
    robustness: valued(
      '[numbers...]',
      'the robustness cases of `cselab list --robustness` instead, or those of these numbers and sections, such as R-3',
    ),
    timeout,
    restartCommand,
  },
  ...outputFlags('how often each requirement was checked'),
};

export type ExploreFlags = ValuesOf<typeof exploreFlags>;

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
