/** Divides a plan among several machines: each runs a part, and `cselab merge` combines their reports. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../basics/diagnostics.ts';
import type { ScenarioResult } from '../results/result.ts';
import { byCodePoint } from './folders.ts';
import { type Plan, requirementsOf } from './plan.ts';

/** The part and their number; the first is 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** More parts are a mistake. */
const mostShards = 1000;

/** Reads `2/5`. Throws UsageError for anything else. */
export function shardIn(text: string): Shard {
  const [, index, count] = /^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (!(shard.index >= 1 && shard.index <= shard.count && shard.count <= mostShards)) {
    throw new UsageError(
      `--shard is a part of so many, such as 1/3 (at most of ${mostShards}), or auto; not "${text}"`,
    );
  }
  return shard;
}

/**
 * The part that falls to a pod of an indexed Kubernetes Job, which counts from 0.
 * Throws UsageError where the variables are missing or cannot be meant.
 */
export function shardOfJob({
  JOB_COMPLETION_INDEX: index,
  CSELAB_SHARDS: count,
}: Readonly<Record<string, string | undefined>>): Shard {
  if (index === undefined || count === undefined) {
    const missing = index === undefined ? 'JOB_COMPLETION_INDEX' : 'CSELAB_SHARDS';
    throw new UsageError(
      `--shard auto needs the variable ${missing}: an indexed Kubernetes Job sets JOB_COMPLETION_INDEX, and its manifest sets CSELAB_SHARDS to the number of completions`,
    );
  }
  if (/^\d{1,4}$/.test(index) && /^\d{1,4}$/.test(count) && Number(index) < Number(count)) {
    return shardIn(`${Number(index) + 1}/${Number(count)}`);
  }
  throw new UsageError(
    `--shard auto: JOB_COMPLETION_INDEX=${index} counts from 0 and stays below CSELAB_SHARDS=${count}`,
  );
}

/** The part of a plan for a shard. Its requirements stay the same: the other shards check the rest. */
export function shardOf(plan: Plan, { index, count }: Shard, durations: Durations): Plan {
  const ids = plan.scenarios.map(({ id }) => id);
  const parts = divide(ids, count, durations);
  const own = new Set(parts[index - 1]);
  const scenarios = plan.scenarios.filter(({ id }) => own.has(id));
  const elsewhere = plan.scenarios.filter(({ id }) => !own.has(id));
  // Equal for shards of the same plan, divided in the same way.
  const division = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);
  const shard = { index, count, division, elsewhere: new Set(elsewhere.flatMap(requirementsOf)) };
  return { ...plan, scenarios, others: [...plan.others, ...elsewhere], shard };
}

/**
 * Divides ids into so many parts of about equal duration: longest first, each to the part with the least load.
 * The same on every machine, for any order of the ids.
 */
export function divide(ids: readonly string[], count: number, { took: times, usual }: Durations): string[][] {
  // Whole milliseconds, at least one, so that instant scenarios are divided evenly, too.
  const known = ids.map((id) => ({ id, took: Math.max(1, Math.round(times.get(id) ?? usual)) }));
  const parts = Array.from({ length: count }, () => ({ load: 0, ids: [] as string[] }));
  for (const { id, took } of known.sort((a, b) => b.took - a.took || byCodePoint(a.id, b.id))) {
    const least = parts.reduce((best, part) => (part.load < best.load ? part : best));
    least.load += took;
    least.ids.push(id);
  }
  return parts.map((part) => part.ids);
}

export interface Durations {
  /** Milliseconds by scenario id. */
  readonly took: ReadonlyMap<string, number>;
  /** Milliseconds of any other scenario: the median of all that were measured. */
  readonly usual: number;
}

type Measured = Pick<ScenarioResult, 'id' | 'took'>;

/** The durations of a run. */
export function durationsOf(scenarios: readonly Measured[]): Durations {
  const sorted = scenarios.map(({ took }) => took).sort((a, b) => a - b);
  const took = new Map(scenarios.map((one) => [one.id, one.took]));
  return { took, usual: sorted[Math.floor(sorted.length / 2)] ?? 1 };
}

export const shippedDurationsPath = fileURLToPath(new URL('../../durations.json', import.meta.url));

/** Durations of the project's own scenarios at the reference CSE over a socket, in real time. */
export function shippedDurations(): Durations {
  const table = JSON.parse(readFileSync(shippedDurationsPath, 'utf8')) as {
    usual: number;
    slow: Record<string, number>;
  };
  return { usual: table.usual, took: new Map(Object.entries(table.slow)) };
}

/** Milliseconds from which on a scenario is in the table, and the rounding of its numbers. */
const slowFrom = 100;
const roundedTo = 50;

/** The text of the table for these measurements: only outliers, rounded, so that it seldom changes. */
export function durationsText(scenarios: readonly Measured[]): string {
  const slow = scenarios.filter(({ took }) => took >= slowFrom).toSorted((a, b) => byCodePoint(a.id, b.id));
  const rounded = slow.map(({ id, took }) => [id, Math.round(took / roundedTo) * roundedTo]);
  const usual = Math.round(durationsOf(scenarios).usual / 10) * 10;
  return `${JSON.stringify({ usual, slow: Object.fromEntries(rounded) }, undefined, 2)}\n`;
}
