import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleCauses } from '../testing/sample-causes.ts';
import { renderTerminal } from './run-text.ts';

const plain = { color: false, columns: 80, verbose: false };

test('failures are reported by cause: the leading requirement in full, with the others of its cause', () => {
  const text = renderTerminal(sampleCauses(1), plain);
  assert.match(text, /^Violated: 3 requirements, 1 cause$/m);
  assert.equal(text.match(/^✗ /gm)?.length, 1);
  assert.match(text, /^ {2}with it 2 requirements:\n {4}· \S+ \S/m);
});

test('of many causes the first is reported in full and the others in a few lines, unless verbose', () => {
  const many = sampleCauses(60);
  const text = renderTerminal(many, plain);
  assert.match(text, /^Violated: 180 requirements, 60 causes$/m);
  assert.equal(text.match(/^ {2}request /gm)?.length, 1);
  assert.equal(text.match(/^✗ \S+ {2}[0-9a-f]{7}$/gm)?.length, 59);
  assert.match(text, /^ {2}with {4}state-tag-1\.second, state-tag-1\.third$/m);
  assert.match(text, /^cselab show REPORT ID tells all about one\./m);
  const verbose = renderTerminal(many, { ...plain, verbose: true });
  assert.equal(verbose.match(/^ {2}request /gm)?.length, 60);
});
