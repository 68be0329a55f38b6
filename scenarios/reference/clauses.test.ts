/** The obligations of the bindings beside HTTP, document by document. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { loadRequirements } from '../engine/files/catalogue.ts';

/** How often each document says "shall", without its front matter and its conventions, and where tests are: files, or folders of them. */
const documents = {
  'TS-0010': { file: 'mqtt-clauses.yaml', shall: 35, wire: 'mqtt', route: '../oracle/bindings.test.ts' },
  'TS-0020': {
    file: 'websocket-clauses.yaml',
    shall: 45,
    wire: 'ws',
    route: '../engine/targets/wires/ws-route.test.ts',
  },
  'TS-0008': {
    file: 'coap-clauses.yaml',
    shall: 104,
    wire: 'coap',
    route: '../engine/targets/wires/coap-route.test.ts',
  },
} as const;

interface Obligation {
  readonly says: string;
  /** Why nothing fails where it is not kept. */
  readonly none?: string;
  /** The requirement by which it is judged of any CSE. */
  readonly rule?: string;
  /** Title of a test, by where it is. */
  readonly sim?: string;
  readonly harness?: string;
  readonly run?: string;
}

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const { requirements } = loadRequirements();

for (const [name, { file, shall, wire, route }] of Object.entries(documents))
  test(`each obligation of ${name} has a rule or a test that is there, or a reason why there is none`, () => {
    const folder = `../../sim/bindings/${wire}/`;
    const ofSim = readdirSync(new URL(folder, import.meta.url)).filter((one) => one.endsWith('.test.ts'));
    const titles = {
      sim: ofSim.flatMap((one) => titlesIn(read(`${folder}${one}`))),
      harness: titlesIn(read(route)),
      run: titlesIn(read(`../../fixtures/over-${wire}.long.test.ts`)),
    };
    const { document, statements } = parse(read(file)) as Clauses;
    assert.ok(document.startsWith(name));
    const all = Object.entries(statements).flatMap(([clause, some]) => some.map((one) => ({ clause, ...one })));
    assert.equal(all.length, shall);
    for (const { clause, says, none, rule, ...tests } of all) {
      const named = Object.entries(tests) as Array<[keyof typeof titles, string]>;
      assert.equal(named.length > 0 || rule !== undefined, none === undefined, `${clause}: ${says}`);
      const judged = rule === undefined ? {} : requirements.get(rule);
      assert.ok(judged !== undefined && !('untestable' in judged), `${clause}: ${rule}`);
      for (const [where, title] of named) assert.ok(titles[where].includes(title), `${clause}: ${title}`);
    }
  });

interface Clauses {
  readonly document: string;
  readonly statements: Readonly<Record<string, readonly Obligation[]>>;
}

const titlesIn = (text: string): string[] =>
  [...text.matchAll(/\btest\(\s*(['`])(.*)\1, /g)].map(([, , title = '']) => title);
