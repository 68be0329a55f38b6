import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { headersOf, splitPassphrase } from './chosen-target.ts';

const words: Readonly<Record<string, { readonly file: string; readonly passphrase?: string }>> = {
  'ae.pem': { file: 'ae.pem' },
  'ae.pem:geheim': { file: 'ae.pem', passphrase: 'geheim' },
  'ae.pem:': { file: 'ae.pem', passphrase: '' },
  'ae.pem:a:b\\c': { file: 'ae.pem', passphrase: 'a:b\\c' },
  'a\\:b.pem:c': { file: 'a:b.pem', passphrase: 'c' },
  'a\\\\b.pem:c': { file: 'a\\b.pem', passphrase: 'c' },
  'C:\\certs\\ae.pem': { file: 'C:\\certs\\ae.pem' },
  'C:/certs/ae.pem:c': { file: 'C:/certs/ae.pem', passphrase: 'c' },
};

for (const [word, expected] of Object.entries(words)) {
  test(`${word} names a file as it does for curl`, () => {
    assert.deepEqual(splitPassphrase(word), expected);
  });
}

test('a file that is there is meant, whatever is in its name', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cselab-words-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'a:b.pem');
  writeFileSync(file, '');
  assert.deepEqual(splitPassphrase(file), { file });
});

test('headers keep what stands in them', () => {
  assert.deepEqual(headersOf(['X-A:  b: c  ', "X-B: it's"], undefined), {
    headers: [
      ['X-A', 'b: c'],
      ['X-B', "it's"],
    ],
    originator: undefined,
  });
  for (const line of ['X-A: b\nX-C: d', 'X A: b', ': b', 'X-A: ✓'])
    assert.throws(() => headersOf([line], undefined), /Name: value/);
});
