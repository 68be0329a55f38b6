import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failed, passed, scenario, step } from '../../baseline/testing/result.ts';
import type { ScenarioResult } from '../results/result.ts';
import { fileOf, planOf, runPlan, testCse } from '../test-cse.ts';
import { withSecondRun } from './second-runs.ts';

const good = '- retrieve: /${base}/nothing\n  expect: either\n  check: { doc.one: { status: 404 } }';

/** Answers the first so many reads in the wrong way. */
function wrongAtFirst(times: number) {
  let left = times;
  return ({ path }: { readonly path: string }) =>
    path.endsWith('/nothing') && left-- > 0 ? { status: 500, body: undefined } : undefined;
}

test('what fails and passes once more alone is intermittent: not violated, and not satisfied', async (t) => {
  const cse = await testCse(t, wrongAtFirst(1));
  const { result } = await runPlan(planOf(t, fileOf({ one: good, two: good })), cse.url, { jobs: 1 });
  const one = result.requirements.find(({ id }) => id === 'doc.one');
  assert.equal(one?.verdict, 'intermittent');
  assert.deepEqual(
    result.scenarios.map(({ state, again }) => [state, again]),
    [
      ['failed', 'passed'],
      ['passed', undefined],
    ],
  );
  assert.equal(result.exit.code, 1);
  assert.equal(
    result.exit.reason,
    '1 documented requirement satisfied only intermittently: doc.one; 1 of 4 requirements checked',
  );
});

test('what fails again stays violated, and without a second run nothing is intermittent', async (t) => {
  const always = await testCse(t, wrongAtFirst(9));
  const twice = await runPlan(planOf(t, fileOf({ one: good })), always.url, { jobs: 1 });
  assert.equal(twice.result.scenarios[0]?.again, 'failed');
  assert.equal(twice.result.exit.reason, '1 documented requirement violated: doc.one; 1 of 4 requirements checked');
  const once = await testCse(t, wrongAtFirst(1));
  const { result } = await runPlan(planOf(t, fileOf({ one: good })), once.url, { jobs: 1, again: false });
  assert.equal(result.exit.reason, '1 documented requirement violated: doc.one; 1 of 4 requirements checked');
});

test('the second run comes when nothing else runs, and its events are told once', async (t) => {
  const cse = await testCse(t, wrongAtFirst(1));
  const { events } = await runPlan(planOf(t, fileOf({ one: good, two: good, three: good })), cse.url, { jobs: 3 });
  const finished = events.flatMap((event) => (event.type === 'scenario finished' ? [event.result] : []));
  assert.equal(finished.length, 3);
  assert.equal(finished.at(-1)?.again, 'passed');
});

test('whoever does not fail on what is intermittent gets exit code 0, and is told', async (t) => {
  const cse = await testCse(t, wrongAtFirst(1));
  const strictness = { level: 'documented', failOn: ['violations'], minEvidence: 1 } as const;
  const { result } = await runPlan(planOf(t, fileOf({ one: good })), cse.url, { jobs: 1, strictness });
  assert.equal(result.exit.code, 0);
  assert.match(
    result.exit.reason,
    /^no new deviation in the 1 of 4 requirements that were checked; 1 known or excused/,
  );
});

test('too little evidence is inconclusive', async (t) => {
  const cse = await testCse(t);
  const strictness = { level: 'documented', failOn: ['violations'], minEvidence: 2 } as const;
  const once = await runPlan(planOf(t, fileOf({ one: good })), cse.url, { jobs: 1, strictness });
  assert.deepEqual(once.result.exit, {
    code: 4,
    reason: 'fewer than 2 checks passed for 1 of the requirements: doc.one; 1 of 4 requirements checked',
  });
  const twice = await runPlan(planOf(t, fileOf({ one: good, two: good })), cse.url, { jobs: 1, strictness });
  assert.equal(twice.result.exit.code, 0);
});

test('an answer that was lost twice in a run is an accident, and a third one is a finding', async (t) => {
  const other = good.replace('nothing', 'nowhere');
  const scenarios = { one: good, between: other, two: good, after: other, three: good };
  const losing = async (times: number) => {
    let left = times;
    const cse = await testCse(t, ({ path }) => (path.endsWith('/nothing') && left-- > 0 ? 'hang up' : undefined));
    return (await runPlan(planOf(t, fileOf(scenarios)), cse.url, { jobs: 1 })).result;
  };
  const twice = await losing(2);
  assert.equal(twice.exit.code, 0, twice.exit.reason);
  assert.equal(twice.notes?.length, 2);
  const thrice = await losing(3);
  assert.match(thrice.exit.reason, /satisfied only intermittently/);
});

test('what is certain to be violated does not run again for each scenario that shows it', async (t) => {
  const cse = await testCse(t, wrongAtFirst(9));
  const { result } = await runPlan(planOf(t, fileOf({ one: good, two: good, three: good })), cse.url, { jobs: 1 });
  assert.deepEqual(
    result.scenarios.map(({ state, again }) => [state, again]),
    [
      ['failed', 'failed'],
      ['failed', undefined],
      ['failed', undefined],
    ],
  );
});

/** What a scenario came to of which rules found this. */
function shown(state: ScenarioResult['state'], ...broken: readonly string[]): ScenarioResult {
  const found = broken.map((requirement) => failed(requirement, 'otherwise', { byRule: true }));
  return scenario('a/b', [step('retrieve it', [passed('doc.one'), ...found])], state);
}

const found: ReadonlyArray<readonly [why: string, second: ScenarioResult, intermittent: readonly string[]]> = [
  ['nothing fails then', shown('passed'), ['doc.two', 'doc.three']],
  ['the other fails then', shown('failed', 'doc.three'), ['doc.two']],
  ['both fail then', shown('failed', 'doc.three', 'doc.two'), []],
  ['something else fails then, which may hide it', shown('failed', 'doc.four'), []],
  ['it does not run through', shown('blocked'), []],
];
for (const [why, second, intermittent] of found) {
  test(`what rules found is intermittent: ${intermittent.join(', ') || 'nothing'}, where ${why}`, () => {
    const { steps } = withSecondRun(shown('failed', 'doc.two', 'doc.three'), second);
    const marked = steps.flatMap(({ checks }) => checks.filter((check) => check.intermittent === true));
    assert.deepEqual(
      marked.map(({ requirement }) => requirement),
      intermittent,
    );
  });
}

test('what came beside the answer to another request is not excused when it does not come again', () => {
  const beside = failed('doc.two', 'otherwise', { byRule: true, beside: true });
  const first = scenario('a/b', [step('retrieve it', [passed('doc.one'), beside])]);
  const { steps, again } = withSecondRun(first, shown('passed'));
  assert.deepEqual([again, steps], ['passed', first.steps]);
});
