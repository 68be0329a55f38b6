import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';

const places: ReadonlyMap<string, string> = new Map([
  ['sim', '../../sim/bindings/ws/ws.test.ts'],
  ['harness', '../engine/targets/ws-route.test.ts'],
  ['run', '../../fixtures/over-ws.test.ts'],
]);
const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

interface Obligation {
  readonly says: string;
  /** Why there is no test. */
  readonly none?: string;
  /** Title of a test, by where it is. */
  readonly sim?: string;
  readonly harness?: string;
  readonly run?: string;
}

test('each obligation of TS-0020 has a test that is there, or a reason why there is none', () => {
  const { statements } = parse(read('websocket-clauses.yaml')) as { readonly statements: Record<string, Obligation[]> };
  const all = Object.entries(statements).flatMap(([clause, some]) => some.map((one) => ({ clause, ...one })));
  // As often as the document says "shall".
  assert.equal(all.length, 45);
  for (const { clause, says, none, ...tests } of all) {
    const named = Object.entries(tests);
    assert.equal(named.length, none === undefined ? 1 : 0, `${clause}: ${says}`);
    for (const [where, title] of named)
      assert.ok(titlesIn(read(places.get(where) ?? '')).includes(title), `${clause}: ${title}`);
  }
});

const titlesIn = (text: string): string[] =>
  [...text.matchAll(/\btest\(\s*(['`])(.*)\1, /g)].map(([, , title = '']) => title);
