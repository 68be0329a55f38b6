import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeCbor } from '../dialects/cbor.ts';
import { JournalAnswer } from './entry.ts';

const of = (body: string | Uint8Array, type = 'application/json') =>
  new JournalAnswer({ status: 400, headers: { 'Content-Type': type }, body }).reason;

test('the reason is what the answer says, in JSON, relayed bytes or CBOR', () => {
  const content = { 'm2m:dbg': 'ch is not known.' };
  assert.equal(of(JSON.stringify(content)), 'ch is not known.');
  assert.equal(of(Buffer.from(JSON.stringify(content))), 'ch is not known.');
  assert.equal(of(writeCbor(content), 'application/cbor'), 'ch is not known.');
});

test('an answer that says nothing of it has no reason', () => {
  for (const body of ['', 'text', 'null', '[]', '{"m2m:ae": {}}', Buffer.from([0xff, 0xfe])]) {
    assert.equal(of(body), undefined);
  }
  assert.equal(of(Buffer.from([0xff]), 'application/cbor'), undefined);
});

test('it is bounded, and passwords in URLs do not stand in it', () => {
  assert.equal(of(JSON.stringify({ 'm2m:dbg': 'x'.repeat(400) }))?.length, 301);
  const said = of(JSON.stringify({ 'm2m:dbg': 'http://me:secret@host:1/x cannot be asked, nor //u@h.' }));
  assert.equal(said, 'http://…@host:1/x cannot be asked, nor //…@h.');
});
