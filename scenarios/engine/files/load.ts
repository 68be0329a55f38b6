import { existsSync } from 'node:fs';
import { basename, relative, resolve, sep } from 'node:path';
import { type Problem, ScenarioFilesError, UsageError } from '../basics/diagnostics.ts';
import type { Dialect } from '../grammar/dialects.ts';
import { type Actor, type InboxBlock, type Repeated, ScenarioFile } from '../grammar/grammar.ts';
import type { Check } from '../grammar/grammar-check.ts';
import type { RiskMark } from '../grammar/grammar-risk.ts';
import type { Step } from '../grammar/grammar-step.ts';
import type { Need } from '../grammar/vocabulary.ts';
import type { SourceLocation } from '../results/result.ts';
import { type Catalogue, readCatalogue } from './catalogue.ts';
import { filesBelow, isOwn, ownScenarioFiles, requirementsFolder, scenariosFolder, usualDialect } from './folders.ts';
import { validate } from './issues.ts';
import { cached } from './load-cache.ts';
import { allNeeds, contradictionIn, impliedNeeds } from './needs.ts';
import { checkReferences } from './references.ts';
import { repeatedSteps, withRows } from './rows.ts';
import { type DataPath, readSource, type SourceFile } from './source-file.ts';

export interface LoadedCheck {
  readonly requirement: string;
  readonly check: Check;
  readonly place: SourceLocation;
  /** Why it does not apply to the target of a run. */
  readonly inapplicable?: string;
  /** True when the conformance statement denies it. */
  readonly denied?: boolean;
}

export interface LoadedStep {
  readonly step: Step;
  readonly place: SourceLocation;
  readonly checks: readonly LoadedCheck[];
  /** Why it is left out of a run: it is known to damage a deployed CSE. */
  readonly leftOut?: string;
  /** Whether it needs a feature that the ICS denies: rules do not judge its refusal. */
  readonly denied?: true;
  /** The inbox that is fed from the polling channel of this step. */
  readonly polls?: string;
  /** The inbox of what arrives over the connection of the AE that this step registers. */
  readonly receives?: string;
}

export interface LoadedScenario {
  /** Path of the file without its ending, relative to the scenarios folder, and the scenario's key. */
  readonly id: string;
  readonly feature: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly dialects: ReadonlySet<Dialect>;
  readonly needs: ReadonlySet<Need>;
  readonly place: SourceLocation;
  /** Absolute path of the file. */
  readonly file: string;
  readonly actors: Readonly<Record<string, Actor>>;
  readonly inboxes: Readonly<Record<string, InboxBlock>>;
  readonly given: readonly LoadedStep[];
  readonly steps: readonly LoadedStep[];
  /** Why nothing of it applies to the target of a run, so that nothing is sent. */
  readonly inapplicable?: string;
  /** True when the target's conformance statement denies it. */
  readonly denied?: boolean;
  /** True when that is the choice of the run. */
  readonly byChoice?: boolean;
  /** What it is known to do to a deployed CSE. */
  readonly risky?: RiskMark;
  /** Why it is left out of a run for that. */
  readonly leftOut?: string;
}

export interface Loaded {
  readonly scenarios: readonly LoadedScenario[];
  readonly catalogue: Catalogue;
}

export interface LoadOptions {
  readonly requirements?: string;
  /** Files of a team's own requirements and rules. */
  readonly ownRules?: readonly string[];
  /** After each scenario file. */
  readonly onFile?: (done: number, of: number) => void;
}

/**
 * Reads scenario files (files or directories; the project's own when none are named) and the catalogue.
 * Throws ScenarioFilesError with every problem of every file, UsageError for a path that does not exist.
 */
export function loadScenarios(
  paths?: readonly string[],
  { requirements = requirementsFolder, ownRules, onFile }: LoadOptions = {},
): Loaded {
  const { catalogue, base, problems: found } = readCatalogue(requirements, ownRules);
  const problems = [...found];
  const known = new Set(catalogue.requirements.keys());
  // They do not depend on a team's own requirements, which must not make the cache stale.
  const knownToOwn = new Set(base.requirements.keys());
  const scenarios: LoadedScenario[] = [];
  const places = new Map<string, SourceLocation>();
  const files = paths === undefined ? ownScenarioFiles() : paths.flatMap(existingFiles);
  for (const [at, path] of files.entries()) {
    const absolute = resolve(path);
    // Only the project's own files are worth caching: others are few and change often.
    const file = isOwn(absolute)
      ? cached({ files: [absolute], requirements: knownToOwn }, () => loadFile(absolute, knownToOwn))
      : loadFile(absolute, known);
    problems.push(...file.problems, ...clashes(file.scenarios, places));
    for (const one of file.scenarios) {
      scenarios.push(one);
      places.set(one.id, places.get(one.id) ?? one.place);
    }
    onFile?.(at + 1, files.length);
  }
  if (problems.length > 0) throw new ScenarioFilesError(problems);
  return { scenarios, catalogue };
}

