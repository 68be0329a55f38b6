import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { renderPage } from '../document/html.tsx';
import { renderText } from '../document/terminal.ts';
import { visibleJson } from '../formats/json-reporter.ts';
import { unpack } from '../html/testing/unpack.ts';
import { generatedDocument } from './generated-document.ts';
import { generatedReport } from './reports.ts';
import { sampleGenerated } from './testing/sample-generated.ts';

const published = readFileSync(new URL('generated.schema.json', import.meta.url), 'utf8');
const text = (verbose: boolean) =>
  renderText(generatedDocument(sampleGenerated), { color: false, columns: 100, verbose });

test('what generators find as JSON keeps to its schema, and to the types of the harness', () => {
  const written: unknown = JSON.parse(visibleJson({ ...generatedReport.format, ...sampleGenerated }));
  const validate = new Ajv2020({ strict: true, formats: { 'date-time': true } }).compile(JSON.parse(published));
  assert.ok(validate(written), JSON.stringify(validate.errors));
  const { $schema, schemaVersion, ...table } = generatedReport.type.parse(written);
  assert.deepEqual([$schema, schemaVersion], ['urn:cselab:mutants-generated:1', 1]);
  assert.deepEqual(table, sampleGenerated);
});

test('on the terminal what was not found, or by another requirement, is reported, and the rest is counted', () => {
  const lines = text(false);
  assert.doesNotMatch(lines, /stateful\.counts/);
  assert.match(lines, /^✓ stateful\.loud {2}found, by another requirement, sequence 4, 118 requests, 36 ms\n/m);
  assert.match(lines, /cites {5}ae\.rr\n[\s\S]*?actual {4}<script>alert\(1\)<\/script>\\x1b\[31m\\u\{202e\}/);
  assert.match(lines, /^△ stateful\.moody {2}not confirmed[\s\S]*but {7}as a scenario by itself it does not fail/m);
  assert.match(lines, /^✗ stateful\.quiet {2}not found, 2,000 sequences, 61,234 requests/m);
  assert.match(lines, /^! stateful\.deadly {2}not judged[\s\S]*but {7}the worker died: the process ended with 7\n/m);
  assert.match(lines, /^1 deviation found and identified \(-v shows all\)\.$/m);
  assert.match(lines, /\n5 deviations: 40 % found by generators alone, the median counterexample in 3 requests\.\n$/);
  assert.match(text(true), /✓ stateful\.counts {2}found, sequence 4/);
});

test('on the page every deviation has its row, and nothing that it holds becomes markup', () => {
  const page = unpack(renderPage(generatedDocument(sampleGenerated)));
  assert.equal(page.match(/<details class="row"/g)?.length, 5 + 4, 'all, and those to look at');
  for (const { deviation } of sampleGenerated.rows) assert.equal(page.split(`id="${deviation.id}"`).length, 2);
  assert.ok(!page.includes('<script>alert(1)'));
  assert.match(page, /&lt;script>alert\(1\)/);
});
