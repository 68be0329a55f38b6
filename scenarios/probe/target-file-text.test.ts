import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import type { UrlChoice } from '../engine/targets/url-choice.ts';
import type { FeatureId } from '../ics/features.ts';
import { shippedFor } from '../target-files/read-target-file.ts';
import { TargetFile } from '../target-files/target-file.ts';
import { type Found, type FoundTarget, featureFinding } from './finding.ts';
import { targetFileText } from './target-file-text.ts';

const url = 'http://127.0.0.1:1';

/** The file of a CSE of which this was found. */
function fileOf(
  target: Partial<FoundTarget>,
  found: Readonly<Record<FeatureId, Found>> = { PICS_AE: 'yes' },
  choice: Partial<UrlChoice> = {},
): TargetFile {
  const findings = Object.entries(found).map(([id, one]) => featureFinding(id as FeatureId, one, 'GET /x: 200'));
  const result = { url, outcome: 'found', says: '', wrote: false, leftBehind: [], requests: 1, took: 1 } as const;
  const told = { url, dialect: 'onem2m', base: 'TinyIoT', ...target } as const;
  const options = { choice: { url, ...choice }, directory: '/somewhere', date: '2026-11-22' };
  return TargetFile.parse(parse(targetFileText({ ...result, findings, target: told }, options)));
}

test('the file of a product that is recognised begins with its shipped one', () => {
  const file = fileOf({ product: 'tinyIoT' }, { PICS_PCH: 'unknown' });
  assert.deepEqual(file.limits, { connections: 1, jobs: 1, body: '48KiB' });
  assert.equal(file.lifetime, 'none');
  assert.equal(file['sp id'], 'tinyiot.example.com');
  assert.equal(file.originators?.admin, 'CAdmin');
  assert.equal(file['access control'], true);
  const { PICS_PCH: reason } = shippedFor('tinyIoT')?.choice.ics?.reasons ?? {};
  assert.match(reason ?? '', /srt/);
  assert.deepEqual(file.implements?.PICS_PCH, { no: reason });
  assert.equal(file.container, undefined, 'it runs already');
});

test('what was observed, and what the user said, wins over the shipped file', () => {
  const seen = { spId: 'mine.example', admin: 'CRoot', accessControl: false, release: '4' };
  const file = fileOf({ product: 'tinyIoT', ...seen }, { PICS_PCH: 'yes', PICS_CNT: 'no' }, { connections: 7 });
  assert.deepEqual([file['sp id'], file.originators?.admin, file['access control']], ['mine.example', 'CRoot', false]);
  assert.equal(file.release, '4');
  assert.equal(file.limits?.connections, 7);
  assert.equal(file.implements?.PICS_PCH, 'yes');
  assert.deepEqual(file.implements?.PICS_CNT, { no: 'GET /x: 200' }, 'with the reason, as reports show it');
});

test('what a product bears is allowed where its version is the one that was looked at', () => {
  const { risky, version } = shippedFor('ACME')?.choice ?? {};
  assert.ok(Array.isArray(risky) && version !== undefined);
  assert.deepEqual(fileOf({ product: 'ACME', version }).risky, risky);
  assert.equal(fileOf({ product: 'ACME', version: '2027.1.0' }).risky, undefined);
  assert.equal(fileOf({ product: 'OpenMTC' }).risky, undefined);
});

test('what nobody knows stays unknown', () => {
  for (const product of ['tinyIoT', 'Something', 'cselab as tinyiot', undefined]) {
    const file = fileOf({ ...(product !== undefined && { product }) }, { PICS_TLS: 'unknown' });
    assert.equal(file.implements?.PICS_TLS, 'unknown', product);
  }
  const other = fileOf({ product: 'Something' }, { PICS_PCH: 'unknown' });
  assert.deepEqual([other.implements?.PICS_PCH, other.limits, other['sp id']], ['unknown', undefined, undefined]);
});

test('the statement of the file that was given goes before that of the product', () => {
  const ics = { of: 'Ours', claims: { PICS_CBOR: 'no' }, reasons: { PICS_CBOR: 'not built' } } as const;
  const found = { PICS_CBOR: 'unknown', PICS_PCH: 'unknown' } as const;
  const file = fileOf({ product: 'tinyIoT' }, found, { ics });
  assert.deepEqual(file.implements?.PICS_CBOR, { no: 'not built' });
  assert.equal(file.implements?.PICS_PCH, 'unknown');
});

test('risks of the file that was given stand in the new one', () => {
  const risks = [{ when: { method: 'PUT', query: { rcn: '9' } }, kills: 'its process ends' }] as const;
  const file = fileOf({}, undefined, { risky: ['update.ri'], risks: [...risks] });
  assert.deepEqual([file.risky, file.risks], [['update.ri'], risks]);
  assert.equal(fileOf({}, undefined, { risky: 'all' }).risky, 'allowed');
});
