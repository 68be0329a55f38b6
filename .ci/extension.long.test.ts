/** The extension for Visual Studio Code as it is built, with the real cselab, in as much of an editor as it uses. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { loader } from '../fixtures/testing/loader.ts';
import { Editor } from './editor.ts';
import { execute } from './execute.ts';

const folder = mkdtempSync(join(tmpdir(), 'cselab-editor-'));
const editor = new Editor(folder);
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

const scenarios = `feature: Mine
actors:
  app: {}
scenarios:
  right:
    title: an application entity is there
    steps:
      - retrieve: /\${base}/\${app}
        check:
          ae.retrieve.status: { status: 200 }
  wrong:
    title: it is not
    steps:
      - retrieve: /\${base}/\${app}
        check:
          ae.retrieve.status: { status: 404 }
`;

before(async () => {
  const { code, output } = await execute(process.execPath, [...loader(), '.vscode-extension/build.ts']);
  assert.equal(code, 0, output);
  editor.settings.set('command', [process.execPath, resolve('.ci/setup.mjs'), 'cselab']);
  write('mine.yaml', scenarios);
  write('bad.yaml', scenarios.replaceAll('retrieve: /', 'retriev: /'));
  write('other.yaml', 'rules:\n  - apiGroups: [""]\n');
  await editor.activate('.vscode-extension/dist/extension.cjs');
});
after(() => rmSync(folder, { recursive: true }));

const itemOf = (file: string) => [...editor.items.values()].find(({ label }) => label === file);
const listed = () => [...editor.items.values()].map(({ label, children }) => [label, [...children.keys()]]);

test('mistakes stand at their place, and a file that is not of cselab has none', () => {
  const lines = (editor.problems.get('bad.yaml') ?? []).map(({ message, range: { start, end } }) => [
    /did you mean "(.*)"/.exec(message)?.[1],
    start.line + 1,
    end.character - start.character,
  ]);
  assert.deepEqual(lines, [
    ['retrieve', 8, 'retriev'.length],
    ['retrieve', 14, 'retriev'.length],
  ]);
  assert.deepEqual(editor.problems.get('mine.yaml'), []);
  assert.equal(editor.problems.has('other.yaml'), false);
});

test('the scenarios of sound files are listed at their lines', () => {
  assert.deepEqual(listed(), [['mine.yaml', ['mine/right', 'mine/wrong']]]);
  const lines = [...(itemOf('mine.yaml')?.children.values() ?? [])].map(({ range }) => range?.start.line);
  assert.deepEqual(lines, [4, 10]);
});

test('each is run as check runs it, and a failure has its place, expectation, answer and curl line', async () => {
  await editor.run();
  const [right, wrong] = editor.testEvents.splice(0).sort(([a], [b]) => (a < b ? 1 : -1));
  assert.deepEqual(right, ['passed', 'mine/right']);
  assert.deepEqual(wrong?.slice(0, 2), ['failed', 'mine/wrong']);
  assert.match(wrong?.[2] ?? '', /^line 16: \*\*ae\.retrieve\.status\*\*.*status 404.*curl -i http.*200\n\{"m2m:ae"/s);
});

test('one alone is run where one is chosen', async () => {
  const one = itemOf('mine.yaml')?.children.get('mine/right');
  assert.ok(one);
  await editor.run([one]);
  assert.deepEqual(editor.testEvents.splice(0), [['passed', 'mine/right']]);
});

test('what could not be run says why at each scenario', async () => {
  editor.settings.set('checkArguments', ['--url', 'http://127.0.0.1:1', '--wait-for-target', '0']);
  await editor.run();
  editor.settings.delete('checkArguments');
  const told = editor.testEvents.splice(0);
  assert.deepEqual(
    told.map(([what, id]) => [what, id]),
    [
      ['errored', 'mine/right'],
      ['errored', 'mine/wrong'],
    ],
  );
  for (const [, , message = ''] of told) assert.match(message, /127\.0\.0\.1:1/);
});

test('a run that is stopped tells of nothing that did not end', async () => {
  await editor.run(undefined, true);
  assert.deepEqual(editor.testEvents.splice(0), []);
});

test('what is saved is looked at again', async () => {
  write('bad.yaml', scenarios);
  write('mine.yaml', 'a: 1\n');
  await editor.save();
  assert.deepEqual(editor.problems.get('bad.yaml'), []);
  assert.equal(editor.problems.has('mine.yaml'), false);
  assert.deepEqual(listed(), [['bad.yaml', ['bad/right', 'bad/wrong']]]);
});

test('a cselab that is not there is said, and nothing is lost', async () => {
  editor.settings.set('command', ['cselab-that-is-not-there']);
  await editor.save();
  assert.match(editor.errors.join('\n'), /^cselab: spawn cselab-that-is-not-there ENOENT$/m);
});
