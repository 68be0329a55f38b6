import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Parser } from 'tap-parser';
import type { RunResult } from '../../scenarios/words.ts';
import { conformantRun, runOf, sampleRun } from '../testing/sample-run.ts';
import { hostileText } from '../testing/sample-scenarios.ts';
import { renderTap } from './tap-reporter.ts';
import { testSuites } from './test-suite.ts';

function read(text: string): Parser {
  const parser = new Parser({ strict: true });
  parser.end(text);
  return parser;
}

const kinds = (run: RunResult) =>
  testSuites(run)
    .flatMap(({ cases }) => cases)
    .map(({ outcome }) => outcome.kind);

test('a reader of TAP counts what the run counts', () => {
  for (const run of [sampleRun, conformantRun]) {
    const { results, failures } = read(renderTap(run));
    const expected = kinds(run);
    assert.equal(results?.count, expected.length);
    assert.equal(results?.skip, expected.filter((kind) => kind === 'skipped').length);
    const broken = expected.filter((kind) => kind === 'failure' || kind === 'error').length;
    assert.equal(results?.fail, broken);
    assert.equal(failures.length, broken, 'and finds nothing to complain of in the document itself');
  }
});

test('what failed tells all about it in its diagnostics', () => {
  const { failures } = read(renderTap(sampleRun));
  const failure = failures
    .map((one) => ('diag' in one ? one.diag : undefined))
    .find((diag) => diag?.severity === 'fail');
  assert.equal(failure?.requirement, 'ae.reachability-is-boolean');
  assert.match(String(failure?.at), /^scenarios\/documented\/ae\.yaml:\d+$/);
  assert.deepEqual(failure?.expected?.length, 2);
  assert.match(String(failure?.text), /curl -sS -i -X POST/);
});

test('a run that broke off bails out', () => {
  const { bailedOut } = read(renderTap(runOf([], { code: 3, reason: 'the target # could not be reached' })));
  assert.equal(bailedOut, 'the target # could not be reached');
  assert.equal(read(renderTap(sampleRun)).bailedOut, false);
});

test('nothing of the target becomes a directive, a test point or a control character', () => {
  const [first] = sampleRun.scenarios;
  assert.ok(first);
  const text = renderTap(runOf([{ ...first, id: `a # SKIP ${hostileText}\nnot ok 1 - b` }], sampleRun.exit));
  const { results } = read(text);
  assert.equal(results?.skip, kinds(runOf([first], sampleRun.exit)).filter((kind) => kind === 'skipped').length);
  assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Cs}\p{Bidi_Control}]/u);
});
