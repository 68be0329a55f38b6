import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderPage } from '../document/html.tsx';
import { renderMarkdown } from '../formats/markdown-reporter.ts';
import { unpack } from '../html/testing/unpack.ts';
import { sampleRun } from '../testing/sample-run.ts';
import { runDocument } from './run-document.ts';
import { renderTerminal } from './run-text.ts';

const ics = [
  { id: 'PICS_GRP', name: 'groups', claim: 'yes', behaves: 'not implemented', shown: 'std.group.create failed: 501' },
  { id: 'PICS_SUB', name: 'subscriptions', claim: 'no', behaves: 'implemented', shown: 'POST /onem2m: 201' },
  { id: 'PICS_AE', name: 'application entities', claim: 'yes', behaves: 'implemented', shown: 'POST /onem2m: 201' },
  { id: 'PICS_CBOR', name: 'CBOR bodies', claim: 'unknown' },
] as const;
const profile = { name: 'IN', source: 'TS-0025 5.6', demands: ['PICS_GRP', 'PICS_AE', 'PICS_CBOR'] };

const says: readonly string[] = [
  'groups (PICS_GRP): claimed, and behaves as not implemented: std.group.create failed: 501',
  'subscriptions (PICS_SUB): denied, and behaves as implemented: POST /onem2m: 201',
  'CBOR bodies (PICS_CBOR): not claimed, and the profile IN demands it',
];
const summed = 'the profile IN (TS-0025 5.6) demands 3 features: 2 not claimed, or missed';

test('each report tells what a target does otherwise than it claims, and what a profile demands in vain', () => {
  const run = { ...sampleRun, ics, profile };
  const terminal = renderTerminal(run, { color: false, columns: 200, verbose: false });
  for (const sentence of [...says, summed]) assert.ok(terminal.includes(sentence), sentence);
  assert.ok(!terminal.includes('application entities ('));
  const markdown = renderMarkdown(run).replace(/[`\\]/g, '');
  for (const sentence of says) assert.ok(markdown.includes(`- ${sentence}`), sentence);
  const page = unpack(renderPage(runDocument(run))).replace(/<[^>]*>/g, '');
  for (const sentence of [...says, summed]) assert.ok(page.includes(sentence), sentence);
});

test('where nothing is contradicted nothing is told', () => {
  const run = { ...sampleRun, ics: ics.slice(2) };
  assert.doesNotMatch(renderTerminal(run, { color: false, columns: 200, verbose: false }), /otherwise than it claims/);
  assert.doesNotMatch(renderMarkdown(run), /### Claims/);
});
