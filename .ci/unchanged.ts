/**
 * What `npm test` need not judge again: tests that have passed, where nothing that they depend on is another since. `.ci/run` judges all.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Imports point down this list, which the architecture test sees to. The tests of what lies above depend on everything. */
const layers = ['certs', 'sim', 'scenarios'];
/** What tests of each layer share, and what all are run by. */
const common = ['fixtures', 'package-lock.json', 'package.json', 'tsconfig.json'];
/** Programs that judge by the harness alone, without a command line. */
export const harnessTests: readonly string[] = ['kill-table', 'products', 'permitted'].map(
  (name) => `fixtures/${name}.test.ts`,
);
/** Reads the files of every layer. */
export const aboutAll: readonly string[] = ['scenarios/engine/architecture.test.ts'];

/** Of each layer with all that lies below it. */
type Hashes = Readonly<Record<string, string>>;

export class Unchanged {
  readonly #now: Hashes;
  readonly #passed: Hashes;
  readonly #record: string;

  /** `record`: the file that holds with what tests have passed. */
  constructor(root = '.', record = join('node_modules', '.cache', 'cselab-passed.json')) {
    this.#record = join(root, record);
    this.#now = hashesOf(root);
    this.#passed = readRecord(this.#record);
  }

  /** Layers whose tests have passed as they are. */
  get layers(): string[] {
    return layers.filter((layer) => this.#passed[layer] === this.#now[layer]);
  }

  /** Whether a file of tests has nothing to judge that it has not judged. */
  has(file: string): boolean {
    const layer = harnessTests.includes(file) ? 'scenarios' : (file.split(/[/\\]/)[0] ?? '');
    return this.layers.includes(layer) && !aboutAll.includes(file);
  }

  /** All tests have passed with the sources as they were when they began. */
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
