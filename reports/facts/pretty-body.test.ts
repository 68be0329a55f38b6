import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { prettyBody } from './message-text.ts';

test('JSON is indented as is usual', () => {
  fc.assert(
    fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
      assert.equal(prettyBody(JSON.stringify(value)), JSON.stringify(value, undefined, 2));
    }),
    { seed: 13 },
  );
});

test('numbers keep their digits, and doubled keys stay', () => {
  assert.equal(
    prettyBody('{"st":0.0,"st":12345678901234567890,"a":[ ],"b":{}}'),
    '{\n  "st": 0.0,\n  "st": 12345678901234567890,\n  "a": [],\n  "b": {}\n}',
  );
});

test('what is not a JSON structure is left as it is', () => {
  for (const body of ['', 'plain', '"text"', '{"a":', '<html>', '{} {}']) assert.equal(prettyBody(body), body);
});

test('a very long body is left as it is', () => {
  const body = JSON.stringify({ con: 'x'.repeat(300_000) });
  assert.equal(prettyBody(body), body);
});
