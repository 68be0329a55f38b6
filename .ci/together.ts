/** Several test files in one process: most of what a small one costs is the start of a process of its own. */
import { type AsyncHook, createHook } from 'node:async_hooks';
import { resolve } from 'node:path';
import { before, test } from 'node:test';
import { pathToFileURL } from 'node:url';

/** No test begins before all of them are loaded. One that cannot be loaded is a failed test. */
export async function together(files: readonly string[]): Promise<void> {
  let begin = () => {};
  const loaded = new Promise<void>((resolved) => {
    begin = resolved;
  });
  // Node's runner notes of every promise to which test it belongs, which is a fifth of the time of tests with many. Once the suites are
  // made it needs that for nothing but whose an error outside of all tests is: that is told here, and the run fails either way.
  process.on('uncaughtExceptionMonitor', console.error).on('unhandledRejection', console.error);
  const notes = enabledBy(() => before(() => loaded));
  await loadAll(files);
  for (const hook of notes) hook.disable();
  begin();
}

/** What begins to watch promises in the meantime. */
function enabledBy(act: () => void): AsyncHook[] {
  const prototype = Object.getPrototypeOf(createHook({})) as AsyncHook;
  const { enable } = prototype;
  const enabled: AsyncHook[] = [];
  prototype.enable = function (this: AsyncHook) {
    enabled.push(this);
    return enable.call(this);
  };
  act();
  prototype.enable = enable;
  return enabled;
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
