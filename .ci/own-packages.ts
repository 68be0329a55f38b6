/** Folders with packages of their own that the project does not need. */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Installs what the folder's lock file names, if it is missing. */
export function installIn(folder: string): void {
  const [lock, marker] = [join(folder, 'package-lock.json'), join(folder, 'node_modules', '.package-lock.json')];
  if (existsSync(marker) && statSync(marker).mtimeMs >= statSync(lock).mtimeMs) return;
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  requireSuccess('npm ci', spawnSync(npm, ['ci', ...options], { cwd: folder, encoding: 'utf8' }));
}

/** Runs a script of a package there. Throws an error with its output if it fails. */
export function runIn(folder: string, file: string, ...args: string[]): void {
  const env = { ...process.env, NODE_OPTIONS: '' };
  requireSuccess(file, spawnSync(process.execPath, [file, ...args], { cwd: folder, encoding: 'utf8', env }));
}

function requireSuccess(name: string, { status, stdout, stderr, error }: ReturnType<typeof spawnSync>): void {
  if (status !== 0) throw new Error(`${name} failed:\n${stdout}${stderr}${error?.message ?? ''}`);
}
