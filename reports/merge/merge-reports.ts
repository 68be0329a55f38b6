/** Several reports as the one that a single run would have given. */
import {
  type BaselineOutcome,
  defined,
  Evidence,
  type Exit,
  type RunResult,
  rejudge,
  type Survey,
} from '../../scenarios/index.ts';
import { missingShards, mustFit, type NamedReport } from './fit.ts';
import { mergedInstallations } from './merged-installations.ts';
import { mergedScenarios, startOf } from './merged-scenarios.ts';

/**
 * Judges all scenarios of the reports anew, as the engine does. A missing part of a divided plan makes the result inconclusive.
 * Throws UsageError for reports that do not fit together.
 */
export function mergeReports(reports: readonly NamedReport[]): RunResult {
  mustFit(reports);
  const given = reports.map(({ result }) => result).toSorted(inOrder);
  const { installations, results } = mergedInstallations(given);
  const [first] = results;
  if (first === undefined) throw new TypeError('there is nothing to merge');
  const scenarios = mergedScenarios(results);
  const baseline = mergedBaseline(results);
  const judgement = rejudge(results, scenarios, baseline, surveyOf(results).survey);
  const missing = missingShards(reports);
  const { tool, specification, dialect, target, strictness, statement } = first;
  return {
    ...{ tool, specification, dialect, target, strictness },
    ...timesOf(results),
    run: results.map(({ run }) => run).join('+'),
    installations,
    scenarios,
    ...(statement && { statement }),
    ...sentencesOf(results),
    ...surveyOf(results),
    ...(baseline && { baseline }),
    ...evidenceOf(results),
    ...judgement,
    ...(missing !== undefined && { exit: incomplete(missing, judgement.exit) }),
  };
}

/** Parts by their number, other runs by their time. */
function inOrder(a: RunResult, b: RunResult): number {
  return (a.shard?.index ?? 0) - (b.shard?.index ?? 0) || startOf(a) - startOf(b);
}

function timesOf(results: readonly RunResult[]): Pick<RunResult, 'startedAt' | 'took'> {
  const start = Math.min(...results.map(startOf));
  const end = Math.max(...results.map((one) => startOf(one) + one.took));
  return { startedAt: new Date(start).toISOString(), took: end - start };
}

function sentencesOf(results: readonly RunResult[]): Pick<RunResult, 'assumed' | 'notes'> {
  const assumed = [...new Set(results.flatMap((one) => one.assumed ?? []))];
  const notes = [...new Set(results.flatMap((one) => one.notes ?? []))];
  return { ...(assumed.length > 0 && { assumed }), ...(notes.length > 0 && { notes }) };
}

function evidenceOf(results: readonly RunResult[]): Pick<RunResult, 'evidence'> {
  const all = new Evidence();
  for (const { evidence = {} } of results) all.add(evidence);
  const evidence = all.told();
  return Object.keys(evidence).length === 0 ? {} : { evidence };
}

/** What the target held before the first of the runs and after the last. */
function surveyOf(results: readonly RunResult[]): Pick<RunResult, 'survey'> {
  const surveys = results.toSorted((a, b) => startOf(a) - startOf(b)).flatMap(({ survey }) => survey ?? []);
  const [first, last] = [surveys[0], surveys.at(-1)];
  if (first === undefined || last === undefined) return {};
  const reasons = [...new Set(surveys.flatMap(({ reason }) => reason ?? []))];
  const survey: Survey = {
    before: first.before,
    after: last.after,
    left: [...new Set(surveys.flatMap(({ left }) => left))],
    others: surveys.reduce((sum, { others }) => sum + others, 0),
    ...(reasons.length > 0 && { reason: reasons.join('; ') }),
    ...defined({ damaged: last.damaged, unsound: first.unsound, earlier: first.earlier }),
  };
  return { survey };
}

function mergedBaseline(results: readonly RunResult[]): BaselineOutcome | undefined {
  const outcomes = results.flatMap(({ baseline }) => baseline ?? []);
  const [first] = outcomes;
  if (first === undefined) return undefined;
  const problems = new Map(
    outcomes.flatMap((one) => one.problems).map((problem) => [JSON.stringify(problem), problem]),
  );
  const known = outcomes.reduce((sum, one) => sum + one.known, 0);
  return { file: first.file, known, problems: [...problems.values()] };
}

/** What was found is said too: a deviation stays one. */
function incomplete(missing: string, { code, reason }: Exit): Exit {
  return { code: 4, reason: `${missing}${code === 0 ? '' : `; in the others: ${reason}`}` };
}
