/** For tests: a run of every scenario at the reference CSE, shared by all tests since it takes long. */
import { check } from '../checking/check.ts';
import { getOrAdd } from '../engine/basics/memoize.ts';
import type { Dialect } from '../engine/grammar/dialects.ts';
import type { RunResult } from '../engine/results/result.ts';
import { lastOf } from '../engine/running/last-of.ts';

const runs = new Map<string, Promise<RunResult>>();

export function wholeRun(kind: 'embedded' | 'in-process', dialect: Dialect): Promise<RunResult> {
  return getOrAdd(runs, `${kind} ${dialect}`, () => lastOf(check({ target: { kind }, dialect })));
}
