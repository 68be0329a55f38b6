/** Runs the tests of a bundle once for each mutant that it receives. */
import { parentPort, workerData } from 'node:worker_threads';
import { runBody, type TestRegistry } from './mutant-test.ts';

/** Indexes of tests, by their file. */
export type Only = ReadonlyMap<string, readonly number[]>;
export interface Round {
  readonly mutant: number;
  /** Without: all. */
  readonly only?: Only;
}
export interface RoundOutcome {
  /** The first test that failed; without `only`, all. */
  readonly failed: readonly string[];
  /** Mutants that were reached outside of tests. */
  readonly loading: ReadonlySet<number>;
  /** Those that passed, each with the mutants that it reached. */
  readonly tests: readonly { readonly file: string; readonly at: number; readonly passedBy: ReadonlySet<number> }[];
}

declare global {
  var isMutant: (id: number) => boolean;
}

process.on('unhandledRejection', () => undefined);
parentPort?.on('message', async (round: Round) => parentPort?.postMessage(await outcomeOf(round)));

async function outcomeOf({ mutant, only }: Round): Promise<RoundOutcome> {
  const [loading, tests, failed] = [new Set<number>(), [] as RoundOutcome['tests'][number][], [] as string[]];
  let current = loading;
  globalThis.isMutant = (id) => current.add(id) && id === mutant;
  const passes = (name: string, body: () => unknown, by = loading): Promise<unknown> => {
    current = by;
    const failing = () => void failed.push(name);
    return (async () => body())().then(() => true, failing);
  };
  const isEnough = () => only !== undefined && failed.length > 0;
  for (const file of only?.keys() ?? (workerData.tests as string[])) {
    const registry = await loadTests(file, passes);
    for (const [at, { name, body }] of registry.tests.entries()) {
      if (isEnough() || only?.get(file)?.includes(at) === false) continue;
      const passedBy = new Set<number>();
      if (await passes(name, () => runBody(body), passedBy)) tests.push({ file, at, passedBy });
    }
    for (const one of registry.after) await passes('after', one);
    if (isEnough()) break;
  }
  return { failed, loading, tests };
}

async function loadTests(file: string, passes: (name: string, body: () => unknown) => Promise<unknown>) {
  const registry: TestRegistry = { tests: [], before: [], after: [] };
  globalThis.testRegistry = registry;
  await passes('loading', () => import(`${workerData.place}/${file.replace(/ts$/, 'mjs')}`));
  for (const one of registry.before) await passes('before', one);
  return registry;
}
