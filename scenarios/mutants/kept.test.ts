import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { UsageError } from '../engine/basics/diagnostics.ts';
import { drawnSettingsOf } from './drawn/drawn-table.ts';
import { ResumeFile } from './drawn.ts';
import type { DrawnRow } from './scoring/tables.ts';

const folder = mkdtempSync(join(tmpdir(), 'cselab-kept-'));
after(() => rmSync(folder, { recursive: true }));
const question = drawnSettingsOf({
  of: 'deviations',
  dialect: 'documented',
  seed: 1,
  count: 5,
  inPairs: false,
  runs: 200,
});
const row: DrawnRow = {
  ...{ number: 2, drawn: { deviations: [] }, says: 'two', verdict: 'not seen', violations: [] },
  ...{ collateral: [], identified: 0, took: 1 },
};

test('proofs and rows are there again, but for a line that was cut off', () => {
  const path = join(folder, 'below', 'kept.ndjson');
  const kept = new ResumeFile(path, question);
  kept.recordProof(0, {});
  kept.recordProof(2, { witness: { requests: ['one'], sound: 'a', deviating: 'b' } });
  kept.recordRow(row);
  appendFileSync(path, '{"row":{"number":3,');
  const again = new ResumeFile(path, { ...question, count: 7 });
  assert.deepEqual([...again.proofs.keys()], [0, 2]);
  assert.deepEqual([...again.rows], [[2, row]]);
  assert.ok(readFileSync(path, 'utf8').endsWith('}\n'));
  assert.equal(new ResumeFile(path, { ...question, version: 'another' }).proofs.size, 0);
  again.end();
  assert.equal(existsSync(path), false);
});

test('where nothing can be kept nothing is begun', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  assert.throws(
    () => new ResumeFile(join(file, 'kept.ndjson'), question),
    (error) => error instanceof UsageError && /rows cannot be kept in .*kept\.ndjson: E/.test(error.message),
  );
});
