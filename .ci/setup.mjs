/**
 * Set-up and one job: `node .ci/setup.mjs start | test | dev | ci | bench | build | site | extension | cselab [arguments]`.
 * Plain JavaScript, because it must run before anything is installed. Installs when the lock file is newer than what is installed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [wantedMajor, wantedMinor] = [20, 19];

const jobs = {
  start: ['cli.ts', 'check', '--report', 'terminal', '--report', 'json', '--report', 'junit', '--report', 'html'],
  test: ['.ci/test.ts'],
  dev: ['.ci/dev.ts'],
  ci: ['.ci/test.ts', '--all'],
  bench: ['fixtures/bench/bench.ts'],
  build: ['.ci/build.ts'],
  cselab: ['cli.ts'],
  site: ['.site/build.ts'],
  extension: ['.vscode-extension/build.ts'],
};

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  console.error(`cselab needs Node ${wantedMajor}.${wantedMinor} or later; this is ${process.versions.node}.`);
  process.exit(2);
}

function installed() {
  const marker = join(root, 'node_modules', '.package-lock.json');
  return existsSync(marker) && statSync(marker).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

function install() {
  console.error('Setting up: installing what package-lock.json names ...');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  // Scripts would build dist/, which the package's test and `npx cselab` build themselves, and native parts that are not needed.
  if (job === 'test' || job === 'ci') options.push('--ignore-scripts');
  const done = spawnSync(npm, ['ci', ...options], { cwd: root, encoding: 'utf8' });
  if (done.status === 0) return;
  console.error(`npm ci failed:\n${done.stdout ?? ''}${done.stderr ?? ''}${done.error?.message ?? ''}`);
  process.exit(2);
}

const [job, ...rest] = process.argv.slice(2);
const command = jobs[job];
if (command === undefined) {
  console.error(`usage: node .ci/setup.mjs ${Object.keys(jobs).join(' | ')}`);
  process.exit(2);
}
checkNode();
if (!installed()) install();
const [file, ...fixed] = command;
// File names given to cselab are relative to where it is run.
if (job !== 'cselab') process.chdir(root);
// tsx looks for it in the working directory; the report needs its JSX settings.
process.env.TSX_TSCONFIG_PATH = join(root, 'tsconfig.json');
process.argv = [process.argv[0], join(root, file), ...fixed, ...rest];
const { register } = await import('tsx/esm/api');
register();
// Workers need the same.
process.execArgv.push('--import', import.meta.resolve('tsx'));
await import(`../${file}`);
