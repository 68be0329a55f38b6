/** Files and packages that a team's file extends. Only data is read. */
import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { ScenarioFilesError, UsageError } from '../basics/diagnostics.ts';
import { validate } from './issues.ts';
import { readSource, type SourceFile } from './source-file.ts';

/** The extended files, as absolute paths. */
export interface ExtendedFiles {
  readonly targets: readonly string[];
  readonly rules: readonly string[];
  /** Files or directories. */
  readonly scenarios: readonly string[];
}

/** A single file is of the same sort as the file that extends it. */
type Sort = 'targets' | 'rules';

const Files = z.union([z.string(), z.array(z.string())]).optional();
/** The part of a package.json that says where the files of the package lie. */
const Manifest = z.looseObject({
  cselab: z.strictObject({ target: Files, rules: Files, scenarios: Files }),
});

/** The files named by the key `extends`. Throws ScenarioFilesError for missing files and for cycles. */
export function extendedFiles(source: SourceFile, sort: Sort, above: readonly string[] = []): ExtendedFiles {
  const { extends: value } = (source.value ?? {}) as { readonly extends?: unknown };
  const isList = Array.isArray(value);
  const names = [value ?? []].flat().filter((name) => typeof name === 'string');
  const all = names.map((name, at) => {
    const missing = (message: string) =>
      new ScenarioFilesError([source.problem(isList ? ['extends', at] : ['extends'], message)]);
    const path = pathOf(name, dirname(source.path));
    if (path === undefined) throw missing(`there is neither a file nor a package "${name}"`);
    const files = filesAt(path, sort);
    const cycle = files[sort].find((one) => one === source.path || above.includes(one));
    if (cycle !== undefined) throw missing(`"${name}" leads back to ${cycle === source.path ? 'this file' : cycle}`);
    return files;
  });
  const every = (part: keyof ExtendedFiles) => all.flatMap((one) => one[part]);
  return { targets: every('targets'), rules: every('rules'), scenarios: every('scenarios') };
}

/** The absolute path of a file, a package, or a file in a package, as seen from a folder. */
function pathOf(name: string, folder: string): string | undefined {
  const beside = resolve(folder, name);
  if (existsSync(beside)) return beside;
  if (/^\.{0,2}[/\\]/.test(name)) return undefined;
  const directories = createRequire(join(folder, 'package.json')).resolve.paths(name) ?? [];
  return directories.map((directory) => join(directory, name)).find((path) => existsSync(path));
}

function filesAt(path: string, sort: Sort): ExtendedFiles {
  const nothing = { targets: [], rules: [], scenarios: [] };
  if (!statSync(path).isDirectory()) return { ...nothing, [sort]: [path] };
  const { source, problems } = readSource(join(path, 'package.json'));
  const { value, problems: invalid } = source === undefined ? { problems } : validate(Manifest, source);
  if (value === undefined) throw new ScenarioFilesError(invalid);
  const { target, rules, scenarios } = value.cselab;
  const pathsIn = (names: z.infer<typeof Files> = []) => [names].flat().map((name) => resolve(path, name));
  return { targets: pathsIn(target), rules: pathsIn(rules), scenarios: pathsIn(scenarios) };
}

/** Resolves the rule files named on a command line: files, packages, or files in packages. Throws a UsageError for anything else. */
export function rulesCalled(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const path = pathOf(name, process.cwd());
    if (path === undefined) throw new UsageError(`--rules: there is neither a file nor a package "${name}"`);
    return filesAt(path, 'rules').rules;
  });
}

/** Rule files, each after those that it extends, and none twice. Throws ScenarioFilesError as `extendedFiles` does. */
export function ownRuleFiles(paths: readonly string[], above: readonly string[] = []): string[] {
  const all = paths.flatMap((path) => {
    const full = resolve(path);
    const { source } = readSource(full);
    if (source === undefined) return [full];
    return [...ownRuleFiles(extendedFiles(source, 'rules', above).rules, [...above, full]), full];
  });
  return [...new Set(all)];
}
