/** What is packed works where nothing but the package is: in an empty folder, in each way of importing it. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const root = process.cwd();
const tool = (path: string) => join(root, 'node_modules', path);
let place = '';

/** Rejects with everything that was printed when it fails. */
async function inPlace(command: string, ...args: string[]): Promise<string> {
  const { stdout } = await execute(command, args, { cwd: place, maxBuffer: 1e8 });
  return stdout;
}

const cselab = (...args: string[]) => inPlace(join(place, 'node_modules', '.bin', 'cselab'), ...args);

before(async () => {
  await execute(process.execPath, ['.ci/setup.mjs', 'build']);
  place = await mkdtemp(join(tmpdir(), 'cselab-package-'));
  const packed = await execute('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', place]);
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  await writeFile(join(place, 'package.json'), '{ "private": true, "type": "module" }');
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await inPlace(
    'npm',
    'install',
    ...quiet,
    resolve(place, filename),
    `@types/node@${process.versions.node.split('.')[0]}`,
  );
});

after(() => rm(place, { recursive: true, force: true }));

describe('the packed package', () => {
  test('holds no tests, and nothing that only its own tests use', async () => {
    const { stdout } = await execute('npm', ['pack', '--dry-run', '--ignore-scripts', '--json']);
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    const paths = files.map(({ path }) => path);
    assert.deepEqual(
      paths.filter((path) => /\.(test|spec)\.|\/testing\/|hostile|bench/.test(path)),
      [],
    );
    for (const path of ['dist/cli.js', 'dist/sim/index.d.ts', 'dist/sim/index.js.map', 'README.md', 'LICENSE'])
      assert.ok(paths.includes(path), path);
  });

  test('is in order, by publint and by the types that each way of resolving finds', async () => {
    await execute(process.execPath, [tool('publint/src/cli.js'), '--strict']);
    await execute(process.execPath, [
      tool('@arethetypeswrong/cli/dist/index.js'),
      '--pack',
      '.',
      '--profile',
      'esm-only',
    ]);
  });

  test('tells its version and judges the reference CSE', async () => {
    assert.match(await cselab('--version'), /^\d+\.\d+\.\d+\n$/);
    assert.match(await cselab('check', 'ae', '--report', 'terminal', '--report', 'html'), /^Conformant/m);
    assert.match(await cselab('mutants', '--fault', 'ae.aei.missing', '--report', 'terminal'), /100 % named/);
  });

  test('starts a gateway and a backend over mutual TLS', async () => {
    const up = spawn(
      join(place, 'node_modules', '.bin', 'cselab'),
      ['up', '--https', '--require-cert', '--port', '0'],
      {
        cwd: place,
      },
    );
    const [, url = ''] = await printed(up, /^ready (https:\S+)/m);
    up.kill('SIGTERM');
    assert.deepEqual(await once(up, 'exit'), [0, null]);
    assert.match(url, /^https:\/\/127\.0\.0\.1:\d+/);
  });

  const example = [
    'const pair = await startPair();',
    "const app = new ApplicationEntity({ cse: pair.gateway.url, name: 'Weather' });",
    'await app.start();',
    "const container = await app.createContainer('temperature');",
    'await app.push(container, { celsius: 21 });',
    'const { status } = await fetch(`${pair.backend.url}/~/mn-cse-1/onem2m/Weather/temperature/latest`);',
    'console.log(status);',
    'await app[Symbol.asyncDispose]();',
    'await pair.close();',
  ].join('\n  ');

  test('is imported by an ECMAScript module', async () => {
    await writeFile(join(place, 'app.mjs'), `import { ApplicationEntity, startPair } from 'cselab';\n${example}\n`);
    assert.equal(await inPlace(process.execPath, 'app.mjs'), '200\n');
  });

  test('is required by a CommonJS module', async () => {
    const text = `const { ApplicationEntity, startPair } = require('cselab');\n(async () => {\n  ${example}\n})();\n`;
    await writeFile(join(place, 'app.cjs'), text);
    assert.equal(await inPlace(process.execPath, '--no-warnings', 'app.cjs'), '200\n');
  });

  test('has types that strict TypeScript takes', async () => {
    const text = `import { ApplicationEntity, startPair } from 'cselab';\nimport { check } from 'cselab/harness';\n${example}\nexport const run = check({ target: { kind: 'embedded' } });\n`;
    await writeFile(join(place, 'app.mts'), text);
    const settings = [
      '--strict',
      '--noEmit',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--lib',
      'es2023,esnext.disposable',
    ];
    await inPlace(process.execPath, tool('typescript/bin/tsc'), ...settings, '--types', 'node', 'app.mts');
  });
});

/** What the process prints that looks like this; rejects when it ends before. */
async function printed(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  let text = '';
  for await (const part of child.stdout ?? []) {
    text += part;
    const found = pattern.exec(text);
    if (found !== null) return found;
  }
  throw new Error(`it ended and said only: ${text}`);
}
