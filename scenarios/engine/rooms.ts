import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The directory that scenario ids are relative to. */
export const scenariosRoom = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/, '');
export const requirementsRoom = join(scenariosRoom, 'requirements');

/** Rooms that hold no scenario files. */
const otherRooms = new Set(['engine', 'generators', 'requirements']);

/** The scenario files of the project itself. */
export function ownScenarioFiles(): string[] {
  return readdirSync(scenariosRoom, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !otherRooms.has(entry.name))
    .map((entry) => join(scenariosRoom, entry.name))
    .sort(byCodePoint)
    .flatMap(filesBelow);
}

/** A file itself, or the YAML files below a directory, in an order that is the same on every machine. */
export function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || /\.ya?ml$/.test(entry.name))
    .map((entry) => entry.name)
    .sort(byCodePoint)
    .flatMap((name) => filesBelow(join(path, name)));
}

function byCodePoint(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
