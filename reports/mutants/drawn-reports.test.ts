import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type DrawnTable, drawnTableOf } from '../../scenarios/index.ts';
import { renderPage } from '../document/html.tsx';
import { renderText, type TextOptions } from '../document/terminal.ts';
import { visibleJson } from '../formats/json-reporter.ts';
import { unpack } from '../html/testing/unpack.ts';
import { drawnDocument } from './drawn-document.ts';
import { drawnReport } from './reports.ts';
import { sampleDrawn } from './testing/sample-drawn.ts';

const published = readFileSync(new URL('drawn.schema.json', import.meta.url), 'utf8');
const renderDrawn = (table: DrawnTable, options: TextOptions) => renderText(drawnDocument(table), options);
const text = (table: DrawnTable, verbose = false) => renderDrawn(table, { color: false, columns: 80, verbose });
const oneLine = (lines: string) => lines.replace(/\s+/g, ' ');

test('what was drawn as JSON keeps to its schema, and to the types of the harness', () => {
  const written: unknown = JSON.parse(visibleJson({ ...drawnReport.format, ...sampleDrawn }));
  const validate = new Ajv2020({ strict: true, formats: { 'date-time': true } }).compile(JSON.parse(published));
  assert.ok(validate(written), JSON.stringify(validate.errors));
  const { $schema, schemaVersion, ...table } = drawnReport.type.parse(written);
  assert.deepEqual([$schema, schemaVersion], ['urn:cselab:mutants-drawn:1', 1]);
  assert.deepEqual(table, sampleDrawn);
});

test('on the terminal survivors have their witness from where it differs, and the rest is counted', () => {
  const lines = text(sampleDrawn);
  assert.match(lines, /^✗ m2m:cnt, retrieve by another originator: stop cni, at 50 {2}not seen\n {2}draw 5\n/m);
  assert.match(lines, /^ {3}2 {2}retrieve onem2m\/n1 by Cone\n {2}sound {5}….*"cni":0\}\}\n {2}but {7}…/m);
  assert.match(
    lines,
    /^! m2m:ae: drop api {2}not judged\n {2}draw 6\n[\s\S]*why {7}the worker died: the process ended with 7\n/m,
  );
  assert.match(lines, /^3 rows seen \(-v shows all\)\.$/m);
  assert.doesNotMatch(lines, /drop cni/);
});

test('every row is reported with what was found, by whom, and what beside', () => {
  const lines = text(sampleDrawn, true);
  assert.match(
    lines,
    /^✓ m2m:cnt, retrieve: add 1, to cni {2}identified\n {2}draw 0\n {2}found {5}container\.cni\n {2}expected {2}cni is 0 – or – cni is absent\n {2}actual {4}cni is 1 [\s\S]*?found {5}latest\.newest \(collateral\)\n[\s\S]*? {2}beside {4}latest\.newest\n/m,
  );
  assert.match(lines, /^△ m2m:cin: borrow .* seen, by explore, in sequence 12\n/m);
  assert.match(lines, /^ {3}1 {2}create container in/m);
  assert.deepEqual(lines.replaceAll('\n', '').match(/[\p{Cc}\p{Bidi_Control}]/gu), null);
});

test('figures tell by operator and the rest who saw how many', () => {
  const lines = text(sampleDrawn);
  assert.match(
    lines,
    /^By operator\n {34}drawn {2}check {2}explore {2}identified {2}collateral\n {2}add {33}5 {6}2 {8}1 {11}2 {11}2\n/m,
  );
  assert.match(lines, /^By resource type\n.*\n {2}m2m:cnt .*\n\nBy operation\n.*\n {2}retrieve /m);
  assert.match(
    oneLine(lines),
    /Seen by check: 2, 1 more by explore in up to 200 sequences; 1 survived\. Collateral: 2 requirements at 2 deviations, reported as violated though unrelated to the deviation\. Seed 7, 9 draws, 2 rows kept from before; 1 min 01 s\. 3 of 5 deviations of the documented dialect seen \(60 %\), 2 identified\. $/,
  );
});

test('lines fit the terminal, with and without colours', () => {
  for (const columns of [80, 120]) {
    for (const color of [false, true]) {
      const shown = renderDrawn(sampleDrawn, { color, columns, verbose: true });
      const lines = stripVTControlCharacters(shown).split('\n');
      assert.deepEqual(
        lines.filter((line) => line.length > columns),
        [],
      );
    }
  }
  const coloured = renderDrawn(sampleDrawn, { color: true, columns: 80, verbose: false });
  assert.ok(coloured.includes('\u001b[31m✗\u001b[39m'), coloured);
});

test('a part, a run that was broken off and pairs are reported as such', () => {
  const { rows, startedAt, took, drawn, kept } = sampleDrawn;
  const shard = { index: 2, count: 3 };
  const question = { ...sampleDrawn, count: 99, inPairs: true };
  const part = drawnTableOf(question, { startedAt, took, drawn, kept, shard }, rows);
  const lines = oneLine(text(part));
  assert.match(lines, /Deviations drawn, in pairs/);
  assert.match(lines, /Both deviations are named by some violation at 0 of 5 pairs\./);
  assert.match(lines, /9 draws, shard 2 of 3, 2 rows kept from before;/);
  assert.match(lines, /Interrupted: 3 of 5 pairs of deviations of the documented dialect seen/);
});

test('on the page every row can be linked, figures are tables, and nothing that it holds becomes markup', () => {
  const page = unpack(renderPage(drawnDocument(sampleDrawn)));
  for (const { number } of sampleDrawn.rows) assert.equal(page.split(`id="drawn-${number}"`).length, 2);
  assert.equal(page.match(/<table class="figures">/g)?.length, 3);
  assert.ok(!page.includes('<script>alert(1)') && !page.includes('<b>con'));
  assert.deepEqual(page.replaceAll('\n', '').match(/[\p{Cc}\p{Bidi_Control}]/gu), null);
});
