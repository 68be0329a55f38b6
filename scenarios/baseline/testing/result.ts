/** For tests: results of fictitious runs. */

import { usualStrictness } from '../../engine/judging/verdict.ts';
import type { Exchange } from '../../engine/results/exchange.ts';
import type { CheckResult, RunResult, ScenarioResult, StepResult } from '../../engine/results/result.ts';

const place = { file: 'scenarios/documented/ae.yaml', line: 10, column: 9 };

export function failed(requirement: string, actual: string, more: Partial<CheckResult> = {}): CheckResult {
  return { requirement, state: 'failed', expected: ['otherwise'], actual, level: 'documented', place, ...more };
}

export function passed(requirement: string): CheckResult {
  return { ...failed(requirement, 'as expected'), state: 'passed' };
}

export function step(title: string, checks: readonly CheckResult[], exchange?: Exchange): StepResult {
  return { phase: 'step', title, checks, ...(exchange && { exchange }) };
}

export function scenario(
  id: string,
  steps: readonly StepResult[],
  state: ScenarioResult['state'] = 'failed',
): ScenarioResult {
  return { id, feature: 'f', title: 't', tags: [], place, state, steps, leftBehind: [], took: 1 };
}

export function exchangeOf(path: string, host: string, body: unknown): Exchange {
  return {
    request: { method: 'GET', path, headers: [['Host', host]] },
    answer: { status: 200, headers: [], body: JSON.stringify(body) },
    at: 0,
    took: 1,
    curl: 'curl',
  };
}

export function runOf(scenarios: readonly ScenarioResult[], more: Partial<RunResult> = {}): RunResult {
  return {
    tool: { name: 'cselab', version: '0' },
    specification: 's',
    dialect: 'documented',
    run: '0hwuljd',
    startedAt: '2026-11-21T12:00:00.000Z',
    took: 1,
    target: { kind: 'url', url: 'http://127.0.0.1:8000', base: 'onem2m', cseId: 'mn-cse-1', spId: 'openmtc.org' },
    installations: [],
    scenarios,
    requirements: [],
    strictness: usualStrictness,
    summary: {} as RunResult['summary'],
    exit: { code: 1, reason: 'r' },
    ...more,
  };
}
