import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadScenarios } from '../../engine/files/load.ts';
import type { Dialect } from '../../engine/grammar/dialects.ts';
import { runId } from '../../engine/running/run-id.ts';
import { runScenario } from '../../engine/running/scenario-run.ts';
import type { Surroundings } from '../../engine/running/surroundings.ts';
import { openArena } from '../../generators/arena.ts';
import { byRules } from '../../generators/counterexample/confirm.ts';

interface Place {
  readonly faults: readonly string[];
  readonly dialect: Dialect;
  readonly pair: boolean;
}

/** What a scenario file by itself says of the simulator: `fails` by this requirement, `passes` where nothing shows a deviation, or something else. */
export async function replay(
  text: string,
  requirement: string,
  { faults, dialect, pair }: Place,
): Promise<'fails' | 'passes' | 'other'> {
  const run = runId();
  const target = { kind: 'in-process', faults } as const;
  const arena = await openArena({ target, dialect, pair, run, jobs: 1, timeout: 10_000, startedAt: performance.now() });
  if ('unreachable' in arena) return 'other';
  const [scenario] = scenariosIn(text);
  if (scenario === undefined) return 'other';
  const installation = await arena.installation();
  const signal = new AbortController().signal;
  const judge = byRules(requirement, dialect);
  const surroundings: Surroundings = { installation, run, levelOf: () => 'documented', signal, judge };
  const { state, steps } = await runScenario(scenario, 1, surroundings);
  const failed = steps.flatMap(({ checks }) => checks).filter((check) => check.state === 'failed');
  if (failed.some((check) => check.requirement === requirement)) return 'fails';
  // Where the last answer is a refusal, as it should be, there is nothing left for the check to look at.
  return state === 'passed' || state === 'not testable' ? 'passes' : 'other';
}

function scenariosIn(text: string) {
  const directory = mkdtempSync(join(tmpdir(), 'cselab-replay-'));
  try {
    const file = join(directory, 'counterexample.yaml');
    writeFileSync(file, text);
    return loadScenarios([file]).scenarios;
  } finally {
    rmSync(directory, { recursive: true });
  }
}
