import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Plan } from '../files/plan.ts';
import type { CheckResult, CheckState, ScenarioResult } from '../results/result.ts';
import { fileOf, planOf } from '../test-cse.ts';
import { checkedShare } from './exit-words.ts';
import { stateOf } from './scenario-state.ts';
import { judgeRun, type Stop } from './verdict.ts';

const place = { file: 'f', line: 1, column: 1 };

function check(requirement: string, state: CheckState, more: Partial<CheckResult> = {}): CheckResult {
  const level = requirement.startsWith('gap') ? 'gap' : 'documented';
  return { requirement, state, expected: ['status 200'], actual: 'status 500', level, place, ...more };
}

function scenario(id: string, checks: CheckResult[], more: Partial<ScenarioResult> = {}): ScenarioResult {
  const steps = [{ phase: 'step', title: 'retrieve /x', checks }] as const;
  const state = stateOf(steps, { block: undefined, fault: undefined, interrupted: false });
  return { id, feature: 'f', title: id, tags: [], place, ...state, steps, leftBehind: [], took: 1, ...more };
}

const text = fileOf({
  one: '- retrieve: /x\n  check: { doc.one: { status: 200 }, doc.two: { status: 200 }, doc.three: { status: 200 }, gap.one: { status: 200 } }',
});

function verdicts(
  chosen: Plan,
  scenarios: ScenarioResult[],
  stop?: Stop,
): { of: Record<string, string>; code: number; reason: string } {
  const { requirements, exit } = judgeRun(chosen, scenarios, { stop });
  return { of: Object.fromEntries(requirements.map(({ id, verdict }) => [id, verdict])), ...exit };
}

test('each requirement gets the verdict of its checks', (t) => {
  const result = verdicts(planOf(t, text), [
    scenario('a', [
      check('doc.one', 'passed'),
      check('doc.two', 'passed'),
      check('doc.three', 'not testable', { reason: 'r', excused: true }),
    ]),
    scenario('b', [check('doc.one', 'failed'), check('doc.two', 'passed'), check('gap.one', 'failed')]),
  ]);
  assert.deepEqual(result.of, {
    'doc.one': 'violated',
    'doc.two': 'satisfied',
    'doc.three': 'not testable',
    'doc.hidden': 'not testable',
    'gap.one': 'implementation-defined',
  });
  assert.deepEqual(
    [result.code, result.reason],
    [1, '1 documented requirement violated: doc.one; 3 of 4 requirements checked'],
  );
});

test('a testable requirement without an exchange was not asked', (t) => {
  const one = planOf(t, fileOf({ one: '- retrieve: /x\n  check: { doc.one: { status: 200 } }' }));
  const requirements = new Set([...one.requirements, 'doc.two']);
  const judge = (evidence: Parameters<typeof judgeRun>[2] = {}) =>
    judgeRun({ ...one, requirements, checked: requirements }, [scenario('a', [check('doc.one', 'passed')])], evidence);
  const told = (of: ReturnType<typeof judge>) => of.requirements.find(({ id }) => id === 'doc.two');
  const silent = judge();
  assert.equal(told(silent)?.verdict, 'not asked');
  assert.equal(told(silent)?.reason, 'no exchange of this run is about it');
  assert.equal(silent.summary.verdicts['not asked'], 3);
  assert.equal(told(judge({ evidence: { 'doc.two': { exchanges: 1, by: {} } } }))?.verdict, 'satisfied');
});

