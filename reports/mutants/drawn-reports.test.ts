import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type DrawnTable, drawnTableOf } from '../../scenarios/index.ts';
import { renderDrawnHtml } from './drawn-html.ts';
import { renderDrawnJson } from './drawn-json.ts';
import { DrawnReport, drawnSchemaText } from './drawn-schema.ts';
import { renderDrawn } from './drawn-text.ts';
import { sampleDrawn } from './sample-drawn.ts';

const published = readFileSync(new URL('drawn.schema.json', import.meta.url), 'utf8');
const text = (table: DrawnTable, verbose = false) => renderDrawn(table, { color: false, columns: 80, verbose });
const oneLine = (lines: string) => lines.replace(/\s+/g, ' ');

test('the published schema is the one by which it is written what was drawn', () => {
  assert.deepEqual(JSON.parse(published), JSON.parse(drawnSchemaText()));
});

test('what was drawn as JSON keeps to its schema, and to the types of the harness', () => {
  const written: unknown = JSON.parse(renderDrawnJson(sampleDrawn));
  const validate = new Ajv2020({ strict: true, formats: { 'date-time': true } }).compile(JSON.parse(published));
  assert.ok(validate(written), JSON.stringify(validate.errors));
  const { $schema, schemaVersion, ...table } = DrawnReport.parse(written);
  assert.deepEqual([$schema, schemaVersion], ['urn:cselab:mutants-drawn:1', 1]);
  assert.deepEqual(table, sampleDrawn);
});

test('on the terminal survivors have their witness from where it differs, and the rest is counted', () => {
  const lines = text(sampleDrawn);
  assert.match(lines, /^✗ 5 {2}m2m:cnt, retrieve by another originator: stop cni, at 50 {2}not seen\n/m);
  assert.match(lines, /^ {4}2 {3}retrieve onem2m\/n1 by Cone\n {4}sound {3}….*"cni":0\}\}\n {4}but {5}…/m);
  assert.match(
    lines,
    /^! 6 {2}m2m:ae: drop api {2}not judged\n[\s\S]*why {5}the worker died: the process ended with 7\n/m,
  );
  assert.match(lines, /^3 rows seen \(-v shows all\)\.$/m);
  assert.doesNotMatch(lines, /drop cni/);
});

test('every row is told with what was found, by whom, and what beside', () => {
  const lines = text(sampleDrawn, true);
  assert.match(
    lines,
    /^✓ 0 .* identified\n {4}found {3}container\.cni: cni is 1 [\s\S]*? and 1 more requirement\n {4}beside {2}latest\.newest\n/m,
  );
  assert.match(lines, /^△ 3 .* seen by explore, in sequence 12\n/m);
  assert.match(lines, /^ {4}1 {3}create container in/m);
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
    /Seen by check: 2, 1 more by explore in up to 200 sequences; 1 survived\. Collateral: 2 requirements at 2 deviations, reported as violated though they name nothing of what deviates\. Seed 7, 9 draws, 2 rows kept from before; 1 min 01 s\. 3 of 5 deviations of the documented dialect seen \(60 %\), 2 identified\. $/,
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
  assert.ok(coloured.includes('\u001b[31m✗ 5'), coloured);
});

test('a part, a run that was broken off and pairs are told as such', () => {
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
  const page = renderDrawnHtml(sampleDrawn);
  for (const { number } of sampleDrawn.rows) assert.equal(page.split(`id="drawn-${number}"`).length, 2);
  assert.equal(page.match(/<table class="figures">/g)?.length, 3);
  assert.ok(!page.includes('<script>alert(1)') && !page.includes('<b>con'));
  assert.deepEqual(page.replaceAll('\n', '').match(/[\p{Cc}\p{Bidi_Control}]/gu), null);
});
