/** Merges reports into that of a single run. */
import { Evidence, rejudge } from '../../scenarios/results.ts';
import {
  type BaselineOutcome,
  byCodePoint,
  defined,
  type Exit,
  type InstallationDescription,
  type RunResult,
  type ScenarioResult,
  type ScenarioState,
  type StepResult,
  type Survey,
} from '../../scenarios/words.ts';
import { isForeign } from '../facts/evidence.ts';
import { missingShards, mustFit, type NamedReport } from './fit.ts';

/**
 * Derives the verdicts of all scenarios anew, as the engine does. A missing part of a divided plan makes the result inconclusive.
 * Throws UsageError for reports that do not fit together.
 */
export function mergeReports(reports: readonly NamedReport[]): RunResult {
  mustFit(reports);
  const sorted = reports.map(({ result }) => result).toSorted(inOrder);
  const { installations, results } = mergedInstallations(sorted);
  const [first] = results;
  if (first === undefined) throw new TypeError('there is nothing to merge');
  const scenarios = mergedScenarios(results);
  const baseline = mergedBaseline(results);
  const found = { ...(baseline && { baseline }), ...surveyOf(results), ...claimsIn(results) };
  const judgement = rejudge(results, scenarios, found);
  const { tool, specification, dialect, target, strictness } = first;
  return {
    ...{ tool, specification, dialect, target, strictness },
    ...timesOf(results),
    run: results.map(({ run }) => run).join('+'),
    installations,
    scenarios,
    ...sentencesOf(results),
    ...found,
    ...evidenceOf(results),
    ...judgement,
    exit: exitOf(missingShards(reports), judgement.exit),
  };
}

/** Keeps the findings of a run with missing parts, too: a deviation stays one. */
function exitOf(missing: string | undefined, exit: Exit): Exit {
  if (missing === undefined) return exit;
  return { code: 4, reason: `${missing}${exit.code === 0 ? '' : `; in the others: ${exit.reason}`}` };
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

/** A feature is present if one part shows it, and absent if none does. */
function claimsIn(results: readonly RunResult[]): Pick<RunResult, 'ics' | 'profile'> {
  const all = results.flatMap(({ ics = [] }) => ics);
  const ics = results[0]?.ics?.map((claim) => {
    const own = all.filter(({ id }) => id === claim.id);
    return own.find(({ behaves }) => behaves === 'implemented') ?? own.find(({ behaves }) => behaves) ?? claim;
  });
  return defined({ ics, profile: results[0]?.profile });
}

function evidenceOf(results: readonly RunResult[]): Pick<RunResult, 'evidence'> {
  const all = new Evidence();
  for (const { evidence = {} } of results) all.add(evidence);
  const evidence = all.report();
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
  const problems = new Map(outcomes.flatMap((one) => one.problems).map((one) => [JSON.stringify(one), one]));
  const known = outcomes.reduce((sum, one) => sum + one.known, 0);
  return { file: first.file, known, problems: [...problems.values()] };
}

/**
 * The installations of several runs, each once, and the runs with their new names. Those that the harness opened are the same by
 * name, wherever they listened; two addresses of a user's CSE under one name are distinguished by the address.
 */
function mergedInstallations(results: readonly RunResult[]) {
  const found = new Map<string, InstallationDescription>();
  const runs = results.map((result) => {
    const names = new Map<string, string>();
    for (const installation of result.installations) {
      const name = nameFor(installation, found);
      names.set(installation.name, name);
      if (!found.has(name)) found.set(name, { ...installation, name });
    }
    return renamed(result, names);
  });
  const order: string[] = [];
  for (const { installations } of runs) insert(installations, order);
  return { installations: order.flatMap((name) => found.get(name) ?? []), results: runs };
}

function nameFor({ name, gateway }: InstallationDescription, found: ReadonlyMap<string, InstallationDescription>) {
  const other = found.get(name)?.gateway;
  const isSame = other === undefined || gateway.kind !== 'url' || other.url === gateway.url;
  return isSame ? name : `${name} at ${gateway.url}`;
}

/** Each run lists its own in one order: new ones are inserted before their successors there. */
function insert(installations: readonly InstallationDescription[], order: string[]): void {
  for (const [index, { name }] of installations.entries()) {
    if (order.includes(name)) continue;
    const next = installations.slice(index + 1).find((later) => order.includes(later.name));
    order.splice(next === undefined ? order.length : order.indexOf(next.name), 0, name);
  }
}

function renamed(result: RunResult, names: ReadonlyMap<string, string>): RunResult {
  const scenarios = result.scenarios.map(({ installation, ...scenario }) =>
    installation === undefined ? scenario : { ...scenario, installation: names.get(installation) ?? installation },
  );
  const installations = result.installations.map((one) => ({ ...one, name: names.get(one.name) ?? one.name }));
  return { ...result, installations, scenarios };
}

/**
 * In the order of a plan. Times count from the start of the earliest run; if runs of different installations have the same
 * scenario, the most telling one is kept: a failure before a pass, and a pass before no verdict.
 */
export function mergedScenarios(results: readonly RunResult[]): ScenarioResult[] {
  const start = Math.min(...results.map(startOf));
  const kept = new Map<string, ScenarioResult>();
  for (const result of results) {
    for (const scenario of result.scenarios) {
      const other = kept.get(scenario.id);
      if (other !== undefined && weight(other) <= weight(scenario)) continue;
      const by = startOf(result) - start;
      const steps = by === 0 ? scenario.steps : scenario.steps.map((step) => shiftStep(step, by));
      kept.set(scenario.id, { ...scenario, steps });
    }
  }
  return [...kept.values()].sort(inOrderOfPlan);
}

/** Milliseconds since 1970. */
export const startOf = ({ startedAt }: RunResult): number => Date.parse(startedAt);

const byWeight: readonly ScenarioState[] = [
  ...(['failed', 'fault', 'interrupted', 'lost', 'blocked', 'passed'] as const),
  ...(['not testable', 'left out', 'not applicable'] as const),
];

const weight = ({ state }: ScenarioResult): number => byWeight.indexOf(state);

/** The step with times of a run that began so many milliseconds earlier. */
function shiftStep(step: StepResult, by: number): StepResult {
  const shift = <T extends { readonly at: number }>(one: T): T => ({ ...one, at: one.at + by });
  const { exchange, received, notifications } = step;
  const shown = notifications && { ...notifications, shown: notifications.shown.map(shift) };
  return {
    ...step,
    ...defined({ exchange: exchange && shift(exchange), received: received && shift(received), notifications: shown }),
  };
}

/**
 * The project's own files come first, by name, folder by folder; in a file, scenarios are ordered by line, and those of the rows of
 * a table by name.
 */
function inOrderOfPlan(a: ScenarioResult, b: ScenarioResult): number {
  return (
    Number(isForeign(a)) - Number(isForeign(b)) ||
    byPath(a.place.file, b.place.file) ||
    a.place.line - b.place.line ||
    byCodePoint(a.id, b.id)
  );
}

function byPath(a: string, b: string): number {
  const [one, two] = [a.split(/[/\\]/), b.split(/[/\\]/)];
  const at = one.findIndex((part, index) => part !== two[index]);
  return at < 0 ? one.length - two.length : byCodePoint(one[at] ?? '', two[at] ?? '');
}
