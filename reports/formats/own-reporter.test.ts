/** Reporters that users write. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
// Before a test goes elsewhere: what is read there by a process that begins so is read anew, and kept in the place of all others'.
import '../../scenarios/index.ts';
import { run } from '../testing/in-process.ts';

/** The folder from which a command is run. */
function folderWith(t: TestContext, files: Readonly<Record<string, string>>): string {
  const [before, folder] = [process.cwd(), mkdtempSync(join(tmpdir(), 'cselab-own-reporter-'))];
  t.after(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  process.chdir(folder);
  return folder;
}

const checked = (...args: string[]) =>
  run(['check', 'documented/ae/create', '--in-process', ...args.flatMap((one) => ['--report', one])]);

/** Writes the types of events, and then how the run came out. */
const counting = `import { writeFileSync } from 'node:fs';
export default ({ path, outDir, write }) => {
  const types = new Set();
  return {
    onEvent: ({ type }) => types.add(type),
    async finish({ exit }) {
      write([...types].join() + ' ' + exit.code + '\\n');
      if (path) writeFileSync(path, outDir);
    },
  };
};
`;

test('a module hears each event, and the result, and gets its output', async (t) => {
  const folder = folderWith(t, { 'mine.mjs': counting });
  const { code, stdout, stderr } = await checked('./mine.mjs=seen.txt', 'json');
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^run started,.*scenario finished.* 0\n$/);
  assert.equal(readFileSync(join(folder, 'seen.txt'), 'utf8'), join(process.cwd(), 'reports', 'latest'));
  assert.match(stderr, /written: reports\/latest\/report\.json, seen\.txt/);
});

test('one of a package is found from where the command runs, however it is built', async (t) => {
  folderWith(t, {
    'node_modules/@acme/esm/package.json': '{ "type": "module", "exports": "./lib/index.js" }',
    'node_modules/@acme/esm/lib/index.js': counting,
    'node_modules/plain-reporter/package.json': '{ "main": "main.cjs" }',
    'node_modules/plain-reporter/main.cjs': 'module.exports = ({ write }) => ({ finish: () => write("plain\\n") });',
  });
  const { code, stdout, stderr } = await checked('@acme/esm', 'plain-reporter');
  assert.equal(code, 0, stderr);
  assert.match(stdout, /run started/);
  assert.match(stdout, /plain\n/);
});

test('what it throws ends neither the run nor other reporters, is reported by its name, and is a fault of the harness', async (t) => {
  const folder = folderWith(t, {
    'loud.mjs':
      'export default () => ({ onEvent() { throw new Error("too loud"); }, finish() { throw new Error("never asked"); } });',
    'late.mjs': 'export default async () => ({ async finish() { throw new Error("too late"); } });',
    'fine.mjs': counting,
  });
  const { code, stdout, stderr } = await checked('./loud.mjs', './late.mjs', './fine.mjs', 'json');
  assert.equal(code, 3);
  assert.match(stdout, /run finished/);
  assert.match(stderr, /the reporter \.\/loud\.mjs failed at "run started": too loud\n.*loud\.mjs:1:/s);
  assert.match(stderr, /the reporter \.\/late\.mjs failed at "finish": too late/);
  assert.doesNotMatch(stderr, /never asked/);
  assert.match(stderr, /written: reports\/latest\/report\.json/);
  assert.ok(existsSync(join(folder, 'reports/latest/report.json')));
});

test('a package whose name is nearly that of a report is not loaded by a slip', async (t) => {
  folderWith(t, {
    'node_modules/json5/package.json': '{ "main": "main.cjs" }',
    'node_modules/json5/main.cjs': 'module.exports = ({ write }) => ({ finish: () => write("loaded") });',
  });
  const { code, stdout, stderr } = await checked('json5');
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(stderr, /unknown report "json5"/);
});

test('what is no reporter is refused before anything is sent', async (t) => {
  const folder = folderWith(t, {
    'none.mjs': 'export const reporter = 1;',
    'broken.mjs': 'export default () => { throw new Error("not today"); };',
    'syntax.mjs': 'export default (',
  });
  const refused = async (spec: string) => {
    const { code, stderr } = await checked('json', spec);
    assert.deepEqual([code, existsSync(join(folder, 'reports'))], [2, false], stderr);
    return stderr;
  };
  assert.match(
    await refused('./none.mjs'),
    /the reporter \.\/none\.mjs cannot be used: it exports no function by default/,
  );
  assert.match(await refused('./broken.mjs'), /\.\/broken\.mjs cannot be used: not today/);
  assert.match(await refused('./syntax.mjs'), /\.\/syntax\.mjs cannot be used/);
  assert.match(await refused('./none.mjs='), /names no file after the =/);
  assert.match(await refused('./missing.mjs'), /unknown report "\.\/missing\.mjs"; there are terminal/);
  assert.match(await refused('console'), /unknown report "console"/);
});
