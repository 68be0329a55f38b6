import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base64Bytes, bytesOf, hexOf, jsonBytes, latin1Of, textOf } from './messages.ts';

const texts = ['', 'plain', 'é☃𝄞', '\ufeffwith a mark'];

test('texts and bytes are what Buffer makes of them', () => {
  for (const text of texts) {
    const bytes = Buffer.from(text);
    assert.deepEqual(Buffer.from(bytesOf(text)), bytes);
    assert.equal(textOf(bytes), text);
    assert.equal(hexOf(bytes), bytes.toString('hex'));
    assert.equal(latin1Of(bytes), bytes.toString('latin1'));
  }
  assert.equal(textOf(Uint8Array.of(0x22, 0xff)), '"\ufffd');
  assert.equal(textOf(jsonBytes({ a: 'é' })), '{"a":"é"}');
});

test('base64 is decoded as far as it is base64, as Buffer does', () => {
  for (const text of ['', 'e30=', 'e30', 'e3 0=\n', 'e', '{"a":1}', 'e30=e30=', 'no base64!']) {
    assert.deepEqual(Buffer.from(base64Bytes(text)), Buffer.from(text, 'base64'), text);
  }
});
