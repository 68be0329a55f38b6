import type { RunResult } from '../../scenarios/words.ts';
import { verdictLine, visibleText } from '../facts/wording.ts';
import { type CaseOutcome, type TestCase, type TestSuite, testSuites } from './test-suite.ts';

/**
 * The result as JUnit XML, one case for each check.
 *
 * The document keeps to the published schemas rather than to what single readers also understand: the reason of a
 * skipped case is the text of `<skipped>` (Jenkins and GitLab read it there), and there is no `file` attribute, since
 * the scenario files are not in the repository whose pipeline shows the report. The place stands in the text.
 */
export function renderJunit(result: RunResult): string {
  const common: Attributes = {
    // Ant's schema forbids a zone here; the time is UTC.
    timestamp: result.startedAt.slice(0, 19),
    hostname: (URL.canParse(result.target.url) && new URL(result.target.url).hostname) || 'localhost',
  };
  const suites = testSuites(result);
  const content = suites.map((suite, index) => suiteXml(suite, index, common)).join('\n');
  const { skipped: _, ...totals } = countsOf(suites.flatMap(({ cases }) => cases));
  // Jenkins's schema has no sum of skipped cases; Ant's has no sums at all, but build servers show them.
  const all = { name: visibleText(verdictLine(result)), ...totals };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', all, `\n${content}\n`)}\n`;
}

function countsOf(cases: readonly TestCase[]) {
  const having = (kind: CaseOutcome['kind']) => cases.filter(({ outcome }) => outcome.kind === kind).length;
  return {
    tests: cases.length,
    failures: having('failure'),
    errors: having('error'),
    skipped: having('skipped'),
    time: secondsText(cases.reduce((sum, testCase) => sum + testCase.seconds, 0)),
  };
}

function suiteXml(suite: TestSuite, index: number, common: Attributes): string {
  const { name, cases } = suite;
  const { skipped, ...counts } = countsOf(cases);
  // Ant's schema does not know skipping, so it is left out if nothing was skipped.
  const attributes = { name, package: 'cselab', id: index, ...common, ...counts, ...(skipped > 0 && { skipped }) };
  const properties = Object.entries(suite.properties).map(([key, value]) =>
    element('property', { name: key, value: visibleText(value) }),
  );
  const content = [
    element('properties', {}, properties.join('')),
    ...cases.map(({ classname, name, seconds, outcome }) =>
      element('testcase', { classname, name, time: secondsText(seconds) }, outcomeXml(outcome)),
    ),
    element('system-out', {}, xmlText(suite.output.split('\n').map(visibleText).join('\n'))),
    element('system-err', {}),
  ];
  return element('testsuite', attributes, `\n${content.join('\n')}\n`);
}

function outcomeXml(outcome: CaseOutcome): string {
  if (outcome.kind === 'passed') return '';
  if (outcome.kind === 'skipped') return element('skipped', {}, xmlText(visibleText(outcome.reason)));
  const { kind, type, message, text } = outcome;
  return element(kind, { type, message: visibleText(message) }, xmlText(text));
}

const secondsText = (seconds: number): string => seconds.toFixed(6);

/** Everything that XML 1.0 does not allow in a document, even as a reference. */
const illegal = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
/** `>` also to keep `]]>` out of the text, which is not allowed there. */
const references: ReadonlyMap<string, string> = new Map(
  Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;', '\r': '&#13;', '\t': '&#9;' }),
);

function escaped(text: string, signs: RegExp): string {
  return text.replace(illegal, '').replace(signs, (character) => references.get(character) ?? '');
}

export const xmlText = (text: string): string => escaped(text, /[&<>\r]/g);
export const xmlAttribute = (text: string): string => escaped(text, /[&<>"\n\r\t]/g);

type Attributes = Readonly<Record<string, string | number>>;

/** An element around content that is XML already; without content it closes itself. */
export function element(name: string, attributes: Attributes, content = ''): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlAttribute(String(value))}"`);
  const start = `<${name}${written.join('')}`;
  return content === '' ? `${start}/>` : `${start}>${content}</${name}>`;
}
