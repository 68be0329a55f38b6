import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunResult, ScenarioResult } from '../engine/results/result.ts';
import type { ExcusedDeviation } from './grammar.ts';
import { type MarkedRun, markKnown } from './mark.ts';
import { normaliserOf } from './normalise.ts';
import { signatureOf } from './signature.ts';
import { failed, passed, runOf, scenario, step } from './testing/result.ts';

const today = '2027-03-31';
const knowledge = {
  requirements: new Set(['ae.ri', 'ae.rn', 'container.ri']),
  scenarios: new Map([
    ['documented/ae/create', new Set(['ae.ri', 'ae.rn'])],
    ['documented/ae/retrieve', new Set(['ae.ri'])],
  ]),
};

function signed(actual: string): string {
  const one = scenario('x', []);
  return signatureOf({ actual }, normaliserOf(runOf([one]), one)).text;
}

const usual: ExcusedDeviation = {
  scenario: 'documented/ae/create',
  requirement: 'ae.ri',
  step: 'create ae in /${base}',
  signature: signed('attribute ri is absent'),
};

const create = (...checks: Parameters<typeof step>[1]): ScenarioResult =>
  scenario(
    'documented/ae/create',
    [step('create ae in /onem2m', checks)],
    checks.some(({ state }) => state === 'failed') ? 'failed' : 'passed',
  );

function mark(
  entries: readonly Partial<ExcusedDeviation>[],
  scenarios: readonly ScenarioResult[],
  more: Partial<RunResult> = {},
  isWhole = true,
): MarkedRun {
  const place = { file: 'known.yaml', line: 2, column: 5 };
  const all = entries.map((entry) => ({ ...usual, ...entry, place }));
  return markKnown({ file: 'known.yaml', path: '/known.yaml', entries: all }, runOf(scenarios, more), {
    today,
    knowledge,
    isWhole,
  });
}

const knownIn = ({ scenarios }: MarkedRun) =>
  scenarios.flatMap(({ steps }) => steps.flatMap(({ checks }) => checks.map(({ known }) => known)));
const kinds = ({ outcome }: MarkedRun) => outcome.problems.map(({ kind }) => kind);

test('a failure that the baseline knows carries what people wrote', () => {
  const said = { reason: 'vendor knows', ticket: 'GW-12', owner: 'platform', expires: '2027-03-31' };
  const marked = mark(
    [said],
    [create(failed('ae.ri', 'attribute ri is absent'), failed('ae.rn', 'attribute rn is absent'))],
  );
  assert.deepEqual(knownIn(marked), [said, undefined]);
  assert.deepEqual(marked.outcome, { file: 'known.yaml', known: 1, problems: [] });
});

test('another failure of the check is not known, and its entry not stale', () => {
  const marked = mark([{}], [create(failed('ae.ri', 'attribute ri is 7'))]);
  assert.deepEqual([knownIn(marked), kinds(marked)], [[undefined], []]);
});

test('an entry whose check passes is stale, unless it comes and goes', () => {
  const marked = mark([{}], [create(passed('ae.ri'))]);
  assert.deepEqual(kinds(marked), ['stale']);
  assert.match(marked.outcome.problems[0]?.says ?? '', /excuses ae\.ri in documented\/ae\/create \(known\.yaml:2\)/);
  assert.deepEqual(kinds(mark([{ intermittent: true }], [create(passed('ae.ri'))])), []);
  const failing = mark([{ intermittent: true }], [create(failed('ae.ri', 'attribute ri is absent'))]);
  assert.deepEqual([knownIn(failing), kinds(failing)], [[{}], []]);
});

test('what was not judged leaves an entry as it is', () => {
  const open = { ...passed('ae.ri'), state: 'not testable' as const };
  const results: ReadonlyArray<readonly ScenarioResult[]> = [
    [],
    [create(open)],
    [create({ ...open, state: 'not applicable' })],
    [{ ...create(passed('ae.ri')), state: 'interrupted' }],
    [create(passed('ae.rn'))],
  ];
  for (const scenarios of results) assert.deepEqual(kinds(mark([{}], scenarios)), []);
});

test('an entry holds on its last day, and is red from the next', () => {
  const failing = [create(failed('ae.ri', 'attribute ri is absent'))];
  assert.deepEqual(kinds(mark([{ expires: today }], failing)), []);
  const expired = mark([{ expires: '2027-03-30', ticket: 'GW-1' }], failing);
  assert.deepEqual([kinds(expired), knownIn(expired)], [['expired'], [{ ticket: 'GW-1', expires: '2027-03-30' }]]);
});

