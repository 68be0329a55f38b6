/** What goes to a worker and what comes back, as plain data. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviationFacts } from '../../../sim/deviations/index.ts';
import type { Requirement } from '../../engine/files/catalogue.ts';
import { loadScenarios } from '../../engine/files/load.ts';
import { lastOf } from '../../engine/running/last-of.ts';
import { runId, type ScenarioContext } from '../../engine/running/scenario/scenario-context.ts';
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
  /** Of the violated requirement. */
  readonly level: Requirement['level'];
  /** Concurrent originators; absent for one, which sends its requests one by one. */
  readonly originators?: number;
}

/** Result of a search. */
export interface SearchOutcome {
  /** Sequences and their requests up to the first that showed it, or all. */
  readonly sequences: number;
  readonly requests: number;
  /** Milliseconds for these, and for all, shrinking included. */
  readonly searched: number;
  readonly took: number;
  readonly counterexample?: ConfirmedCounterexample;
  /** Why the search was not completed. */
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

/** Its file is no scenario: whether it passes elsewhere is tried by the same program on the sound CSE. */
async function searchConcurrent(task: SearchTask, concurrency: number): Promise<SearchOutcome> {
  const { deviation, level, seed, runs } = task;
  const options = { concurrency, level: judgedLevel(level), seed, runs };
  const target = { kind: 'in-process', deviations: [deviation.id] } as const;
  const found = await lastOf(exploreConcurrent({ ...options, target }));
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

/** The level of an exploration for a deviation of this level. */
function judgedLevel(level: SearchTask['level']): 'documented' | 'gap' {
  return level === 'gap' ? 'gap' : 'documented';
}

/** Runs a scenario file on the simulator: it `fails` by this requirement, `passes` if nothing shows a deviation, or something else. */
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
  // If the last answer is a refusal, as it should be, nothing is left to check.
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
