import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { RunResult } from '../../scenarios/words.ts';
import { runDocument } from '../check/run-document.ts';
import { renderPage } from '../document/html.tsx';
import { runOf, sampleRun } from '../testing/sample-run.ts';
import { sampleScenarios } from '../testing/sample-scenarios.ts';
import { unpack } from './testing/unpack.ts';

const page = unpack(renderPage(runDocument(sampleRun)));

test('the policy allows the one style and the one script by their hashes, and nothing else', () => {
  const policy = page.match(/http-equiv="Content-Security-Policy" content="([^"]*)"/)?.[1] ?? '';
  const hashOf = (element: string) => {
    const text = page.match(new RegExp(`<${element}[^>]*>([\\s\\S]*?)</${element}>`))?.[1] ?? '';
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  };
  assert.equal(
    policy,
    `default-src 'none'; style-src ${hashOf('style')}; script-src ${hashOf('script')}; base-uri 'none'; form-action 'none'`,
  );
});

test('nothing in the page refers to another place', () => {
  assert.deepEqual(page.match(/<(link|img|iframe|object|embed|base|form)\b/g), null);
  assert.deepEqual(page.match(/ (src|action|style|on[a-z]+)="/g), null);
  // A reader may follow the link to a clause; no page is told where from.
  const clause = /^https:\/\/specifications\.onem2m\.org\/ts\/ts-\d{4}\/latest\/\d+\.\d+" rel="noreferrer"/;
  for (const [, target = ''] of page.matchAll(/ href="([^>]*)>/g))
    assert.match(target, /^#/.test(target) ? /^#/ : clause);
  assert.doesNotMatch(page.match(/<style>([\s\S]*?)<\/style>/)?.[1] ?? '', /url\(|@import/);
});

test('hostile text does not become markup', () => {
  assert.equal(page.match(/<script/g)?.length, 1);
  assert.ok(page.includes('&lt;/script>&lt;script>alert(1)&lt;/script>'));
  assert.deepEqual(page.replaceAll('\n', '').match(/[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu), null);
});

test('every link leads to something in the page', () => {
  const ids = new Set([...page.matchAll(/ id="([^"]*)"/g)].map((match) => match[1]));
  for (const [, target = ''] of page.matchAll(/ href="#([^"]*)"/g)) assert.ok(ids.has(target), target);
});

test('a gap is shown as observed, against the reference', () => {
  const transcript = page.slice(page.indexOf('id="scenario:gaps/errors/unknown-path"'));
  const checks = transcript.slice(0, transcript.indexOf('</template>'));
  assert.equal(checks.match(/class="badge seen"/g)?.length, 2);
  assert.doesNotMatch(checks, /class="badge bad"|actual-bad/);
  assert.match(checks, /<dt>reference<\/dt>/);
});

test('a run in which nothing ran makes a page that says so', () => {
  const empty: RunResult = { ...runOf([], { code: 3, reason: 'the target refuses connections' }), requirements: [] };
  assert.match(renderPage(runDocument(empty)), /<h1>No verdict: the target refuses connections<\/h1>/);
  assert.match(renderPage(runDocument(empty)), /Nothing ran\./);
});

test('transcripts wait in templates, so that a page of many scenarios has few elements', () => {
  const many = Array.from({ length: 100 }, (_, index) =>
    sampleScenarios.map((scenario) => ({ ...scenario, id: `${scenario.id}-${index}`, state: 'passed' as const })),
  ).flat();
  const text = renderPage(runDocument(runOf(many, { code: 0, reason: 'none' })));
  const scenarios = text.slice(text.indexOf('id="view-scenarios"'), text.indexOf('id="view-gaps"'));
  assert.ok((scenarios.match(/<[a-z]/g)?.length ?? 0) < 12, scenarios);
  assert.equal(unpack(text).match(/<summary id="scenario:/g)?.length, many.length);
});

test('what is folded is compressed, and nothing of it is lost', () => {
  const whole = renderPage(runDocument(sampleRun));
  const unfolded = unpack(whole);
  assert.ok(whole.length < unfolded.length / 1.5, `${whole.length} of ${unfolded.length}`);
  assert.equal(unfolded.match(/<template>/g)?.length, 1 + sampleRun.requirements.length + sampleRun.scenarios.length);
  for (const { id, state, steps } of sampleRun.scenarios.filter((scenario) => scenario.steps.length > 0)) {
    const shown = steps.filter(({ phase }) => state !== 'passed' || phase !== 'cleanup');
    assert.equal(unfolded.split(` id="scenario:${id}:`).length - 1, shown.length, id);
  }
});

test('of a long scenario that passed what no check is about is counted, and what failed is reported in full', () => {
  const [first] = sampleScenarios;
  const step = first?.steps.find(({ exchange }) => exchange !== undefined);
  if (first === undefined || step === undefined) throw new TypeError('the sample has no exchange');
  const long = { ...first, steps: Array.from({ length: 30 }, () => ({ ...step, phase: 'step' as const, checks: [] })) };
  const told = (state: 'passed' | 'failed') => {
    const text = unpack(renderPage(runDocument(runOf([{ ...long, state }], { code: 0, reason: 'none' }))));
    return [text.match(/<li id="scenario:/g)?.length, /Not shown: (\d+) steps/.exec(text)?.[1]];
  };
  assert.deepEqual(told('passed'), [5, '25']);
  assert.deepEqual(told('failed'), [30, undefined]);
});

test('failures are listed first, and each links to its details', () => {
  const violated = page.slice(page.indexOf('id="view-violated"'), page.indexOf('id="view-sections"'));
  const [, index = ''] = /<ol class="index">(.*?)<\/ol>/s.exec(violated) ?? [];
  const listed = [...index.matchAll(/<li><a href="#(cause:[^"]*)"/g)].map(([, target]) => target);
  assert.deepEqual(
    listed,
    [...violated.matchAll(/<article [^>]*id="([^"]*)"/g)].map(([, id]) => id),
  );
  assert.equal(listed.length, 3);
});

test("the page's script passes the type checker", async () => {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  const options = ['--allowJs', '--checkJs', '--noEmit', '--strict', '--noUncheckedIndexedAccess', '--ignoreConfig'];
  const platform = ['--target', 'es2023', '--module', 'nodenext', '--lib', 'es2023,dom,dom.iterable', '--types', ''];
  const script = fileURLToPath(new URL('./page.js', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, ...options, ...platform, script]);
  assert.equal(stdout, '');
});