test('observations are counted, violations are pointed at', (t) => {
  const { requirements, summary } = judgeRun(
    planOf(t, text),
    [
      scenario('a', [check('doc.two', 'passed'), check('doc.one', 'failed')]),
      scenario('b', [check('doc.two', 'passed')]),
    ],
    undefined,
  );
  const found = (id: string) => requirements.find((requirement) => requirement.id === id);
  assert.equal(found('doc.two')?.observations, 2);
  assert.deepEqual(found('doc.one')?.violations, [{ scenario: 'a', step: 0, check: 1 }]);
  assert.deepEqual(summary.checks, {
    passed: 2,
    failed: 1,
    lost: 0,
    'not testable': 0,
    'left out': 0,
    'not applicable': 0,
    fault: 0,
  });
  assert.deepEqual(summary.scenarios, {
    passed: 1,
    failed: 1,
    blocked: 0,
    lost: 0,
    'not testable': 0,
    'left out': 0,
    'not applicable': 0,
    fault: 0,
    interrupted: 0,
  });
});

const open = check('doc.two', 'not testable', { reason: 'the request was refused: 404' });
const passed = check('doc.one', 'passed');
const refused = { kind: 'refused', message: 'm' } as const;
const request = { method: 'GET', path: '/', headers: [] };
const exchange = { request, failure: refused, at: 0, took: 0, curl: '' };
const lost = scenario('a', [], { steps: [{ phase: 'step', title: 't', checks: [open], exchange }] });
const exits: ReadonlyArray<readonly [name: string, scenarios: ScenarioResult[], stop: Stop | undefined, code: number]> =
  [
    ['everything passed', [scenario('a', [passed])], undefined, 0],
    ['a gap differs', [scenario('a', [passed, check('gap.one', 'failed')])], undefined, 0],
    ['an optional value was absent', [scenario('a', [passed, { ...open, excused: true }])], undefined, 0],
    ['something failed', [scenario('a', [check('doc.one', 'failed')])], undefined, 1],
    [
      'something failed and the harness too',
      [scenario('a', [check('doc.one', 'failed'), check('doc.two', 'fault')])],
      undefined,
      1,
    ],
    ['the harness failed', [scenario('a', [passed, check('doc.two', 'fault')])], undefined, 3],
    ['the target was lost', [lost], undefined, 3],
    ['there was no target', [], { kind: 'unreachable', reason: 'no' }, 3],
    ['something could not be judged', [scenario('a', [passed, open])], undefined, 4],
    ['nothing could be judged', [scenario('a', [{ ...open, excused: true }])], undefined, 4],
    ['nothing ran', [], undefined, 4],
    [
      'only what is left open was looked at',
      [scenario('a', [check('gap.one', 'passed', { level: 'gap' })])],
      undefined,
      4,
    ],
    [
      'only what advises was judged',
      [scenario('a', [check('std.one', 'passed', { level: 'advisory' })])],
      undefined,
      4,
    ],
    [
      'it was interrupted, whatever else',
      [scenario('a', [check('doc.one', 'failed')])],
      { kind: 'interrupted', reason: 'x' },
      130,
    ],
  ];

for (const [name, scenarios, stop, code] of exits) {
  test(`the exit code is ${code} when ${name}`, (t) => {
    assert.equal(verdicts(planOf(t, text), scenarios, stop).code, code);
  });
}

const mixed = fileOf({
  one: '- retrieve: /x\n  check: { doc.one: { status: 200 }, std.one: { status: 200 }, std.two: { status: 200 }, gap.one: { status: 200 } }',
});
const advises = (requirement: string, state: CheckState) => check(requirement, state, { level: 'advisory' });

test('a run says in how many requirements nothing deviates, and what of the other dialect is not satisfied', (t) => {
  const kept = [check('doc.one', 'passed'), advises('std.one', 'passed')];
  const reasonOf = (seen: CheckResult[]) => verdicts(planOf(t, mixed), [scenario('a', seen)]).reason;
  assert.equal(reasonOf(kept), 'no deviation in the 2 of 6 requirements that were checked');
  assert.equal(
    reasonOf([...kept, advises('std.two', 'failed')]),
    'no deviation in the 3 of 6 requirements that were checked; as advice only: 1 requirement of the standard not satisfied',
  );
});

