/** JUnit XML as its readers really take it: their rules, written down as small readers of our documents. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conformantRun, sampleRun } from '../testing/sample-run.ts';
import { renderJunit } from './junit-reporter.ts';
import { testSuites } from './test-suite.ts';

interface Case {
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: ReadonlyArray<{ readonly name: string; readonly attributes: string; readonly text: string }>;
}

const plain = (text: string) =>
  text
    .replace(/&#10;/g, '\n')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');

function casesOf(xml: string): Case[] {
  return [...xml.matchAll(/<testcase ([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)].map(([, head = '', body = '']) => ({
    attributes: Object.fromEntries(
      [...head.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key, plain(value ?? '')]),
    ),
    children: [...body.matchAll(/<(failure|error|skipped)([^>]*?)(?:\/>|>([\s\S]*?)<\/\1>)/g)].map(
      ([, name = '', attributes = '', text = '']) => ({ name, attributes, text: plain(text) }),
    ),
  }));
}

const xml = renderJunit(sampleRun);
const cases = casesOf(xml);
const broken = cases.filter(({ children }) => children.some(({ name }) => name === 'failure' || name === 'error'));

test('GitLab: class and name together are the key, the first of two with the same one stays, and both must be there', () => {
  const keys = cases.map(({ attributes }) => `${attributes.classname}\u0000${attributes.name}`);
  assert.equal(new Set(keys).size, testSuites(sampleRun).flatMap((suite) => suite.cases).length);
  assert.ok(cases.every(({ attributes }) => attributes.classname !== '' && attributes.name !== ''));
});

test('GitLab: the text of the element is shown and its message is not, so that all of it stands in the text', () => {
  for (const { children } of broken) {
    assert.match(children[0]?.text ?? '', /scenario {2}.+\n {10}\S+:\d+\n/);
    const message = plain(/message="([^"]*)"/.exec(children[0]?.attributes ?? '')?.[1] ?? '');
    assert.ok(children[0]?.text.includes(message), message);
  }
  assert.ok(broken.length > 2);
});

test('GitLab: a key is the same from run to run, since the pipeline compares by it', () => {
  const other = { ...sampleRun, run: 'abcdefg', startedAt: '2026-01-01T00:00:00.000Z' };
  assert.deepEqual(
    casesOf(renderJunit(other)).map(({ attributes }) => [attributes.classname, attributes.name]),
    cases.map(({ attributes }) => [attributes.classname, attributes.name]),
  );
});

test('GitLab: a file has at most 30 MB', () => {
  const mostFailures = 300;
  assert.ok((Buffer.byteLength(xml) / cases.length) * mostFailures * 10 < 30 * 1024 * 1024);
});

test('Jenkins: one failure or error for each case, since it keeps one', () => {
  for (const { children } of cases) assert.ok(children.length <= 1);
});

test('Jenkins: a class name is split at the last dot, and no part of it is empty', () => {
  for (const { attributes } of cases) {
    const parts = attributes.classname?.split('.') ?? [];
    assert.ok(parts.length >= 2 && parts.every((part) => part !== ''), attributes.classname);
  }
});

test('Jenkins: times are seconds with a dot, and the counts of a suite are those of its cases', () => {
  for (const { attributes } of cases) assert.match(attributes.time ?? '', /^\d+\.\d+$/);
  for (const [suite] of xml.matchAll(/<testsuite [\s\S]*?<\/testsuite>/g)) {
    const number = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(suite)?.[1] ?? 0);
    const own = casesOf(suite);
    const having = (name: string) => own.filter(({ children }) => children[0]?.name === name).length;
    assert.deepEqual(
      [number('tests'), number('failures'), number('errors'), number('skipped')],
      [own.length, having('failure'), having('error'), having('skipped')],
    );
  }
});

test('actions for GitHub: what is neither failure, error nor skipped has passed, and every reader tells those apart', () => {
  const expected = testSuites(sampleRun).flatMap((suite) => suite.cases.map(({ outcome }) => outcome.kind));
  assert.deepEqual(
    cases.map(({ children }) => children[0]?.name ?? 'passed'),
    expected,
  );
  assert.ok(casesOf(renderJunit(conformantRun)).every(({ children }) => children[0]?.name !== 'failure'));
});
