import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GapObservation } from '../../scenarios/words.ts';
import { behaviourFacts } from './run-blocks.ts';

const seen = (scenario: string, actual: string, asReference: boolean): GapObservation => ({
  scenario,
  step: 0,
  check: 0,
  actual,
  asReference,
});

test('the same behaviour is one fact, and what differs from the reference comes first', () => {
  const facts = behaviourFacts([seen('a', '404', true), seen('b', '400', false), seen('c', '404', true)]);
  assert.deepEqual(
    facts.map((fact) => [fact.actual, fact.asReference, fact.observations.map(({ scenario }) => scenario)]),
    [
      ['400', false, ['b']],
      ['404', true, ['a', 'c']],
    ],
  );
});

test('each observation is in one fact', () => {
  const gaps = [seen('a', '404', true), seen('b', '404', false), seen('b', '500', false)];
  assert.deepEqual(behaviourFacts(gaps).flatMap((fact) => fact.observations).length, gaps.length);
});
