/**
 * What `npm test` need not run again: tests that passed, and whose dependencies have not changed. `.ci/run` runs all.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Each imports only those before it, which the architecture test checks. The tests of other folders depend on everything. */
const layers = ['certs', 'sim', 'scenarios'];
/** What the tests of each layer share. */
const common = ['fixtures', 'package-lock.json', 'package.json', 'tsconfig.json'];
/** Tests of the harness alone, without a command line. */
export const harnessTests: readonly string[] = ['kill-table', 'products', 'permitted'].map(
  (name) => `fixtures/${name}.test.ts`,
);
/** Reads the files of every layer. */
export const aboutAll: readonly string[] = ['scenarios/engine/architecture.test.ts'];

/** Of each layer, with all below it. */
type Hashes = Readonly<Record<string, string>>;

export class Unchanged {
  readonly #now: Hashes;
  readonly #passed: Hashes;
  readonly #record: string;

  /** `record`: the file with the hashes with which tests passed. */
  constructor(root = '.', record = join('node_modules', '.cache', 'cselab-passed.json')) {
    this.#record = join(root, record);
    this.#now = hashesOf(root);
    this.#passed = readRecord(this.#record);
  }

  /** Layers whose tests passed, unchanged since. */
  get layers(): string[] {
    return layers.filter((layer) => this.#passed[layer] === this.#now[layer]);
  }

  /** Whether a test file need not run again. */
  has(file: string): boolean {
    const layer = harnessTests.includes(file) ? 'scenarios' : (file.split(/[/\\]/)[0] ?? '');
    return this.layers.includes(layer) && !aboutAll.includes(file);
  }

  /** Records that all tests passed with the sources as they were at the start. */
  keep(): void {
    mkdirSync(dirname(this.#record), { recursive: true });
    writeFileSync(this.#record, JSON.stringify(this.#now));
  }
}

function hashesOf(root: string): Hashes {
  const digests = new Map([...common, ...layers].map((name) => [name, digestOf(root, name)]));
  const below = (layer: string) => [...common, ...layers.slice(0, layers.indexOf(layer) + 1)];
  const hash = (layer: string) => [process.version, ...below(layer).map((name) => digests.get(name))].join(' ');
  return Object.fromEntries(layers.map((layer) => [layer, hash(layer)]));
}

function digestOf(root: string, name: string): string {
  const hash = createHash('sha256');
  for (const file of filesIn(root, name)) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function filesIn(root: string, name: string): string[] {
  if (!statSync(join(root, name)).isDirectory()) return [name];
  const found = readdirSync(join(root, name), { recursive: true }).map((file) => join(name, String(file)));
  return found.filter((file) => statSync(join(root, file)).isFile()).sort();
}

function readRecord(path: string): Hashes {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Hashes;
  } catch {
    return {};
  }
}
