import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { RunEvent } from '../../results/result.ts';
import { fileOf, planOf, runPlan, testCse } from '../../test-cse.ts';
import { type AnswerOfPerson, type Ask, objectionTo, type QuestionToPerson } from './scenario-context.ts';

const ana = { by: 'ana', at: '2026-11-30T01:00:00.000Z', how: 'at the terminal' } as const;
const lit = `
- ask: Which LED of \${host} is lit?
  answer: led
  choice: [red, green]
  check: { doc.one: { answer: green } }
- retrieve: /\${base}
  check: { doc.two: { status: 200 } }`;

async function judged(
  t: TestContext,
  steps: string,
  answer?: Partial<AnswerOfPerson>,
  more: Parameters<typeof runPlan>[2] = {},
) {
  const cse = await testCse(t);
  const questions: QuestionToPerson[] = [];
  const ask: Ask = async (question) => {
    questions.push(question);
    return answer ?? {};
  };
  const { scenario, result } = await runPlan(planOf(t, fileOf({ one: steps })), cse.url, { ask, ...more });
  const one = scenario('one');
  const checks = one.steps.flatMap((step) => step.checks).map(({ requirement, state }) => `${requirement} ${state}`);
  return { one, checks, questions, cse, exit: result.exit };
}

test('what a person sees is a verdict like any other; the result says who answered what and when', async (t) => {
  const { one, checks, questions, cse } = await judged(t, lit, { answer: 'green', ...ana });
  assert.deepEqual([one.state, checks], ['passed', ['doc.one passed', 'doc.two passed']]);
  const question = `Which LED of ${new URL(cse.url).host} is lit?`;
  assert.deepEqual(questions, [
    { scenario: one.id, name: 'led', text: question, choice: ['red', 'green'], upload: undefined },
  ]);
  assert.deepEqual(one.steps[0]?.asked, { name: 'led', question, answer: 'green', ...ana });
  assert.equal(one.steps[0]?.title, `ask: ${question}`);
});

test('another answer than the right one fails, and nobody is asked twice', async (t) => {
  const { one, checks, questions, exit } = await judged(t, lit, { answer: 'red', ...ana }, { again: true });
  assert.deepEqual([one.state, checks, exit.code], ['failed', ['doc.one failed', 'doc.two passed'], 1]);
  assert.match(one.steps[0]?.checks[0]?.actual ?? '', /^answer is "red"$/);
  assert.equal(questions.length, 1);
});

test('who cannot tell leaves it neither passed nor failed, and what comes after it blocked unless it does not depend on it', async (t) => {
  const { one, checks, exit } = await judged(t, lit, ana);
  assert.deepEqual([one.state, checks], ['blocked', ['doc.one not testable', 'doc.two not testable']]);
  assert.match(one.reason ?? '', /^ana cannot tell: Which LED/);
  assert.equal(exit.code, 4);
  const either = await judged(t, lit.replace('choice:', 'expect: either\n  choice:'), ana);
  assert.deepEqual(either.checks, ['doc.one not testable', 'doc.two passed']);
  assert.equal(either.one.state, 'passed');
  assert.match(either.exit.reason, /^not everything could be checked/);
});

test('where nobody answers a scenario is not passed, whatever else it checks and whatever its step expects', async (t) => {
  const steps = `
- retrieve: /\${base}
  check: { doc.one: { status: 200 } }
- ask: Which LED is lit?
  answer: led
  expect: either`;
  const { one, exit } = await judged(t, steps);
  assert.deepEqual(
    one.steps.flatMap(({ checks }) => checks.map(({ state }) => state)),
    ['passed'],
  );
  assert.deepEqual([one.state, exit.code], ['blocked', 4]);
  assert.match(exit.reason, /^nobody answered: Which LED/);
});

test('an answer has a name by which later steps and checks speak of it', async (t) => {
  const steps = `
- ask: What does the display show?
  answer: shown
- retrieve: /\${base}
  check: { doc.one: { attributes: { rn: "\${shown}" } } }`;
  assert.equal((await judged(t, steps, { answer: 'onem2m', ...ana })).one.state, 'passed');
  const either = steps.replace('answer: shown', 'answer: shown\n  expect: either');
  const { one } = await judged(t, either, ana);
  assert.match(one.steps[1]?.checks[0]?.reason ?? '', /nobody answered it/);
});