/** As `filesBelow`. Throws UsageError where there is neither. */
export function existingFiles(path: string): string[] {
  if (!existsSync(path)) throw new UsageError(`there is no file or directory "${path}"`);
  return filesBelow(path);
}

interface LoadedFile {
  readonly scenarios: readonly LoadedScenario[];
  readonly problems: readonly Problem[];
}

function loadFile(path: string, requirements: ReadonlySet<string>): LoadedFile {
  const { source: written, problems } = readSource(path);
  if (written === undefined) return { scenarios: [], problems };
  const source = withRows(written);
  const { value, problems: invalid } = validate(ScenarioFile, source);
  const references = checkReferences(source, requirements);
  const scenarios = value === undefined ? [] : scenariosOf(value, source);
  const contradictory = value === undefined ? [] : contradictoryNeeds(value, scenarios, source);
  return { scenarios, problems: inOrder([...invalid, ...references, ...contradictory]) };
}

/** By place; a problem in the scenario of each row is reported once. */
function inOrder(problems: readonly Problem[]): Problem[] {
  const unique = new Map(problems.map((one) => [`${one.line}:${one.column}: ${one.message}`, one]));
  return [...unique.values()].sort((a, b) => a.line - b.line || a.column - b.column);
}

function scenariosOf(file: ScenarioFile, source: SourceFile): LoadedScenario[] {
  const stem = stemOf(source.path);
  const given = stepsOf(file.given ?? [], ['given'], source);
  const { actors = {}, inboxes = {}, dialects = [usualDialect(stem)] } = file;
  return Object.entries(file.scenarios).map(([key, scenario]) => {
    const steps = stepsOf(scenario.steps, ['scenarios', key, 'steps'], source);
    const declared = [...(file.needs ?? []), ...(scenario.needs ?? [])];
    const allSteps = [...given, ...steps].map(({ step }) => step);
    return {
      id: `${stem}/${key}`,
      feature: file.feature,
      title: scenario.title,
      tags: [...new Set([...(file.tags ?? []), ...(scenario.tags ?? [])])],
      dialects: new Set(scenario.dialects ?? dialects),
      needs: allNeeds([...declared, ...impliedNeeds(allSteps, { actors, inboxes }, declared)]),
      place: source.place(['scenarios', key]),
      file: source.path,
      actors,
      inboxes,
      given,
      steps,
      ...(scenario.risky && { risky: scenario.risky }),
    };
  });
}

/** Of the file where its own needs contradict each other, else of the scenarios that add the rest. */
function contradictoryNeeds({ needs = [] }: ScenarioFile, scenarios: readonly LoadedScenario[], source: SourceFile) {
  const shared = contradictionIn(allNeeds(needs));
  if (shared !== undefined) return [source.problem(['needs'], shared, { key: true })];
  return scenarios.flatMap((one) => {
    const message = contradictionIn(one.needs);
    const path = ['scenarios', one.id.slice(one.id.lastIndexOf('/') + 1), 'needs'];
    return message === undefined ? [] : [source.problem(path, message, { key: true })];
  });
}

/** `documented/ae` for the project's own files, the file name for any other. */
export function stemOf(path: string): string {
  const name = isOwn(path) ? relative(scenariosFolder, path).split(sep).join('/') : basename(path);
  return name.replace(/\.ya?ml$/, '');
}

function stepsOf(steps: ReadonlyArray<Step | Repeated>, above: DataPath, source: SourceFile): LoadedStep[] {
  return repeatedSteps(steps, above).map(({ step, path }) => {
    const checks = Object.entries(('check' in step ? step.check : undefined) ?? {}).flatMap(([requirement, value]) => {
      const at = [...path, 'check', requirement];
      if (!Array.isArray(value)) return [{ requirement, check: value, place: source.place(at) }];
      return value.map((check, n) => ({ requirement, check, place: source.place([...at, n]) }));
    });
    return { step, place: source.place(path), checks };
  });
}

/** Files outside the project may share a name, and their scenarios would share ids. */
function clashes(scenarios: readonly LoadedScenario[], before: ReadonlyMap<string, SourceLocation>): Problem[] {
  return scenarios.flatMap(({ id, place }) => {
    const other = before.get(id);
    if (other === undefined) return [];
    const message = `the scenario "${id}" exists already, in ${other.file}`;
    return [{ ...place, length: 1, message, sourceLine: '' }];
  });
}
