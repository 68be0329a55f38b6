import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Dialect } from '../grammar/dialects.ts';

/** Scenario ids are relative to this directory. */
export const scenariosFolder = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');
export const requirementsFolder = join(scenariosFolder, 'requirements');

/** The folders of scenario files, by name. */
const folders = ['documented', 'pair', 'standard', 'transport'];

/** The scenario files of the project itself. */
export function ownScenarioFiles(): string[] {
  return folders.flatMap((folder) => filesBelow(join(scenariosFolder, folder)));
}

/** Scenarios that ask a person: chosen by name only, `manual` or an id that begins so. */
export const manualFiles = (): string[] => filesBelow(join(scenariosFolder, 'manual'));

/** Whether a file, or a directory, is the project's own; `path` is absolute. */
export function isOwn(path: string): boolean {
  const fromRoot = relative(scenariosFolder, path);
  return !fromRoot.startsWith('..') && !isAbsolute(fromRoot);
}

/** The folders of the project's own scenario and requirement files. */
export function ownFolders(): { readonly scenarios: readonly string[]; readonly requirements: readonly string[] } {
  const foldersOf = (files: readonly string[]) => [...new Set(files.map((path) => dirname(path)))];
  return {
    scenarios: foldersOf([...ownScenarioFiles(), ...manualFiles()]),
    requirements: foldersOf(filesBelow(requirementsFolder)),
  };
}

/** False for a project file that certainly runs in other dialects only and need not be parsed. */
export function mayRunIn(path: string, dialect: Dialect): boolean {
  return usualDialect(relative(scenariosFolder, path)) === dialect || /^\s*dialects:/m.test(readFileSync(path, 'utf8'));
}

/** The dialect of a file that names none, by its path below the scenarios folder. */
export function usualDialect(path: string): Dialect {
  return /^standard[/\\]/.test(path) ? 'onem2m' : 'documented';
}

/** A file itself, or the YAML files below a directory, in the same order on every machine. */
export function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || /\.ya?ml$/.test(entry.name))
    .map((entry) => entry.name)
    .sort(byCodePoint)
    .flatMap((name) => filesBelow(join(path, name)));
}

/** The same on every machine, whatever its language. */
export function byCodePoint(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
