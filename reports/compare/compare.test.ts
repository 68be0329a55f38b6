import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RunResult } from '../../scenarios/words.ts';
import { renderComparisonJson } from '../commands/compare.ts';
import { renderPage } from '../document/html.tsx';
import { renderMarkdown } from '../document/markdown.ts';
import { renderText } from '../document/terminal.ts';
import { markedDifference } from '../replay/replay-outcome.ts';
import { conformantRun, sampleRun } from '../testing/sample-run.ts';
import { compareDocument } from './compare-document.ts';
import { columnsOf, comparisonOf, isSameTarget } from './comparison.ts';

const other: RunResult = { ...conformantRun, target: { ...conformantRun.target, product: 'Other' } };
const two = comparisonOf([sampleRun, other], { all: true });
const document = compareDocument(two);
const changesOf = (before: RunResult, after: RunResult) =>
  comparisonOf([before, after], { all: false, runs: true }).changes?.changes ?? [];

test('two reports of one target are runs, others are targets; who says so is believed', () => {
  assert.ok(isSameTarget(sampleRun, conformantRun) && !isSameTarget(sampleRun, other));
  assert.notEqual(comparisonOf([sampleRun, conformantRun], { all: false }).changes, undefined);
  assert.equal(comparisonOf([sampleRun, other], { all: false }).changes, undefined);
  assert.equal(comparisonOf([sampleRun, conformantRun], { all: false, runs: false }).changes, undefined);
  assert.throws(() => comparisonOf([sampleRun, other, other], { all: false, runs: true }), /compares two runs/);
});

test('what failed and is not checked any more is gone, and what fails without having been checked is new', () => {
  const violated = sampleRun.requirements.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);
  const unjudged: RunResult = {
    ...sampleRun,
    requirements: sampleRun.requirements.map((one) =>
      one.verdict === 'violated' ? { ...one, verdict: 'excluded', reason: 'not selected', violations: [] } : one,
    ),
  };
  const kinds = (before: RunResult, after: RunResult) =>
    changesOf(before, after).map(({ kind, requirement }) => [kind, requirement.id]);
  assert.deepEqual(
    kinds(sampleRun, unjudged),
    violated.map((id) => ['gone', id]),
  );
  assert.deepEqual(
    kinds(unjudged, sampleRun),
    violated.map((id) => ['new', id]),
  );
  assert.deepEqual(
    kinds(sampleRun, sampleRun),
    violated.map((id) => ['still failing', id]),
  );
  assert.ok(changesOf(sampleRun, sampleRun).every(({ otherwise }) => !otherwise));
});

test('targets of the same name are distinguished by their addresses, or by their runs', () => {
  const at = (url: string): RunResult => ({ ...other, target: { ...other.target, url } });
  const labels = (...results: RunResult[]) => columnsOf(results).map(({ label }) => label);
  assert.deepEqual(labels(at('http://a'), at('http://b')), ['Other at a', 'Other at b']);
  assert.deepEqual(
    labels(other, { ...other, run: 'second' }).map((label) => label.replace(/.* at \S+, /, '')),
    [`run ${other.run}`, 'run second'],
  );
});

test('nothing of a target gets into a comparison as a control character or as markup', () => {
  const texts = [
    renderText(document, { color: false, columns: 80, verbose: false }),
    renderMarkdown(document),
    renderComparisonJson(two),
    renderPage(document),
  ];
  for (const text of texts) assert.deepEqual(text.replaceAll('\n', '').match(/[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu), null);
  assert.equal(texts[3]?.match(/<script/g)?.length, 1);
});

test('Markdown stays below its budget and counts what it leaves out', () => {
  fc.assert(
    fc.property(fc.integer({ min: 400, max: 6000 }), (budget) => {
      assert.ok(renderMarkdown(document, budget).length <= budget);
    }),
    { numRuns: 40, seed: 4 },
  );
  assert.match(renderMarkdown(document, 1100), /\nAnd \d+ more rows, left out here\.\n/);
});

test('of two texts the part is marked in which they differ', () => {
  assert.deepEqual(markedDifference('status 200, RSC 2001', 'status 409, RSC 2001'), {
    before: 'status «200», RSC 2001',
    now: 'status «409», RSC 2001',
  });
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
      const marked = markedDifference(a, b);
      fc.pre(!/[«»]/.test(a + b));
      assert.deepEqual([marked.before.replace(/[«»]/g, ''), marked.now.replace(/[«»]/g, '')], [a, b]);
    }),
    { seed: 9 },
  );
});
