import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { UsageError } from '../basics/diagnostics.ts';
import { fileOf, planOf, runPlan, testCse } from '../test-cse.ts';
import { scenariosFolder } from './folders.ts';
import { loadScenarios } from './load.ts';
import { plan, requirementsOf } from './plan.ts';

const both = '- retrieve: /${base}\n  check: { doc.one: { status: 200 }, doc.two: { status: 200 } }';
const one = '- retrieve: /${base}\n  check: { doc.one: { status: 200 } }';
const gap = '- retrieve: /${base}\n  check: { gap.one: { status: 200 } }';
const text = fileOf({ both, one, gap }, 'tags: [all]\n').replace(
  '    title: one\n',
  '    title: one\n    tags: [quick]\n',
);

type Case = readonly [selection: Parameters<typeof planOf>[2], scenarios: string[], requirements: string[]];
const everything = ['doc.one', 'doc.two', 'doc.three', 'doc.hidden', 'gap.one'];
const cases: Readonly<Record<string, Case>> = {
  everything: [{}, ['both', 'one', 'gap'], everything],
  'a scenario id': [{ ids: ['file/one'] }, ['one'], ['doc.one']],
  'a prefix of scenario ids': [{ ids: ['file'] }, ['both', 'one', 'gap'], ['doc.one', 'doc.two', 'gap.one']],
  'a prefix with a slash': [{ ids: ['file/'] }, ['both', 'one', 'gap'], ['doc.one', 'doc.two', 'gap.one']],
  'a requirement id': [{ ids: ['doc.two'] }, ['both'], ['doc.two']],
  'a prefix of requirement ids': [{ ids: ['doc'] }, ['both', 'one'], ['doc.one', 'doc.two', 'doc.three', 'doc.hidden']],
  'a requirement that no scenario checks': [{ ids: ['doc.three'] }, [], ['doc.three']],
  'a tag': [{ tags: ['quick'] }, ['one'], ['doc.one']],
  'one of several tags': [{ tags: ['quick', 'all'] }, ['both', 'one', 'gap'], ['doc.one', 'doc.two', 'gap.one']],
  'all but a tag': [{ excludeTags: ['quick'] }, ['both', 'gap'], ['doc.one', 'doc.two', 'gap.one']],
  'an unknown tag': [{ tags: ['none'] }, [], []],
  'files of one’s own': [{ ownFiles: true }, ['both', 'one', 'gap'], ['doc.one', 'doc.two', 'gap.one']],
};

test('a file in which no scenario is found is told as a file', (t) => {
  const planned = () => planOf(t, text, { ids: [import.meta.filename] });
  assert.throws(planned, { message: /^"\S+plan\.test\.ts" holds no scenario; files of scenarios end in \.yaml$/ });
});

for (const [name, [selection, scenarios, requirements]] of Object.entries(cases)) {
  test(`${name} selects scenarios and requirements`, (t) => {
    const plan = planOf(t, text, selection);
    assert.deepEqual(
      plan.scenarios.map(({ id }) => id),
      scenarios.map((key) => `file/${key}`),
    );
    assert.deepEqual([...plan.requirements].sort(), [...requirements].sort());
  });
}

test('a requirement id leaves out the checks of other requirements', (t) => {
  const [scenario] = planOf(t, text, { ids: ['doc.two'] }).scenarios;
  assert.deepEqual(scenario && requirementsOf(scenario), ['doc.two']);
});

test('a scenario id and a requirement id together give both', (t) => {
  const plan = planOf(t, text, { ids: ['file/gap', 'doc.two'] });
  assert.deepEqual(
    plan.scenarios.map(({ id }) => id),
    ['file/both', 'file/gap'],
  );
  assert.deepEqual([...plan.requirements].sort(), ['doc.two', 'gap.one']);
});

for (const id of ['file/on', 'fil', 'doc.on', 'do', 'doc.one.more', '/', '.', '']) {
  test(`"${id}" matches nothing and is a usage error`, (t) => {
    assert.throws(() => planOf(t, text, { ids: [id] }), UsageError);
  });
}

test('a usage error suggests what is near', (t) => {
  assert.throws(() => planOf(t, text, { ids: ['file/bot'] }), /did you mean "file\/both"/);
  assert.throws(() => planOf(t, text, { ids: ['doc.thre'] }), /did you mean "doc.three"/);
});

test('a file of the plan can be named by its path', (t) => {
  const [scenario] = planOf(t, text).scenarios;
  assert(scenario);
  const room = scenario.file.slice(0, scenario.file.lastIndexOf('/'));
  assert.equal(planOf(t, text, { ids: ['file'] }).scenarios.length, 3);
  assert.throws(() => planOf(t, text, { ids: [`${room}/other.yaml`] }), UsageError);
});

test('a file of another dialect is told the line that has it judged', (t) => {
  const { file = '' } = planOf(t, text).scenarios[0] ?? {};
  const scenarios = () => loadScenarios([file], { requirements: join(dirname(file), 'requirements') });
  assert.throws(
    () => plan(scenarios(), { ids: [file], dialect: 'onem2m' }),
    /with --dialect documented only; "dialects: \[onem2m\]" in the file checks it here$/,
  );
  assert.throws(() => planOf(t, text, { ids: ['file/one'], dialect: 'onem2m' }), /with --dialect documented only$/);
  // Nobody edits what comes with the package.
  const shipped = join(scenariosFolder, 'documented', 'ae.yaml');
  assert.throws(
    () => plan(loadScenarios([shipped]), { ids: [shipped], dialect: 'onem2m' }),
    /with --dialect documented only$/,
  );
});

test('what was not selected is excluded, and nothing selected is inconclusive', async (t) => {
  const cse = await testCse(t);
  const { result } = await runPlan(planOf(t, text, { ids: ['doc.one'] }), cse.url);
  const verdicts = result.requirements.map(({ id, verdict, reason }) => [id, verdict, reason]);
  assert.deepEqual(verdicts, [
    ['doc.one', 'satisfied', undefined],
    ['doc.two', 'excluded', 'not selected'],
    ['doc.three', 'excluded', 'not selected'],
    ['doc.hidden', 'excluded', 'not selected'],
    ['gap.one', 'excluded', 'not selected'],
  ]);
  assert.equal(result.exit.code, 0);
  const nothing = await runPlan(planOf(t, text, { tags: ['none'] }), cse.url);
  assert.deepEqual(nothing.result.exit, { code: 4, reason: 'no scenario was selected' });
  const unchecked = await runPlan(planOf(t, text, { ids: ['doc.hidden'] }), cse.url);
  assert.equal(unchecked.result.exit.code, 4);
  const hidden = unchecked.result.requirements.find(({ id }) => id === 'doc.hidden');
  assert.deepEqual([hidden?.verdict, hidden?.reason], ['not testable', 'cannot be seen']);
});