test('of a choice it is said how much of everything it is, and of what the catalogue calls untestable nothing is counted', (t) => {
  const chosen = planOf(t, text, { ids: ['doc.one'] });
  const { exit, requirements } = judgeRun(chosen, [scenario('a', [check('doc.one', 'passed')])]);
  assert.equal(exit.reason, 'no deviation in the 1 of 4 requirements that were checked');
  assert.deepEqual(checkedShare(requirements), { listed: 5, checkable: 4, notApplicable: 0, checked: 1 });
  const all = ['doc.one', 'doc.two', 'doc.three', 'gap.one'].map((id) => check(id, 'passed'));
  const whole = judgeRun(planOf(t, text), [scenario('a', all)]);
  assert.equal(whole.exit.reason, 'no deviation in all 4 requirements that can be checked');
  const lacking = judgeRun(planOf(t, text), [scenario('a', [...all.slice(1), missing('doc.one')])]);
  assert.equal(lacking.exit.reason, 'no deviation in the 3 of 4 requirements that apply to this target');
});

test('what a run left out by choice is not called inapplicable', (t) => {
  const { of } = verdicts(planOf(t, text), [
    scenario('a', [{ ...missing('doc.one'), byChoice: true }, missing('doc.two')]),
  ]);
  assert.deepEqual([of['doc.one'], of['doc.two']], ['excluded', 'not applicable']);
});

test('a run in which nothing counts is inconclusive, and says why', (t) => {
  const reasonOf = (...checks: CheckResult[]) => verdicts(planOf(t, mixed), [scenario('a', checks)]).reason;
  assert.equal(
    reasonOf(advises('std.one', 'passed'), check('gap.one', 'passed')),
    'nothing that counts was checked: requirements of the standard only advise in this dialect. Give --dialect onem2m; 2 of 6 requirements checked',
  );
  assert.equal(
    reasonOf(check('gap.one', 'passed')),
    'nothing that counts was checked: everything checked is implementation-defined; 1 of 6 requirements checked',
  );
});

test('what a stopped run did not reach is excluded', (t) => {
  const { of } = verdicts(planOf(t, text), [], { kind: 'enough', reason: 'enough' });
  assert.deepEqual([of['doc.one'], of['doc.hidden']], ['excluded', 'not testable']);
});

const missing = (requirement: string) => check(requirement, 'not applicable', { reason: 'needs a target over HTTPS' });

test('what the target has not is not applicable, is counted, and leaves nothing open', (t) => {
  const chosen = planOf(t, text);
  const scenarios = [
    scenario('a', [check('doc.one', 'passed'), missing('doc.two')]),
    scenario('b', [missing('doc.one'), missing('doc.two'), missing('gap.one')]),
  ];
  const { requirements, summary, exit } = judgeRun(chosen, scenarios);
  const verdictOf = (id: string) => requirements.find((one) => one.id === id);
  assert.deepEqual(
    ['doc.one', 'doc.two', 'gap.one'].map((id) => [verdictOf(id)?.verdict, verdictOf(id)?.reason]),
    [
      ['satisfied', undefined],
      ['not applicable', 'needs a target over HTTPS'],
      ['not applicable', 'needs a target over HTTPS'],
    ],
  );
  assert.equal(exit.code, 0);
  assert.deepEqual([summary.checks['not applicable'], summary.scenarios['not applicable']], [3, 1]);
});

test('a requirement that was not checked elsewhere either stays not testable', (t) => {
  const result = verdicts(planOf(t, text), [scenario('a', [check('doc.one', 'passed'), open, missing('doc.two')])]);
  assert.deepEqual([result.of['doc.two'], result.code], ['not testable', 4]);
});

test('a run in which nothing was applicable is inconclusive', (t) => {
  const result = verdicts(planOf(t, text), [scenario('a', [missing('doc.one')])]);
  assert.deepEqual([result.code, result.reason], [4, 'nothing was checked: no check was testable and applicable']);
});
