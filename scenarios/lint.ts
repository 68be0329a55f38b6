/** Checks all files that people write for cselab; sends nothing. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { dutiesFrom } from './applications/duty.ts';
import { baselineIn } from './baseline/read.ts';
import { type Knowledge, knowledgeOf, unknownIn } from './baseline/unknown.ts';
import { type Problem, ScenarioFilesError, UsageError } from './engine/basics/diagnostics.ts';
import { readCatalogue } from './engine/files/catalogue.ts';
import { ownRuleFiles } from './engine/files/extends.ts';
import { filesBelow, ownScenarioFiles, requirementsFolder } from './engine/files/folders.ts';
import { type LoadOptions, loadScenarios } from './engine/files/load.ts';
import { readSource } from './engine/files/source-file.ts';
import { type FileKind, kindIn, tellingKeys } from './file-kinds.ts';
import { exampleProblems } from './oracle/example-judge.ts';
import { ownRulesIn, readRules } from './oracle/rules.ts';
import { readTargetFile, shippedTargets } from './target-files/read-target-file.ts';

export interface LintedFile {
  /** For display: relative to the working directory. */
  readonly file: string;
  readonly kind?: FileKind;
}

export interface LintResult {
  readonly files: readonly LintedFile[];
  /** By file, line and column. */
  readonly problems: readonly Problem[];
}

interface Found {
  readonly path: string;
  readonly kind: FileKind;
}

/**
 * Checks scenario, rule, requirement, target and baseline files, recognised by their content. Without paths: those below the working
 * directory, or else the project's own. `onFile` counts the scenario files. Throws UsageError for a path that does not exist.
 */
export function lint(paths: readonly string[], onFile?: LoadOptions['onFile']): LintResult {
  const named = paths.length === 0 ? foundBelow(process.cwd()) : paths.flatMap(namedFiles);
  const candidates = paths.length + named.length === 0 ? ownFiles() : named;
  const kinds = candidates.map((path) => ({ path, kind: kindOf(path) }));
  const known = kinds.filter((one): one is Found => one.kind !== undefined);
  const unknownFiles = kinds.filter(({ kind }) => kind === undefined).map(({ path }) => unknownFile(path));
  const problems = [...unknownFiles, ...problemsIn(known, onFile)].sort(byPosition);
  return {
    files: kinds.map(({ path, kind }) => ({ file: displayPath(path), ...(kind && { kind }) })),
    problems: problems.filter((one, at) => isNew(one, problems[at - 1])),
  };
}

function problemsIn(files: readonly Found[], onFile: LoadOptions['onFile']): Problem[] {
  const of = (kind: FileKind) => files.flatMap((one) => (one.kind === kind ? [one.path] : []));
  const scenarios = of('scenario');
  const baselines = of('baseline');
  const ownRules = [...new Set(of('rules').filter(statesRequirements).flatMap(withExtended))];
  return [
    ...(scenarios.length === 0 ? [] : scenarioProblems(scenarios, { ownRules, ...(onFile && { onFile }) })),
    ...of('rules').flatMap(ruleProblems),
    ...of('duties').flatMap((path) => problemsOf(() => dutiesFrom(path))),
    ...of('requirement').flatMap(requirementProblems),
    ...of('target').flatMap((path) => problemsOf(() => readTargetFile(path, anyEnvironment))),
    ...(baselines.length === 0 ? [] : baselineProblems(baselines, scenarios, ownRules)),
  ];
}

/** A target file may be right without its environment variables. */
const anyEnvironment = new Proxy<Record<string, string>>({}, { get: () => 'set', has: () => true });

function problemsOf(read: () => unknown): readonly Problem[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ScenarioFilesError) return error.problems;
    throw error;
  }
}

/** The requirements of the rule files beside them are known; what is wrong in those is found for themselves. */
function scenarioProblems(paths: readonly string[], options: LoadOptions): readonly Problem[] {
  const names = new Set(paths.map(displayPath));
  return problemsOf(() => loadScenarios(paths, options)).filter(({ file }) => names.has(file));
}

