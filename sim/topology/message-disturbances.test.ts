/** The rules that disturb connections, at a CSE that is reached by messages: over MQTT, WebSocket or CoAP. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { connectAsync } from 'mqtt';
import { WebSocket } from 'ws';
import { wireNames } from '../dialects/outgoing-message.ts';
import { startGateway, startPair } from './pair.ts';
import { disturbedWire, mqttClient, until, wiresOfMessages, wsClient } from './testing/disturbed-wire.ts';

const denied = (rqi: string) => ({ rqi, rsc: 4103 });

for (const wire of wiresOfMessages) {
  const over = `over ${wireNames[wire]}`;

  test(`${over} an answer comes twice, and the request was carried out once`, async (t) => {
    const { gateway, next, register } = await disturbedWire(t, wire, ['duplicate POST']);
    await register('r1');
    assert.deepEqual([await next(), await next()], Array(2).fill({ rqi: 'r1', rsc: 2001 }));
    assert.equal(gateway.requests.matching({ method: 'POST' }).length, 1);
  });

  test(`${over} an answer is overtaken by the next one`, async (t) => {
    const { next, ask } = await disturbedWire(t, wire, ['reorder times=1']);
    await Promise.all([ask('r1'), ask('r2')]);
    assert.deepEqual([(await next()).rqi, (await next()).rqi], ['r2', 'r1']);
  });

  test(`${over} an answer that nothing overtakes comes after a while, by the clock of the CSE`, async (t) => {
    const { clock, next, ask } = await disturbedWire(t, wire, ['reorder']);
    const before = clock.now();
    await ask('r1');
    const answered = next();
    await until(answered, () => clock.advance('10ms'));
    assert.equal((await answered).rqi, 'r1');
    assert.ok(clock.now() - before >= 100_000);
  });

  test(`${over} an answer comes later, by the clock of the CSE`, async (t) => {
    const { clock, next, ask } = await disturbedWire(t, wire, ['latency GET by=1h', 'latency POST by=0']);
    const before = clock.now();
    await ask('r1');
    const answered = next();
    await until(answered, () => clock.advance('10m'));
    assert.ok(clock.now() - before >= 3_600_000_000);
  });

  test(`${over} no answer comes, and the request was carried out`, async (t) => {
    const { next, ask, register, isRegistered } = await disturbedWire(t, wire, ['empty POST answer=nothing']);
    await register('r1');
    await ask('r2');
    assert.equal((await next()).rqi, 'r2');
    assert.equal(isRegistered(), true);
  });

  test(`${over} a silent CSE answers nothing until the rule is gone`, async (t) => {
    const { gateway, next, ask } = await disturbedWire(t, wire, []);
    await gateway.disturbances.dead({ how: 'silent' });
    await ask('r1');
    while (gateway.disturbances.rules[0]?.disturbed !== 1) await new Promise((resolve) => setImmediate(resolve));
    await gateway.disturbances.clear();
    await ask('r2');
    assert.deepEqual(await next(), denied('r2'));
  });
}

for (const wire of ['mqtt', 'ws'] as const)
  test(`over ${wireNames[wire]} an answer is cut short, or has nothing in it`, async (t) => {
    const { raw, ask, register } = await disturbedWire(t, wire, ['truncate GET keep=0.5', 'empty POST']);
    await ask('r1');
    const cut = String(await raw());
    assert.ok(cut.startsWith('{"') && !cut.endsWith('}'), cut);
    await register('r2');
    assert.equal((await raw()).length, 0);
  });

for (const [rule, registered] of [
  ['drop POST times=1', true],
  ['drop POST lost=request times=1', false],
] as const)
  test(`${rule}: over MQTT the answer is lost, and the request was ${registered ? '' : 'not '}carried out`, async (t) => {
    const { next, ask, register, isRegistered } = await disturbedWire(t, 'mqtt', [rule]);
    await register('r1');
    await ask('r2');
    assert.equal((await next()).rqi, 'r2');
    assert.equal(isRegistered(), registered);
  });

test('an answer that is left at the MQTT server is there for who asks for it later', async (t) => {
  const { gateway, next, ask } = await disturbedWire(t, 'mqtt', ['retain']);
  await ask('r1');
  await next();
  const other = await connectAsync(gateway.mqttUrl ?? '');
  const left = new Promise<[string, boolean]>((resolve) =>
    other.once('message', (_topic, payload, { retain }) => resolve([JSON.parse(String(payload)).rqi, retain])),
  );
  await other.subscribeAsync('/oneM2M/resp/CA/#');
  assert.deepEqual(await left, ['r1', true]);
  await other.publishAsync('/oneM2M/resp/CA/id-mn/json', '', { qos: 1, retain: true });
  await other.endAsync(true);
});

test('the connection to the MQTT server is reset, and the CSE comes back to what the server has kept for it', async (t) => {
  const { gateway, next, ask, register } = await disturbedWire(t, 'mqtt', ['reset POST times=1 lost=request']);
  const { client } = await mqttClient(t, gateway);
  await client.subscribeAsync('$SYS/+/disconnect/clients', { qos: 1 });
  const gone = new Promise<void>((resolve) =>
    client.on(
      'message',
      (topic, payload) => topic.startsWith('$SYS') && String(payload).includes('id-mn') && resolve(),
    ),
  );
  await register('r1');
  await gone;
  await ask('r2');
  // What it had not acknowledged before the reset comes once more.
  const answers: string[] = [];
  while (!answers.includes('r2')) answers.push((await next()).rqi);
});

test('over MQTT requests to a dead CSE are answered once it is back', async (t) => {
  const { gateway, next, ask } = await disturbedWire(t, 'mqtt', []);
  await gateway.disturbances.dead();
  await ask('r1');
  await gateway.disturbances.clear();
  assert.deepEqual(await next(), denied('r1'));
});

for (const [rule, registered, seen] of [
  ['drop POST', true, []],
  ['drop POST lost=request', false, []],
  ['reset POST', true, ['ECONNRESET']],
  ['reset POST lost=request', false, ['ECONNRESET']],
] as const)
  test(`${rule}: the WebSocket connection ends without a closing handshake`, async (t) => {
    const { gateway, isRegistered } = await disturbedWire(t, 'ws', [rule]);
    const { socket, errors, send } = await wsClient(t, gateway);
    send({
      ...{ op: 1, to: 'cse-mn', fr: 'CA', rvi: '3', rqi: 'r1', ty: 2 },
      pc: { 'm2m:ae': { rn: 'a', api: 'Na', rr: true, srv: ['3'] } },
    });
    const [code] = await once(socket, 'close');
    assert.deepEqual([code, errors], [1006, seen]);
    assert.equal(isRegistered(), registered);
  });

test('a dead CSE cuts its WebSocket connections and refuses others, and is there again at the same port', async (t) => {
  const { gateway } = await disturbedWire(t, 'ws', []);
  const { socket } = await wsClient(t, gateway);
  const cut = once(socket, 'close');
  await gateway.disturbances.dead();
  assert.equal((await cut)[0], 1006);
  await assert.rejects(wsClient(t, gateway), { code: 'ECONNREFUSED' });
  await gateway.disturbances.clear();
  const again = await wsClient(t, gateway);
  assert.equal(again.socket.readyState, WebSocket.OPEN);
});

test('a certificate that is to be refused is presented over wss, too, as long as the rule holds', async () => {
  await using pair = await startPair({ dialect: 'onem2m', ws: true, tls: 'server' });
  const ca = readFileSync(pair.certs?.chain ?? '');
  const handshake = async (): Promise<string> => {
    const socket = new WebSocket(pair.gateway.wsUrl ?? '', 'oneM2M.json', { ca });
    const outcome = await once(socket, 'open').then(
      () => 'open',
      ({ code }: NodeJS.ErrnoException) => String(code),
    );
    socket.terminate();
    return outcome;
  };
  assert.equal(await handshake(), 'open');
  await pair.gateway.disturbances.set(['certificate is=expired']);
  assert.equal(await handshake(), 'CERT_HAS_EXPIRED');
  await pair.gateway.disturbances.clear();
  assert.equal(await handshake(), 'open');
});

for (const [rule, options, message] of [
  ['duplicate POST', {}, 'duplicate affects messages over MQTT, WebSocket, CoAP, which the CSE does not serve'],
  ['retain', { ws: true }, 'retain affects messages over MQTT, which the CSE does not serve'],
] as const)
  test(`${rule} is refused where there are no such messages`, async () => {
    await assert.rejects(startGateway({ ...options, disturbances: [rule] }), { name: 'DisturbanceRuleError', message });
  });
