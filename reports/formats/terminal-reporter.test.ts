import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { CheckResult, RunResult } from '../../scenarios/words.ts';
import { renderTerminal } from '../check/run-text.ts';
import { displayWidth } from '../document/screen.ts';
import { conformantRun, partialRun, runOf, sampleRun } from '../testing/sample-run.ts';
import { hostileText, sampleScenarios } from '../testing/sample-scenarios.ts';
import { terminalReporter } from './terminal-reporter.ts';

const plain = { color: false, columns: 80, verbose: false };
const stream = () => {
  const written: string[] = [];
  return { written, write: (text: string) => written.push(text) };
};

/** Command lines, ids and paths are copied, so they are never cut. */
function mayBeLong(line: string): boolean {
  return /^\s*curl /.test(line) || /^\s*\S+$/.test(line) || line.includes('/');
}

test('sections come with the counts of their verdicts, and name what the harness failed at', () => {
  const text = renderTerminal(sampleRun, plain);
  assert.match(text, /^ {2}✗ violated {3}! harness fault {3}○ not testable {3}✓ satisfied/m);
  assert.match(text, /^ {2}Wire conventions {13} +○ {3}1 {2}✓ {3}1$/m);
  assert.doesNotMatch(text, /^ {4}✗/m);
  assert.match(text, /^ {4}! discovery\.since$/m);
  assert.doesNotMatch(text, /ae\.create-answers-201/);
});

test('with verbose every requirement is listed with its sentence', () => {
  const text = renderTerminal(sampleRun, { ...plain, verbose: true });
  for (const { id, verdict } of sampleRun.requirements) assert.ok(text.includes(` ${id}\n`), `${id} ${verdict}`);
  assert.match(text, /✓ ae\.create-answers-201\n {6}Creating an AE answers 201\.\n/);
  assert.match(text, /· not found: status 404 \(as the reference CSE\)\n {6}gaps\/errors\/unknown-path/);
});

test('what was not tested is grouped by its reason', () => {
  const text = renderTerminal(sampleRun, plain);
  assert.match(text, /○ tls\.\S+, not testable: the target is addressed by http, not\n? *https\n/);
  assert.match(text, /○ 3 requirements that no scenario tries, each for a reason of its own/);
  const verbose = renderTerminal(sampleRun, { ...plain, verbose: true });
  assert.match(verbose, /– ae\.notification-form, excluded: the form on the wire is not shown\n/);
});

test('the ids of what was not tried, and long lists of ids, are for --verbose', () => {
  const requirements = sampleRun.requirements.flatMap((requirement) =>
    requirement.id === 'wire.timestamps' || requirement.id === 'tls.certificate-accepted'
      ? Array.from({ length: 30 }, (_, index) => ({ ...requirement, id: `${requirement.id}-${index}` }))
      : [requirement],
  );
  const scenarios = sampleRun.scenarios.map((scenario) => ({
    ...scenario,
    steps: scenario.steps.map((step) => ({ ...step, checks: step.checks.flatMap(asThirty) })),
  }));
  const run = { ...sampleRun, requirements, scenarios };
  const text = renderTerminal(run, plain);
  assert.match(
    text,
    /not testable \(30 requirements\): the target is addressed[^\n]*\n( {6}tls[^\n]*\n)+ {6}and 24 more/,
  );
  assert.match(text, /not testable \(30 requirements\): no scenario that ran checks it\n {2}\S/);
  assert.match(renderTerminal(run, { ...plain, verbose: true }), /wire\.timestamps-29\n/);
});

function asThirty(check: CheckResult): CheckResult[] {
  if (check.requirement !== 'tls.certificate-accepted') return [check];
  return Array.from({ length: 30 }, (_, index) => ({ ...check, requirement: `${check.requirement}-${index}` }));
}

