import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import pc from 'picocolors';
import { blockOf, type CseState, type Summary } from './block.ts';

const gateway: CseState = {
  ...{ cse: 'mn-cse-1', rate: 1203.7, requests: 12_345, refused: 3, failed: 1 },
  ...{ notifications: 17, undelivered: 2, resources: 57, applications: 3, subscriptions: 2 },
  registrations: [{ at: 'in-cse-1', registered: true }],
};
const backend: CseState = { ...gateway, cse: 'in-cse-1', requests: 2, refused: 0, failed: 0, registrations: [] };
const summary: Summary = { cses: [gateway, backend], remarks: [], uptime: 3_723_000 };

const plain = (given: Summary, columns: number) =>
  blockOf(given, { columns, colors: pc.createColors(false) }).map(({ text }) => text.trimEnd());

const remark = { weight: 'refused', cse: 'mn-cse-1', at: new Date(2026, 0, 2, 3, 4, 5).getTime() } as const;

test('at 100 columns everything is there', () => {
  assert.deepEqual(plain(summary, 100), [
    '',
    '          requests     /s  resources  refused  apps  notified registered   subs  lost',
    'mn-cse-1    12,345  1,204         57        4     3        17 at in-cse-1     2     2',
    'in-cse-1         2  1,204         57        0     3        17                 2     2',
    'Nothing was refused, nothing was lost.',
    'up for 1 h 2 min; Ctrl-C ends it',
  ]);
});

test('on a narrow terminal the less important goes, and no line is as wide as the terminal', () => {
  assert.deepEqual(plain(summary, 40).slice(1, 3), [
    '          requests     /s  resources',
    'mn-cse-1    12,345  1,204         57',
  ]);
  const remarks = [{ ...remark, text: `404 (4004) to GET /onem2m/${'x'.repeat(300)}`, times: 2 }];
  for (const columns of [200, 80, 60, 40, 20, 10, 1]) {
    for (const { text, width } of blockOf({ ...summary, remarks }, { columns, colors: pc.createColors(true) })) {
      const seen = stripVTControlCharacters(text);
      assert.equal(seen.length, width);
      assert.ok(width < Math.max(columns, 11), `${width} of ${columns}: ${seen}`);
    }
  }
});

test('colours are optional', () => {
  const colored = blockOf(summary, { columns: 80, colors: pc.createColors(true) });
  assert.ok(colored.some(({ text }) => text.includes('\u001b[33m')));
  assert.ok(plain(summary, 80).every((line) => !line.includes('\u001b')));
});

test('what happened last stands first, with how often, and a terminal obeys none of it', () => {
  const remarks = [
    { ...remark, weight: 'noted', text: 'not registered at in-cse-1', times: 1 },
    { ...remark, text: '404 (4004) to GET /\u001b[2J\r\nü', times: 3 },
  ] as const;
  assert.deepEqual(plain({ ...summary, remarks }, 80).slice(4, 6), [
    '03:04:05 3× mn-cse-1 404 (4004) to GET /?[2J ?',
    '03:04:05 mn-cse-1 not registered at in-cse-1',
  ]);
});

test('why a request was refused stands below it', () => {
  const remarks = [
    { ...remark, text: '400 (4000) to POST /onem2m by CApp', reason: 'ch is\u009b not known.', times: 1 },
  ];
  assert.deepEqual(plain({ ...summary, remarks }, 80).slice(4, 6), [
    '03:04:05 mn-cse-1 400 (4000) to POST /onem2m by CApp',
    '         ch is? not known.',
  ]);
});

test('before the first request it says what to do', () => {
  const idle = { ...summary, cses: [{ ...gateway, requests: 0 }, backend] };
  assert.ok(plain(idle, 80).includes('No request yet; the lines above make one.'));
});

test('a missing registration is shown', () => {
  const state = { ...gateway, registrations: [{ at: 'in-cse-1', registered: false }] };
  assert.match(plain({ ...summary, cses: [state] }, 80).join('\n'), /not at in-cse-1/);
});

test('of many CSEs the first ones and the last have a line, and the others one together', () => {
  const cses = Array.from({ length: 200 }, (_, at) => ({ ...gateway, cse: `mn-cse-${at + 1}` }));
  const lines = plain({ ...summary, cses: [...cses, backend] }, 100);
  assert.equal(lines.length, 12);
  assert.match(lines[8] ?? '', /^194 others +2,394,930 +233k +11,058 +776 +582 +3,298 all 194 /);
  assert.match(lines[9] ?? '', /^in-cse-1 /);
});

test('what is too long for its column is in thousands or millions', () => {
  const [, , line] = plain({ ...summary, cses: [{ ...gateway, requests: 123_456_789, rate: 999_999 }] }, 40);
  assert.equal(line, 'mn-cse-1      123M   999k         57');
});
