/** Runs every scenario at the reference CSE, to record its implementation-defined behaviour, and what rules check. */

import { behaviourHashes } from '../checking/behaviour.ts';
import { check } from '../checking/check.ts';
import { byCodePoint } from '../engine/files/folders.ts';
import { type Dialect, dialects } from '../engine/grammar/dialects.ts';
import type { RunResult } from '../engine/results/result.ts';
import { lastOf } from '../engine/running/last-of.ts';

/** The texts of `behaviour.json` and `inventory.json`, in a fixed order. */
export async function referenceTexts(
  resultOf = wholeResult,
): Promise<{ readonly behaviour: string; readonly inventory: string }> {
  const behaviour: Record<string, unknown> = {};
  const inventory: string[] = [];
  for (const dialect of dialects) {
    const [embedded, inProcess] = [await resultOf('embedded', dialect), await resultOf('in-process', dialect)];
    behaviour[dialect] = hashesIn([embedded, inProcess]);
    inventory.push(`  ${JSON.stringify(dialect)}: ${inventoryIn(embedded)}`);
  }
  return { behaviour: `${JSON.stringify(behaviour, undefined, 1)}\n`, inventory: `{\n${inventory.join(',\n')}\n}\n` };
}

function wholeResult(kind: 'embedded' | 'in-process', dialect: Dialect): Promise<RunResult> {
  return lastOf(check({ target: { kind }, dialect, again: false }));
}

/** One line per requirement, so that a diff shows an oracle that checks less. */
function inventoryIn({ evidence = {} }: RunResult): string {
  const lines = Object.entries(evidence).map(([id, one]) => `    ${JSON.stringify(id)}: ${JSON.stringify(one)}`);
  return `{\n${lines.join(',\n')}\n  }`;
}

function hashesIn(results: readonly RunResult[]): Record<string, Record<string, string[][]>> {
  const hashes = new Map<string, Map<string, Set<string>[]>>();
  for (const result of results) take(hashes, result);
  const scenarios = [...hashes].toSorted(([a], [b]) => byCodePoint(a, b));
  return Object.fromEntries(
    scenarios.map(([id, requirements]) => [
      id,
      Object.fromEntries([...requirements].map(([key, nth]) => [key, nth.map((hashes) => [...hashes].toSorted())])),
    ]),
  );
}

function take(hashes: Map<string, Map<string, Set<string>[]>>, result: RunResult): void {
  for (const scenario of result.scenarios) {
    for (const [{ requirement }, { nth, is }] of behaviourHashes(scenario, result)) {
      const requirements = hashes.get(scenario.id) ?? new Map<string, Set<string>[]>();
      hashes.set(scenario.id, requirements);
      const all = requirements.get(requirement) ?? [];
      requirements.set(requirement, all);
      while (all.length <= nth) all.push(new Set());
      all[nth]?.add(is);
    }
  }
}
