import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { validateXML } from 'xmllint-wasm';
import { conformantRun, partialRun, runOf, sampleRun } from '../testing/sample-run.ts';
import { badgeReporter, renderBadge, renderBadgePicture } from './badge-reporter.ts';

const unreachable = runOf([], { code: 3, reason: 'no route' });

test('the badge says what counts, in a colour for each outcome', () => {
  const shown = [sampleRun, conformantRun, unreachable, partialRun].map((run) => JSON.parse(renderBadge(run)));
  assert.match(shown[0].message, /^3 deviating, \d+ of \d+ checked$/);
  assert.match(shown[1].message, /^conformant, \d+ of \d+ checked$/);
  assert.deepEqual([shown[2].message, shown[2].isError], ['no verdict', true]);
  assert.match(shown[3].message, /^no deviation, \d+ of \d+ checked$/);
  assert.equal(new Set(shown.map(({ color }) => color)).size, 4);
  for (const badge of shown) assert.equal(badge.schemaVersion, 1);
});

test('known deviations are not shown as conformance', () => {
  const requirements = conformantRun.requirements.map((one, at) => (at === 0 ? { ...one, known: true } : one));
  assert.equal(JSON.parse(renderBadge({ ...conformantRun, requirements })).message.split(',')[0], '1 known deviation');
});

test('the picture is well-formed and holds the same words', async () => {
  for (const run of [sampleRun, conformantRun, unreachable]) {
    const contents = renderBadgePicture(run);
    const { valid } = await validateXML({ xml: [{ fileName: 'b.svg', contents }], schema: [anyPicture] });
    assert.equal(valid, true);
    const { label, message } = JSON.parse(renderBadge(run));
    assert.ok(contents.includes(`<title>${label}: ${message}</title>`));
  }
});

const anyPicture = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.w3.org/2000/svg">
<xs:element name="svg"><xs:complexType><xs:sequence><xs:any maxOccurs="unbounded" processContents="skip"/></xs:sequence>
<xs:anyAttribute processContents="skip"/></xs:complexType></xs:element></xs:schema>`;

test('both forms are written', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cselab-badge-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await badgeReporter(join(folder, 'badge.json')).finish(sampleRun);
  assert.deepEqual((await readdir(folder)).sort(), ['badge.json', 'badge.svg']);
  assert.match(await readFile(join(folder, 'badge.svg'), 'utf8'), /^<svg /);
});
