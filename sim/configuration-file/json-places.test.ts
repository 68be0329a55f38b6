import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Node, parseTree } from 'jsonc-parser';
import { membersOf, parseJson } from './json-places.ts';
import { ConfigurationError, Findings } from './problem.ts';

/** Throws what is found. */
function read(text: string): Node {
  const findings = new Findings('x.json', text);
  const root = parseJson(text, findings);
  if (root === undefined || findings.errors.length > 0) throw new ConfigurationError(findings.errors);
  return root;
}

function plain(node: Node): unknown {
  if (node.type === 'array') return node.children?.map(plain);
  if (node.type !== 'object') return node.value;
  return Object.fromEntries(membersOf(node).map(({ key, value }) => [key.value, plain(value)]));
}

function outcome(reading: () => unknown): { value: unknown } | 'refused' {
  try {
    return { value: reading() };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ConfigurationError) return 'refused';
    throw error;
  }
}

/** Whether an object has the same key twice: JSON.parse takes the last then, a configuration file may not have it. */
function hasKeyTwice(node: Node | undefined): boolean {
  const inner = node?.children ?? [];
  const keys = new Set(inner.map((one) => one.children?.[0]?.value));
  return (node?.type === 'object' && keys.size < inner.length) || inner.some(hasKeyTwice);
}

/** Node by node: the text at a value's place is that value. */
function placesAreRight(node: Node, text: string): void {
  if (node.type !== 'property') {
    const there = text.slice(node.offset, node.offset + node.length);
    assert.deepEqual(plain(node), JSON.parse(there));
  }
  for (const inner of node.children ?? []) placesAreRight(inner, text);
}

const wellFormedJson = fc.json({ maxDepth: 4, stringUnit: 'grapheme' });
const spacing = fc.constantFrom(undefined, 1, '\t');

test('JSON is read as JSON.parse reads it, and every value has its position', () => {
  fc.assert(
    fc.property(wellFormedJson, spacing, (json, space) => {
      const text = JSON.stringify(JSON.parse(json), null, space);
      const root = read(text);
      assert.deepEqual(plain(root), JSON.parse(text));
      placesAreRight(root, text);
    }),
  );
});

test('what JSON.parse refuses is refused, and a key that stands twice, and nothing else', () => {
  const piece = fc.constantFrom(
    ...'{}[]:,"\\ \n\r\t-+.0123eEtrufalsn/#\'',
    '\u{feff}',
    '\u{a0}',
    '\\u12',
    '\\n',
    '"a":',
  );
  const damaged = fc.tuple(wellFormedJson, fc.nat(), fc.nat({ max: 3 }), piece).map(([json, at, removed, inserted]) => {
    const place = at % (json.length + 1);
    return json.slice(0, place) + inserted + json.slice(place + removed);
  });
  fc.assert(
    fc.property(
      fc.oneof(
        damaged,
        fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      ),
      (text) => {
        // A range is cut within a surrogate pair; JSON.parse takes such halves, a configuration file may not have them.
        fc.pre(text.isWellFormed());
        const expected = hasKeyTwice(parseTree(text)) ? 'refused' : outcome(() => JSON.parse(text));
        const found = outcome(() => plain(read(text)));
        assert.deepEqual(found, expected);
      },
    ),
    { numRuns: 2000, examples: [['{"":"","":""}'], ['[{"a":1,"\\u0061":{"b":1}}]'], ['{"a":{"b":1},"b":1}']] },
  );
});

const refused: ReadonlyArray<readonly [text: string, at: number, message: RegExp]> = [
  ['', 0, /file ends where a value is expected/],
  ['{"a": 1\n', 7, /file ends where a comma or "}"/],
  ['{"a": 1,}', 8, /no comma may stand before "}"/],
  ['[1, ]', 4, /no comma may stand before "\]"/],
  ['{"a" 1}', 5, /expected a colon after the key/],
  ['{"a": 1 "b": 2}', 8, /expected a comma or the closing bracket/],
  ['{a: 1}', 1, /nothing of this form; keys and texts stand in double quotes/],
  ["{'a': 1}", 1, /double quotes only/],
  ['{"a": True}', 6, /it is written true/],
  ['{"a": None}', 6, /it is written null/],
  ['{"a": 01}', 7, /expected a comma or the closing bracket/],
  ['{"a": 1, 2}', 9, /expected a key in double quotes/],
  ['{"a": 1.}', 6, /this number has no end/],
  ['[,]', 1, /expected a value/],
  ['{"a": 1} {}', 9, /expected the end of the file/],
  ['{"a": 1} // x', 9, /JSON has no comments/],
  ['{"a": "b\n"}', 6, /no closing quote/],
  ['{"a": "\t"}', 7, /control character/],
  ['{"a": "\\x"}', 7, /no such escape/],
  ['{"a": "\\ud800"}', 6, /half of a surrogate pair/],
  ['\u{feff}{}', 0, /byte order mark/],
  ['['.repeat(100), 64, /nested deeper than 64/],
];

for (const [text, at, message] of refused) {
  test(`${JSON.stringify(text.slice(0, 20))} is refused at offset ${at}`, () => {
    const findings = new Findings('x.json', text);
    assert.equal(parseJson(text, findings), undefined);
    const [{ line, column, message: found } = assert.fail('nothing was found'), ...others] = findings.errors;
    assert.deepEqual(others, []);
    assert.match(found, message);
    assert.deepEqual({ line, column }, { line: 1, column: at + 1 });
  });
}

test('a duplicate key in the same object is reported, in different objects it may occur', () => {
  const text = '{"a": {"a": 1}, "b": 2, "\\u0061": 3}';
  const findings = new Findings('x.json', text);
  assert(parseJson(text, findings));
  assert.deepEqual(
    findings.errors.map(({ message, column }) => [message, column]),
    [['the key "a" stands twice in the same object', 25]],
  );
});
