import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { judgeRun } from '../judging/verdict.ts';
import type { ScenarioResult } from '../results/result.ts';
import { planOf } from '../test-cse.ts';
import { loadScenarios } from './load.ts';
import { plan } from './plan.ts';
import { divide, durationsOf, durationsText, shardIn, shardOf, shardOfJob, shippedDurations } from './shard.ts';

const known = fc.dictionary(fc.stringMatching(/^[a-f]{1,4}$/), fc.integer({ min: 0, max: 5000 }), { maxKeys: 30 });
const unknown = fc.array(fc.stringMatching(/^[g-k]{1,3}$/), { maxLength: 10 });
const count = fc.integer({ min: 1, max: 9 });

const measured = (times: Readonly<Record<string, number>>) =>
  durationsOf(Object.entries(times).map(([id, took]) => ({ id, took })));

test('every id is in exactly one part, and none is in a part that has more than one id too many', () => {
  fc.assert(
    fc.property(known, unknown, count, (times, others, parts) => {
      const ids = [...new Set([...Object.keys(times), ...others])];
      const durations = measured(times);
      const found = divide(ids, parts, durations);
      assert.equal(found.length, parts);
      assert.deepEqual(found.flat().sort(), [...ids].sort());
      const tookOf = (id: string) => Math.max(1, durations.took.get(id) ?? durations.usual);
      const loads = found.map((part) => part.reduce((sum, id) => sum + tookOf(id), 0));
      const longest = Math.max(0, ...ids.map(tookOf));
      assert.ok(Math.max(...loads) - Math.min(...loads) <= longest, `${loads}`);
    }),
    { seed: 11 },
  );
});

test('the parts do not depend on the order of the ids', () => {
  fc.assert(
    fc.property(
      known.chain((times) => fc.tuple(fc.constant(times), fc.shuffledSubarray(Object.keys(times)))),
      count,
      ([times, some], parts) => {
        const durations = measured(times);
        assert.deepEqual(divide(some, parts, durations), divide([...some].sort(), parts, durations));
      },
    ),
    { seed: 12 },
  );
});

test('the longest come first, equal ones by their id, what is not known counts as usual', () => {
  const durations = {
    usual: 30,
    took: new Map([
      ['long', 100],
      ['b', 50],
      ['a', 50],
    ]),
  };
  assert.deepEqual(divide(['new', 'b', 'a', 'long'], 2, durations), [
    ['long', 'new'],
    ['a', 'b'],
  ]);
});

test('a shard is written as a part of so many, counted from 1', () => {
  assert.deepEqual(shardIn('2/5'), { index: 2, count: 5 });
  for (const text of ['0/3', '4/3', '1/0', '1/1001', 'x', '1', '1/3/3', '-1/3', ''])
    assert.throws(() => shardIn(text), { name: 'UsageError' }, text);
});

test('an indexed Kubernetes Job counts from 0', () => {
  assert.deepEqual(shardOfJob({ JOB_COMPLETION_INDEX: '0', CSELAB_SHARDS: '3' }), { index: 1, count: 3 });
  assert.deepEqual(shardOfJob({ JOB_COMPLETION_INDEX: '2', CSELAB_SHARDS: '3' }), { index: 3, count: 3 });
  const refused = (env: Record<string, string>, message: RegExp) => assert.throws(() => shardOfJob(env), message);
  refused({ CSELAB_SHARDS: '3' }, /needs the variable JOB_COMPLETION_INDEX/);
  refused({ JOB_COMPLETION_INDEX: '0' }, /needs the variable CSELAB_SHARDS/);
  refused({ JOB_COMPLETION_INDEX: '3', CSELAB_SHARDS: '3' }, /stays below CSELAB_SHARDS=3/);
});

const loaded = loadScenarios();

test('the parts of the whole plan are those that the project has measured, and about equally long', () => {
  const durations = shippedDurations();
  const ids = new Set(loaded.scenarios.map(({ id }) => id));
  assert.deepEqual(
    [...durations.took.keys()].filter((id) => !ids.has(id)),
    [],
  );
  for (const dialect of ['documented', 'onem2m'] as const) {
    const whole = plan(loaded, { dialect });
    const parts = [1, 2, 3].map((index) => shardOf(whole, { index, count: 3 }, durations));
    const found = parts.flatMap(({ scenarios }) => scenarios.map(({ id }) => id));
    assert.deepEqual(found.sort(), whole.scenarios.map(({ id }) => id).sort());
    const order = whole.scenarios.filter((one) => parts[1]?.scenarios.includes(one));
    assert.deepEqual(parts[1]?.scenarios, order);
  }
});

test('a table of durations holds what stands out, rounded', () => {
  const text = durationsText([
    { id: 'b', took: 1234 },
    { id: 'a', took: 18 },
    { id: 'c', took: 22 },
  ]);
  assert.deepEqual(JSON.parse(text), { usual: 20, slow: { b: 1250 } });
});

const twoScenarios = `feature: test
scenarios:
  a: { title: a, steps: [{ retrieve: /x, check: { doc.one: { status: 200 }, doc.three: { status: 200 } } }] }
  b: { title: b, steps: [{ retrieve: /x, check: { doc.two: { status: 200 }, doc.three: { status: 200 } } }] }
`;

function passing(id: string, requirements: readonly string[]): ScenarioResult {
  const place = { file: 'f', line: 1, column: 1 };
  const checks = requirements.map((requirement) => {
    return { requirement, state: 'passed' as const, expected: [], actual: '', level: 'documented' as const, place };
  });
  const step = { phase: 'step' as const, title: 's', place, checks };
  return { id, feature: 'f', title: id, tags: [], place, state: 'passed', steps: [step], leftBehind: [], took: 1 };
}

const even = { usual: 1, took: new Map<string, number>() };

test('what only other shards check is excluded, and leaves nothing open', (t) => {
  const part = shardOf(planOf(t, twoScenarios), { index: 1, count: 2 }, even);
  assert.deepEqual(
    part.scenarios.map(({ id }) => id),
    ['file/a'],
  );
  const strictness = { level: 'documented', failOn: ['violations'], minEvidence: 2 } as const;
  const twice = passing('file/a', ['doc.one', 'doc.one', 'doc.three']);
  const { requirements, exit } = judgeRun(part, [twice], { strictness });
  const of = (id: string) => requirements.find((one) => one.id === id);
  assert.deepEqual([of('doc.one')?.verdict, of('doc.three')?.verdict], ['satisfied', 'satisfied']);
  assert.deepEqual([of('doc.two')?.verdict, of('doc.two')?.reason], ['excluded', 'checked in other shards only']);
  // doc.three has one check here and one elsewhere.
  assert.equal(exit.code, 0);
  const nothingSeen = judgeRun(part, [twice], {
    strictness: { ...strictness, failOn: ['untestable'], minEvidence: 1 },
  });
  assert.deepEqual(nothingSeen.exit, {
    code: 1,
    reason: '2 documented requirements not testable: doc.hidden, gap.one; 2 of 4 requirements checked',
  });
});

test('a shard to which nothing falls is no failure; a plan without scenarios stays one', (t) => {
  const whole = planOf(t, twoScenarios);
  const empty = shardOf(whole, { index: 3, count: 3 }, even);
  assert.deepEqual(judgeRun(empty, []).exit, { code: 0, reason: 'no scenario is in shard 3 of 3' });
  const nothing = shardOf(planOf(t, twoScenarios, { tags: ['none'] }), { index: 1, count: 3 }, even);
  assert.equal(judgeRun(nothing, []).exit.code, 4);
});
