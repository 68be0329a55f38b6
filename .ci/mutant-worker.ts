/** Runs the tests of a bundle, once for each mutant that it is told, with what was found when none was active. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Held, runBody } from './mutant-test.ts';

export interface Round {
  readonly mutant: number;
  /** Numbers of tests; without: all. */
  readonly only?: readonly number[];
}
export interface Outcome {
  readonly mutant: number;
  /** The first test that failed, or all of them when none is active. */
  readonly failed: readonly string[];
  /** Of each test: the mutants that it came by; at -1 those of the time before the first test. */
  readonly passedBy: ReadonlyMap<number, ReadonlySet<number>>;
}

declare global {
  var isMutant: (id: number) => boolean;
}

process.on('unhandledRejection', () => undefined);
parentPort?.on('message', async (round: Round) => parentPort?.postMessage(await outcomeOf(round)));

async function outcomeOf({ mutant, only }: Round): Promise<Outcome> {
  const passedBy = new Map<number, Set<number>>();
  let current = new Set<number>();
  passedBy.set(-1, current);
  globalThis.isMutant = (id) => current.add(id) && id === mutant;
  const held: Held = { tests: [], before: [], after: [] };
  globalThis.heldTests = held;
  const failed: string[] = [];
  const attempt = (name: string, body: () => Promise<unknown>) => body().catch(() => failed.push(name));
  await attempt('loading', () => import(`${workerData}?mutant=${mutant}`));
  for (const one of held.before) await attempt('before', async () => one());
  for (const [at, { name, body }] of held.tests.entries()) {
    if (only !== undefined && (failed.length > 0 || !only.includes(at))) continue;
    current = new Set();
    passedBy.set(at, current);
    await attempt(name, () => runBody(body));
    if (failed.includes(name)) passedBy.delete(at);
  }
  for (const one of held.after) await attempt('after', async () => one());
  return { mutant, failed, passedBy };
}
