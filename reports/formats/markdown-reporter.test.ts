import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RunResult } from '../../scenarios/words.ts';
import { code, fence, text } from '../document/markdown.ts';
import { sampleCauses } from '../testing/sample-causes.ts';
import { conformantRun, sampleRun } from '../testing/sample-run.ts';
import { hostileText } from '../testing/sample-scenarios.ts';
import { markdownReporter, renderMarkdown } from './markdown-reporter.ts';

test('the verdict comes first, then what deviates with its curl line', () => {
  const summary = renderMarkdown(sampleRun);
  assert.match(summary, /^## ❌ Not conformant: 3 documented requirements are violated\n/);
  assert.match(
    summary,
    /### New deviations \(\d+\)\n\n<details>\n<summary>✗ <code>container\.state-tag-is-text<\/code>/,
  );
  assert.match(summary, /curl -sS -i -X POST/);
  assert.match(renderMarkdown(conformantRun), /^## ✅ Conformant: /);
});

test('a cause is one deviation, with what it violates beside', () => {
  const summary = renderMarkdown(sampleCauses(1));
  assert.match(summary, /### New deviations \(1\)\n/);
  assert.match(summary, /\n- with it 2 requirements: `state-tag-0\.second`: \S/);
});

test('a known deviation stands apart from new ones, with its ticket', () => {
  const requirements = sampleRun.requirements.map((one) =>
    one.verdict === 'violated' ? { ...one, known: true } : one,
  );
  const known = { reason: 'vendor knows', ticket: 'GW-12', expires: '2027-03-31' };
  const scenarios = sampleRun.scenarios.map((scenario) => ({
    ...scenario,
    steps: scenario.steps.map((step) => ({
      ...step,
      checks: step.checks.map((check) => (check.state === 'failed' ? { ...check, known } : check)),
    })),
  }));
  const run: RunResult = { ...sampleRun, requirements, scenarios };
  const summary = renderMarkdown(run);
  assert.doesNotMatch(summary, /New deviations/);
  assert.match(summary, /- `ae\.reachability-is-boolean`: vendor knows \\\(GW-12, until 2027-03-31\\\)/);
});

test('a summary keeps to its budget, with the verdict, and counts what it leaves out', () => {
  const whole = Buffer.byteLength(renderMarkdown(sampleRun));
  for (const budget of [whole - 1, Math.round(whole / 2), 1500, 600]) {
    const short = renderMarkdown(sampleRun, budget);
    assert.ok(Buffer.byteLength(short) <= budget, `${Buffer.byteLength(short)} of ${budget}`);
    assert.match(short, /^## ❌ Not conformant/);
  }
  const many = { ...sampleRun, notes: Array.from({ length: 3000 }, (_, at) => `note ${at}`) };
  assert.match(renderMarkdown(many, 20_000), /_\d{4} more, left out to keep this summary short\._/);
});

test('a summary can be pasted into a comment on GitHub, which takes 65,536 characters', () => {
  const summary = renderMarkdown(sampleCauses(170));
  assert.ok(summary.length < 65_536, String(summary.length));
  assert.match(summary, /_\d+ more, left out to keep this summary short\._/);
});

test('nothing of the target becomes markup', () => {
  const shown = text(`${hostileText} | [a](javascript:x) @team https://example.org \`b\``);
  assert.doesNotMatch(shown, /<(?!\/?code)|(?<!\\)[[\]|`*_]|@|:\/\//);
  assert.equal(code('a`b``c'), '```a`b``c```');
  assert.match(fence('x\n```\ny'), /^````text\n/);
});

test('the summary of a step is added to, another file is written anew', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cselab-markdown-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'summary.md');
  await writeFile(path, 'before\n');
  await markdownReporter(path, true).finish(conformantRun);
  assert.match(await readFile(path, 'utf8'), /^before\n## ✅/);
  await markdownReporter(path, false).finish(conformantRun);
  assert.match(await readFile(path, 'utf8'), /^## ✅/);
});
