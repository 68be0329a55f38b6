import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from 'cborg';
import coap from 'coap';
import { generate, type Packet } from 'coap-packet';
import { admin, container, node, register, standard } from './testing/coap-node.ts';
import { json, numberIn, optionIn, rawCoap, request } from './testing/raw-coap.ts';

test('requests become responses with their token, code, status, identifier and format', async (t) => {
  const { coapUrl } = await node(t);
  const { ask } = await rawCoap(t, coapUrl);
  const asked = register();
  const created = await ask(asked);
  assert.deepEqual(
    { code: created.code, ack: created.ack, messageId: created.messageId, token: created.token },
    { code: '2.01', ack: true, messageId: asked.messageId, token: asked.token },
  );
  assert.equal(numberIn(created, '307'), 2001);
  assert.equal(optionIn(created, '283'), `r${asked.messageId}`);
  assert.equal(optionIn(created, '271'), '3');
  assert.match(optionIn(created, '259') ?? '', /^\d{8}T\d{6}$/);
  assert.equal(numberIn(created, 'Content-Format'), 50);
  assert.deepEqual(
    created.options.filter(({ name }) => name === 'Location-Path').map(({ value }) => String(value)),
    ['cse-in', 'a'],
  );
  assert.equal(JSON.parse(String(created.payload))['m2m:ae'].aei, 'CA');
  const shown = await ask(request('0.01', 'cse-in/a'));
  assert.equal(shown.code, '2.05');
  assert.equal(numberIn(shown, 'Max-Age'), 0);
  const gone = await ask(request('0.04', 'cse-in/a'));
  assert.deepEqual([gone.code, numberIn(gone, '307'), gone.payload.length], ['2.02', 2002, 0]);
});

test('SP-relative and absolute addresses begin with ~ and _, and the query says what to find', async (t) => {
  const { coapUrl, cse } = await node(t);
  const { ask } = await rawCoap(t, coapUrl);
  await ask(register());
  const { spId } = cse.core.configuration;
  for (const path of ['~/id-in/cse-in/a', `_/${spId}/id-in/cse-in/a`])
    assert.equal((await ask(request('0.01', path))).code, '2.05', path);
  const found = await ask(admin('0.01', 'cse-in?fu=1&ty=2+3'));
  assert.deepEqual(JSON.parse(String(found.payload)), { 'm2m:uril': ['cse-in/a'] });
});

test('the client of another library reads what is answered', async (t) => {
  const { coapUrl } = await node(t);
  const { hostname, port } = new URL(coapUrl);
  const agent = new coap.Agent();
  t.after(() => agent.close());
  const asked = coap.request({ hostname, port: Number(port), method: 'GET', pathname: '/cse-in', agent });
  for (const [name, value] of [
    ['279', 'CAdmin'],
    ['283', 'r1'],
    ['271', '3'],
  ] as const)
    asked.setOption(name, Buffer.from(value));
  asked.setOption('Accept', 'application/cbor');
  const answer = await new Promise<coap.IncomingMessage>((resolve, reject) =>
    asked.on('response', resolve).on('error', reject).end(),
  );
  assert.equal(answer.code, '2.05');
  assert.equal(answer.headers['Content-Format'], 'application/cbor');
  assert.equal((decode(answer.payload) as { 'm2m:cb': { csi: string } })['m2m:cb'].csi, '/id-in');
});

test('what is sent again is done once, and answered by the same bytes', async (t) => {
  const { coapUrl, cse } = await node(t);
  const { send, next, ask } = await rawCoap(t, coapUrl);
  await ask(register());
  const before = cse.core.tree.size;
  const create = generate(container({}));
  for (let times = 0; times < 3; times += 1) send(create);
  const [first, second, third] = [await next(), await next(), await next()];
  assert.equal(first.packet.code, '2.01');
  assert.ok(second.bytes.equals(first.bytes) && third.bytes.equals(first.bytes));
  assert.equal(cse.core.tree.size, before + 1);
});

test('a non-confirmable request is answered by a non-confirmable response', async (t) => {
  const { coapUrl } = await node(t);
  const { ask } = await rawCoap(t, coapUrl);
  const answer = await ask({ ...register(), confirmable: false });
  assert.deepEqual([answer.code, answer.ack, answer.confirmable], ['2.01', false, false]);
});

