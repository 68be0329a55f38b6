import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StepResult } from '../../scenarios/words.ts';
import { sampleScenarios } from '../testing/sample-scenarios.ts';
import { sequenceOf } from './sequence-view.tsx';

const exchange = (path: string, at: number) => ({
  ...{ request: { method: 'POST', path, headers: [] }, answer: { status: 201, headers: [], body: '' } },
  ...{ at, took: 5, curl: '' },
});
const step = (more: Partial<StepResult>): StepResult => ({ phase: 'step', title: 't', checks: [], ...more });
const notified = (at: number) =>
  step({
    notifications: {
      ...{ inbox: 'watcher', url: 'http://x', waited: 1, count: 1 },
      shown: [{ method: 'POST', path: '/n', headers: [], at }],
    },
  });

test('messages stand in the order in which they went, whatever the order of the steps', () => {
  const steps = [
    step({ exchange: exchange('/a', 10) }),
    notified(12),
    step({ exchange: exchange('/b', 20), on: 'backend' }),
  ];
  const sequence = sequenceOf({ steps });
  assert.deepEqual(sequence?.parties, ['harness', 'gateway', 'backend', 'inbox']);
  assert.deepEqual(
    sequence?.arrows.map(({ from, to, label, stepNumber }) => `${stepNumber} ${from} ${to} ${label}`),
    [
      '1 harness gateway POST /a',
      '2 gateway inbox POST /n',
      '1 gateway harness 201',
      '3 harness backend POST /b',
      '3 backend harness 201',
    ],
  );
});

test('two parties need no picture, and cleaning up is none of it', () => {
  assert.equal(sequenceOf({ steps: [step({ exchange: exchange('/a', 10) })] }), undefined);
  const cleanup = step({ phase: 'cleanup', exchange: exchange('/a', 30), on: 'backend' });
  assert.equal(sequenceOf({ steps: [step({ exchange: exchange('/a', 10) }), cleanup] }), undefined);
  assert.ok(sampleScenarios.every((scenario) => sequenceOf(scenario) === undefined || scenario.steps.length > 1));
});
