/** `npm test -- words`: the test files whose path contains one of the words, or, if there are none, whose text does. */
import { readFileSync } from 'node:fs';
import { browserRun, type Gate, testRun } from './gates.ts';
import { filesOf, testFolders } from './test-files.ts';

/** Files of unit and browser tests; long ones only if a word contains `long`. */
export function chosenFiles(words: readonly string[]): { readonly unit: string[]; readonly browser: string[] } {
  const isLong = words.some((word) => word.includes('long'));
  const files = testFolders
    .flatMap((folder) => filesOf(folder, /\.(test|spec)\.ts$/))
    .filter((file) => isLong || !file.includes('.long.'));
  const byPath = files.filter((file) => words.some((word) => file.includes(word)));
  const chosen =
    byPath.length > 0
      ? byPath
      : files.filter((file) => words.some((word) => readFileSync(file, 'utf8').includes(word)));
  return {
    unit: chosen.filter((file) => file.endsWith('.test.ts')),
    browser: chosen.filter((file) => file.endsWith('.spec.ts')),
  };
}

/** Fails if nothing is chosen. */
export function chosenTests(words: readonly string[]): readonly Gate[] {
  const { unit, browser } = chosenFiles(words);
  const gates: Gate[] = [];
  if (unit.length > 0 || browser.length === 0) gates.push({ name: `${unit.length} files`, run: () => unitRun(unit) });
  if (browser.length > 0) gates.push({ name: `${browser.length} files in a browser`, run: () => browserRun(browser) });
  return gates;

  async function unitRun(files: readonly string[]): ReturnType<Gate['run']> {
    const nothing = { passed: 0, failed: 1, skipped: 0, details: `No test holds any of: ${words.join(', ')}` };
    return files.length === 0 ? nothing : testRun(files);
  }
}
