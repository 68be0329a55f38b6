/** What every report says of a target that died. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Death, ExploreResult, RunResult } from '../../scenarios/index.ts';
import { compareDocument } from '../compare/compare-document.ts';
import { comparisonOf } from '../compare/comparison.ts';
import { renderPage } from '../document/html.tsx';
import { renderMarkdown as renderDocument } from '../document/markdown.ts';
import { renderText } from '../document/terminal.ts';
import { explorationDocument } from '../explore/exploration-document.ts';
import { renderBadge } from '../formats/badge-reporter.ts';
import { renderCtrf } from '../formats/ctrf-reporter.ts';
import { renderAnnotations } from '../formats/github-reporter.ts';
import { renderJson } from '../formats/json-reporter.ts';
import { renderJunit } from '../formats/junit-reporter.ts';
import { renderMarkdown } from '../formats/markdown-reporter.ts';
import { renderTap } from '../formats/tap-reporter.ts';
import { unpack } from '../html/testing/unpack.ts';
import { conformantRun, sampleRun } from '../testing/sample-run.ts';
import { runDocument } from './run-document.ts';
import { renderTerminal } from './run-text.ts';

const request = (path: string, scenario: string) => ({
  ...{ method: 'POST', path, scenario, step: 1 },
  curl: `curl -X POST 'http://127.0.0.1:8000${path}'`,
});
const bad = request('/onem2m/a', 'documented/ae/registers');
const death: Death = {
  kind: 'died',
  at: 8400,
  inFlight: [bad, request('/onem2m/b', 'documented/ae/other')],
  backAfter: 172,
};
const killed: Death = { ...death, culprit: { ...bad, seen: 'again' } };
const says = 'the target died: POST /onem2m/a killed it, and again alone';

const exercised = { operations: {}, kinds: {}, forms: {}, requirements: {} };

/** As a run that came to no check of a requirement. */
function dead(deaths: readonly Death[]): RunResult {
  const reason = 'the target died and has not come back within 10 s';
  const requirements = sampleRun.requirements.map((one) =>
    one.id === 'wire.timestamps' ? { ...one, verdict: 'lost' as const, reason } : one,
  );
  const verdicts = { ...sampleRun.summary.verdicts, lost: 1 };
  const summary = { ...sampleRun.summary, verdicts };
  return { ...sampleRun, deaths, requirements, summary, exit: { code: 1, reason: `${says}; more` } };
}

const run = dead([killed]);
const line = (text: string, at = 0) => text.split('\n')[at] ?? '';

test('the terminal says it first, and shows the requests, without a status, and how to send the culprit', () => {
  const text = renderTerminal(run, { color: false, columns: 200, verbose: false });
  assert.equal(line(text), '† The target died: POST /onem2m/a killed it, and again alone; 1 requirement lost');
  assert.match(text, /† Death 1 of 1, 8\.4 s after the run began\n/);
  assert.match(text, /· killed by POST \/onem2m\/a, no status; scenario documented\/ae\/registers, step 2\n/);
  assert.match(text, /· under way beside it: POST \/onem2m\/b, no status; .*\n +· back after 172 ms\n\n +curl -X POST/);
  assert.match(text, /\n {2}† \S+, lost: the target died and has not come back within 10 s\n/);
});

test('so do Markdown, TAP, JUnit, GitHub, CTRF, HTML and the badge', () => {
  assert.match(line(renderMarkdown(run)), /^## ❌ Not conformant: the target died: POST \/onem2m\/a killed it/);
  assert.match(line(renderTap(run), 1), /^# The target died: POST/);
  assert.match(renderTap(run), /\nnot ok 1 - cselab\.target: stays alive in documented\/ae\/registers\n/);
  const [first = ''] = /<testsuite [\s\S]*?<\/testsuite>/.exec(renderJunit(run)) ?? [];
  assert.match(first, /<failure type="died" message="the target died: POST \/onem2m\/a killed it, and again alone">/);
  assert.match(first, /curl -X POST/);
  assert.match(
    line(renderAnnotations(run)),
    /^::error title=the target died%3A POST \/onem2m\/a killed it.*::Death 1 of 1/,
  );
  const ctrf = JSON.parse(renderCtrf(run)) as { results: { tests: { name: string; status: string }[] } };
  assert.deepEqual(ctrf.results.tests[0]?.status, 'failed');
  const html = unpack(renderPage(runDocument(run)));
  assert.match(html, /<h1>Not conformant: the target died<\/h1><p>POST \/onem2m\/a killed it/);
  assert.match(
    html,
    /<h3>Death 1 of 1, 8\.4 s after the run began<\/h3><\/header><p class="says">the target died: POST \/onem2m\/a killed it, and again alone<\/p>/,
  );
  assert.match(renderBadge(run), /"message":"the target died, /);
  const [key] = Object.keys(JSON.parse(renderJson(run)) as object).filter((one) => one === 'deaths');
  assert.equal(key, 'deaths');
});

test('what is lost is no skipped test', () => {
  assert.match(
    renderJunit(run),
    /<error type="lost" message="lost: the target died and has not come back within 10 s">/,
  );
  assert.doesNotMatch(renderJunit(run), /<skipped>lost/);
});

test('without a culprit nobody is accused, and no test failed for it', () => {
  const open = dead([death]);
  const text = renderTerminal(open, { color: false, columns: 200, verbose: false });
  assert.match(
    line(text),
    /^† The target died with POST \/onem2m\/a, POST \/onem2m\/b under way, culprit not proved; 1 requirement lost$/,
  );
  assert.match(renderJunit(open), /<testcase [^>]*name="stays alive"[^>]*><error type="died"/);
});

test('a comparison says which of them died before it counts anything', () => {
  const comparison = compareDocument(comparisonOf([conformantRun, run], { all: false, runs: false }));
  const text = renderText(comparison, { color: false, columns: 200, verbose: false });
  assert.equal(line(text), '† B: The target died: POST /onem2m/a killed it, and again alone; 1 requirement lost');
  assert.match(line(renderDocument(comparison)), /^## B: The target died: /);
});

test('a run whose target lived says nothing of it', () => {
  const texts = [
    renderTerminal(sampleRun, { color: false, columns: 200, verbose: false }),
    renderMarkdown(sampleRun),
    renderTap(sampleRun),
    renderJunit(sampleRun),
  ];
  for (const text of texts) assert.doesNotMatch(text, /died|†/);
});

test('an exploration says it before what it found', () => {
  const exploration = { ...{ sequences: 3, steps: 9, searched: 10, took: 20, seed: 1 }, exercised };
  const exit = { code: 1, reason: says } as const;
  const culprit = { ...bad, scenario: 'sequence 12', seen: 'again' } as const;
  const deaths = [{ ...death, inFlight: [], culprit }];
  const text = renderText(
    explorationDocument({ ...exploration, deaths, notes: [], exit } as unknown as ExploreResult),
    {
      ...{ columns: 200, color: false, verbose: false },
    },
  );
  assert.ok(text.startsWith(`† Death 1 of 1, 8.4 s after the run began\n  ${says}\n`), text);
  assert.match(
    text,
    /· killed by POST \/onem2m\/a, no status; sequence 12, step 2\n.*back after 172 ms\n\n +curl -X POST/,
  );
});
