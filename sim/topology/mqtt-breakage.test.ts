/** The rules that disturb connections, at a CSE that is reached by an MQTT server. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { connectAsync } from 'mqtt';
import { manualClock } from '../environment/clock.ts';
import { startGateway } from './pair.ts';

type Said = { readonly rqi: string; readonly rsc: number };

async function place(t: TestContext, rules: readonly string[], clock = manualClock()) {
  const gateway = await startGateway({ dialect: 'onem2m', mqtt: true, clock, breakage: rules });
  t.after(() => gateway.close());
  const client = await connectAsync(gateway.mqttUrl ?? '');
  t.after(() => client.endAsync(true));
  await client.subscribeAsync('/oneM2M/resp/CA/#', { qos: 1 });
  const heard: Buffer[] = [];
  client.on('message', (topic, payload) => topic.startsWith('/oneM2M') && heard.push(payload));
  const raw = async (): Promise<Buffer> => {
    while (heard.length === 0) await new Promise((resolve) => client.once('message', resolve));
    return heard.shift() as Buffer;
  };
  const next = async (): Promise<Said> => {
    const { rqi, rsc } = JSON.parse(String(await raw())) as Said;
    return { rqi, rsc };
  };
  const ask = (rqi: string, more: object = { op: 2, to: 'cse-mn' }) =>
    client.publishAsync('/oneM2M/req/CA/id-mn/json', JSON.stringify({ fr: 'CA', rvi: '3', rqi, ...more }), { qos: 1 });
  const register = (rqi: string) =>
    ask(rqi, { op: 1, to: 'cse-mn', ty: 2, pc: { 'm2m:ae': { rn: 'a', api: 'Na', rr: true, srv: ['3'] } } });
  const isRegistered = () => gateway.cse.core.tree.byAlias('CA') !== undefined;
  return { gateway, clock, client, raw, next, ask, register, isRegistered };
}

const ok = (rqi: string): Said => ({ rqi, rsc: 4103 });

test('an answer comes twice, and the request was carried out once', async (t) => {
  const { gateway, next, register } = await place(t, ['duplicate POST']);
  await register('r1');
  assert.deepEqual([await next(), await next()], Array(2).fill({ rqi: 'r1', rsc: 2001 }));
  assert.equal(gateway.requests.matching({ method: 'POST' }).length, 1);
});

test('an answer is overtaken by the next one', async (t) => {
  const { next, ask } = await place(t, ['reorder times=1']);
  await Promise.all([ask('r1'), ask('r2')]);
  assert.deepEqual([(await next()).rqi, (await next()).rqi], ['r2', 'r1']);
});

test('an answer that nothing overtakes comes after a while, by the clock of the CSE', async (t) => {
  const { gateway, clock, next, ask } = await place(t, ['reorder']);
  await ask('r1');
  await gateway.requests.expectRequest({ method: 'GET' }, { within: '0ms' }).catch(() => undefined);
  const answered = next();
  await until(answered, () => clock.advance('100ms'));
  assert.equal((await answered).rqi, 'r1');
});

/** Time is moved until what waits for it has happened. */
async function until(happened: Promise<unknown>, move: () => Promise<unknown>): Promise<void> {
  let isDone = false;
  happened.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await move();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('an answer comes later, by the clock of the CSE', async (t) => {
  const { clock, next, ask } = await place(t, ['latency GET by=1h', 'latency POST by=0']);
  const before = clock.now();
  await ask('r1');
  const answered = next();
  await until(answered, () => clock.advance('10m'));
  assert.ok(clock.now() - before >= 3_600_000_000);
});

test('an answer that is left at the server is there for who asks for it later', async (t) => {
  const { gateway, client, next, ask } = await place(t, ['retain']);
  await ask('r1');
  await next();
  const other = await connectAsync(gateway.mqttUrl ?? '');
  const left = new Promise<[string, boolean]>((resolve) =>
    other.once('message', (_topic, payload, { retain }) => resolve([JSON.parse(String(payload)).rqi, retain])),
  );
  await other.subscribeAsync('/oneM2M/resp/CA/#');
  assert.deepEqual(await left, ['r1', true]);
  await other.endAsync(true);
  await client.publishAsync('/oneM2M/resp/CA/id-mn/json', '', { qos: 1, retain: true });
});

for (const [rule, registered] of [
  ['drop POST times=1', true],
  ['drop POST lost=request times=1', false],
  ['empty POST answer=nothing', true],
] as const)
  test(`${rule}: nothing is answered, and the request was ${registered ? '' : 'not '}carried out`, async (t) => {
    const { next, ask, register, isRegistered } = await place(t, [rule]);
    await register('r1');
    await ask('r2');
    assert.equal((await next()).rqi, 'r2');
    assert.equal(isRegistered(), registered);
  });

test('an answer is cut short, or has nothing in it', async (t) => {
  const { raw, ask, register } = await place(t, ['truncate GET keep=0.5', 'empty POST']);
  await ask('r1');
  const cut = String(await raw());
  assert.ok(cut.startsWith('{"') && !cut.endsWith('}'), cut);
  await register('r2');
  assert.equal((await raw()).length, 0);
});

test('the connection to the server is reset, and the CSE comes back to what the server has kept for it', async (t) => {
  const { client, next, ask, register } = await place(t, ['reset POST times=1 lost=request']);
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

test('a dead CSE answers nothing; what was asked of it meanwhile is answered once it is there again', async (t) => {
  const { gateway, next, ask } = await place(t, []);
  await gateway.breakage.dead();
  await ask('r1');
  await gateway.breakage.clear();
  assert.deepEqual(await next(), ok('r1'));
  await gateway.breakage.dead({ how: 'silent' });
  await ask('r2');
  while (gateway.breakage.rules[0]?.broken !== 1) await new Promise((resolve) => setImmediate(resolve));
  await gateway.breakage.clear();
  await ask('r3');
  assert.deepEqual(await next(), ok('r3'));
});

test('what only messages have is refused where there are none', async () => {
  await assert.rejects(startGateway({ breakage: ['duplicate POST'] }), {
    name: 'BreakageRuleError',
    message: 'duplicate is of messages, as over MQTT, and the CSE is reached over HTTP alone',
  });
});
