/** Broken set-ups over MQTT, WebSocket and CoAP, each with what the doctor calls it; a check ends with it where that is sure. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Aedes } from 'aedes';
import { createCse } from '../../sim/index.ts';
import { serveMqtt } from '../../sim/mqtt.ts';
import { lastOf } from '../engine/running/last-of.ts';
import { closedPort, httpServer } from '../engine/targets/test-servers.ts';
import { check } from './check.ts';
import { diagnose } from './doctor.ts';

const timeout = 1500;

/** An MQTT server that knows one user, brings nobody what is in CBOR, and at which no CSE listens. */
async function broker(t: TestContext): Promise<string> {
  const aedes = await Aedes.createBroker({
    authenticate: (_client, user, _password, done) => done(null, user === 'lab'),
    authorizeForward: (_client, packet) => (packet.topic.endsWith('/cbor') ? null : packet),
  });
  const server = createServer(aedes.handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    aedes.close();
    server.close();
  });
  const address = server.address();
  return `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

/** One that never sees a request in CBOR. */
async function cseOfJson(t: TestContext): Promise<string> {
  const url = `mqtt://lab:secret@${await broker(t)}`;
  const served = await serveMqtt(createCse({ dialect: 'onem2m' }), url);
  t.after(() => served.close());
  return url;
}

const over = (url: string, scheme: string) => url.replace(/^\w+:/, `${scheme}:`);

type Broken = readonly [url: (t: TestContext) => Promise<string>, ill: RegExp, more?: object];

const cases: Readonly<Record<string, Broken>> = {
  'an MQTT server that refuses the user': [
    async (t) => `mqtt://${await broker(t)}`,
    /^MQTT server: it refuses the connection: .* → --url mqtt:\/\/USER:PASSWORD@127\.0\.0\.1:\d+$/,
  ],
  'an MQTT server at which no CSE listens': [
    async (t) => `mqtt://lab:secret@${await broker(t)}`,
    /^answers: it does not answer: .*if that is not its CSE-ID, give --cse-id → --cse-id ID$/,
  ],
  'a CSE behind an MQTT server that is asked in CBOR and knows JSON alone': [
    cseOfJson,
    /^serialization: it does not speak CBOR: GET \/cse-in as CAdmin: .*no complete answer.* → --serialization json$/,
    { serialization: 'cbor' },
  ],
  'no MQTT server': [async (t) => over(await closedPort(t), 'mqtt'), /^port: nothing listens at 127\.0\.0\.1:\d+ → /],
  'an MQTT server with a name that nobody knows': [
    async () => 'mqtt://broker.invalid:1883',
    /^host name: no name server knows broker\.invalid → /,
  ],
  'no WebSocket at the port of a web server': [
    async (t) => over(await httpServer(t, (_, response) => response.writeHead(404).end()), 'ws'),
    /^answers: it does not answer.* → see what listens there, and correct the URL$/,
  ],
  'nobody at the port of a WebSocket': [
    async (t) => over(await closedPort(t), 'ws'),
    /^port: nothing listens at 127\.0\.0\.1:\d+ → /,
  ],
  'nobody at the port of CoAP': [
    async (t) => over(await closedPort(t), 'coap'),
    /^answers: it does not answer: .* → see what listens there, and correct the URL$/,
  ],
};

for (const [what, [urlFor, ill, more]] of Object.entries(cases)) {
  test(`named right: ${what}`, async (t) => {
    const choice = { url: await urlFor(t), dialect: 'onem2m', base: 'cse-in', admin: 'CAdmin', ...more } as const;
    const { remarks } = await diagnose(choice, { timeout });
    const wrong = remarks.filter(({ state }) => state === 'wrong');
    const told = wrong.map(({ about, says, change }) => {
      return `${about}: ${says} → ${change && ('flag' in change ? change.flag : change.elsewhere)}`;
    });
    assert.match(told.join('\n'), ill);
    assert.equal(told.length, 1, told.join('\n'));
    const { dialect, ...target } = choice;
    const run = check({
      ...{ target: { kind: 'url', ...target, waitForTarget: 0 }, dialect, ids: ['standard/status-codes'], timeout },
    });
    const { exit, scenarios } = await lastOf(run);
    // What keeps a target silent may be its own, and one that nobody can reach is unreachable.
    const isSure = !/^(?:answers|port|host name):/.test(told[0] ?? '');
    assert.deepEqual([exit.code, scenarios], [isSure ? 5 : 3, []]);
    if (isSure) assert.match(exit.reason, ill);
    assert.doesNotMatch(exit.reason, /secret/);
  });
}
