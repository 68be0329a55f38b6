import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conformantRun, partialRun, sampleRun } from '../testing/sample-run.ts';
import { counted, countsText, durationText, targetText, verdictLine, verdictTone } from './wording.ts';

test('numbers come with their noun', () => {
  assert.deepEqual(
    [0, 1, 2000].map((count) => counted(count, 'request')),
    ['0 requests', '1 request', '2,000 requests'],
  );
});

test('only counts that are not zero are reported', () => {
  assert.equal(countsText({ passed: 2, lost: 0, failed: 1 }), '1 failed, 2 passed');
});

test('durations are reported in the unit that fits', () => {
  assert.deepEqual([0.4, 999, 999.6, 1500, 59_940, 59_990, 125_000].map(durationText), [
    '0 ms',
    '999 ms',
    '1.0 s',
    '1.5 s',
    '59.9 s',
    '1 min 00 s',
    '2 min 05 s',
  ]);
});

test('each exit code has its words', () => {
  const line = (code: 0 | 1 | 2 | 3 | 4 | 130) => verdictLine({ ...conformantRun, exit: { code, reason: 'why' } });
  assert.deepEqual(
    [line(0), line(1), line(2), line(3), line(4), line(130)],
    [
      'Conformant: why',
      'Not conformant: why',
      'Not run: why',
      'No verdict: why',
      'Inconclusive: why',
      'Interrupted: why',
    ],
  );
});

test('conformant is only what was checked as a whole', () => {
  assert.equal(verdictLine(partialRun), 'No deviation in the 4 of 6 requirements that were checked');
  assert.deepEqual([conformantRun, partialRun, sampleRun].map(verdictTone), ['good', 'open', 'bad']);
});

test('a run that passes in spite of deviations is not called conformant', () => {
  assert.equal(verdictLine({ ...sampleRun, exit: { code: 0, reason: 'why' } }), 'Known deviations only: why');
});

test('the target is reported by its address, or by what it is', () => {
  const of = (kind: 'embedded' | 'in-process' | 'url') =>
    targetText({ ...sampleRun, target: { ...sampleRun.target, kind, url: 'http://[::1]:80' } });
  assert.deepEqual(
    [of('url'), of('embedded'), of('in-process')],
    ['http://[::1]:80', 'http://[::1]:80 (the reference CSE)', 'the reference CSE, in this process'],
  );
  const { target } = sampleRun;
  assert.equal(targetText({ ...sampleRun, target: { ...target, serialization: 'cbor' } }), `${target.url} (in CBOR)`);
});
