/** The package as a user has it: packed, and installed in a folder with nothing else but the tools of application developers. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Packages of applications alone; those of the project are installed in its version. */
const versions: Readonly<Record<string, string>> = { jest: '30.5.2', vitest: '4.1.12' };
const shared = ['@playwright/test', '@types/node', 'aedes', 'coap-packet', 'mqtt', 'msw', 'typescript', 'ws'];

export interface Packed {
  readonly tarball: string;
  /** Octets. */
  readonly size: number;
  /** Paths in the package. */
  readonly paths: readonly string[];
}

export class InstalledPackage implements AsyncDisposable {
  /** The folder: an ECMAScript module package of its own with the examples in it. */
  readonly path: string;
  readonly packed: Packed;

  constructor(path: string, packed: Packed) {
    this.path = path;
    this.packed = packed;
  }

  /** Runs a command of the package or of a tool; resolves to its output, or rejects with that when it fails. */
  async run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
    const { stdout } = await execute(this.#binary(command), args, { ...this.#spawnOptions(env), maxBuffer: 1e8 });
    return stdout;
  }

  /** The same while it runs. Its stderr is read: a process that fills the pipe never ends. */
  start(command: string, args: readonly string[]): ChildProcess {
    const child = spawn(this.#binary(command), args, this.#spawnOptions({}));
    child.stderr.resume();
    return child;
  }

  write(file: string, text: string): Promise<void> {
    return writeFile(join(this.path, file), text);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.path, { recursive: true, force: true });
  }

  #binary(command: string): string {
    return command === 'node' ? process.execPath : join(this.path, 'node_modules', '.bin', command);
  }

  #spawnOptions(env: NodeJS.ProcessEnv) {
    // With the first, node's test runner believes that it has called itself.
    const { NODE_TEST_CONTEXT, NODE_OPTIONS, ...own } = process.env;
    return { cwd: this.path, env: { ...own, NO_COLOR: '1', ...env } };
  }
}

/** Builds, packs and installs. */
export async function installPackage(): Promise<InstalledPackage> {
  await execute(process.execPath, ['.ci/setup.mjs', 'build']);
  const path = await mkdtemp(join(tmpdir(), 'cselab-package-'));
  const { stdout } = await execute('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', path]);
  const [{ filename, size, files }] = JSON.parse(stdout) as [
    { filename: string; size: number; files: { path: string }[] },
  ];
  const packed = { tarball: join(path, filename), size, paths: files.map((file) => file.path) };
  await cp('fixtures/examples', path, { recursive: true });
  await writeFile(join(path, 'package.json'), '{ "private": true, "type": "module" }');
  const { devDependencies: ours } = JSON.parse(await readFile('package.json', 'utf8')) as {
    devDependencies: Readonly<Record<string, string>>;
  };
  const all = { ...Object.fromEntries(shared.map((name) => [name, ours[name]])), ...versions };
  const tools = Object.entries(all).map(([name, version]) => `${name}@${version}`);
  const quiet = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await execute('npm', ['install', ...quiet, packed.tarball, ...tools], { cwd: path });
  return new InstalledPackage(path, packed);
}