/** Rules of a team come with requirements and examples; those of the project refer to its own catalogue. */
const statesRequirements = (path: string): boolean => /^specification:/m.test(readFileSync(path, 'utf8'));

/** With the files that it extends, unless one is missing. */
function withExtended(path: string): string[] {
  try {
    return ownRuleFiles([path]);
  } catch (error) {
    if (error instanceof ScenarioFilesError) return [path];
    throw error;
  }
}

function ruleProblems(path: string): readonly Problem[] {
  if (!statesRequirements(path)) return problemsOf(() => readRules(path));
  const problems = problemsOf(() => ownRulesIn(path, loadScenarios([], { ownRules: ownRuleFiles([path]) }).catalogue));
  return problems.length > 0 ? problems : exampleProblems(path);
}

/** A file of the project's catalogue is read with the others, to find duplicates. */
function requirementProblems(path: string): readonly Problem[] {
  const own = filesBelow(requirementsFolder).includes(path);
  const { problems } = readCatalogue(own ? requirementsFolder : path);
  return problems.filter(({ file }) => file === displayPath(path));
}

function baselineProblems(
  paths: readonly string[],
  scenarios: readonly string[],
  ownRules: readonly string[],
): Problem[] {
  const knowledge = knowledgeFrom([...new Set([...ownScenarioFiles(), ...scenarios])], ownRules);
  return paths.flatMap((path) => {
    const { source, problems } = readSource(path);
    if (source === undefined) return problems;
    const { baseline, problems: errors } = baselineIn(source);
    const unknown = (baseline?.entries ?? []).flatMap((entry, at) => {
      const found = knowledge && unknownIn(entry, knowledge);
      return found === undefined ? [] : [source.problem(['deviations', at, found.key], found.message)];
    });
    return [...errors, ...unknown];
  });
}

/** Absent if the scenarios cannot be read, which is reported for them. */
function knowledgeFrom(files: readonly string[], ownRules: readonly string[]): Knowledge | undefined {
  try {
    const { scenarios, catalogue } = loadScenarios(files, { ownRules });
    return knowledgeOf(scenarios, catalogue);
  } catch (error) {
    if (error instanceof ScenarioFilesError) return undefined;
    throw error;
  }
}

function namedFiles(path: string): string[] {
  const full = resolve(path);
  const stats = statSync(full, { throwIfNoEntry: false });
  if (stats === undefined) throw new UsageError(`there is no file or directory "${path}"`);
  return stats.isDirectory() ? foundBelow(full) : [full];
}

function ownFiles(): string[] {
  return [...ownScenarioFiles(), ...filesBelow(requirementsFolder), ...filesBelow(shippedTargets)];
}

/** Directories with generated copies. */
const madeByTools = ['node_modules', 'dist'];

/** Only files of cselab, among others. */
function foundBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && !madeByTools.includes(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return foundBelow(path);
      return /\.ya?ml$/.test(entry.name) && kindOf(path) !== undefined ? [path] : [];
    });
}

const kindOf = (path: string): FileKind | undefined => kindIn(readFileSync(path, 'utf8'));

function unknownFile(path: string): Problem {
  const [sourceLine = ''] = readFileSync(path, 'utf8').slice(0, 200).split(/\r?\n/);
  const message = `this is no file of cselab: none of its keys is ${tellingKeys.join(', ')}`;
  return { file: displayPath(path), line: 1, column: 1, length: 1, message, sourceLine };
}

function displayPath(path: string): string {
  return relative(process.cwd(), path) || path;
}

function byPosition(a: Problem, b: Problem): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column || (a.message < b.message ? -1 : 1);
}

/** An error in the catalogue is found with each file that needs it. */
function isNew(problem: Problem, before: Problem | undefined): boolean {
  return before === undefined || byPosition(problem, before) !== 0;
}
