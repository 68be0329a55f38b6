/** Which test files there are, and which of them share a process: most of what a small one costs is the start of its own. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

/** The test files of these rooms share a process, room by room. */
const sharing = ['.ci', 'certs', 'sim', 'scenarios', 'reports'];
/** These parts of them have so much to do that they share one of their own. */
const ownProcess = ['scenarios/engine', 'scenarios/generators', 'scenarios/mutants', 'scenarios/probe'];
/** Those that take longest are begun first. */
const first = ['scenarios', 'mutants', 'sim', 'generators', 'engine'];
/** Tests of whole programs. */
const programs = 'fixtures';

/** What other tests in the same process could disturb, or be disturbed by. */
const alone =
  /msw\/node|child_process|getActiveResources|memoryUsage|process\.(argv|chdir|emit|env|exit|exitCode|kill|off|on|once)\b/;

/** They share the process in which their command lines run, one after the other; much of that is waiting, so there are a few such groups. */
const commandLines = /from '[./]+\/testing\/kept-command-line\.ts'/;
const groups = 4;

/** These have so much to do that they keep a process of their own all the same, and are begun first, too. */
const large =
  /^(products|kill-table|(products|drawn|(hostile|lying)-targets|restarts|several-faults|shards)\.long)\.test\.ts$/;

/** What runs containers: by itself, since a network that comes or goes cuts the connections of browsers. */
export const containerTestFiles: readonly string[] = ['fixtures/containers.test.ts'];

/** What `npm pack` gives, in an empty folder: a gate of its own. */
export const packageTestFiles: readonly string[] = ['.ci/package.test.ts'];

/** Where tests are. */
export const testRooms: readonly string[] = [...sharing, programs];

/** What takes long is in files of its own, which only `.ci/run` runs. */
const takesLong = /\.long\.(test|spec)\.ts$/;

/**
 * What node's runner is to start a process for: test files, and for each group that shares one an entry that loads its files. The runner
 * begins them in the order of their names. Those of entries are absolute, and so come first: they have the most to do.
 */
export function testProcesses(): string[] {
  return [...sharing.flatMap(processesOf), ...processesOfPrograms()];
}

/** The files that `npm test` leaves to `.ci/run`, of unit and of browser tests. */
export function longTestFiles(): string[] {
  return testRooms.flatMap((room) => filesOf(room, takesLong)).sort();
}

function processesOf(room: string): string[] {
  const files = without(testFilesOf(room), packageTestFiles);
  const single = files.filter((file) => alone.test(textOf(file)));
  const shared = without(files, single);
  const apart = shared.filter((file) => ownProcess.some((part) => file.startsWith(join(part, '/'))));
  return [
    ...single,
    ...writtenEntry(room, without(shared, apart)),
    ...ownProcess.flatMap((part) =>
      writtenEntry(
        basename(part),
        apart.filter((file) => file.startsWith(join(part, '/'))),
      ),
    ),
  ];
}

function processesOfPrograms(): string[] {
  const files = without(testFilesOf(programs), containerTestFiles);
  const apart = files.filter((file) => large.test(basename(file)));
  const others = without(files, apart);
  const together = others.filter((file) => commandLines.test(textOf(file)));
  const entries = Array.from({ length: groups }, (_, group) =>
    writtenEntry(
      `command-lines-${group + 1}`,
      together.filter((_, at) => at % groups === group),
    ),
  );
  return [
    ...apart.flatMap((file) => writtenEntry(basename(file), [file])),
    ...without(others, together),
    ...entries.flat(),
  ];
}

/** Whether it gets along with others in a process. */
export const isShared = (file: string): boolean => !alone.test(textOf(file)) && !file.startsWith(programs);

const textOf = (file: string) => readFileSync(file, 'utf8');
const without = (files: readonly string[], others: readonly string[]) => files.filter((file) => !others.includes(file));

function testFilesOf(room: string): string[] {
  const isAll = process.env.CSELAB_TESTS === 'all';
  return filesOf(room, /\.test\.ts$/).filter((file) => isAll || !takesLong.test(file));
}

/** Files of a room, but for what runs write there. */
export function filesOf(room: string, name: RegExp): string[] {
  return readdirSync(room, { recursive: true })
    .map((file) => join(room, String(file)))
    .filter((file) => name.test(file) && !file.startsWith(join('reports', 'latest')))
    .sort();
}

function writtenEntry(name: string, files: readonly string[] = []): string[] {
  if (files.length === 0) return [];
  const folder = resolve('node_modules', '.cache', 'cselab-tests');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${first.includes(name) || large.test(name) ? 1 : 2}-${name}.mjs`);
  const { href } = new URL('./together.ts', import.meta.url);
  const text = `import { together } from ${JSON.stringify(href)};\nawait together(${JSON.stringify(files, null, 2)});\n`;
  writeFileSync(path, text);
  return [path];
}
