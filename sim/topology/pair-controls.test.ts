import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ApplicationEntity, manualClock, type Pair, startPair } from '../index.ts';

function appOf({ gateway, clock }: Pair, name = 'App'): ApplicationEntity {
  return new ApplicationEntity({ cse: gateway.url, name, clock });
}

const backendPath = '/~/in-cse-1/onem2m';

describe('a pair in virtual time', () => {
  test('has a clock that the test moves', async () => {
    await using pair = await startPair({ clock: 'manual' });
    const before = pair.clock.now();
    await pair.gateway.seed({ resources: [{ container: { rn: 'c' } }] });
    await pair.clock.advance('1h');
    assert.equal(pair.clock.now() - before, 3_600_000_000);
    assert.equal(pair.gateway.tree.has('c'), false, 'expired after 2,000 s');
    const given = manualClock();
    await using other = await startPair({ clock: given });
    assert.equal(other.clock, given);
  });

  test('shows what an application does at the gateway, and what goes on to the backend', async () => {
    await using pair = await startPair({ clock: 'manual' });
    await using app = appOf(pair);
    await app.start();
    await app.createContainer('temperature');
    await app.push('temperature', { celsius: 21 });
    assert.deepEqual(pair.gateway.tree.get('App/temperature').latest?.content, { celsius: 21 });
    const push = { method: 'POST', path: app.path, root: 'm2m:cnt', originator: 'CApp', status: 201 };
    await pair.gateway.requests.expectRequest(push);
    await app.retrieve(backendPath);
    const handedOn = await pair.gateway.sent.expectRequest({ path: backendPath, originator: /CApp$/ });
    const arrived = await pair.backend.requests.expectRequest({ path: backendPath, originator: /CApp$/ });
    assert.deepEqual([handedOn.to, arrived.headers.via], [pair.backend.url, '1.1 mn-cse-1']);
  });

  test('loses the connection between its CSEs, and finds it again', async () => {
    await using pair = await startPair({ clock: 'manual' });
    await using app = appOf(pair);
    await app.start();
    await app.retrieve(backendPath);
    pair.disconnect('backend');
    await assert.rejects(app.retrieve(backendPath), { name: 'RequestError' });
    assert.match(String(pair.gateway.sent.last?.problem), /disconnected/);
    await app.retrieve(app.path);
    await pair.clock.advance('3h');
    assert.equal(pair.backend.tree.has('mn-cse-1'), false, 'the registration has expired');
    await pair.reconnect();
    await pair.gateway.whenRegistered();
    assert.equal(pair.backend.tree.has('mn-cse-1'), true);
    await app.retrieve(backendPath);
  });

  test('cuts off one gateway of several', async () => {
    await using pair = await startPair({ clock: 'manual', gateways: 2 });
    const [first, second] = pair.gateways;
    assert.ok(first && second);
    pair.disconnect(second);
    const statuses = async () =>
      Promise.all([first, second].map(async ({ url }) => (await fetch(`${url}${backendPath}`)).status));
    const [there, cut] = await statuses();
    assert.equal(there, 200);
    assert.notEqual(cut, 200);
    await pair.reconnect(second);
    assert.deepEqual(await statuses(), [200, 200]);
  });

  test('answers later, until the delay is removed', async () => {
    await using pair = await startPair({ clock: 'manual' });
    const { gateway, clock } = pair;
    await gateway.disturbances.set(['empty GET /onem2m/absent']);
    await gateway.delay('10s', { path: '/onem2m' });
    const late = fetch(`${gateway.url}/onem2m`).then(({ status }) => status);
    await gateway.requests.expectRequest({ path: '/onem2m' });
    assert.equal(gateway.disturbances.rules.length, 2);
    await clock.advance('10s');
    assert.equal(await late, 200);
    await gateway.clearDelays();
    assert.equal((await fetch(`${gateway.url}/onem2m`)).status, 200);
    assert.equal(gateway.disturbances.rules.length, 1);
    await assert.rejects(gateway.delay('soon'), { name: 'DisturbanceRuleError' });
  });

  test('goes back to a snapshot and is still registered', async () => {
    await using pair = await startPair({ clock: 'manual' });
    const before = pair.gateway.snapshot();
    await pair.gateway.seed('building');
    pair.gateway.restore(before);
    assert.equal(pair.gateway.tree.has('building'), false);
    assert.equal((await fetch(`${pair.gateway.url}${backendPath}`)).status, 200);
  });

  test('has deviations of one member switched on', async () => {
    await using pair = await startPair({ clock: 'manual' });
    await pair.gateway.seed('building');
    const shown = async ({ url }: { url: string }, path: string) => Object.keys(await attributes(`${url}${path}`));
    pair.gateway.deviate('ae.rr.missing');
    assert.equal((await shown(pair.gateway, '/onem2m/building')).includes('rr'), false);
    pair.gateway.clearDeviations();
    assert.equal((await shown(pair.gateway, '/onem2m/building')).includes('rr'), true);
    assert.deepEqual(pair.backend.activeDeviations(), []);
  });
});

async function attributes(url: string): Promise<object> {
  const body = (await (await fetch(url)).json()) as Record<string, object>;
  return Object.values(body)[0] ?? {};
}
