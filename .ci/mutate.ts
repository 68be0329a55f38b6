/**
 * `node --import tsx .ci/mutate.ts FOLDER [COUNT [SEED]]`: a mutation score of the tests. The seed draws COUNT mutants of the folder's
 * sources, and each is run against the tests of the folder and those nearest to its files, those that reach it first. Tests are bundled
 * once. Prints the survivors.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build, type Plugin } from 'esbuild';
import { API } from 'typescript/unstable/sync';
import { seededNumbers } from '../sim/disturbance/seeded.ts';
import type { Only, Round, RoundOutcome } from './mutant-worker.ts';
import { type Mutation, mutationsOf } from './mutations.ts';
import { importersOfAll, nearestTests } from './nearest-tests.ts';
import { filesOf, isShared } from './test-files.ts';

const [folder = 'sim/core', count = '150', seed = '1'] = process.argv.slice(2);
/** Test files for each source beside those of the folder. */
const nearest = 6;
/** Milliseconds for the tests without a mutant; a mutant that takes three times as long loops. */
const [longest, shortest] = [1_200_000, 10_000];

const sources = filesOf(folder, /(?<!\.test)\.tsx?$/).filter((file) => !file.includes('/testing/'));
const importers = importersOfAll();
const own = new Set(filesOf(folder, /(?<!\.long)\.test\.ts$/));
const near = sources.flatMap((file) => {
  const all = nearestTests(file, Number.POSITIVE_INFINITY, importers);
  return all.filter((one) => !own.has(one)).slice(0, nearest);
});
const tests = [...new Set([...own, ...near])].filter(isShared);
const mutants = drawMutations(allMutations(), Number(count));
const outdir = resolve('node_modules', '.cache', `cselab-mutants-${process.pid}`);
const thread = join(outdir, 'thread.mjs');

function allMutations(): Mutation[] {
  const api = new API({ cwd: process.cwd() });
  try {
    const [project] = api.updateSnapshot({ openProject: resolve('tsconfig.json') }).getProjects();
    return sources.flatMap((file) => {
      const source = project?.program.getSourceFile(resolve(file));
      return source === undefined ? [] : mutationsOf(file, source);
    });
  } finally {
    api.close();
  }
}

/** None lies within another. */
function drawMutations(from: Mutation[], most: number): Mutation[] {
  const next = seededNumbers(Number(seed));
  const chosen: Mutation[] = [];
  while (chosen.length < most && from.length > 0) {
    const [one] = from.splice(Math.floor(next() * from.length), 1);
    const meets = (other: Mutation) => other.file === one?.file && other.start < one.end && one.start < other.end;
    if (one !== undefined && !chosen.some(meets)) chosen.push(one);
  }
  return chosen;
}

function withMutants(file: string, text: string): string {
  const here = mutants.map((one, id) => ({ ...one, id })).filter((one) => resolve(one.file) === file);
  return here
    .sort((a, b) => b.start - a.start)
    .reduce((whole, { start, end, before, after, isStatement, id }) => {
      const [left, right] = [whole.slice(0, start), whole.slice(end)];
      const isActive = `globalThis.isMutant(${id})`;
      return `${left}${isStatement ? `{ if (!${isActive}) ${before} }` : `(${isActive} ? (${after}) : (${before}))`}${right}`;
    }, text);
}

async function bundleTests(): Promise<void> {
  const options = { bundle: true, platform: 'node', format: 'esm', target: 'node20', packages: 'external' } as const;
  const each = { entryPoints: tests, splitting: true, outdir, outbase: '.', outExtension: { '.js': '.mjs' } };
  await build({ ...each, ...options, plugins: [ownSources], logLevel: 'error' });
  await build({ entryPoints: ['.ci/mutant-worker.ts'], ...options, outfile: thread });
}

const ownSources: Plugin = {
  name: 'mutants',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^node:test$/ }, () => ({ path: fileURLToPath(import.meta.resolve('./mutant-test.ts')) }));
    onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
      const address = JSON.stringify(pathToFileURL(path).href);
      const contents = withMutants(path, readFileSync(path, 'utf8')).replaceAll('import.meta.url', address);
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
};

async function runAll(): Promise<void> {
  const start = performance.now();
  const unchanged = await runRound({ mutant: -1 }, longest);
  const most = Math.max(shortest, 3 * (performance.now() - start));
  if (unchanged === undefined) throw new Error(`the tests did not end in time: ${tests.join(', ')}`);
  console.log(
    `${tests.length} test files; these fail without a mutant, and do not count: ${unchanged.failed.join(', ')}`,
  );
  const survivors: string[] = [];
  for (const mutant of mutants.keys()) {
    const reaching = unchanged.tests.filter(({ passedBy }) => unchanged.loading.has(mutant) || passedBy.has(mutant));
    const only = inOrder(mutant, reaching, unchanged.tests);
    const outcome = reaching.length === 0 ? { failed: [] } : await runRound({ mutant, only }, most);
    if (!outcome?.failed.every((name) => unchanged.failed.includes(name))) continue;
    survivors.push(`${mutant + 1}: ${describeMutant(mutant, reaching.length)}`);
    console.log(survivors.at(-1));
  }
  const killed = mutants.length - survivors.length;
  console.log(`${folder}: ${killed} of ${mutants.length} killed, ${((killed / mutants.length) * 100).toFixed(1)} %`);
}

/**
 * All of them: what is made once, and kept, only the first test reaches. First the files of those that reach the mutant, the nearest first.
 */
function inOrder(mutant: number, reaching: RoundOutcome['tests'], all: RoundOutcome['tests']): Only {
  const first = new Set(reaching.map(({ file }) => file));
  const nearby = nearestTests(mutants[mutant]?.file ?? '', nearest, importers).filter((file) => first.has(file));
  const files = new Set([...nearby, ...first, ...tests]);
  return new Map([...files].map((file) => [file, all.filter((one) => one.file === file).map(({ at }) => at)]));
}

function describeMutant(mutant: number, testCount: number): string {
  const { file, line, before, after } = mutants[mutant] as Mutation;
  const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 70);
  return `${file}:${line}: ${short(before)} → ${short(after)} (${testCount === 0 ? 'no test reaches it' : `${testCount} tests`})`;
}

/** In its own thread. Undefined when it did not end in time, or the thread died. */
async function runRound(round: Round, most: number): Promise<RoundOutcome | undefined> {
  const workerData = { place: pathToFileURL(outdir).href, tests };
  const worker = new Worker(thread, { workerData, stdout: true, stderr: true });
  const outcome = await new Promise<RoundOutcome | undefined>((resolve) => {
    setTimeout(resolve, most, undefined).unref();
    worker.once('message', resolve);
    worker.once('error', () => resolve(undefined));
    worker.once('exit', () => resolve(undefined));
    worker.postMessage(round);
  });
  await worker.terminate();
  return outcome;
}

await bundleTests();
await runAll();
rmSync(outdir, { recursive: true });
