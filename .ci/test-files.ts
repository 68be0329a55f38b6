/** Which test files there are, and which of them share a process: most of what a small one costs is the start of its own. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The test files of these rooms share a process, room by room. */
const sharedFolders = ['.ci', 'certs', 'sim', 'scenarios', 'reports'];
/** These parts of them have so much to do that they share one of their own. */
const ownProcess = ['checking', 'engine', 'generators', 'mutants', 'probe'].map((part) => `scenarios/${part}`);
/** Those that take longest are begun in this order, and before all others: what computes beside what waits. */
export const startOrder: readonly string[] = [
  ...['lying-targets.long', 'scenarios', 'engine', 'checking', 'fixtures-1', 'products.long', 'fixtures-4'],
  ...['scenarios-mutants', 'fixtures-3', 'hostile-targets.long', 'drawn.long', 'fixtures-2', 'mutants'],
  ...['generators', 'scenarios-robustness', 'sim'],
  ...['wire', 'differential', 'exploring', 'documented'].map((folder) => `scenarios-generators-${folder}`),
  ...['several-deviations.long', 'reports', 'mutants.long', 'shards.long', 'products', 'readme.long'],
  'kill-table',
];
/** Tests of whole programs. */
const programs = 'fixtures';

/**
 * Whoever measures its process, puts something in the place of what all of it uses, or takes minutes, shares it with such files of its
 * folder alone.
 */
export const isolated: readonly string[] = [
  ...['answer-reader', 'body-bytes', 'record'].map((name) => `scenarios/engine/targets/exchanging/${name}.test.ts`),
  ...['sim/topology/pair.test.ts', 'sim/bindings/tls-closing.long.test.ts'],
  // Several minutes.
  ...['scenarios/mutants/drawn.long.test.ts', 'scenarios/robustness/sound.long.test.ts'],
  ...['differential/diff', 'documented/forwarding', 'exploring/varied', 'wire/explore-wire'].map(
    (name) => `scenarios/generators/${name}.long.test.ts`,
  ),
  // In the place of fetch.
  ...['sim/msw/handlers.test.ts', 'sim/bindings/contract.test.ts', 'fixtures/hostile-fetch.long.test.ts'],
];

/** Processes that the tests of whole programs share: much of what they do is waiting. */
const groups = 4;

/** Of those, these have so much to do that they have a process of their own. */
const large =
  /^(products|kill-table|(products|drawn|mutants|readme|(hostile|lying)-targets|restarts|several-deviations|shards)\.long)\.test\.ts$/;

/** What runs containers: by itself, since a network that comes or goes cuts the connections of browsers. */
export const containerTestFiles: readonly string[] = ['fixtures/containers.test.ts'];

/** What `npm pack` gives, in an empty folder: a gate of its own. */
export const packageTestFiles: readonly string[] = ['.ci/package.test.ts'];

/** Where tests are. */
export const testFolders: readonly string[] = [...sharedFolders, programs];

/** What takes long is in files of its own, which only `.ci/run` runs. */
const takesLong = /\.long\.(test|spec)\.ts$/;

/** Files that share a process, under its name. */
type Group = readonly [name: string, files: readonly string[]];

/**
 * What node's runner is to start a process for: an entry for each group of files, which loads them. The runner begins them in the order of
 * their names.
 */
export function testProcesses(isExcluded: (file: string) => boolean): string[] {
  return testGroups(isExcluded).map(([name, files]) => writeEntry(name, files));
}

/** Each file of tests is in one of them, but for those of other gates. */
export function testGroups(isExcluded = (_file: string) => false): Group[] {
  const filesIn = (folder: string) => testFilesOf(folder).filter((file) => !isExcluded(file));
  const shared = sharedFolders.flatMap((folder) => groupsOf(folder, filesIn(folder)));
  return [...shared, ...groupsOfPrograms(filesIn(programs))].filter(([, files]) => files.length > 0);
}

/** The files that `npm test` leaves to `.ci/run`, of unit and of browser tests. */
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

/** Whether it gets along with others in a process. */
export const isShared = (file: string): boolean => !isolated.includes(file) && !file.startsWith(programs);

const without = (files: readonly string[], others: readonly string[]) => files.filter((file) => !others.includes(file));

function testFilesOf(folder: string): string[] {
  const isAll = process.env.CSELAB_TESTS === 'all';
  return filesOf(folder, /\.test\.ts$/).filter((file) => isAll || !takesLong.test(file));
}

/** Files of a room, but for what runs write there. */
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
