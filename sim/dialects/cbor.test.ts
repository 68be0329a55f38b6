import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readCbor, writeCbor } from './cbor.ts';

test('whatever JSON can say comes back from CBOR as it was', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary', maxDepth: 5 }), (value) => {
      // JSON has no negative zero.
      const plain: unknown = JSON.parse(JSON.stringify(value));
      assert.deepEqual(readCbor(writeCbor(plain)), { value: plain });
    }),
  );
});

test('floating point numbers are not shortened to 16 bits (TS-0004, clause 8.5)', () => {
  assert.equal(Buffer.from(writeCbor([0.5, 1])).toString('hex'), '82fb3fe000000000000001');
});

test('no bytes whatever make anything but a reading or a problem', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const read = readCbor(bytes);
      if ('problem' in read) assert.match(read.problem, /^The body .+\.$/s);
      else JSON.stringify(read.value);
    }),
  );
});

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));

const refused: readonly (readonly [what: string, bytes: Uint8Array, problem: RegExp])[] = [
  ['nothing', bytes(''), /not CBOR/],
  ['half a map', bytes('a1 61 61'), /not CBOR/],
  ['two data items', bytes('01 02'), /not CBOR/],
  ['a key twice', bytes('a2 61 61 01 61 61 02'), /not CBOR: .*repeat map key/],
  ['a number as a key', bytes('a1 01 02'), /not CBOR/],
  ['text that is not UTF-8', bytes('61 ff'), /not CBOR/],
  ['undefined', bytes('f7'), /not CBOR/],
  ['a number that JSON has not', bytes('f9 7e00'), /not CBOR/],
  ['an integer that is not exact', bytes('1b ffffffffffffffff'), /not CBOR/],
  ['a tag', bytes('c0 61 61'), /not CBOR/],
  ['a byte string', bytes('a1 61 61 41 00'), /byte string/],
  ['65 levels', new Uint8Array(66).fill(0x81, 0, 65), /deeper than 64 levels/],
  ['a million levels', new Uint8Array(1_000_000).fill(0x81), /nested too deep|not CBOR/],
  ['a list that says to be endless', bytes('9b ffffffffffffffff'), /not CBOR/],
];

for (const [what, body, problem] of refused) {
  test(`${what} is refused`, () => {
    const read = readCbor(body);
    assert.match('problem' in read ? read.problem : 'read', problem);
  });
}

test('a key called __proto__ is a key like any other', () => {
  const read = readCbor(bytes('a1 69 5f5f70726f746f5f5f a1 61 61 01'));
  assert.ok('value' in read);
  assert.equal(JSON.stringify(read.value), '{"__proto__":{"a":1}}');
});
