import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleRun } from '../testing/sample-run.ts';
import { githubReporter, withoutCommands } from './github-reporter.ts';

const evil = 'it answered\n::set-env name=PATH::/tmp\n   ::error::x\nx ##[add-path]/tmp\nae::b is well';

function written(environment: Record<string, string>): string {
  const pieces: string[] = [];
  withoutCommands({ write: (text) => pieces.push(text) }, environment).write(evil);
  return pieces.join('');
}

/** As the runner of GitHub sees it: blanks around a line do not count, and `##[` may stand anywhere. */
const isCommand = (line: string): boolean => line.trim().startsWith('::') || line.includes('##[');

test('in a step of GitHub Actions no line of a target is a workflow command', () => {
  const lines = written({ GITHUB_ACTIONS: 'true' }).split('\n');
  assert.deepEqual(lines.filter(isCommand), []);
  assert.equal(lines.at(-1), 'ae::b is well');
});

test('elsewhere a text stays as it is', () => {
  assert.equal(written({}), evil);
});

test('annotations are taken out of what is stopped', () => {
  const pieces: string[] = [];
  githubReporter({ write: (text) => pieces.push(text) }, 'secret').finish(sampleRun);
  const lines = pieces.join('').trimEnd().split('\n');
  assert.equal(lines[0], '::secret::');
  assert.equal(lines.at(-1), '::stop-commands::secret');
  assert.ok(lines.slice(1, -1).every((line) => /^::(error|warning|notice) /.test(line)) && lines.length > 2);
});
