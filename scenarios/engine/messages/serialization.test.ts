import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serialize, textIn } from './serialization.ts';

const cbor = 'application/vnd.onem2m-res+cbor;ty=3';
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

for (const [what, octets, text] of [
  ['nested, with null', 'a1 61 61 82 f6 f5', '{"a":[null,true]}'],
  ['of no length that is said beforehand', 'bf 61 61 01 ff', '{"a":1}'],
  ['numbers of 16, 32 and 64 bits', '83 f93800 fa3fc00000 fb3fe0000000000000', '[0.5,1.5,0.5]'],
  ['more than JavaScript counts exactly', '1b 0fffffffffffffff', '1152921504606847000'],
  ['octets in place of a text', 'a1 61 61 42 00ff', `{"a":"h'00ff'"}`],
  ['JSON that is said to be CBOR', '7b 7d', `h'7b7d'`],
  ['something after it', 'a0 a0', `h'a0a0'`],
  ['what is cut', 'a1 61 61', `h'a16161'`],
  ['a number for a name', 'a1 01 01', `h'a10101'`],
  ['no number', 'f9 7e00', `h'f97e00'`],
  ['a list that no memory holds', '9a ffffffff', `h'9affffffff'`],
] as const)
  test(`CBOR as JSON: ${what}`, () => assert.equal(textIn(hex(octets), cbor), text));

test('what is nested too deeply is shown by its first octets', () => {
  assert.equal(textIn(Buffer.alloc(100_000, 0x81), cbor), `h'${'81'.repeat(4096)}'… (100000 bytes)`);
});

test('what is not said to be CBOR is a text, and an empty body is empty', () => {
  for (const type of ['application/json', 'text/plain;about=cbor', undefined])
    assert.equal(textIn(hex('a0'), type), '�');
  assert.equal(textIn(hex(''), cbor), '');
});

test('floating point numbers have 64 bits, and members keep their order (TS-0004, clause 8.5)', () => {
  assert.equal(serialize({ bb: 0.5, a: 1 }, 'cbor').toString('hex'), 'a2626262fb3fe0000000000000616101');
});
