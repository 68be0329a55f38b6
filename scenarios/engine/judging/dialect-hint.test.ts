import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScenarioResult, StepResult } from '../results/result.ts';
import { dialectHint } from './exit-words.ts';

function created(status: number, problem?: string, rsc?: string): StepResult {
  const exchange = {
    request: { method: 'POST', path: '/onem2m', headers: [] },
    answer: { status, headers: rsc === undefined ? [] : [['x-m2m-rsc', rsc] as const], body: '' },
    ...{ at: 0, took: 0, curl: '' },
  };
  return { phase: 'given', title: 'create ae', exchange, checks: [], ...(problem !== undefined && { problem }) };
}

function scenario(steps: readonly StepResult[]): ScenarioResult {
  const place = { file: 'f', line: 1, column: 1 };
  return { id: 'a', feature: 'a', title: 'a', tags: [], place, state: 'blocked', steps, leftBehind: [], took: 0 };
}

const refused = Array.from({ length: 5 }, () => created(400, 'the request was refused: status 400'));

test('where each creation that had to succeed is refused, the other dialect is named', () => {
  assert.match(dialectHint('documented', [scenario(refused)]) ?? '', /try --dialect onem2m$/);
});

test('no hint in the other dialect, for few or expected refusals, or after a successful creation', () => {
  assert.equal(dialectHint('onem2m', [scenario(refused)]), undefined);
  assert.equal(dialectHint('documented', [scenario(refused.slice(1))]), undefined);
  assert.equal(dialectHint('documented', [scenario(Array.from({ length: 9 }, () => created(400)))]), undefined);
  assert.equal(dialectHint('documented', [scenario([...refused, created(201)])]), undefined);
});

test('a target that wants a client certificate speaks no other dialect for that', () => {
  const demanding = Array.from({ length: 5 }, () => created(403, 'the request was refused: status 403', '4107'));
  assert.equal(dialectHint('documented', [scenario(demanding)]), undefined);
});
