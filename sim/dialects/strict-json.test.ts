import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { deepestNesting, readJson } from './strict-json.ts';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

test('every JSON value that JSON.stringify writes is read back', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
      const text = JSON.stringify(value);
      assert.deepEqual(readJson(text), { value: JSON.parse(text) });
    }),
  );
});

test('a key that is repeated anywhere is found', () => {
  fc.assert(
    fc.property(fc.string(), fc.jsonValue({ maxDepth: 2 }), fc.nat(3), (key, value, depth) => {
      const pair = `${JSON.stringify(key)}:${JSON.stringify(value)}`;
      const text = `${'{"outer":['.repeat(depth)}{${pair},${pair}}${']}'.repeat(depth)}`;
      assert.match(JSON.stringify(readJson(text)), /same key twice/);
    }),
  );
});

test('colons inside texts are not taken for keys', () => {
  assert.deepEqual(readJson('{"a:b":"c:\\"d:{\\\\"}'), { value: { 'a:b': 'c:"d:{\\' } });
});

test('nesting is read up to its limit and refused beyond it', () => {
  assert.ok('value' in readJson(nested(deepestNesting)));
  assert.match(JSON.stringify(readJson(nested(deepestNesting + 1))), /deeper than 64/);
  assert.match(JSON.stringify(readJson(nested(100_000))), /deeper than 64/);
});

test('half of a surrogate pair is refused, as a value, as a key and deep inside; a whole pair is not', () => {
  for (const text of ['"\\ud800"', '{"\\udfff":1}', '[[{"a":"x\\uD83D"}]]']) {
    assert.match(JSON.stringify(readJson(text)), /surrogate/);
  }
  assert.deepEqual(readJson('"\\ud83d\\ude00"'), { value: '😀' });
});

test('__proto__ is a key like any other', () => {
  const read = readJson('{"__proto__":{"polluted":true}}');
  assert.ok('value' in read);
  assert.deepEqual(Object.keys(read.value as object), ['__proto__']);
  assert.equal('polluted' in {}, false);
});