test('an expired entry is red, too, where a rule finds its failure in another scenario', () => {
  const retrieve = step('retrieve ae', [failed('ae.ri', 'attribute ri is absent', { byRule: true })]);
  const elsewhere = mark([{ expires: '2027-03-30' }], [scenario('documented/ae/retrieve', [retrieve])]);
  assert.deepEqual([kinds(elsewhere), elsewhere.outcome.known], [['expired'], 1]);
});

test('an entry for any scenario is stale in a whole run alone: a rule may find its failure where a part did not look', () => {
  const passing = [create(passed('ae.ri'))];
  const entries = [{ scenario: '*', step: undefined }];
  assert.deepEqual(kinds(mark(entries, passing)), ['stale']);
  assert.deepEqual(kinds(mark(entries, passing, {}, false)), []);
});

test('an entry whose condition does not hold is neither used nor stale', () => {
  const target = { ...runOf([]).target, product: 'OpenMTC', version: '1.4' };
  const failing = [create(failed('ae.ri', 'attribute ri is absent'))];
  const passing = [create(passed('ae.ri'))];
  const others = [{ dialect: 'onem2m' as const }, { product: 'ACME' }, { version: '>=2' }, { version: ['1.2', '1.3'] }];
  for (const when of others) {
    assert.deepEqual(knownIn(mark([{ when }], failing, { target })), [undefined]);
    assert.deepEqual(kinds(mark([{ when }], passing, { target })), []);
  }
  const holds = { dialect: 'documented' as const, product: 'openmtc', version: ['1.2', '>=1.4 <2'] };
  assert.equal(mark([{ when: holds }], failing, { target }).outcome.known, 1);
  assert.equal(mark([{ when: { version: '1.4' } }], failing).outcome.known, 0, 'the target tells no version');
});

test('equal checks of equal steps are counted, and steps may come before them', () => {
  const twice = [
    step('retrieve /onem2m', [passed('ae.ri')]),
    step('retrieve /onem2m', [failed('ae.ri', 'attribute ri is absent')]),
  ];
  const result = [scenario('documented/ae/create', twice)];
  const second = { step: 'retrieve /${base}', nth: 2 };
  assert.equal(mark([second], result).outcome.known, 1);
  const longer = [scenario('documented/ae/create', [step('create ae in /onem2m', []), ...twice])];
  assert.equal(mark([second], longer).outcome.known, 1);
  assert.deepEqual(kinds(mark([{ step: 'retrieve /${base}' }], result)), ['stale']);
});

test('an entry without a step speaks of every step of its scenario', () => {
  const { step: _, ...everywhere } = usual;
  const place = { file: 'known.yaml', line: 2, column: 5 };
  const steps = ['a', 'b'].map((title) => step(title, [failed('ae.ri', 'attribute ri is absent')]));
  const baseline = { file: 'known.yaml', path: '/known.yaml', entries: [{ ...everywhere, place }] };
  const run = runOf([scenario('documented/ae/create', steps)]);
  assert.equal(markKnown(baseline, run, { today, knowledge, isWhole: true }).outcome.known, 2);
});

test('what nobody knows is red, and comes with a guess', () => {
  const says = (entry: Partial<ExcusedDeviation>, scenarios: readonly ScenarioResult[] = []) =>
    mark([entry], scenarios).outcome.problems.map(({ kind, says }) => `${kind}: ${says.replace(/^.*, but /, '')}`);
  assert.deepEqual(says({ requirement: 'ae.rj' }), [
    'unknown: there is no requirement "ae.rj"; did you mean "ae.ri" or "ae.rn"?',
  ]);
  assert.match(
    says({ scenario: 'documented/ae/crate' }).join(),
    /unknown: there is no scenario .* mean "documented\/ae\/create"/,
  );
  assert.deepEqual(says({ requirement: 'container.ri' }), [
    'unknown: the scenario "documented/ae/create" does not check container.ri',
  ]);
  assert.deepEqual(says({ step: 'create it' }, [create(passed('ae.ri'))]), [
    'unknown: no step "create it" of the scenario checks it',
  ]);
  assert.deepEqual(says({ scenario: 'my-scenario/registers' }), [], 'a file that was not read');
});
