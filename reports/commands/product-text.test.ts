import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { RunResult } from '../../scenarios/words.ts';
import { sampleRun } from '../testing/sample-run.ts';
import { ProductText } from './profile.ts';

const folder = mkdtempSync(join(tmpdir(), 'cselab-product-text-'));
after(() => rmSync(folder, { recursive: true }));

const report: RunResult = {
  ...sampleRun,
  startedAt: '2026-11-22T18:51:49.964Z',
  dialect: 'onem2m',
  target: { kind: 'url', url: 'http://h', base: 'b', cseId: 'c', spId: 's', product: 'Example', version: '2' },
  ics: [
    { id: 'PICS_GRP', name: 'groups', claim: 'no' },
    { id: 'PICS_PCH', name: 'polling channels', claim: 'no' },
    { id: 'PICS_TLS', name: 'HTTPS', claim: 'no' },
    { id: 'PICS_AE', name: 'application entities', claim: 'yes' },
  ],
};

const fitted = { deviations: new Map([['ae.rr', 'ae.rr.missing']]), notImitated: ['ae.ch'], beyond: [] };

test('a product is written with what report and target file say of it', () => {
  const text = ProductText.from(undefined);
  text.setFacts(report, { release: '3', admin: 'CAdmin', accessControl: true });
  text.setDeviations(fitted, report);
  assert.deepEqual(text.value, {
    imitates: 'Example',
    version: '2',
    release: '3',
    settings: {
      ...{ dialect: 'onem2m', base: 'b', admin: 'CAdmin', 'cse id': 'c', 'sp id': 's' },
      ...{ 'access control': true, 'without types': [9, 15] },
    },
    deviations: { 'ae.rr': 'ae.rr.missing' },
    'not imitated': ['ae.ch'],
  });
  assert.match(
    text.text,
    /# Made by .* live run on 2026-11-22, .*:\n# 1 of 2 violated requirements in common, 0 beyond\.\ndeviations:/,
  );
});

test('what people have written in a file stays, and what was found before goes', () => {
  const path = join(folder, 'mine.yaml');
  writeFileSync(
    path,
    [
      'imitates: Mine # as it calls itself',
      'settings: { cse type: IN-CSE, base: old }',
      '# Found before.',
      'deviations: { ae.ch: ae.ch.missing }',
      'beyond: [ae.rr]',
      'disturbance: [dead PATCH] # seen in May',
      '',
    ].join('\n'),
  );
  const text = ProductText.from(path);
  text.setFacts(report, {});
  text.setDeviations(fitted, report);
  const value = text.value as Record<string, Record<string, unknown>>;
  assert.deepEqual([value.settings?.['cse type'], value.settings?.base, value.beyond], ['IN-CSE', 'b', undefined]);
  assert.deepEqual([value.deviations, value.disturbance], [{ 'ae.rr': 'ae.rr.missing' }, ['dead PATCH']]);
  for (const comment of ['# as it calls itself', '# seen in May']) assert.ok(text.text.includes(comment), text.text);
  assert.doesNotMatch(text.text, /Found before/);
});