test('what the specification leaves open is reported where the target differs from the reference', () => {
  const text = renderTerminal(sampleRun, plain);
  assert.match(text, /3 observations: 1 as the reference CSE, 2 otherwise\./);
  assert.match(text, /· no answer: the target closed the connection\n/);
  assert.doesNotMatch(text, /status 404 \(as the reference/);
});

test('a failure is reported in full, with every permitted outcome', () => {
  const text = renderTerminal(sampleRun, plain);
  const block = text.slice(
    text.indexOf('✗ ae.reachability-is-boolean\n  Request'),
    text.indexOf('✗ container.state-tag'),
  );
  for (const part of [
    '  Resources and their fields: AE, response fields, row rr\n',
    '  scenario  documented/ae/echoes-what-was-sent, step 1: create ae in /onem2m\n            scenarios/documented/ae.yaml:31\n',
    '  expected  attribute rr equal to true (AE fields, row rr)\n            or attribute rr equal to false',
    '  actual    rr is the text "TRUE"\n',
    '  request   POST /onem2m\n',
    '                "rr": "TRUE"\n',
    '  answer    201\n',
    "\n  curl -sS -i -X POST -H 'Content-Type: application/vnd.onem2m-res+json'",
  ]) {
    assert.ok(block.includes(part) || text.includes(part), part);
  }
});

test('the same failure at other places takes a line or two for each', () => {
  const text = renderTerminal(sampleRun, plain);
  const lines = text.slice(text.indexOf('also at 2 other places:')).split('\n').slice(1, 4);
  assert.deepEqual(lines, [
    '    · documented/container/creates, step 3',
    '      scenarios/documented/container.yaml:29',
    '    · documented/container/nests, step 2 scenarios/documented/container.yaml:47',
  ]);
});

test('messages are cut after twenty lines, and say how long they are', () => {
  const failing = sampleScenarios.filter(({ steps }) => steps.some(({ exchange }) => exchange?.answer?.status === 500));
  const text = renderTerminal(runOf(failing, sampleRun.exit), plain);
  const answer = text.slice(text.indexOf('  answer    500'));
  const lines = answer.slice(0, answer.indexOf('  curl')).trimEnd().split('\n');
  assert.equal(lines.length, 20);
  assert.match(lines.at(-1) ?? '', /^ {12}… \([\d,]+ characters in all\)$/);
});

test('what failed comes before what is open, and the summary ends with the verdict', () => {
  const text = renderTerminal(sampleRun, plain);
  const order = ['Requirements by section', 'Violated: 3', 'Not tested', 'Implementation-defined', '17 requirements:'];
  const positions = order.map((part) => text.indexOf(part));
  assert.deepEqual(
    positions,
    positions.toSorted((a, b) => a - b),
  );
  assert.match(text, /23 requests in 1\.8 s\n\nNot conformant: 3 documented requirements are violated\nExit code 1\n$/);
});

test('a conformant run is short', () => {
  const text = renderTerminal(conformantRun, plain);
  assert.match(text, /\nConformant: no documented requirement is violated\nExit code 0\n$/);
  assert.doesNotMatch(text, /Violated/);
});

test('of a target that nothing reached only that is reported', () => {
  const reason = 'http://gw:8000 does not answer';
  const text = renderTerminal(runOf([], { code: 3, reason }), plain);
  const doctor = 'cselab doctor http://127.0.0.1:8000 looks for the reason';
  assert.equal(text, `No verdict: http://gw:8000 does not answer\nExit code 3; ${doctor}\n`);
});

test('a run of a part does not call the target conformant, and lists what was asked for only', () => {
  const text = renderTerminal(partialRun, { ...plain, verbose: true });
  assert.match(text, /\nNo deviation in the 4 of 6 requirements that were checked\nExit code 0\n$/);
  assert.match(text, /\n {2}1 other requirement not asked for\n/);
  assert.doesNotMatch(text, /not selected/);
  const [hidden] = partialRun.requirements;
  assert.ok(!text.includes(hidden?.id ?? ''));
});

test('a run in which nothing ran still says its verdict', () => {
  const text = renderTerminal(
    { ...runOf([], { code: 4, reason: 'no scenario was selected' }), requirements: [] },
    plain,
  );
  assert.match(text, /\n0 scenarios\n0 requests in 1\.8 s\n\nInconclusive: no scenario was selected\nExit code 4\n$/);
});

test('control characters of the target are shown, never sent', () => {
  const text = renderTerminal(sampleRun, plain);
  assert.deepEqual(text.replaceAll('\n', '').match(/[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu), null);
  assert.ok(text.includes('\\x1b[31mred\\x1b[0m'));
});

test('colour is used when asked for and only then', () => {
  assert.ok(renderTerminal(sampleRun, { ...plain, color: true }).includes('\u001b[31m'));
  assert.ok(!renderTerminal(sampleRun, plain).includes('\u001b'));
});

test('no line is wider than the terminal, save what is copied', () => {
  const words = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.lorem(), fc.constant(hostileText)));
  const sentence = words.map((parts) => parts.join(' '));
  fc.assert(
    fc.property(sentence, sentence, fc.integer({ min: 60, max: 160 }), (says, actual, columns) => {
      const text = renderTerminal(reworded(says, actual), { ...plain, columns, verbose: true });
      const wide = text.split('\n').filter((line) => displayWidth(line) > columns && !mayBeLong(line));
      assert.deepEqual(wide, []);
    }),
    { numRuns: 30, seed: 7 },
  );
});

