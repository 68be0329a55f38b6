import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckResult } from '../../scenarios/words.ts';
import { differingLines } from './evidence-blocks.ts';

const answer = [
  '201',
  'Content-Type: application/json',
  'X-M2M-RSC: 2001',
  '',
  '{',
  '  "m2m:ae": {',
  '    "rr": "TRUE",',
  '    "rn": "a"',
  '  }',
  '}',
];
const lines = (check: Partial<CheckResult>) => {
  const place = { file: 'f', line: 1, column: 1 };
  const whole: CheckResult = { requirement: 'r', state: 'failed', expected: [], actual: '', place, ...check };
  return [...differingLines([whole], answer.join('\n'))].map((at) => answer[at]?.trim());
};

test('the line of an attribute, a header, the status and the root is found by the sentence of the check', () => {
  assert.deepEqual(lines({ actual: 'attribute rr is the text "TRUE"' }), ['"rr": "TRUE",']);
  assert.deepEqual(lines({ expected: ['header content-type starts with "text/"'] }), [
    'Content-Type: application/json',
  ]);
  assert.deepEqual(lines({ actual: 'status 201, RSC 2001', expected: ['status 200; RSC 2000'] }), [
    '201',
    'X-M2M-RSC: 2001',
  ]);
  assert.deepEqual(lines({ actual: 'root is m2m:ae' }), ['"m2m:ae": {']);
});

test('what passed, and what a gap shows, marks nothing', () => {
  const actual = 'attribute rr is the text "TRUE"';
  assert.deepEqual(lines({ actual, state: 'passed' }), []);
  assert.deepEqual(lines({ actual, level: 'gap' }), []);
  assert.deepEqual(lines({ actual: 'the body is no JSON' }), []);
});
