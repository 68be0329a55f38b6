import { stringify } from 'yaml';
import type { RunResult } from '../../scenarios/words.ts';
import { locationText } from '../facts/evidence.ts';
import { deathHeadline } from '../facts/run-facts.ts';
import { verdictLine, visibleText } from '../facts/wording.ts';
import { type TestCase, testSuites } from './test-suite.ts';

/**
 * The whole document in version 14 of the Test Anything Protocol: one test point for each check. A run that ended early bails out, so
 * that no reader takes it for complete.
 */
export function renderTap(result: RunResult): string {
  const cases = testSuites(result).flatMap((suite) => suite.cases.map((testCase) => ({ suite: suite.name, testCase })));
  const points = cases.flatMap(({ suite, testCase }, index) => pointLines(testCase, suite, index + 1));
  const { exit, tool, run } = result;
  const death = deathHeadline(result);
  const ending = [3, 5, 130].includes(exit.code) ? [`Bail out! ${visibleText(exit.reason)}`] : [];
  const lines = [
    'TAP version 14',
    ...(death === '' ? [] : [`# ${visibleText(death)}`]),
    `# ${tool.name} ${tool.version}, run ${run}`,
    `1..${cases.length}`,
    ...points,
    `# ${visibleText(verdictLine(result))}`,
    ...ending,
  ];
  return `${lines.join('\n')}\n`;
}

function pointLines({ classname, name, outcome, evidence }: TestCase, requirement: string, number: number): string[] {
  // What would begin a directive is escaped.
  const point = `${number} - ${visibleText(`${classname}: ${name}`).replace(/[\\#]/g, (sign) => `\\${sign}`)}`;
  if (outcome.kind === 'passed') return [`ok ${point}`];
  if (outcome.kind === 'skipped') return [`ok ${point} # SKIP ${visibleText(outcome.reason.replace(/\s+/g, ' '))}`];
  const diagnostics = {
    severity: outcome.kind === 'failure' ? 'fail' : 'error',
    message: outcome.message,
    requirement,
    ...(evidence && {
      at: locationText(evidence.check),
      expected: [...evidence.check.expected],
      actual: evidence.check.actual,
      ...(evidence.check.intermittent && { intermittent: true }),
    }),
    text: outcome.text,
  };
  const block = stringify(diagnostics, { lineWidth: 0 }).trimEnd().split('\n');
  return [`not ok ${point}`, '  ---', ...block.map((line) => (line === '' ? '' : `  ${line}`)), '  ...'];
}
