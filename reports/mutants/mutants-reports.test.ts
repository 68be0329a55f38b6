import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { KillTable } from '../../scenarios/words.ts';
import { publishedSchemas } from '../commands/published-schemas.ts';
import { renderPage } from '../document/html.tsx';
import { renderText, type TextOptions } from '../document/terminal.ts';
import { percent } from '../facts/wording.ts';
import { visibleJson } from '../formats/json-reporter.ts';
import { unpack } from '../html/testing/unpack.ts';
import { killDocument } from './kill-document.ts';
import { killReport } from './reports.ts';
import { sampleTable } from './testing/sample-table.ts';

const published = readFileSync(new URL('mutants.schema.json', import.meta.url), 'utf8');
const renderMutants = (table: KillTable, options: TextOptions) => renderText(killDocument(table), options);
const json = () => `${visibleJson({ ...killReport.format, ...sampleTable }, 2)}\n`;
const page = () => renderPage(killDocument(sampleTable));
const text = (verbose: boolean) => renderMutants(sampleTable, { color: false, columns: 80, verbose });

test('the published schemas are those by which reports and tables are written', () => {
  for (const { file, text } of publishedSchemas)
    assert.deepEqual(JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')), JSON.parse(text));
  assert.equal(publishedSchemas.length, 6);
});

test('the table as JSON keeps to its schema, and to the types of the harness', () => {
  const written: unknown = JSON.parse(json());
  const validate = new Ajv2020({ strict: true, formats: { 'date-time': true } }).compile(JSON.parse(published));
  assert.ok(validate(written), JSON.stringify(validate.errors));
  const { $schema, schemaVersion, ...table } = killReport.type.parse(written);
  assert.deepEqual([$schema, schemaVersion], ['urn:cselab:mutants:1', 1]);
  assert.deepEqual(table, sampleTable);
});

test('on the terminal what is remarkable is reported with the check that saw it, and the rest is counted', () => {
  const lines = text(false);
  assert.doesNotMatch(lines, /ae\.aei\.missing/);
  assert.match(lines, /^✓ ae\.loud {2}identified, with collateral\n/m);
  assert.match(lines, /found {5}ae\.rr \(collateral\)/);
  assert.match(lines, /^△ std\.group\.odd {2}killed, with collateral\n/m);
  assert.match(lines, /^✗ latest\.quiet {2}not killed\n/m);
  assert.match(lines, /^! latest\.deadly {2}not judged\n[\s\S]*but {7}the worker died: the process ended with 7\n/m);
  assert.match(lines, /^1 deviation identified and without collateral \(-v shows all\)\.$/m);
  assert.match(lines, /standard: 860 of 862 testable requirements/);
  assert.match(
    lines,
    /^≡ latest\.unseen {2}equivalent\n[\s\S]*since {5}it cannot be observed: Nothing of it reaches <a client>\.\n/m,
  );
  assert.match(
    lines.replaceAll('\n', ' '),
    / 1 min 01 s with 2 workers\. 6 deviations: 60 % killed, 40 % identified, 40 % with collateral, 1 that cannot be observed\. $/,
  );
  assert.match(text(true), /ae\.aei\.missing {2}identified\n/);
});

test('lines fit the terminal', () => {
  for (const columns of [60, 80, 120]) {
    const lines = renderMutants(sampleTable, { color: false, columns, verbose: true }).split('\n');
    assert.deepEqual(
      lines.filter((line) => line.length > columns),
      [],
    );
  }
});

test('what was run is said, and how many were chosen', () => {
  assert.match(
    text(false).replaceAll('\n', ' '),
    /and 2 other files of its dialect, dealt by its id: 15 of 2,400 runs/,
  );
  assert.match(text(false), /^6 of 9 deviations of the simulator were chosen\.$/m);
  const wide = renderMutants(
    { ...sampleTable, breadth: { kind: 'wide' } },
    { color: false, columns: 80, verbose: false },
  );
  assert.match(wide, /Every scenario of its dialect was run against each deviation/);
  const broken = { ...sampleTable, interrupted: true, chosen: 8 };
  assert.match(killDocument(broken).headline, /^Interrupted: 6 deviations/);
});

test('how many deviations are left to generators is said, and why, and with --verbose which', () => {
  assert.match(text(false), /^1 deviation is left to generators\. It shows only after certain requests in a\scertain/m);
  assert.doesNotMatch(text(false), /stateful\.later/);
  assert.match(text(true), /^stateful\.later\n {2}What <it> does later\.\n {2}breaks {4}latest\.newest$/m);
  assert.match(unpack(page()), /What &lt;it> does later/);
  const none = renderMutants({ ...sampleTable, leftToGenerators: [] }, { color: false, columns: 80, verbose: true });
  assert.doesNotMatch(none, /generators/);
});

test('a share is never rounded up to a whole', () => {
  assert.deepEqual(
    [percent(999, 1000), percent(9999, 10_000), percent(5, 5), percent(0, 0)],
    ['99.9 %', '99.9 %', '100 %', '–'],
  );
});

test('nothing of a target gets into a table as a control character or as markup', () => {
  const html = page();
  for (const one of [html, text(true), json()]) {
    assert.deepEqual(one.replaceAll('\n', '').match(/[\p{Cc}\p{Bidi_Control}]/gu), null);
  }
  assert.equal(html.match(/<script/g)?.length, 1);
  assert.match(html, /default-src 'none'/);
  assert.doesNotMatch(html, /<(script|link|img)[^>]+(src|href)=/);
});

test('the page has a row for each deviation, to which a link leads, and lists what no deviation breaks', () => {
  const html = page();
  for (const { deviation } of sampleTable.rows) assert.equal(html.split(`id="${deviation.id}"`).length, 2);
  assert.match(html, /std\.base-child\.create/);
  assert.match(html, /860|99\.7 %/);
});
