/** What goes to a worker and what comes back: all of it is data. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviationFacts } from '../../../sim/deviations/index.ts';
import type { Requirement } from '../../engine/files/catalogue.ts';
import { loadScenarios } from '../../engine/files/load.ts';
import { lastOf } from '../../engine/running/last-of.ts';
import type { ScenarioContext } from '../../engine/running/scenario/scenario-context.ts';
import { runId } from '../../engine/running/scenario/scenario-names.ts';
import { runScenario } from '../../engine/running/scenario/scenario-run.ts';
import { exploreConcurrent } from '../../generators/concurrency/explore-concurrent.ts';
import { byRules } from '../../generators/counterexample/confirm.ts';
import { explore } from '../../generators/exploring/explore.ts';
import type { ExploreOptions } from '../../generators/search/explore-options.ts';
import { openSession } from '../../generators/search/session.ts';
import type { ConfirmedCounterexample } from '../scoring/tables.ts';

/** A simulator with one deviation, and the sequences that are to find it. */
export interface SearchTask extends Required<Pick<ExploreOptions, 'dialect' | 'pair' | 'seed' | 'runs'>> {
  readonly deviation: DeviationFacts;
  /** Of what the deviation violates. */
  readonly level: Requirement['level'];
  /** How many ask at the same time; absent for one, who asks one thing after the other. */
  readonly originators?: number;
}

/** What came of a hunt. */
export interface SearchOutcome {
  /** Sequences and their requests up to the one that showed it, or all. */
  readonly sequences: number;
  readonly requests: number;
  /** Milliseconds that went into them, and those of everything, shrinking too. */
  readonly searched: number;
  readonly took: number;
  readonly counterexample?: ConfirmedCounterexample;
  /** Why it is not as it should be, where the search did not come to its end. */
  readonly trouble?: string;
}

/** Looks for the deviation by generated requests alone. */
export function searchFor(one: SearchTask): Promise<SearchOutcome> {
  return one.originators === undefined ? searchSequences(one) : searchConcurrent(one, one.originators);
}

async function searchSequences({ deviation, dialect, pair, level, seed, runs }: SearchTask): Promise<SearchOutcome> {
  const target = { kind: 'in-process', deviations: [deviation.id] } as const;
  const result = await lastOf(explore({ target, dialect, pair, level: judgedLevel(level), seed, runs }));
  const { sequences, steps: requests, searched, took, counterexample, exit } = result;
  const effort = { sequences, requests, searched, took };
  if (counterexample === undefined) return exit.code === 0 ? effort : { ...effort, trouble: exit.reason };
  const { requirement, path, steps, operations, expected, actual, attempts, smallest, scenario } = counterexample;
  const on = (deviations: readonly string[]) => replay(scenario, requirement, { deviations, dialect, pair });
  return {
    ...effort,
    counterexample: {
      ...{ requirement, path, steps, expected, actual, attempts, smallest, scenario },
      operations: { found: operations.found, left: operations.left.length },
      failsThere: (await on([deviation.id])) === 'fails',
      passesElsewhere: (await on([])) === 'passes',
    },
  };
}

/** What it comes to as a file is no scenario: that it passes elsewhere is seen by the same program on the sound CSE. */
async function searchConcurrent(
  { deviation, level, seed, runs }: SearchTask,
  concurrency: number,
): Promise<SearchOutcome> {
  const options = { concurrency, level: judgedLevel(level), seed, runs };
  const found = await lastOf(
    exploreConcurrent({ ...options, target: { kind: 'in-process', deviations: [deviation.id] } }),
  );
  const { histories, steps: requests, took, counterexample, exit } = found;
  const effort = { sequences: histories.tried, requests, searched: took, took };
  if (counterexample === undefined) return exit.code === 0 ? effort : { ...effort, trouble: exit.reason };
  const { requirement, says, path, rows, leftOver, size, seen, attempts, smallest, data } = counterexample;
  const sound = await lastOf(exploreConcurrent({ ...options, target: { kind: 'in-process' }, path }));
  return {
    ...effort,
    counterexample: {
      ...{ requirement, path, attempts, smallest, scenario: data },
      steps: rows.map(({ originator = '', request }) => `${originator} ${request}`.trim()),
      operations: { found: size.found.requests, left: size.left.requests },
      expected: says,
      actual: rows[leftOver]?.answer ?? '',
      failsThere: seen.times > 0,
      passesElsewhere: sound.counterexample === undefined,
    },
  };
}

/** What sequences are judged by where that level is what a deviation is about. */
function judgedLevel(level: SearchTask['level']): 'documented' | 'gap' {
  return level === 'gap' ? 'gap' : 'documented';
}

/** What a scenario file by itself says of the simulator: `fails` by this requirement, `passes` where nothing shows a deviation, or something else. */
export async function replay(
  text: string,
  requirement: string,
  { deviations, dialect, pair }: Pick<SearchTask, 'dialect' | 'pair'> & { readonly deviations: readonly string[] },
): Promise<'fails' | 'passes' | 'other'> {
  const run = runId();
  const target = { kind: 'in-process', deviations } as const;
  const limits = { jobs: 1, timeout: 10_000, startedAt: performance.now() };
  const session = await openSession({ target, dialect, pair, run, ...limits });
  if ('unreachable' in session) return 'other';
  const [scenario] = scenariosIn(text);
  if (scenario === undefined) return 'other';
  const installation = await session.installation();
  const signal = new AbortController().signal;
  const judge = byRules(requirement, installation);
  const context: ScenarioContext = { installation, run, levelOf: () => 'documented', signal, judge };
  const { state, steps } = await runScenario(scenario, 1, context);
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