test('a waiting client gets an acknowledgement, then the answer in a message of its own', async (t) => {
  const { coapUrl } = await node(t);
  const [client, inbox] = [await rawCoap(t, coapUrl), await rawCoap(t)];
  await client.ask(register());
  const watch = { nu: [`${inbox.url}/inbox`], enc: { net: [3] } };
  const asked = request('0.02', 'cse-in/a', { payload: json({ 'm2m:sub': watch }), options: { 267: 23 } });
  client.send(asked);
  const acknowledged = (await client.next()).packet;
  assert.deepEqual([acknowledged.code, acknowledged.ack, acknowledged.messageId], ['0.00', true, asked.messageId]);
  client.send(asked);
  assert.equal((await client.next()).packet.code, '0.00', 'it is not done twice while it is being done');
  const { packet, port } = await inbox.next();
  assert.equal(packet.code, '0.02');
  assert.equal(optionIn(packet, 'Uri-Path'), 'inbox');
  assert.equal(optionIn(packet, '279'), '/id-in');
  assert.equal(JSON.parse(String(packet.payload))['m2m:sgn'].vrq, true);
  const { messageId, token } = packet;
  const identifier = { name: '283', value: Buffer.from(optionIn(packet, '283') ?? '') };
  inbox.send(
    { ack: true, code: '2.04', messageId, token, options: [identifier, { name: '307', value: Buffer.from([7, 208]) }] },
    port,
  );
  const answer = (await client.next()).packet;
  assert.deepEqual([answer.code, answer.confirmable, answer.token], ['2.01', true, asked.token]);
  client.send({ code: '0.00', ack: true, messageId: answer.messageId });
});

test('larger bodies come in blocks, and go in blocks of the requested size', async (t) => {
  const { coapUrl } = await node(t);
  const { ask } = await rawCoap(t, coapUrl);
  await ask(register());
  const payload = json({ 'm2m:cnt': { rn: 'big', lbl: Array.from({ length: 400 }, (_, at) => `label-${at}`) } });
  const asked = container({});
  let lastId = 1000;
  const part = (number: number, size: number, more: boolean): Packet => ({
    ...asked,
    ...{
      messageId: lastId++,
      token: Buffer.from(`b${number}`),
      payload: payload.subarray(number * size, (number + 1) * size),
    },
    options: [
      ...(asked.options ?? []),
      { name: 'Block1', value: Buffer.from([(number << 4) | (more ? 8 : 0) | (Math.log2(size) - 4)]) },
    ],
  });
  assert.equal((await ask(part(1, 512, true))).code, '4.08', 'a block without those before it');
  const parts = Math.ceil(payload.length / 512);
  for (let number = 0; number < parts - 1; number += 1) {
    const going = await ask(part(number, 512, true));
    assert.deepEqual([going.code, numberIn(going, 'Block1')], ['2.31', (number << 4) | 8 | 5]);
  }
  const created = await ask(part(parts - 1, 512, false));
  assert.deepEqual([created.code, numberIn(created, 'Block1')], ['2.01', ((parts - 1) << 4) | 5]);
  const shown = admin('0.01', 'cse-in/a/big');
  let body = '';
  for (let number = 0, more = true; more; number += 1) {
    const wanted = Buffer.from(number < 16 ? [(number << 4) | 4] : [number >> 4, ((number & 15) << 4) | 4]);
    const block = await ask({
      ...shown,
      messageId: 2000 + number,
      options: [...(shown.options ?? []), { name: 'Block2', value: wanted }],
    });
    body += String(block.payload);
    more = ((numberIn(block, 'Block2') ?? 0) & 8) !== 0;
    assert.ok(block.payload.length <= 256 && block.code === '2.05');
  }
  assert.equal(JSON.parse(body)['m2m:cnt'].lbl.length, 400);
});

