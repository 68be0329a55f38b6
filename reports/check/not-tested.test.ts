import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleRun } from '../testing/sample-run.ts';
import { reasonGroups } from './context-blocks.ts';

const judged = new Set(['violated', 'satisfied', 'implementation-defined', 'passed', 'failed']);

test('every requirement without a verdict is in exactly one group', () => {
  const ids = reasonGroups(sampleRun).flatMap((group) => (group.of === 'requirement' ? group.ids : []));
  const left = sampleRun.requirements.filter(({ verdict }) => !judged.has(verdict)).map(({ id }) => id);
  assert.deepEqual(ids.toSorted(), left.toSorted());
});

test('a scenario is listed only with a reason that no requirement tells', () => {
  const scenarios = sampleRun.scenarios.map((scenario) =>
    scenario.state === 'blocked' ? { ...scenario, reason: 'the inbox could not listen' } : scenario,
  );
  const groups = reasonGroups({ ...sampleRun, scenarios }).filter((group) => group.of === 'scenario');
  assert.deepEqual(groups, [
    {
      of: 'scenario',
      state: 'blocked',
      reason: 'the inbox could not listen',
      tried: true,
      ids: ['documented/discovery/by-label'],
    },
  ]);
});

test('the same reason makes one group, the gravest state comes first', () => {
  const requirements = sampleRun.requirements.map((requirement) =>
    requirement.verdict === 'satisfied'
      ? { ...requirement, verdict: 'excluded' as const, reason: 'not selected' }
      : requirement,
  );
  const groups = reasonGroups({ ...sampleRun, requirements }).filter((group) => group.of === 'requirement');
  assert.deepEqual(
    groups.map(({ state, ids }) => [state, ids.length]),
    [
      ['harness fault', 1],
      ['not testable', 1],
      ['not testable', 1],
      ['not testable', 1],
      ['not applicable', 1],
      ['excluded', 6],
      ['excluded', 1],
    ],
  );
});

test('reasons that differ in the names of a run only make one group', () => {
  const [first] = sampleRun.requirements;
  assert(first);
  const refused = (number: number) => `create container in /onem2m/cl-0by2cy5-${number}-app answered 404`;
  const requirements = [
    {
      ...first,
      id: 'a.one',
      verdict: 'not testable' as const,
      reason: `blocked: ${refused(1)}; blocked: ${refused(2)}`,
    },
    { ...first, id: 'a.two', verdict: 'not testable' as const, reason: `blocked: ${refused(12)}` },
  ];
  const [scenario] = sampleRun.scenarios;
  assert(scenario);
  const scenarios = [{ ...scenario, state: 'blocked' as const, reason: `blocked: ${refused(12)}` }];
  const groups = reasonGroups({ ...sampleRun, requirements, scenarios });
  assert.deepEqual(
    groups.map(({ of, reason, ids }) => [of, reason, ids.length]),
    [['requirement', 'create container in /onem2m/${app} answered 404', 2]],
  );
});
