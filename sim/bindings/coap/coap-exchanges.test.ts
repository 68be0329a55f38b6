/** What TS-0008 has a CSE do in one exchange after the other, and the RFCs that it refers to. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ParsedPacket } from 'coap-packet';
import { manualClock } from '../../environment/clock.ts';
import { CoapSender } from './coap-sender.ts';
import { admin, node, register } from './testing/coap-node.ts';
import { json, numberIn, optionIn, rawCoap, request } from './testing/raw-coap.ts';

const values = ({ options }: ParsedPacket, wanted: string): string[] =>
  options.filter(({ name }) => String(name) === wanted).map(({ value }) => String(value));
const status = { name: '307', value: Buffer.from([7, 208]) };

test('host and port may be said, and change nothing', async (t) => {
  const { coapUrl } = await node(t);
  const { ask } = await rawCoap(t, coapUrl);
  const options = { 'Uri-Host': 'gateway.example', 'Uri-Port': 5683 };
  assert.equal((await ask(admin('0.01', 'cse-in', { options }))).code, '2.05');
});

test('nothing that is answered may be kept, and who asks whether it is still so gets all of it', async (t) => {
  const { coapUrl } = await node(t);
  const { ask } = await rawCoap(t, coapUrl);
  const answer = await ask(admin('0.01', 'cse-in', { options: { ETag: 'x' } }));
  assert.deepEqual([answer.code, numberIn(answer, 'Max-Age'), values(answer, 'ETag')], ['2.05', 0, []]);
  assert.ok(Object.hasOwn(JSON.parse(String(answer.payload)), 'm2m:cb'));
});

test('what is created with its address in the answer is in Location-Path, too', async (t) => {
  const { coapUrl } = await node(t);
  const { ask } = await rawCoap(t, coapUrl);
  await ask(register());
  const created = await ask(
    request('0.02', 'cse-in/a?rcn=3', { options: { 267: 3 }, payload: json({ 'm2m:cnt': {} }) }),
  );
  const { uri } = JSON.parse(String(created.payload))['m2m:rce'];
  assert.deepEqual(values(created, 'Location-Path'), uri.split('/'));
});

test('a notification is answered without content, whatever its receiver has said', async (t) => {
  const { coapUrl } = await node(t);
  const [client, inbox] = [await rawCoap(t, coapUrl), await rawCoap(t)];
  const entity = { rn: 'a', api: 'Na', rr: true, srv: ['3'], poa: [inbox.url] };
  await client.ask(request('0.02', 'cse-in', { options: { 267: 2 }, payload: json({ 'm2m:ae': entity }) }));
  const asked = client.ask(admin('0.02', 'cse-in/a', { payload: json({ 'm2m:sgn': {} }) }));
  const { packet, port } = await inbox.next();
  const { messageId, token } = packet;
  const options = [status, { name: '283', value: Buffer.from(optionIn(packet, '283') ?? '') }];
  inbox.send({ ack: true, code: '2.04', messageId, token, options }, port);
  const answer = await asked;
  assert.deepEqual([answer.code, numberIn(answer, '307'), answer.payload.length], ['2.04', 2000, 0]);
});

for (const [rt, code] of [
  [1, 1001],
  [2, 1002],
] as const)
  test(`a request with rt=${rt} is accepted as created, and Location-Path is where its result will be`, async (t) => {
    const { coapUrl } = await node(t);
    const { ask } = await rawCoap(t, coapUrl);
    for (const accept of [50, 60]) {
      const accepted = await ask(admin('0.02', `cse-in?rt=${rt}&op=2`, { options: { Accept: accept } }));
      assert.deepEqual([accepted.code, numberIn(accepted, '307')], ['2.01', code]);
      const kept = await ask(admin('0.01', values(accepted, 'Location-Path').join('/')));
      assert.equal(kept.code, '2.05');
      assert.equal(JSON.parse(String(kept.payload))['m2m:req'].op, 2);
    }
  });

test('the result of what is not waited for comes in a confirmable POST', async (t) => {
  const { coapUrl } = await node(t);
  const [client, inbox] = [await rawCoap(t, coapUrl), await rawCoap(t)];
  const asked = admin('0.02', 'cse-in?rt=2&op=2', { options: { 263: `${inbox.url}/results` } });
  assert.equal((await client.ask(asked)).code, '2.01');
  const { packet, port } = await inbox.next();
  assert.deepEqual([packet.code, packet.confirmable, values(packet, 'Uri-Path')], ['0.02', true, ['results']]);
  assert.equal(JSON.parse(String(packet.payload))['m2m:rsp'].rqi, `r${asked.messageId}`);
  inbox.send({ ack: true, code: '2.04', messageId: packet.messageId, token: packet.token, options: [status] }, port);
});

test('a request that is not acknowledged is sent again, by the clock', async (t) => {
  const clock = manualClock();
  const inbox = await rawCoap(t);
  const sender = new CoapSender({ clock });
  t.after(() => sender.close());
  const sent = sender.send(inbox.url, { method: 'POST', target: '/', headers: {}, body: '{}' });
  const first = await inbox.next();
  await clock.advance('3s');
  const { bytes, packet, port } = await inbox.next();
  assert.ok(bytes.equals(first.bytes));
  inbox.send({ ack: true, code: '2.04', messageId: packet.messageId, token: packet.token, options: [status] }, port);
  assert.equal((await sent).status, 200);
});

test('an answer of its own is sent again, by the clock, until it is acknowledged', async (t) => {
  const clock = manualClock();
  const { coapUrl } = await node(t, {}, { clock });
  const [client, inbox] = [await rawCoap(t, coapUrl), await rawCoap(t)];
  await client.ask(register());
  const watch = { nu: [`${inbox.url}/inbox`], enc: { net: [3] } };
  client.send(request('0.02', 'cse-in/a', { payload: json({ 'm2m:sub': watch }), options: { 267: 23 } }));
  const { packet, port } = await inbox.next();
  await clock.advance('100ms');
  assert.equal((await client.next()).packet.code, '0.00');
  const identifier = { name: '283', value: Buffer.from(optionIn(packet, '283') ?? '') };
  const { messageId, token } = packet;
  inbox.send({ ack: true, code: '2.04', messageId, token, options: [status, identifier] }, port);
  const first = await client.next();
  assert.deepEqual([first.packet.code, first.packet.confirmable], ['2.01', true]);
  await clock.advance('3s');
  assert.ok((await client.next()).bytes.equals(first.bytes));
  client.send({ code: '0.00', ack: true, messageId: first.packet.messageId });
  await client.ping();
  await clock.advance('1h');
  await client.ping();
});

test('a non-confirmable request that comes again, or cannot be understood, is passed over', async (t) => {
  const { coapUrl } = await node(t);
  const { ask, send, ping } = await rawCoap(t, coapUrl);
  const asked = admin('0.01', 'cse-in', { confirmable: false });
  assert.equal((await ask(asked)).code, '2.05');
  send(asked);
  send(admin('0.01', 'cse-in', { confirmable: false, options: { 65001: 'x' } }));
  await ping();
});
