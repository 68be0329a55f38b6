/** Several test files in one process: most of what a small one costs is the start of a process of its own. */
import { resolve } from 'node:path';
import { before, test } from 'node:test';
import { pathToFileURL } from 'node:url';

/** No test begins before all of them are loaded. One that cannot be loaded is a failed test. */
export async function together(files: readonly string[]): Promise<void> {
  const loaded = loadAll(files);
  before(() => loaded);
  await loaded;
}

async function loadAll(files: readonly string[]): Promise<void> {
  for (const file of files) {
    await import(pathToFileURL(resolve(file)).href).catch((error: unknown) => {
      test(`${file} cannot be loaded`, () => {
        throw error;
      });
    });
  }
}
