/** The tests of a file: those from which the fewest imports lead to it. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { importsOf } from '../scenarios/engine/testing/imports.ts';
import { filesOf, testFolders } from './test-files.ts';

const isTest = (path: string) => /\.test\.ts$/.test(path);

/** The readers of files that no module imports: rows of deviations, and scenarios with their requirements. */
const readers: readonly (readonly [files: RegExp, reader: string])[] = [
  [/^sim\/deviations\/.*\.yaml$/, 'sim/deviations/language/row-files.ts'],
  [/^scenarios\/.*\.yaml$/, 'scenarios/engine/files/load.ts'],
];

/** The importers of each file of the project. */
export function importersOfAll(): ReadonlyMap<string, ReadonlySet<string>> {
  const importers = new Map<string, Set<string>>();
  for (const path of [...testFolders.flatMap((folder) => filesOf(folder, /\.tsx?$/)), 'cli.ts'])
    for (const { to } of importsOf(path, readFileSync(path, 'utf8')))
      importers.set(to, (importers.get(to) ?? new Set()).add(path));
  return importers;
}

/** First its namesake, then those of its folder, then the nearest; at most `limit`, and no long ones. */
export function nearestTests(changed: string, limit: number, importers = importersOfAll()): string[] {
  const source = readers.find(([files]) => files.test(changed))?.[1] ?? changed;
  const reached = new Set([source]);
  for (const path of reached) for (const one of importers.get(path) ?? []) reached.add(one);
  const found = [...reached].filter((path) => isTest(path) && !path.includes('.long.'));
  const namesake = source.replace(/\.tsx?$/, '.test.ts');
  const rank = (path: string) => (path === namesake ? 0 : dirname(path) === dirname(source) ? 1 : 2);
  return found.sort((a, b) => rank(a) - rank(b)).slice(0, limit);
}
