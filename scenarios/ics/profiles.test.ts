import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ScenarioFilesError } from '../engine/basics/diagnostics.ts';
import { claimsReason } from '../engine/judging/exit-words.ts';
import { claimsOf } from './ics.ts';
import { profileCalled, profileNames } from './profiles.ts';

function fileOf(t: TestContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'cselab-profile-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'own.yaml'), text);
  return join(folder, 'own.yaml');
}

test('what is known of a profile says its clause, and demands each feature once', () => {
  assert.deepEqual(profileNames(), ['in', 'gateway']);
  const { source, demands } = profileCalled('in');
  assert.match(source, /^TS-0025 5\.6, .* not known here$/);
  assert.deepEqual(demands, [
    'PICS_UNSTRUCTURED_CSE_RELATIVE_RESOURCE_ID_FORMAT',
    'PICS_RESULT_CONTENT',
    'PICS_NON_BLOCKING',
    'PICS_RETARGETING',
    'PICS_AE',
  ]);
});

test('a team has profiles of its own, in a file', (t) => {
  const text = 'name: Ours\nsource: house rule 3\ndemands: { H/1: PICS_GRP, H/2: { always: it answers } }\n';
  assert.deepEqual(profileCalled(fileOf(t, text)), { name: 'Ours', source: 'house rule 3', demands: ['PICS_GRP'] });
});

test('what is wrong with one is told where it stands, or what may have been meant', (t) => {
  const path = fileOf(t, 'name: Ours\nsource: house rule 3\ndemands: { H/1: PICS_GROUP }\n');
  assert.throws(
    () => profileCalled(path),
    (error) => error instanceof ScenarioFilesError && error.problems[0]?.line === 3 && error.problems[0]?.column === 17,
  );
  assert.throws(() => profileCalled('gatway'), /none is called "gatway"; did you mean "gateway"\?/);
});

test('what is not claimed, or claimed and not there, does not meet a profile', () => {
  const ics = claimsOf({ of: 'it', claims: { PICS_AE: 'yes', PICS_GRP: 'yes', PICS_SUB: 'no' } });
  const seen = ics.map((one) => (one.id === 'PICS_GRP' ? { ...one, behaves: 'not implemented' as const } : one));
  const profile = { name: 'Ours', source: 'rule', demands: ['PICS_AE', 'PICS_GRP', 'PICS_SUB', 'PICS_CBOR'] };
  assert.equal(
    claimsReason({ ics: seen, profile }),
    'its conformance statement is contradicted: PICS_GRP; what the profile Ours demands is not there: PICS_CBOR, PICS_SUB, PICS_GRP',
  );
  assert.equal(claimsReason({ ics, profile: { ...profile, demands: ['PICS_AE'] } }), undefined);
});
