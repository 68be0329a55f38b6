import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange, FailureKind } from '../results/exchange.ts';
import type { CheckState, ScenarioResult, ScenarioState } from '../results/result.ts';
import { keptText } from '../targets/exchanging/record.ts';
import { Losses, withoutUnanswered } from './losses.ts';

const place = { file: 'a.yaml', line: 1, column: 1 };
const request = { method: 'GET', path: '/', headers: [] };
const wire = { request, at: 0, took: 0, curl: '' };

function failing(kind: FailureKind): Exchange {
  return { ...wire, failure: { kind, message: `it was ${kind}` } };
}

function answering(body = '', headers: NonNullable<Exchange['answer']>['headers'] = []): Exchange {
  return { ...wire, answer: { status: 200, headers, body } };
}

function scenario(exchanges: readonly Exchange[], state: ScenarioState = 'failed', check: CheckState = 'failed') {
  const checks = [{ requirement: 'a', state: check, expected: [], actual: 'b', place }];
  const steps = exchanges.map((exchange) => ({ phase: 'step' as const, title: '', exchange, checks }));
  const result: ScenarioResult = {
    id: 'a',
    feature: '',
    title: '',
    tags: [],
    place,
    state,
    steps,
    leftBehind: [],
    took: 0,
  };
  return result;
}

function firstReason(losses: Losses, one: ScenarioResult, most = 1000): readonly [count: number, reason: string] {
  for (let count = 1; count <= most; count += 1) {
    const reason = losses.note(one);
    if (reason !== undefined) return [count, reason];
  }
  return [most, 'none'];
}

test('a target that cannot be reached is lost after three scenarios', () => {
  const reason = 'the target could not be reached any more: it was refused';
  assert.deepEqual(firstReason(new Losses(8), scenario([failing('refused')])), [3, reason]);
});

test('a target that gives no answer is lost when more scenarios saw it than run at the same time', () => {
  const [count, reason] = firstReason(new Losses(8), scenario([failing('closed'), failing('reset')]));
  assert.equal(count, 18);
  assert.match(reason, /^the target counts as lost: it gave no answer in 18 .*; the harness sees: it was reset$/);
});

test('one answer shows that the target is there', () => {
  const losses = new Losses(1);
  for (let round = 0; round < 20; round += 1) {
    assert.equal(firstReason(losses, scenario([failing('closed')]), 5)[1], 'none');
    assert.equal(losses.note(scenario([failing('closed'), answering()])), undefined);
  }
});

test('silence that was to come is no loss', () => {
  assert.equal(firstReason(new Losses(1), scenario([failing('tls')], 'passed', 'passed'))[1], 'none');
});

test('so many requests without an answer in time are enough, with answers between them', () => {
  const [count, reason] = firstReason(new Losses(1), scenario([answering(), failing('timeout'), failing('timeout')]));
  const lost = 'the target counts as lost: 100 of 150 requests went without an answer in time';
  assert.deepEqual([count, reason], [50, lost]);
});

test('a target that never answers one kind of request, and thousands of others, is there', () => {
  const losses = new Losses(1);
  const most = scenario([...Array.from({ length: 30 }, () => answering()), failing('timeout')]);
  assert.equal(firstReason(losses, most, 200)[1], 'none');
  assert.match(firstReason(losses, scenario([failing('timeout'), answering()]))[1], /of \d+ requests went without/);
});

test('at the end of a plan, three scenarios without an answer are enough', () => {
  const losses = new Losses(8);
  assert.equal(firstReason(losses, scenario([failing('timeout')]), 2)[1], 'none');
  assert.equal(losses.atEnd(), undefined);
  losses.note(scenario([failing('timeout')]));
  assert.match(losses.atEnd() ?? '', /in 3 scenarios in a row; the harness sees: it was timeout$/);
});

test('what failed for want of an answer is not held against a target that was lost', () => {
  const lost = withoutUnanswered(scenario([failing('timeout')]), 'lost');
  assert.deepEqual([lost.state, lost.reason, lost.steps[0]?.checks[0]?.state], ['blocked', 'lost', 'not testable']);
  const judged = withoutUnanswered(scenario([answering(), failing('timeout')]), 'lost');
  assert.equal(judged.state, 'failed');
  assert.deepEqual(
    judged.steps.map(({ checks }) => checks[0]?.state),
    ['failed', 'not testable'],
  );
});

test('a run keeps long answers for a while only', () => {
  const kept = keptText(10_000);
  const long = scenario([answering('a'.repeat(6000), [['a', 'b'.repeat(100)]])]);
  assert.equal(kept(long), long);
  const { answer } = kept(long).steps[0]?.exchange ?? {};
  assert.match(answer?.body ?? '', /^a{1024}… \(6000 characters\)$/);
  const short = scenario([answering('a')]);
  assert.deepEqual(kept(short), short);
});
