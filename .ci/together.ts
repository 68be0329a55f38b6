/** Several test files in one process: most of the cost of a small one is starting its own. */
import { type AsyncHook, createHook } from 'node:async_hooks';
import { resolve } from 'node:path';
import { before, test } from 'node:test';
import { pathToFileURL } from 'node:url';

const { CSELAB_SEED: seed } = process.env;
if (seed !== undefined) (await import('fast-check')).default.configureGlobal({ seed: Number(seed) });

/** Tests begin once all files are loaded. A file that cannot be loaded is a failed test. */
export async function together(files: readonly string[]): Promise<void> {
  let begin = () => {};
  const loaded = new Promise<void>((resolved) => {
    begin = resolved;
  });
  // Node's runner records the test of every promise, which takes a fifth of the time of tests with many. Once the suites are built, it
  // needs that only to attribute errors outside of tests: those are printed here, and the run fails either way.
  process.on('uncaughtExceptionMonitor', console.error).on('unhandledRejection', console.error);
  const notes = enabledBy(() => before(() => loaded));
  await loadAll(files);
  for (const hook of notes) hook.disable();
  begin();
}

/** The hooks on promises that `act` enables. */
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
