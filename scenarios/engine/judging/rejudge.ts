/** Judges the results of several runs as one run, for merged reports. */

import { levelIn } from '../files/levels.ts';
import type { RequirementResult } from '../results/requirement-result.ts';
import type { RunResult, ScenarioResult } from '../results/result.ts';
import { brokenIn } from './exit.ts';
import { notSelected } from './exit-words.ts';
import { inOtherShards, judgeRequirements, type RequirementInput, requirementFacts, type Stop } from './verdict.ts';

/** The judgement of a run. */
type Judgement = Pick<RunResult, 'requirements' | 'summary' | 'exit'>;

/**
 * The verdicts on all scenarios of some runs of one plan. `runs` share dialect and strictness; `scenarios` are theirs, in
 * report order. Needs neither the scenario files nor the catalogue.
 */
export function rejudge(
  runs: readonly RunResult[],
  scenarios: readonly ScenarioResult[],
  { baseline, survey, ...claims }: Pick<RunResult, 'baseline' | 'survey' | 'ics' | 'profile'>,
): Judgement {
  const [first] = runs;
  if (first === undefined) throw new TypeError('there is nothing to judge');
  const { dialect, strictness } = first;
  const scale = { dialect, level: strictness.level };
  const inputs = resultsById(runs).map((results): RequirementInput => {
    const [requirement] = results;
    return {
      requirement: requirementFacts(requirement),
      selected: results.some(({ reason }) => reason !== notSelected),
      level: levelIn(scale, requirement),
      fallback: fallbackIn(results),
    };
  });
  const plan = { ...scale, scenarios };
  const deaths = runs.flatMap((one) => one.deaths ?? []);
  const stop = stopOf(runs);
  return judgeRequirements(inputs, scenarios, { plan, stop, strictness, baseline, deaths, survey, claims });
}

type Results = readonly [RequirementResult, ...RequirementResult[]];

/** The results of each requirement, in the order of the first run. */
function resultsById(runs: readonly RunResult[]): Results[] {
  const found = new Map<string, [RequirementResult, ...RequirementResult[]]>();
  for (const one of runs.flatMap(({ requirements }) => requirements)) {
    const known = found.get(one.id);
    if (known === undefined) found.set(one.id, [one]);
    else known.push(one);
  }
  return [...found.values()];
}

/** The result of a shard that was to check a requirement precedes those of the others; a satisfied rule precedes both. */
function fallbackIn(results: Results): RequirementInput['fallback'] {
  const byRule = results.filter(({ verdict }) => verdict === 'satisfied');
  if (byRule.length > 0)
    return { verdict: 'satisfied', observations: byRule.reduce((sum, { observations }) => sum + observations, 0) };
  const { verdict, reason } = results.find((one) => one.reason !== inOtherShards) ?? results[0];
  return { verdict, ...(reason !== undefined && { reason }) };
}

/** Why a run ended early, by the exit code in its report. */
function stopOf(runs: readonly RunResult[]): Stop | undefined {
  const interrupted = runs.find(({ exit }) => exit.code === 130);
  if (interrupted !== undefined) return { kind: 'interrupted', reason: interrupted.exit.reason };
  const misconfigured = runs.find(({ exit }) => exit.code === 5);
  if (misconfigured !== undefined) return { kind: 'misconfigured', reason: misconfigured.exit.reason };
  const unreachable = runs.find(
    ({ exit, scenarios, deaths = [] }) =>
      exit.code === 3 && deaths.length === 0 && exit.reason !== brokenIn(scenarios)?.reason,
  );
  return unreachable && { kind: 'unreachable', reason: unreachable.exit.reason };
}
