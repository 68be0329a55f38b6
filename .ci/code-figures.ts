/**
 * Size and structure of the code as a table; fails when a figure is worse than in code-figures.json, which `--write` writes anew.
 * Lines of production are those of TypeScript without tests and their helpers.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importsOf } from '../scenarios/engine/testing/imports.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
const limitsFile = fileURLToPath(new URL('code-figures.json', import.meta.url));
const folders = ['sim', 'scenarios', 'reports', 'fixtures', 'certs'];
const isTest = (path: string) => /\.(test|long|spec)\.|\/testing\/|(^|\/)test-(cse|servers)\.ts$/.test(path);
const isOwn = (path: string) => !path.startsWith('reports/latest/');

/** Lines below which a file with one importer belongs there, and above which a function should be two. */
const [small, long] = [60, 25];

const all = readdirSync(project)
  .filter((name) => folders.includes(name))
  .flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  .filter(isOwn);
const read = (path: string) => readFileSync(join(project, path), 'utf8');
const production = [...all.filter((path) => /\.tsx?$/.test(path) && !isTest(path)), 'cli.ts'];
const texts = new Map(production.map((path) => [path, read(path)]));
const linesOf = (text: string) => text.split('\n').length - 1;
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
const linesIn = (folder: string) =>
  sum([...texts].filter(([path]) => path.startsWith(`${folder}/`)).map(([, text]) => linesOf(text)));

const imports = new Map(
  [...texts].map(([path, text]) => [path, importsOf(path, text).filter(({ to }) => texts.has(to))]),
);

/** The importers of each file, without itself. */
const importers = new Map<string, Set<string>>();
for (const [path, list] of imports)
  for (const { to } of list) importers.set(to, (importers.get(to) ?? new Set()).add(path));

const alone = production.filter((path) => importers.get(path)?.size === 1 && linesOf(texts.get(path) ?? '') < small);

/** Files on the longest path of imports of values. */
function depth(): number {
  const known = new Map<string, number>();
  const of = (path: string): number => {
    const found = known.get(path);
    if (found !== undefined) return found;
    known.set(path, 1);
    const below = (imports.get(path) ?? [])
      .filter(({ typeOnly, later }) => !typeOnly && !later)
      .map(({ to }) => of(to));
    const result = 1 + Math.max(0, ...below);
    known.set(path, result);
    return result;
  };
  return Math.max(...production.map(of));
}

/** Folders in a cycle of imports, of values or types. */
function circular(): number {
  const next = new Map<string, Set<string>>();
  for (const [path, list] of imports)
    for (const { to } of list) {
      const [from, target] = [dirname(path), dirname(to)];
      if (from !== target) next.set(from, (next.get(from) ?? new Set()).add(target));
    }
  const reaches = (from: string): Set<string> => {
    const reached = new Set(next.get(from));
    for (const one of reached) for (const more of next.get(one) ?? []) reached.add(more);
    return reached;
  };
  return [...next.keys()].filter((folder) => reaches(folder).has(folder)).length;
}

function typesTwice(): number {
  const files = new Map<string, number>();
  for (const text of texts.values())
    for (const [, name = ''] of text.matchAll(/^export (?:interface|type|class) (\w+)/gm))
      files.set(name, (files.get(name) ?? 0) + 1);
  return [...files.values()].filter((count) => count > 1).length;
}

/** Found by the indentation of first and last line. */
function longFunctions(): number {
  const begins =
    /^( *)(?:export )?(?:default )?(?:(?:async )?function\b|(?:(?:static|async|override) )*[*#]?\w+\([^;]*\{$|(?:const \w+ = )?.*=> \{$)/;
  return sum(
    [...texts.values()].map((text) => {
      const lines = text.split('\n');
      return lines.filter((line, at) => {
        const indent = begins.exec(line)?.[1];
        if (indent === undefined || /^ *(?:if|for|while|switch|return)\b/.test(line)) return false;
        const end = lines.findIndex((one, index) => index > at && new RegExp(`^${indent}\\}`).test(one));
        return end - at - 1 > long;
      }).length;
    }),
  );
}

/** Without generated parts. */
function wordsOfGuides(): number {
  const guides = [
    ...readdirSync(project).filter((name) => /^(?!CHANGELOG).*\.md$/.test(name)),
    ...all.filter((path) => path.endsWith('.md') && !isTest(path)),
  ];
  const prose = guides.map((path) => read(path).replace(/<!-- reference: (.+?) -->[\s\S]*?<!-- end of \1 -->/g, ''));
  return sum(prose.map((text) => text.split(/\s+/).length));
}

const figures: Readonly<Record<string, number>> = {
  'lines of production': sum([...texts.values()].map(linesOf)),
  ...Object.fromEntries(folders.map((folder) => [`  ${folder}`, linesIn(folder)])),
  'lines of YAML': sum(all.filter((path) => /\.ya?ml$/.test(path)).map((path) => linesOf(read(path)))),
  'files of production': production.length,
  'files over 250 lines': [...texts.values()].filter((text) => linesOf(text) > 250).length,
  [`files under ${small} lines with one importer`]: alone.length,
  'depth of imports of values': depth(),
  'folders that lead back to themselves': circular(),
  'names of types exported twice': typesTwice(),
  [`functions over ${long} lines`]: longFunctions(),
  'words of guides': wordsOfGuides(),
};

if (process.argv.includes('--write')) writeFileSync(limitsFile, `${JSON.stringify(figures, null, 2)}\n`);
const known = new Map(Object.entries(JSON.parse(readFileSync(limitsFile, 'utf8')) as Record<string, number>));
for (const [what, figure] of Object.entries(figures)) {
  const before = known.get(what) ?? 0;
  const isWorse = figure > before;
  console.log(`${what.padEnd(45)}${String(figure).padStart(8)}${isWorse ? `  worse than ${before}` : ''}`);
  if (isWorse && !what.startsWith(' ')) process.exitCode = 1;
}
if (process.exitCode === 1)
  console.log('What an addition needs is kept by node --import tsx .ci/code-figures.ts --write; the commit says why.');
