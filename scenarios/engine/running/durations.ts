/** How long scenarios take, so that a plan can be divided evenly. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { byCodePoint } from '../files/rooms.ts';
import type { ScenarioResult } from '../results/result.ts';

export interface Durations {
  /** Milliseconds by scenario id. */
  readonly took: ReadonlyMap<string, number>;
  /** Milliseconds of what is not among them: the median of all that were measured. */
  readonly usual: number;
}

type Measured = Pick<ScenarioResult, 'id' | 'took'>;

/** What a run took. */
export function durationsOf(scenarios: readonly Measured[]): Durations {
  const sorted = scenarios.map(({ took }) => took).sort((a, b) => a - b);
  const took = new Map(scenarios.map((one) => [one.id, one.took]));
  return { took, usual: sorted[Math.floor(sorted.length / 2)] ?? 1 };
}

export const shippedDurationsPath = fileURLToPath(new URL('../../durations.json', import.meta.url));

/** What the project's own scenarios took at the reference CSE over a socket, where time that must pass was waited for. */
export function shippedDurations(): Durations {
  const table = JSON.parse(readFileSync(shippedDurationsPath, 'utf8')) as {
    usual: number;
    slow: Record<string, number>;
  };
  return { usual: table.usual, took: new Map(Object.entries(table.slow)) };
}

/** Milliseconds from which on a scenario is in the table, and to which its numbers are rounded. */
const slowFrom = 100;
const roundedTo = 50;

/** The text of the table for these measurements: only what stands out, rounded, so that it seldom changes. */
export function durationsText(scenarios: readonly Measured[]): string {
  const slow = scenarios.filter(({ took }) => took >= slowFrom).toSorted((a, b) => byCodePoint(a.id, b.id));
  const rounded = slow.map(({ id, took }) => [id, Math.round(took / roundedTo) * roundedTo]);
  const usual = Math.round(durationsOf(scenarios).usual / 10) * 10;
  return `${JSON.stringify({ usual, slow: Object.fromEntries(rounded) }, undefined, 2)}\n`;
}
