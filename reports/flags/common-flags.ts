/** Flags that several commands take. */

import type { CheckOptions } from '../../scenarios/index.ts';
import { durationsOf, shardIn, shardOfJob, UsageError } from '../../scenarios/words.ts';
import { negated, number, positive, time, toggle, valued, written } from '../../sim/command-line/flag.ts';
import { readReport } from '../formats/read-report.ts';
import { formats } from '../formats/reporting.ts';
import { io } from '../writing/io.ts';

export const color = negated('no colours; the variable NO_COLOR and a pipe do the same');
export const json = toggle('as JSON');
export const verbose = (says: string) => toggle(says).short('-v');
export const timeout = time('for one request (default: 12s)');
export const secret = valued(
  '<name>',
  'environment variable whose value is masked in all output; repeatable',
).repeatable();
export const rules = valued(
  '<file>',
  'requirements and rules of your own, or a package that has some; repeatable',
).repeatable();
export const report = valued(
  '<name[=path]>',
  'as for check; without a path beside --out; repeatable (default: terminal)',
).repeatable();
export const out = valued('<dir>', 'where reports without a path go').or('reports/latest');
export const baseline = valued('<file>', 'known deviations: only others, and invalid entries, fail the run');
export const restartCommand = valued('<command>', 'run by the shell when the target stays dead; then the run goes on');

/** Flags about reports, of every command with runs. */
export const reportFlags = {
  report: report.withHelp(
    `${Object.keys(formats).join(', ')}, or a module of your own such as ./mine.mjs; - is stdout; repeatable (default: terminal)`,
  ),
  out,
  secret,
  color,
};

/** How generated sequences are made and checked. */
export const sequenceFlags = {
  runs: number('sequences that are tried (default: 200)'),
  seed: number('what the sequences are made from (default: a random number, which is printed)'),
  path: valued('<path>', 'only the sequence at this path of the seed'),
  maxTime: time('after which no new sequence begins, such as 60s'),
};

/** What is checked, in the words of the command, and where. */
export const searchFlags = (focus: string, level: string, fallback: 'documented' | 'gap') => ({
  focus: valued('<ids...>', focus),
  except: valued('<ids...>', 'not these, or requirements with these prefixes, to go on past known ones'),
  level: valued('<level>', level).of(['documented', 'gap']).or(fallback),
  deviation: valued('<id>', 'the reference CSE has this deviation; repeatable').repeatable(),
  jobs: positive('sequences at the same time (default: 8; in process 1)'),
});

/** The output of a search; `-v` prints more. */
export const outputFlags = (more: string) => ({
  'Output:': {
    out: out.withHelp('where the directory of counterexamples is written'),
    json,
    color,
    verbose: verbose(more),
  },
});

/** Which part to run, such as `2/5` or `auto`, and a report whose durations balance the parts. Throws UsageError for invalid flags. */
export function shardChoice({
  shard,
  durations,
}: {
  shard?: string;
  durations?: string;
}): Pick<CheckOptions, 'shard' | 'durations'> {
  if (shard === undefined) {
    if (durations !== undefined) throw new UsageError('--durations goes with --shard');
    return {};
  }
  return {
    shard: shard === 'auto' ? shardOfJob(io().env) : shardIn(shard),
    ...(durations !== undefined && { durations: durationsOf(readReport(durations).scenarios) }),
  };
}

/** Throws a UsageError if one of these is given. */
export function refuse<Flags extends object>(
  flags: Flags,
  refused: ReadonlyArray<keyof Flags & string>,
  why: string,
): void {
  const values = new Map<string, unknown>(Object.entries(flags));
  const conflicting = refused.filter((flag) => values.get(flag) !== undefined);
  if (conflicting.length === 0) return;
  const all = conflicting.map(written).join(', ');
  throw new UsageError(`${all} ${conflicting.length === 1 ? 'does' : 'do'} not go with ${why}`);
}
