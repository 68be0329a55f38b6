import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleDrawn } from '../reports/mutants/testing/sample-drawn.ts';
import { scoresText, scoresWith } from './drawn-scores.ts';

test('a run replaces the score of the same question, and each question has its line', () => {
  const later = { ...sampleDrawn, startedAt: '2027-02-03T03:04:05.678Z' };
  const onem2m = { ...sampleDrawn, dialect: 'onem2m', inPairs: true } as const;
  const over = { ...sampleDrawn, dialect: 'onem2m', differs: 'coap' } as const;
  const known = scoresWith([], [sampleDrawn, onem2m, over]);
  assert.deepEqual(
    scoresText(scoresWith(known, [later]))
      .split('\n')
      .slice(2),
    [
      '| deviations in pairs, onem2m | 7 | 5 | 2 | 1 | 2 | 2 |  | 2027-01-02 |',
      '| deviations over CoAP alone, compared with HTTP, onem2m | 7 | 5 | 2 | 1 | 2 | 2 |  | 2027-01-02 |',
      '| deviations, documented | 7 | 5 | 2 | 1 | 2 | 2 |  | 2027-02-03 |',
    ],
  );
});

test('what is not a whole run gives no score', () => {
  assert.throws(() => scoresWith([], [{ ...sampleDrawn, interrupted: true }]), /seed 7 is not whole/);
  assert.throws(() => scoresWith([], [{ ...sampleDrawn, shard: { index: 1, count: 3 } }]), /seed 7 is not whole/);
});
