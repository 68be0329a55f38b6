import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ScenarioFilesError } from '../engine/basics/diagnostics.ts';
import { withClaims } from '../target-files/claims-form.ts';
import { readTargetFile, shippedFor, shippedProducts } from '../target-files/read-target-file.ts';
import { type FeatureId, featureIds } from './features.ts';
import { icsRowsOf, icsText, itemsOf, tableOfItem } from './ics-form.ts';
import { type ReadIcs, readIcs } from './read-ics.ts';

function fileOf(t: TestContext, name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'cselab-ics-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

function mistakes(t: TestContext, text: string): string[] {
  try {
    readIcs(fileOf(t, 'ics.csv', text));
  } catch (error) {
    assert.ok(error instanceof ScenarioFilesError);
    return error.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
  }
  return [];
}

test('each item stands once in a table, and for one feature', () => {
  const items = featureIds.flatMap(itemsOf);
  assert.equal(new Set(items).size, items.length);
  // Where the suite has another name for it, a table is known.
  const named = featureIds.filter((id) => itemsOf(id)[0] !== id).flatMap(itemsOf);
  assert.deepEqual(
    named.filter((item) => !tableOfItem.has(item)),
    [],
  );
});

test('a form has an item for each feature, its table where that is known, its status and what is claimed', () => {
  const ics = {
    of: 'it',
    claims: { PICS_ACP_SUPPORT: 'yes', PICS_CBOR: 'no' },
    reasons: { PICS_CBOR: 'not, yet' },
  } as const;
  const text = icsText(icsRowsOf(ics, 'documented', ['PICS_CBOR']));
  const lines = text.split('\n');
  assert.equal(lines[0], 'Item,Feature,Reference,Status,Support,Remark');
  assert.ok(lines.includes('PICS_ACP_SUPPORT,access control policies,TS-0017 A.5.5.1/1,o,Yes,'));
  assert.ok(lines.includes('PICS_CBOR,CBOR bodies,not known,m,No,"not, yet"'));
  assert.ok(lines.includes('PICS_AE,application entities,not known,m,,'));
  assert.ok(lines.includes('PICS_CNT_MBS,"limits of containers: mni, mbs",TS-0017 A.5.7.5,o,,'));
});

for (const product of shippedProducts())
  test(`what ${product} claims is the same once it was written, and read`, (t) => {
    const { ics } = shippedFor(product)?.choice ?? {};
    assert.ok(ics);
    const { claims, unused } = readIcs(fileOf(t, 'ics', icsText(icsRowsOf(ics, 'onem2m'))));
    const said = Object.entries(ics.claims).flatMap(([id, claim]) => {
      const reason = new Map(Object.entries(ics.reasons ?? {})).get(id);
      return claim === 'unknown' ? [] : [[id, reason === undefined ? claim : { no: reason }] as const];
    });
    assert.deepEqual([new Map([...claims].sort()), unused], [new Map(said.sort()), []]);
  });

test('what is wrong with a form is told with line and column', (t) => {
  const text = 'My form\nItem;Support\nPICS_GRPP;Yes\n"PICS_SUB"; maybe\nPICS_AE_LBL;Yes\nnotes;whatever\n';
  assert.deepEqual(mistakes(t, text), [
    '3:1 unknown item "PICS_GRPP"; did you mean "PICS_GRP"?',
    '4:13 "maybe" is neither Yes nor No, nor nothing',
  ]);
  assert.deepEqual(mistakes(t, 'Name,Claim\nPICS_GRP,yes\n'), [
    '1:1 there is no table with the columns Item and Support',
  ]);
});

test('items without a feature are named, and who supports one of two has not the feature', (t) => {
  const text =
    'Item,Support\nPICS_AE_LBL,Yes\nPICS_CNT_MNI,Y\nPICS_CNT_MBS,N\nPICS_GRP,n/a\nPICS_SUB,x\nA.5.9/1,whatever\n';
  const { claims, unused } = readIcs(fileOf(t, 'ics.csv', text));
  assert.deepEqual(
    [new Map(claims), unused],
    [
      new Map([
        ['PICS_CNT_RETENTION', 'no'],
        ['PICS_SUB', 'yes'],
      ]),
      ['PICS_AE_LBL'],
    ],
  );
});

test('a target file takes claims in, and keeps its comments and its reasons', (t) => {
  const text =
    'product: Ours # the one in the hall\nimplements:\n  PICS_GRP: yes # seen\n  PICS_NOD: { no: not before 2.2 }\n';
  const file = fileOf(t, 'target.yaml', text);
  const claims: ReadIcs['claims'] = new Map<FeatureId, 'yes' | 'no' | { readonly no: string }>([
    ['PICS_GRP', 'no'],
    ['PICS_NOD', 'no'],
    ['PICS_SUB', 'yes'],
    ['PICS_TS', { no: 'ours, later' }],
  ]);
  const { text: edited, changed } = withClaims(file, claims);
  assert.deepEqual(changed, ['PICS_GRP', 'PICS_SUB', 'PICS_TS']);
  writeFileSync(file, edited);
  assert.match(
    readFileSync(file, 'utf8'),
    /# the one in the hall[\s\S]*PICS_GRP: no # seen\n {2}PICS_NOD: \{ no: not before 2\.2 \}\n/,
  );
  assert.deepEqual(readTargetFile(file).choice.ics, {
    of: 'Ours',
    claims: { PICS_GRP: 'no', PICS_NOD: 'no', PICS_SUB: 'yes', PICS_TS: 'no' },
    reasons: { PICS_NOD: 'not before 2.2', PICS_TS: 'ours, later' },
  });
  assert.deepEqual(withClaims(file, claims).changed, []);
  const bare = fileOf(t, 'bare.yaml', 'product: Ours\n');
  assert.equal(
    withClaims(bare, new Map([['PICS_SUB', 'yes']] as const)).text,
    'product: Ours\nimplements:\n  PICS_SUB: yes\n',
  );
});
