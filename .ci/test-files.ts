/** Which test files there are, and which of them share a process. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The test files of these rooms share a process, room by room: most of what a small one costs is the start of its own. */
const sharing = ['certs', 'sim', 'scenarios', 'reports'];
/** Long tests of whole programs: each file has its own process. */
const apart = ['fixtures'];

/** What other tests in the same process could disturb, or be disturbed by. */
const alone =
  /child_process|getActiveResources|memoryUsage|process\.(argv|chdir|emit|env|exit|exitCode|kill|off|on|once)\b/;

/** They begin first, so that nothing long is left when everything else is done. */
const isLong = (path: string) =>
  /(scenarios\.mjs|sim\.mjs|(products|restarts|kill-table|hostile-targets|wrong-servers|readme|crash)\.test\.ts)$/.test(
    path,
  );

/** What node's runner is to start a process for: test files, and for each sharing room an entry that loads its files. */
export function testProcesses(): string[] {
  const all = [...sharing.flatMap(processesOf), ...apart.flatMap(testFilesOf)];
  return all.sort((a, b) => Number(isLong(b)) - Number(isLong(a)));
}

function processesOf(room: string): string[] {
  const files = testFilesOf(room);
  const single = files.filter((file) => alone.test(readFileSync(file, 'utf8')));
  const together = files.filter((file) => !single.includes(file));
  return together.length === 0 ? single : [...single, writtenEntry(room, together)];
}

function testFilesOf(room: string): string[] {
  return readdirSync(room, { recursive: true })
    .map((file) => join(room, String(file)))
    .filter((file) => file.endsWith('.test.ts') && !file.startsWith(join('reports', 'latest')))
    .sort();
}

function writtenEntry(room: string, files: readonly string[]): string {
  const folder = join('node_modules', '.cache', 'cselab-tests');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${room}.mjs`);
  const { href } = new URL('./together.ts', import.meta.url);
  const text = `import { together } from ${JSON.stringify(href)};\nawait together(${JSON.stringify(files, null, 2)});\n`;
  writeFileSync(path, text);
  return path;
}
