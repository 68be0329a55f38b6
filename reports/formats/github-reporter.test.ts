import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunResult } from '../../scenarios/words.ts';
import { sampleCauses } from '../testing/sample-causes.ts';
import { conformantRun, partialRun, runOf, sampleRun } from '../testing/sample-run.ts';
import { renderAnnotations } from './github-reporter.ts';

const lines = (run: RunResult, exists = () => true) => renderAnnotations(run, exists).split('\n').filter(Boolean);

/** As the runner of GitHub reads a workflow command. */
function read(line: string): { type: string; properties: Record<string, string>; message: string } {
  const [, type = '', list = '', message = ''] = /^::(\w+) (.*?)::(.*)$/.exec(line) ?? [];
  const plain = (text: string) => text.replace(/%(0A|0D|3A|2C|25)/g, (escaped) => decodeURIComponent(escaped));
  const properties = list
    .split(',')
    .map((pair) => [pair.split('=')[0] ?? '', plain(pair.slice(pair.indexOf('=') + 1))]);
  return { type, properties: Object.fromEntries(properties), message: plain(message) };
}

test('a violation is an error at its line, with what was expected', () => {
  const errors = lines(sampleRun).map(read);
  const first = errors.find(({ properties }) => properties.title === 'violated: ae.reachability-is-boolean');
  assert.equal(first?.type, 'error');
  assert.equal(first?.properties.file, 'scenarios/documented/ae.yaml');
  assert.match(first?.message ?? '', /\nexpected: attribute rr equal to true.*\nactual: rr is the text "TRUE"/);
});

test('a cause is one annotation, which names what it violates', () => {
  const [one, ...others] = lines(sampleCauses(1)).map(read);
  assert.deepEqual(others, []);
  assert.match(one?.message ?? '', /\nwith it 2 requirements: state-tag-0\.second, state-tag-0\.third$/);
});

test('a file outside of the repository is not named', () => {
  assert.deepEqual(
    lines(sampleRun, () => false).filter((line) => line.includes('file=')),
    [],
  );
});

test('at most ten of a type are printed, the last of which counts the rest', () => {
  const printed = lines(sampleCauses(15));
  assert.equal(printed.length, 10);
  assert.match(printed[9] ?? '', /^::error title=cselab::6 more; /);
  assert.equal(lines(sampleCauses(10)).length, 10);
});

test('a known deviation is no annotation, an entry of the baseline that cannot stand is one', () => {
  const requirements = sampleRun.requirements.map((one) => ({ ...one, known: true }));
  const problem = { kind: 'stale', scenario: 'a', requirement: 'b', says: 'it passes now' } as const;
  const run = { ...sampleRun, requirements, baseline: { file: 'baseline.yaml', known: 3, problems: [problem] } };
  assert.deepEqual(lines(run).map(read), [
    {
      type: 'error',
      properties: { file: 'baseline.yaml', line: '1', col: '1', title: 'baseline: stale' },
      message: 'it passes now',
    },
  ]);
});

test('a run without a verdict says so, one of a part says of which, a conformant one is silent', () => {
  assert.match(
    lines(runOf([], { code: 3, reason: 'no route' }))[0] ?? '',
    /^::error title=cselab::No verdict: no route$/,
  );
  assert.deepEqual(lines(conformantRun), []);
  assert.deepEqual(lines(partialRun).map(read), [
    {
      type: 'notice',
      properties: { title: 'cselab' },
      message: 'No deviation in the 4 of 6 requirements that were checked',
    },
  ]);
});

test('no text of a target can begin a command of its own', () => {
  const [first] = sampleRun.requirements.filter(({ verdict }) => verdict === 'violated');
  assert.ok(first);
  const evil = { ...first, says: 'x\n::error::y\r\n%0A', id: 'a,b:c' };
  const printed = lines({ ...sampleRun, requirements: [evil] });
  assert.equal(printed.length, 1);
  assert.equal(read(printed[0] ?? '').properties.title, 'violated: a,b:c');
});

test('what a target made of a note reaches no terminal as it is', () => {
  const notes = ['answered with the name \u001b[31m\u001b]0;title\u0007'];
  const text = renderAnnotations({ ...conformantRun, notes });
  assert.match(text, /^::notice title=cselab::answered with the name \\x1b\[31m\\x1b\]0;title\\x07$/m);
});
