/** The flags of `cselab check` by which a plan is divided for several machines. */
import { type CheckOptions, durationsOf, shardIn, shardOfJob, UsageError } from '../scenarios/index.ts';
import { readReport } from './read-report.ts';

interface ShardFlags {
  /** `2/5`, or `auto`. */
  shard?: string;
  /** Path of a JSON report. */
  durations?: string;
}

/** Which part to run, and by what the parts are made equal. Throws UsageError for flags that cannot be meant. */
export function shardChoice({ shard, durations }: ShardFlags): Pick<CheckOptions, 'shard' | 'durations'> {
  if (shard === undefined) {
    if (durations !== undefined) throw new UsageError('--durations goes with --shard');
    return {};
  }
  return {
    shard: shard === 'auto' ? shardOfJob(process.env) : shardIn(shard),
    ...(durations !== undefined && { durations: durationsOf(readReport(durations).scenarios) }),
  };
}
