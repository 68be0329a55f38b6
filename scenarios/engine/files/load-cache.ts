/**
 * Caches the project's own YAML files below node_modules/.cache: reading and checking them takes seconds.
 * Where the cache fails, for instance in a read-only folder, the files are read as usual.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { getOrAdd } from '../basics/memoize.ts';
import { workingDirectory } from './source-file.ts';

/** The inputs of a result, apart from the loader and the working directory. */
export interface Sources {
  /** Absolute paths. */
  readonly files: readonly string[];
  readonly requirements?: ReadonlySet<string>;
}

export interface CacheFolders {
  /** Where results are kept. */
  readonly folder: string;
  /** The modules that read and check: a change in one of them makes every kept result stale. */
  readonly loader: string;
  /** Names the version of this package, and those of the packages that it uses. */
  readonly packageFile: string;
}

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const defaultFolders: CacheFolders = {
  folder: pathOf('../../../node_modules/.cache/cselab'),
  loader: pathOf('..'),
  packageFile: pathOf('../../../package.json'),
};

/**
 * The result of `read`, or of an earlier `read` when nothing has changed since. It must depend on `sources` only.
 * A result with problems is not kept.
 */
export function cached<T extends { readonly problems: readonly unknown[] }>(
  sources: Sources,
  read: () => T,
  folders: CacheFolders = defaultFolders,
): T {
  const key = attempt(() => keyOf(sources, folders));
  if (key === undefined) return read();
  // Named by the files and not by the key, so that a new result replaces the old one.
  const path = join(folders.folder, digest(...sources.files).toString('hex'));
  const inMemory = getOrAdd(memoryOf, folders, () => new Map());
  const known = inMemory.get(path);
  if (known?.key.equals(key)) return known.result as T;
  const stored = attempt(() => unseal(readFileSync(path), key)) as T | undefined;
  const result = stored ?? read();
  if (stored === undefined) {
    const unchanged = attempt(() => keyOf(sources, folders))?.equals(key) ?? false;
    if (!unchanged || result.problems.length > 0) return result;
    attempt(() => write(path, seal(result, key), folders.folder));
  }
  inMemory.set(path, { key, result });
  return result;
}

/** Results in the memory of this process: all callers share one object, which nobody changes. */
const memoryOf = new WeakMap<CacheFolders, Map<string, { readonly key: Buffer; readonly result: unknown }>>();

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** Places in files are relative to the working directory, so that a result belongs to one. */
function keyOf({ files, requirements = none }: Sources, folders: CacheFolders): Buffer {
  const texts = files.flatMap((path) => [path, readFileSync(path)]);
  // The same for all files of one catalogue.
  const ofRequirements = getOrAdd(requirementsDigests, requirements, () => digest([...requirements].join('\n')));
  return digest(loaderDigest(folders), workingDirectory, ofRequirements, ...texts);
}

const none: ReadonlySet<string> = new Set();
const requirementsDigests = new WeakMap<ReadonlySet<string>, Buffer>();

const loaderDigests = new WeakMap<CacheFolders, Buffer>();

/** Computed once for many files: the modules of a process do not change. */
function loaderDigest(folders: CacheFolders): Buffer {
  return getOrAdd(loaderDigests, folders, () => {
    const modules = readdirSync(folders.loader, { recursive: true })
      .map(String)
      .filter((name) => /(?<!\.test)\.[jt]s$/.test(name));
    const texts = modules.sort().flatMap((name) => [name, readFileSync(join(folders.loader, name))]);
    return digest(process.version, readFileSync(folders.packageFile), ...texts);
  });
}

/** Includes the length of each part, so that no two lists of parts are alike. */
function digest(...parts: readonly (string | Buffer)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest();
}

/** The seal proves that the content is whole and belongs to the key. */
function seal(result: unknown, key: Buffer): Buffer {
  const content = serialize(result);
  return Buffer.concat([digest(key, content), content]);
}

function unseal(file: Buffer, key: Buffer): unknown {
  const content = file.subarray(key.length);
  return file.subarray(0, key.length).equals(digest(key, content)) ? deserialize(content) : undefined;
}

/** Writes to another name first: concurrent readers find the old file or the new one, never half of one. */
function write(path: string, content: Buffer, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, content);
  renameSync(draft, path);
}
