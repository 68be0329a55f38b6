/** Runs every scenario at the reference CSE, and writes down what it does where something is left open. */
import { check } from '../check.ts';
import { byCodePoint } from '../engine/files/rooms.ts';
import { type Dialect, dialects } from '../engine/grammar/dialects.ts';
import type { RunResult } from '../engine/result.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { gapHashes } from './behaviour.ts';

const targets = [{ kind: 'embedded' }, { kind: 'in-process' }] as const;

/** The text of `behaviour.json`, in an order that does not depend on the run. */
export async function behaviourText(): Promise<string> {
  const behaviour: Record<string, unknown> = {};
  for (const dialect of dialects) behaviour[dialect] = await seenIn(dialect);
  return `${JSON.stringify(behaviour, undefined, 1)}\n`;
}

async function seenIn(dialect: Dialect): Promise<Record<string, Record<string, string[][]>>> {
  const seen = new Map<string, Map<string, Set<string>[]>>();
  for (const target of targets) take(seen, await lastOf(check({ target, dialect, again: false })));
  const scenarios = [...seen].toSorted(([a], [b]) => byCodePoint(a, b));
  return Object.fromEntries(
    scenarios.map(([id, requirements]) => [
      id,
      Object.fromEntries([...requirements].map(([key, nth]) => [key, nth.map((hashes) => [...hashes].toSorted())])),
    ]),
  );
}

function take(seen: Map<string, Map<string, Set<string>[]>>, result: RunResult): void {
  for (const scenario of result.scenarios) {
    for (const [{ requirement }, { nth, is }] of gapHashes(scenario, result)) {
      const requirements = seen.get(scenario.id) ?? new Map<string, Set<string>[]>();
      seen.set(scenario.id, requirements);
      const all = requirements.get(requirement) ?? [];
      requirements.set(requirement, all);
      while (all.length <= nth) all.push(new Set());
      all[nth]?.add(is);
    }
  }
}