test('a question is repeated like any step, each with an answer of its own', async (t) => {
  const steps = `
- each: { colour: [red, 7] }
  steps:
    - advance: 1ms
      countdown: "LED \${colour} goes on"
    - ask: "\${colour}"
      answer: led
      choice: ["\${colour}", off]
      check: { doc.one: { answer: "\${colour}" } }
    - raw: { method: GET, path: "/\${led}-\${colour}" }
      expect: either
- raw: { method: GET, path: "/\${led}-last" }
  expect: either`;
  const cse = await testCse(t);
  const asked: QuestionToPerson[] = [];
  const ask: Ask = async (question) => {
    asked.push(question);
    return question.countdown === undefined ? { answer: question.choice?.[0], ...ana } : {};
  };
  const { scenario } = await runPlan(planOf(t, fileOf({ one: steps })), cse.url, { ask, choice: { waitBudget: 1e7 } });
  assert.deepEqual(
    asked.map(({ name, text, choice }) => [name, text, choice]),
    [
      ['', 'LED red goes on', undefined],
      ['led.1', 'red', ['red', 'off']],
      ['', 'LED 7 goes on', undefined],
      ['led.2', '7', ['7', 'off']],
    ],
  );
  assert.deepEqual([scenario('one').state, scenario('one').reason], ['passed', undefined]);
  const sent = cse.log.filter((line) => line.includes('-'));
  assert.deepEqual(sent, ['GET /red-red', 'GET /7-7', 'GET /7-last']);
});

test('whoever waits for an answer keeps nobody else waiting, even with one scenario at a time', async (t) => {
  const cse = await testCse(t);
  const other = '- retrieve: /${base}\n  check: { doc.two: { status: 200 } }';
  const finished: string[] = [];
  let end = () => {};
  const theyEnded = new Promise<void>((resolve) => (end = resolve));
  const ask: Ask = async () => {
    await theyEnded;
    return { answer: 'green', ...ana };
  };
  const onEvent = (event: RunEvent) => {
    if (event.type === 'scenario finished') finished.push(event.result.id);
    if (finished.length === 2) end();
  };
  const chosen = planOf(t, fileOf({ a: lit, b: other, c: other }));
  const { result } = await runPlan(chosen, cse.url, { ask, jobs: 1, onEvent });
  assert.deepEqual(
    result.scenarios.map(({ id, state }) => `${id.at(-1)} ${state}`),
    ['a passed', 'b passed', 'c passed'],
  );
});

test('a countdown shows how long it waits, and ends before its time when a person says so', async (t) => {
  const steps = `
- advance: 2h
  countdown: The gateway restarts
- retrieve: /\${base}
  check: { doc.one: { status: 200 } }`;
  const choice = { waitBudget: 1e7 };
  const { one, questions } = await judged(t, steps, ana, { choice });
  assert.deepEqual(
    [one.state, questions[0]?.text, questions[0]?.countdown],
    ['passed', 'The gateway restarts', 7_200_000],
  );
  const { duration, how, ended = -1 } = one.steps[0]?.passed ?? {};
  assert.deepEqual([duration, how, ended >= 0 && ended < 60_000], ['2h', 'waited', true]);
  const alone = await judged(t, steps.replace('2h', '1ms'), {}, { choice });
  assert.deepEqual(alone.one.steps[0]?.passed, { duration: '1ms', how: 'waited' });
});

test('an interrupted run waits for nobody', async (t) => {
  const interruption = new AbortController();
  const cse = await testCse(t);
  const ask: Ask = async () => {
    interruption.abort();
    return {};
  };
  const { scenario } = await runPlan(planOf(t, fileOf({ one: lit })), cse.url, { ask, signal: interruption.signal });
  assert.equal(scenario('one').state, 'interrupted');
});

test('only what was asked for is an answer; that one cannot tell always is', () => {
  const choice = { choice: ['red', 'green'] };
  assert.equal(objectionTo('blue', choice), '"blue" is none of red, green, cannot tell');
  assert.equal(objectionTo(' ', {}), 'an answer cannot be empty');
  assert.equal(objectionTo('x'.repeat(2001), {}), 'an answer has 2000 characters at most');
  assert.equal(objectionTo('x', { upload: 'file' }), 'a file is needed');
  for (const question of [choice, {}, { upload: 'file' } as const])
    assert.equal(objectionTo('cannot tell', question), undefined);
  assert.deepEqual([objectionTo('red', choice), objectionTo('x', {})], [undefined, undefined]);
});
