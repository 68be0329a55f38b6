import { dirname } from 'node:path';
import { filesBelow, ownScenarioFiles, requirementsRoom } from './engine/files/rooms.ts';

/** Where the project's own scenario files lie, and where those of its catalogue do. */
export function ownFolders(): { readonly scenarios: readonly string[]; readonly requirements: readonly string[] } {
  const foldersOf = (files: readonly string[]) => [...new Set(files.map((path) => dirname(path)))];
  return { scenarios: foldersOf(ownScenarioFiles()), requirements: foldersOf(filesBelow(requirementsRoom)) };
}