/** The sample with other sentences and other behaviour of the target. */
function reworded(says: string, actual: string): RunResult {
  const check = (one: CheckResult): CheckResult => ({ ...one, actual, expected: [says, actual] });
  const scenarios = sampleScenarios.map((scenario) => ({
    ...scenario,
    steps: scenario.steps.map((step) => ({ ...step, checks: step.checks.map(check) })),
  }));
  const run = runOf(scenarios, sampleRun.exit);
  return { ...run, requirements: run.requirements.map((requirement) => ({ ...requirement, says, source: actual })) };
}

test('results go to stdout, and progress to stderr, in a pipe only of what takes long', async () => {
  const [first] = sampleScenarios;
  assert.ok(first);
  const later = 'cselab: http://127.0.0.1:8000: 1 of 11 scenarios, about 3 min left\n';
  for (const { isTTY, took, told } of [
    { isTTY: true, took: 0, told: /: An application/ },
    { isTTY: false, took: 9_000, told: /^$/ },
    { isTTY: false, took: 20_000, told: new RegExp(`^${later}$`) },
  ]) {
    const [stdout, stderr] = [stream(), stream()];
    let now = 0;
    const reporter = terminalReporter({ ...plain, stdout, stderr, isTTY, now: () => now });
    reporter.onEvent({ type: 'run started', run: 'r', target: sampleRun.target, planned: 11 });
    reporter.onEvent({ type: 'scenario started', id: first.id, title: `An application ${hostileText}` });
    now += took;
    reporter.onEvent({ type: 'scenario finished', result: first });
    await reporter.finish(sampleRun);
    assert.equal(stdout.written.join(''), renderTerminal(sampleRun, plain));
    assert.match(stderr.written.join(''), told);
  }
});

test('the progress line counts, stays on one line and is cleared', async () => {
  const stderr = stream();
  const reporter = terminalReporter({ ...plain, stdout: stream(), stderr, isTTY: true });
  reporter.onEvent({ type: 'run started', run: 'r', target: sampleRun.target, planned: 11 });
  for (const result of sampleScenarios) {
    reporter.onEvent({ type: 'scenario started', id: result.id, title: hostileText });
    reporter.onEvent({ type: 'scenario finished', result });
  }
  await reporter.finish(sampleRun);
  const erase = '\r\u001b[2K';
  assert.equal(stderr.written.at(-1), erase);
  assert.equal(stderr.written.at(-2), `${erase}11 of 11 scenarios, 5 failed: A body that is no JSON`);
  for (const text of stderr.written) {
    const line = text.slice(erase.length);
    assert.ok(text.startsWith(erase) && displayWidth(line) < 80 && !/\p{Cc}/u.test(line), JSON.stringify(text));
  }
});

test('with a path the report goes there, without colour and 80 columns wide', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'cselab-reports-'));
  const [stdout, path] = [stream(), join(directory, 'new', 'report.txt')];
  const context = { ...plain, color: true, columns: 200, stdout, stderr: stream(), isTTY: false };
  await terminalReporter(context, path).finish(sampleRun);
  assert.equal(await readFile(path, 'utf8'), renderTerminal(sampleRun, plain));
  assert.deepEqual(stdout.written, []);
  await rm(directory, { recursive: true });
});

test('what a run rests on is reported at its end, each thing once', () => {
  const survey = { before: 12, after: 13, left: ['/onem2m/cl-1'], others: 0 };
  const run = {
    ...sampleRun,
    assumed: ['it has no groups'],
    notes: ['policies work'],
    survey,
    shard: { index: 2, count: 3 },
  };
  const text = renderTerminal(run, { color: false, columns: 80, verbose: false });
  for (const part of [
    '  · part 2 of 3 of the plan\n',
    '  · assumed: it has no groups\n',
    '  · policies work\n',
    '  · the target held 12 resources before and 13 after; left behind: /onem2m/cl-1\n',
  ]) {
    assert.equal(text.split(part).length, 2, part);
  }
});

test('what passed once more alone stands apart, and is not called violated', () => {
  const requirements = sampleRun.requirements.map((one) =>
    one.verdict === 'violated' ? { ...one, verdict: 'intermittent' as const } : one,
  );
  const text = renderTerminal({ ...sampleRun, requirements }, { color: false, columns: 80, verbose: false });
  assert.match(text, /^Intermittent, so not satisfied: 3 requirements$/m);
  assert.match(text, /^≈ ae\.reachability-is-boolean$/m);
  assert.doesNotMatch(text, /^Violated/m);
});
