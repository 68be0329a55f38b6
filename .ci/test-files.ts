/** The test files, and which share a process: most of the cost of a small one is starting its own. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The test files of each of these folders share a process. */
const sharedFolders = ['.ci', 'certs', 'sim', 'scenarios', 'reports'];
/** The large parts of them have one of their own. */
const ownProcess = ['checking', 'engine', 'generators', 'mutants', 'probe'].map((part) => `scenarios/${part}`);
/** The slowest start first, in this order: those that compute beside those that wait. */
export const startOrder: readonly string[] = [
  ...[
    'products.long',
    'lying-targets.long',
    'scenarios-mutants',
    'scenarios',
    'scenarios-reference',
    'engine',
    'checking',
    'fixtures-1',
  ],
  ...['fixtures-4', 'fixtures-3', 'hostile-targets.long', 'drawn.long', 'fixtures-2', 'mutants'],
  ...['generators', 'scenarios-robustness', 'sim'],
  ...['wire', 'differential', 'exploring', 'documented'].map((folder) => `scenarios-generators-${folder}`),
  ...['several-deviations.long', 'reports', 'mutants.long', 'shards.long', 'products', 'readme.long'],
  'kill-table',
];
/** Tests of whole programs. */
const programs = 'fixtures';

/**
 * Test files that measure their process, replace globals, or take minutes; they share a process only with such files of their folder.
 */
export const isolated: readonly string[] = [
  ...['answer-reader', 'body-bytes', 'record'].map((name) => `scenarios/engine/targets/exchanging/${name}.test.ts`),
  ...['sim/topology/pair.test.ts', 'sim/bindings/tls-closing.long.test.ts'],
  // Several minutes.
  ...['reference/whole-runs', 'mutants/drawn', 'robustness/sound'].map((name) => `scenarios/${name}.long.test.ts`),
  ...['differential/diff', 'documented/forwarding', 'exploring/varied', 'wire/explore-wire'].map(
    (name) => `scenarios/generators/${name}.long.test.ts`,
  ),
  // Replace fetch.
  ...['sim/msw/handlers.test.ts', 'sim/bindings/contract.test.ts', 'fixtures/hostile-fetch.long.test.ts'],
];

/** Processes that the tests of whole programs share: much of their time is waiting. */
const groups = 4;

/** The largest of those have a process of their own. */
const large =
  /^(products|kill-table|(products|drawn|mutants|readme|(hostile|lying)-targets|restarts|several-deviations|shards)\.long)\.test\.ts$/;

/** Tests with containers run alone, since starting or stopping a network cuts the connections of browsers. */
export const containerTestFiles: readonly string[] = ['fixtures/containers.test.ts'];

/** The packed package in an empty folder: its own gate. */
export const packageTestFiles: readonly string[] = ['.ci/package.test.ts'];

/** Folders with tests. */
export const testFolders: readonly string[] = [...sharedFolders, programs];

/** Slow tests have their own files, which only `.ci/run` runs. */
const takesLong = /\.long\.(test|spec)\.ts$/;

/** Files that share a process, under its name. */
type Group = readonly [name: string, files: readonly string[]];

/**
 * Entries for node's runner: each starts a process, and loads a group of files. The runner starts them in the order of their names.
 */
export function testProcesses(isExcluded: (file: string) => boolean): string[] {
  return testGroups(isExcluded).map(([name, files]) => writeEntry(name, files));
}

/** Each test file is in one of them, except those of other gates. */
export function testGroups(isExcluded = (_file: string) => false): Group[] {
  const filesIn = (folder: string) => testFilesOf(folder).filter((file) => !isExcluded(file));
  const shared = sharedFolders.flatMap((folder) => groupsOf(folder, filesIn(folder)));
  return [...shared, ...groupsOfPrograms(filesIn(programs))].filter(([, files]) => files.length > 0);
}

/** The unit and browser tests that `npm test` leaves to `.ci/run`. */
export function longTestFiles(): string[] {
  return testFolders.flatMap((folder) => filesOf(folder, takesLong)).sort();
}

function groupsOf(folder: string, all: readonly string[]): Group[] {
  const files = without(all, [...packageTestFiles, ...isolated]);
  const parts = ownProcess.filter((part) => part.startsWith(join(folder, '/')));
  const within = (part: string) => files.filter((file) => file.startsWith(join(part, '/')));
  return [
    ...isolatedGroups(all),
    [folder, without(files, parts.flatMap(within))],
    ...parts.map((part): Group => [basename(part), within(part)]),
  ];
}

function isolatedGroups(all: readonly string[]): Group[] {
  const files = all.filter((file) => isolated.includes(file));
  return [...new Set(files.map(dirname))].map((folder) => [
    folder.replaceAll('/', '-'),
    files.filter((file) => dirname(file) === folder),
  ]);
}

function groupsOfPrograms(all: readonly string[]): Group[] {
  const files = without(all, [...containerTestFiles, ...isolated]);
  const apart = files.filter((file) => large.test(basename(file)));
  const others = without(files, apart);
  return [
    ...isolatedGroups(all),
    ...apart.map((file): Group => [basename(file), [file]]),
    ...Array.from({ length: groups }, (_, group): Group => {
      return [`${programs}-${group + 1}`, others.filter((_, at) => at % groups === group)];
    }),
  ];
}

/** Whether it can share a process. */
export const isShared = (file: string): boolean => !isolated.includes(file) && !file.startsWith(programs);

const without = (files: readonly string[], others: readonly string[]) => files.filter((file) => !others.includes(file));

function testFilesOf(folder: string): string[] {
  const isAll = process.env.CSELAB_TESTS === 'all';
  return filesOf(folder, /\.test\.ts$/).filter((file) => isAll || !takesLong.test(file));
}

/** Files of a folder, without what runs write there. */
export function filesOf(folder: string, name: RegExp): string[] {
  return readdirSync(folder, { recursive: true })
    .map((file) => join(folder, String(file)))
    .filter((file) => name.test(file) && !file.startsWith(join('reports', 'latest')))
    .sort();
}

function writeEntry(name: string, files: readonly string[]): string {
  const folder = resolve('node_modules', '.cache', 'cselab-tests');
  mkdirSync(folder, { recursive: true });
  const rank = startOrder.indexOf(name.replace('.test.ts', ''));
  const path = join(folder, `${String(rank < 0 ? startOrder.length : rank).padStart(2, '0')}-${name}.mjs`);
  const { href } = new URL('./together.ts', import.meta.url);
  const text = `import { together } from ${JSON.stringify(href)};\nawait together(${JSON.stringify(files, null, 2)});\n`;
  writeFileSync(path, text);
  return path;
}
