/** The rules that disturb connections, over CoAP: what is lost is sent again. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { generate } from 'coap-packet';
import { CoapSender } from '../bindings/coap/coap-sender.ts';
import { json, numberIn, rawCoap, request } from '../bindings/coap/testing/raw-coap.ts';
import { manualClock } from '../environment/clock.ts';
import { startGateway, startPair } from './pair.ts';
import { until } from './testing/disturbed-wire.ts';

const registration = () =>
  request('0.02', 'cse-mn', {
    ...{ options: { 267: 2, 'Content-Format': 50 } },
    payload: json({ 'm2m:ae': { rn: 'a', api: 'Na', rr: true, srv: ['3'] } }),
  });

async function place(t: TestContext, ...rules: readonly string[]) {
  const clock = manualClock();
  const gateway = await startGateway({ dialect: 'onem2m', coap: true, clock, disturbances: rules });
  t.after(() => gateway.close());
  const isRegistered = () => gateway.cse.core.tree.byAlias('CA') !== undefined;
  return { gateway, clock, isRegistered, ...(await rawCoap(t, gateway.coapUrl)) };
}

for (const [rule, registered] of [
  ['drop POST times=1', true],
  ['drop POST times=1 lost=request', false],
] as const)
  test(`${rule}: nothing is answered until the request is sent again, and it is carried out once`, async (t) => {
    const { gateway, send, ask, ping, isRegistered } = await place(t, rule);
    const asked = registration();
    send(asked);
    await ping();
    assert.equal(isRegistered(), registered);
    const answer = await ask(asked);
    assert.deepEqual([answer.code, numberIn(answer, '307')], ['2.01', 2001]);
    assert.equal(gateway.requests.matching({ method: 'POST' }).length, 1);
  });

for (const [rule, registered] of [
  ['reset POST', true],
  ['reset POST lost=request', false],
] as const)
  test(`${rule}: the message is rejected, and the request was ${registered ? '' : 'not '}carried out`, async (t) => {
    const { ask, isRegistered } = await place(t, rule);
    const asked = registration();
    const { reset, messageId } = await ask(asked);
    assert.deepEqual([reset, messageId], [true, asked.messageId]);
    assert.equal(isRegistered(), registered);
  });

test('an answer is cut short', async (t) => {
  const { send, next, ask } = await place(t, 'truncate GET keep=0.9 times=1');
  const asked = request('0.01', 'cse-mn', { from: 'CAdmin' });
  send(asked);
  const { bytes } = await next();
  const whole = generate(await ask(asked), 65_536);
  assert.ok(bytes.equals(whole.subarray(0, Math.floor(whole.length * 0.9))));
});

test('an answer of its own that is lost is sent again, by the clock', async (t) => {
  const { clock, send, next, ask } = await place(t, 'drop POST after=2 times=1');
  const inbox = await rawCoap(t);
  await ask(registration());
  const watch = { nu: [`${inbox.url}/inbox`], enc: { net: [3] } };
  send(request('0.02', 'cse-mn/a', { payload: json({ 'm2m:sub': watch }), options: { 267: 23 } }));
  const { packet, port } = await inbox.next();
  const options = [
    ...(packet.options ?? []).filter(({ name }) => String(name) === '283'),
    { name: '307', value: Buffer.from([7, 208]) },
  ];
  // The acknowledgement is lost, and so is the answer.
  await clock.advance('100ms');
  inbox.send({ ack: true, code: '2.04', messageId: packet.messageId, token: packet.token, options }, port);
  const answered = next();
  await until(answered, () => clock.advance('1s'));
  const { packet: answer } = await answered;
  assert.deepEqual([answer.confirmable, answer.code], [true, '2.01']);
});

test('who is dead refuses messages, and is there again at the same port', async (t) => {
  const { gateway, ask } = await place(t);
  const sender = new CoapSender();
  t.after(() => sender.close());
  await gateway.disturbances.dead();
  await assert.rejects(sender.send(gateway.coapUrl ?? '', { method: 'GET', target: '/cse-mn', headers: {} }), {
    message: /ECONNREFUSED/,
  });
  await gateway.disturbances.clear();
  assert.equal((await ask(registration())).code, '2.01');
});

for (const rule of [
  ...['drop POST times=4', 'drop POST times=4 lost=request'],
  ...['duplicate POST', 'reorder POST', 'latency POST by=10s'],
])
  test(`${rule}: a gateway sends to its backend again what is not answered, and nothing is done twice`, async () => {
    await using pair = await startPair({ dialect: 'onem2m', coap: true, clock: 'manual', sendingTimeout: 60_000 });
    const { gateway, backend, clock } = pair;
    await backend.disturbances.set([rule]);
    for (const name of ['first', 'second']) {
      const answered = fetch(`${gateway.url}/~/${backend.cseId}/${backend.base}/${gateway.cseId}`, {
        method: 'POST',
        headers: {
          ...{ 'X-M2M-Origin': `/${gateway.cseId}`, 'X-M2M-RI': name, 'X-M2M-RVI': '3' },
          'Content-Type': 'application/json;ty=3',
        },
        body: JSON.stringify({ 'm2m:cnt': { rn: name } }),
      });
      await until(answered, () => clock.advance('500ms'));
      assert.equal((await answered).status, 201);
    }
    assert.ok(Number(backend.disturbances.rules[0]?.disturbed) >= 2);
    assert.equal(backend.requests.matching({ method: 'POST', wire: 'coap' }).length, 3, 'the registration, and two');
  });
