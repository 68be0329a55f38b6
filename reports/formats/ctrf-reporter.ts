import type { RunResult } from '../../scenarios/words.ts';
import { visibleText } from '../facts/wording.ts';
import { type CaseOutcome, type TestCase, type TestSuite, testSuites } from './test-suite.ts';

const statuses = { passed: 'passed', skipped: 'skipped', failure: 'failed', error: 'other' } as const satisfies Record<
  CaseOutcome['kind'],
  string
>;

/** In the Common Test Report Format, one test for each check. A fault of the harness is `other`: it says nothing about the target. */
export function renderCtrf(result: RunResult): string {
  const { tool, run, startedAt, took, specification, dialect, exit, target, shard, deaths = [] } = result;
  const start = Date.parse(startedAt);
  const tests = testSuites(result).flatMap((suite) => suite.cases.map((testCase) => testOf(testCase, suite, start)));
  const document = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    runId: run,
    timestamp: startedAt,
    generatedBy: `${tool.name} ${tool.version}`,
    results: {
      tool: { name: tool.name, version: tool.version },
      summary: summaryOf(tests, start, Math.round(took)),
      tests,
      environment: {
        appName: target.product ?? target.url,
        ...(target.version !== undefined && { appVersion: target.version }),
        ...(shard && { shardId: `${shard.index}/${shard.count}` }),
        healthy: exit.code === 0,
        extra: { ...(deaths.length > 0 && { deaths }), specification, dialect, url: target.url, exit },
      },
    },
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function summaryOf(tests: ReadonlyArray<ReturnType<typeof testOf>>, start: number, duration: number) {
  const having = (status: string) => tests.filter((test) => test.status === status).length;
  return {
    tests: tests.length,
    passed: having('passed'),
    failed: having('failed'),
    skipped: having('skipped'),
    pending: 0,
    other: having('other'),
    flaky: tests.filter(({ flaky }) => flaky).length,
    suites: new Set(tests.map(({ suite }) => suite[0])).size,
    start,
    stop: start + duration,
    duration,
  };
}

function testOf({ classname, name, seconds, outcome, evidence }: TestCase, suite: TestSuite, start: number) {
  const { check, scenario, step } = evidence ?? {};
  const flaky = check?.intermittent === true;
  const began = step?.exchange?.at;
  return {
    name: `${classname}: ${name}`,
    status: statuses[outcome.kind],
    duration: Math.round(seconds * 1000),
    ...(began !== undefined && { start: start + Math.round(began) }),
    suite: [suite.name],
    ...(check && scenario && { rawStatus: check.state, tags: [...scenario.tags] }),
    ...(check && { filePath: check.place.file, line: check.place.line }),
    flaky,
    ...(flaky && { retries: 1 }),
    ...(outcome.kind === 'skipped' && { message: visibleText(outcome.reason) }),
    ...('text' in outcome && { message: visibleText(outcome.message), trace: outcome.text }),
    extra: suite.properties,
  };
}
