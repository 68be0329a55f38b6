/** Which tests are about a file: those from which the fewest imports lead to it. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { importsOf } from '../scenarios/engine/testing/imports.ts';
import { filesOf, testRooms } from './test-files.ts';

const isTest = (path: string) => /\.test\.ts$/.test(path);

/** What reads the files that no module imports: rows of deviations, and scenarios with their requirements. */
const readers: readonly (readonly [files: RegExp, reader: string])[] = [
  [/^sim\/deviations\/.*\.yaml$/, 'sim/deviations/language/row-files.ts'],
  [/^scenarios\/.*\.yaml$/, 'scenarios/engine/files/load.ts'],
];

/** What imports each file of the project. */
export function importersOfAll(): ReadonlyMap<string, ReadonlySet<string>> {
  const importers = new Map<string, Set<string>>();
  for (const path of [...testRooms.flatMap((room) => filesOf(room, /\.tsx?$/)), 'cli.ts'])
    for (const { to } of importsOf(path, readFileSync(path, 'utf8')))
      importers.set(to, (importers.get(to) ?? new Set()).add(path));
  return importers;
}

/** Nearest first, those of its own folder before others; at most as many as the limit says, and none that takes long. */
export function nearestTests(changed: string, limit: number, importers = importersOfAll()): string[] {
  const source = readers.find(([files]) => files.test(changed))?.[1] ?? changed;
  const reached = new Set([source]);
  for (const path of reached) for (const one of byFolder(importers.get(path) ?? [], source)) reached.add(one);
  return [...reached].filter((path) => isTest(path) && !path.includes('.long.')).slice(0, limit);
}

function byFolder(paths: Iterable<string>, near: string): string[] {
  const isNear = (path: string) => (dirname(path) === dirname(near) ? 0 : 1);
  return [...paths].sort((a, b) => isNear(a) - isNear(b));
}
