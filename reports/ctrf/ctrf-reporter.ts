import type { RunResult } from '../../scenarios/index.ts';
import { type Outcome, type TestCase, type TestSuite, testSuites } from '../junit/test-suite.ts';
import { visibleText } from '../visible-text.ts';

const statuses = { passed: 'passed', skipped: 'skipped', failure: 'failed', error: 'other' } as const satisfies Record<
  Outcome['kind'],
  string
>;

/** In the Common Test Report Format, one test for each check. A fault of the harness is `other`: it says nothing about the target. */
export function renderCtrf(result: RunResult): string {
  const { tool, run, startedAt, took, specification, dialect, exit, target, shard, deaths = [] } = result;
  const start = Date.parse(startedAt);
  const tests = testSuites(result).flatMap((suite) => suite.cases.map((testCase) => testOf(testCase, suite, start)));
  const having = (status: string) => tests.filter((test) => test.status === status).length;
  const document = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    runId: run,
    timestamp: startedAt,
    generatedBy: `${tool.name} ${tool.version}`,
    results: {
      tool: { name: tool.name, version: tool.version },
      summary: {
        tests: tests.length,
        passed: having('passed'),
        failed: having('failed'),
        skipped: having('skipped'),
        pending: 0,
        other: having('other'),
        flaky: tests.filter(({ flaky }) => flaky).length,
        suites: new Set(tests.map(({ suite }) => suite[0])).size,
        start,
        stop: start + Math.round(took),
        duration: Math.round(took),
      },
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

function testOf({ classname, name, seconds, outcome, evidence }: TestCase, suite: TestSuite, start: number) {
  const flaky = evidence?.check.intermittent === true;
  const place = evidence?.check.place;
  const began = evidence?.step.exchange?.at;
  return {
    name: `${classname}: ${name}`,
    status: statuses[outcome.kind],
    duration: Math.round(seconds * 1000),
    ...(began !== undefined && { start: start + Math.round(began) }),
    suite: [suite.name],
    ...(evidence && { rawStatus: evidence.check.state, tags: [...evidence.scenario.tags] }),
    ...(place && { filePath: place.file, line: place.line }),
    flaky,
    ...(flaky && { retries: 1 }),
    ...toldOf(outcome),
    extra: suite.properties,
  };
}

function toldOf(outcome: Outcome): { readonly message?: string; readonly trace?: string } {
  if (outcome.kind === 'passed') return {};
  if (outcome.kind === 'skipped') return { message: visibleText(outcome.reason) };
  return { message: visibleText(outcome.message), trace: outcome.text };
}
