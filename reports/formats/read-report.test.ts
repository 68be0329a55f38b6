import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sampleRun } from '../testing/sample-run.ts';
import { renderJson } from './json-reporter.ts';
import { readReport } from './read-report.ts';

const folder = mkdtempSync(join(tmpdir(), 'cselab-read-report-'));
after(() => rmSync(folder, { recursive: true }));

function written(text: string): string {
  const path = join(folder, 'report.json');
  writeFileSync(path, text);
  return path;
}

const whole = renderJson(sampleRun);

test('a report that was written is read as it was', () => {
  assert.deepEqual(readReport(written(whole)), sampleRun);
});

test('what a later writer of the same version adds is left out', () => {
  const more = { ...(JSON.parse(whole) as object), weather: 'fine' };
  assert.deepEqual(readReport(written(JSON.stringify(more))), sampleRun);
});

const changed = (change: object) => JSON.stringify({ ...(JSON.parse(whole) as object), ...change });
const { exit: _exit, ...withoutExit } = JSON.parse(whole) as { exit: unknown };

const refused: readonly [string, string, RegExp][] = [
  ['text', 'hello', /is no JSON, and so no report/],
  ['an empty file', ' \n', /report\.json is empty$/],
  ['a file that was cut off', whole.slice(0, whole.length / 2), /ends in the middle/],
  ['other JSON', '{"results": {"tool": {"name": "x"}}}', /no report that cselab wrote with --report json/],
  ['a list', '[1]', /no report that cselab wrote/],
  ['another schema', changed({ $schema: 'urn:other:report:3' }), /no report that cselab wrote/],
  [
    'an older version',
    changed({ $schema: 'urn:cselab:report:1', schemaVersion: 1 }),
    /version 1 .* Run the check again/,
  ],
  ['a newer version', changed({ $schema: 'urn:cselab:report:4', schemaVersion: 4 }), /version 4 .* A newer cselab/],
  ['a report without its verdict', JSON.stringify(withoutExit), /is no whole report: exit: /],
  ['a report with a wrong state', changed({ dialect: 'klingon' }), /is no whole report: dialect: /],
];

for (const [what, text, message] of refused) {
  test(`${what} is refused`, () => {
    assert.throws(() => readReport(written(text)), { name: 'UsageError', message });
  });
}

test('a report that is not there is refused', () => {
  assert.throws(() => readReport(join(folder, 'nowhere.json')), { name: 'UsageError', message: /there is no report/ });
  assert.throws(() => readReport(folder), { name: 'UsageError', message: /is a directory/ });
});