for (const [what, asked, code] of [
  ['a critical option that nobody knows', () => admin('0.01', 'cse-in', { options: { 65001: 'x' } }), '4.02'],
  ['an option twice that stands once', () => admin('0.01', 'cse-in', { options: { 279: 'CB' } }), '4.02'],
  ['a block of no size', () => admin('0.01', 'cse-in', { options: { Block2: 7 } }), '4.02'],
  ['a request for somebody else', () => admin('0.01', 'cse-in', { options: { 'Proxy-Uri': 'coap://h' } }), '5.05'],
  ['a method of later releases', () => admin('0.05', 'cse-in'), '4.05'],
  ['a format that is not given', () => admin('0.01', 'cse-in', { options: { Accept: 41 } }), '4.06'],
  [
    'a format that is not taken',
    () => admin('0.03', 'cse-in', { options: { 'Content-Format': 41 }, payload: json({}) }),
    '4.15',
  ],
  ['a request of nobody', () => request('0.01', 'cse-in', { from: '' }), '4.00'],
  ['a body that is too large', () => container({ rn: 'x'.repeat(2000) }), '4.13'],
] as const)
  test(`${what} is refused by ${code}`, async (t) => {
    const { coapUrl } = await node(t, { http: { limits: { bodyBytes: 1500 } } });
    const { ask } = await rawCoap(t, coapUrl);
    assert.equal((await ask(asked())).code, code);
    assert.equal((await ask(admin('0.01', 'cse-in'))).code, '2.05', 'the next one is served');
  });

test('malformed messages are rejected where their sender waits, as are pings; others are ignored', async (t) => {
  const { coapUrl } = await node(t);
  const { send, next } = await rawCoap(t, coapUrl);
  for (const bytes of [[], [0x40], [0x80, 1, 0, 1], [0x50, 1, 0, 2, 0xff], [0x60, 0, 0, 3], [0x70, 0, 0, 4]])
    send(Buffer.from(bytes));
  const cutShort = generate(admin('0.01', 'cse-in')).subarray(0, -3);
  send(cutShort);
  const { packet } = await next();
  assert.deepEqual([packet.reset, packet.messageId], [true, cutShort.readUInt16BE(2)]);
  send(Buffer.from([0x40, 0, 0x12, 0x34]));
  const pong = (await next()).packet;
  assert.deepEqual([pong.reset, pong.messageId], [true, 0x1234]);
});

test('what is not waited for is posted with its operation, and its request is where the answer says', async (t) => {
  const { coapUrl } = await node(t);
  const { ask } = await rawCoap(t, coapUrl);
  const accepted = await ask(admin('0.02', 'cse-in?rt=1&op=2'));
  assert.deepEqual([accepted.code, numberIn(accepted, '307')], ['2.01', 1001]);
  const { 'm2m:uri': uri } = JSON.parse(String(accepted.payload)) as { 'm2m:uri': string };
  const kept = await ask(admin('0.01', uri.startsWith('/') ? `~${uri}` : uri));
  assert.equal(JSON.parse(String(kept.payload))['m2m:req'].op, 2);
});

test('a gateway registers at its backend over CoAP, and requests go on to it, however large', async (t) => {
  const backend = await node(t);
  const remote = { base: 'cse-in', cseId: 'id-in', cseType: 'IN-CSE', poa: [backend.coapUrl], ownPoa: [] } as const;
  const gateway = await node(t, {
    cse: { ...standard, cseId: 'id-mn', base: 'cse-mn', cseType: 'MN-CSE' },
    registration: { interval: 3600, offset: 0, labels: [], remoteCses: [remote] },
  });
  await gateway.whenRegistered();
  const { ask } = await rawCoap(t, gateway.coapUrl);
  const shown = await ask(admin('0.01', '~/id-in/cse-in/id-mn', { from: '/id-mn' }));
  assert.deepEqual(JSON.parse(String(shown.payload))['m2m:csr'].poa, [gateway.coapUrl]);
  const lbl = Array.from({ length: 700 }, (_, at) => `label-${at}`);
  const large = json({ 'm2m:csr': { lbl } });
  assert.ok(large.length > 8000);
  const updated = await ask(admin('0.03', '~/id-in/cse-in/id-mn', { from: '/id-mn', payload: large }));
  assert.deepEqual([updated.code, numberIn(updated, 'Block2')], ['2.04', 14], 'a block of 1024 and more to come');
});
