import assert from 'node:assert/strict';
import { test } from 'node:test';
import { featureFinding, mergedFeatures } from './finding.ts';

test('no refusal takes out what the interface specification documents, in its dialect', () => {
  const refused = ['PICS_BASE64_BODY', 'PICS_SUB', 'PICS_GRP'] as const;
  const findings = refused.map((id) => featureFinding(id, 'no', 'POST /x: 400'));
  const claims = (dialect: 'documented' | 'onem2m') =>
    refused.map((id) => mergedFeatures(findings, true, dialect).find((one) => one.id === id)?.found);
  assert.deepEqual(claims('documented'), ['unknown', 'unknown', 'no']);
  assert.deepEqual(claims('onem2m'), ['no', 'no', 'no']);
  const [sub] = mergedFeatures(findings, true, 'documented').filter(({ id }) => id === 'PICS_SUB');
  assert.match(sub?.evidence ?? '', /^POST \/x: 400; the interface specification documents it/);
});
