import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Cause, causesOf } from '../../scenarios/results.ts';
import type { RunResult } from '../../scenarios/words.ts';
import { publishedSchemas } from '../commands/published-schemas.ts';
import { conformantRun, sampleRun } from '../testing/sample-run.ts';
import { hostileText } from '../testing/sample-scenarios.ts';
import { Report, renderJson } from './json-reporter.ts';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
/** Optional fields count as well: without this, one that the format lacks would go unnoticed. */
type Whole<T> = T extends object ? { [Key in keyof T]-?: Whole<T[Key]> } : T;
// Stops compiling when the engine's result and the published format part.
const sameAsEngine: Same<Whole<Omit<Report, '$schema' | 'schemaVersion' | 'causes'>>, Whole<RunResult>> = true;
const sameCauses: Same<Whole<Report>['causes'], Whole<readonly Cause[]>> = true;

test('a report is valid against its own schema', () => {
  assert.ok(sameAsEngine && sameCauses);
  for (const run of [sampleRun, conformantRun]) {
    const parsed = Report.safeParse(JSON.parse(renderJson(run)));
    assert.deepEqual(parsed.error?.issues, undefined);
  }
});

test('a report without its verdict is not valid', () => {
  const { exit: _, ...rest } = JSON.parse(renderJson(sampleRun)) as RunResult;
  assert.equal(Report.safeParse(rest).success, false);
});

test('reading a report gives back every value of the result', () => {
  const { $schema, schemaVersion, causes, ...rest } = JSON.parse(renderJson(sampleRun)) as Report;
  assert.deepEqual({ $schema, schemaVersion }, { $schema: 'urn:cselab:report:3', schemaVersion: 3 });
  assert.deepEqual(rest, sampleRun);
  assert.deepEqual(causes, causesOf(sampleRun));
});

test('a report ends with one line break and holds no raw control character', () => {
  const text = renderJson(sampleRun);
  assert.match(text.slice(-3), /[^\n]\n$/);
  assert.deepEqual(text.replaceAll('\n', '').match(/[\p{Cs}\p{Cc}\p{Bidi_Control}]/gu), null);
  assert.match(hostileText, /\p{Cs}/u);
});

test('the published schema is the current one', () => {
  const published = readFileSync(new URL('../report.schema.json', import.meta.url), 'utf8');
  assert.equal(published, publishedSchemas[0]?.text);
});
