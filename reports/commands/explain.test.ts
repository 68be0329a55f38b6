/** What `cselab explain` tells of a report. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { check, lastOf } from '../../scenarios/index.ts';
import { renderJson } from '../formats/json-reporter.ts';
import { run } from '../testing/in-process.ts';

test('beside what a report saw of it stands what is to be mended first', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cselab-explain-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const deviations = ['ri', 'rn', 'ty', 'pi', 'ct', 'lt', 'et'].map((drop) => ({
    when: { type: 'm2m:cnt' },
    does: { drop },
  }));
  const target = { kind: 'in-process', deviations } as const;
  const result = await lastOf(check({ target, ids: ['documented/container'], again: false }));
  writeFileSync(join(folder, 'report.json'), renderJson(result));
  const { stdout } = await run(['explain', 'container.ty', join(folder, 'report.json')]);
  const [, own = '', mended = ''] = /\nAt .*: violated, by \d+ checks?\n(.*)\nTo be mended\n(.*)$/s.exec(stdout) ?? [];
  assert.match(own, /attribute ty is absent/);
  assert.match(mended, /container\.ri\n.*attribute ri is absent.*with it 6 requirements:/s);
});
