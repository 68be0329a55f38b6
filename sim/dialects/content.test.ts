import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeContent, encodeContent, type MessageContent } from './content.ts';

test('what is pushed is what is read, for every JSON value and all octets', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      if (typeof value === 'string') assert.equal(decodeContent(encodeContent(value)), value);
      else assert.deepEqual(decodeContent(encodeContent(value as MessageContent)), JSON.parse(JSON.stringify(value)));
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array(), (octets) => {
      assert.deepEqual(decodeContent(encodeContent(octets)), Buffer.from(octets));
    }),
  );
});

test('texts in base64 are decoded, and what cannot be decoded stays what it is', () => {
  assert.equal(decodeContent({ con: 'w6Q=', cnf: 'text/plain:1' }), 'ä');
  assert.equal(decodeContent({ con: 'w6Q=', cnf: 'application/json:1' }), 'ä');
  assert.equal(decodeContent({ con: '{"a":1}', cnf: 'application/json:0' }), '{"a":1}');
  assert.equal(decodeContent({ con: '21' }), '21');
  assert.equal(decodeContent({ con: 21, cnf: 'text/plain:1' }), 21);
});
