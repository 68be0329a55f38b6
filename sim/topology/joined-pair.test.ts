import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReferenceCse } from '../cse/create-cse.ts';
import { manualClock } from '../environment/clock.ts';
import { joinPair } from './joined-pair.ts';

async function ask({ http }: ReferenceCse, method: string, target: string, content?: object) {
  const body = Buffer.from(content === undefined ? '' : JSON.stringify(content));
  const headers = content === undefined ? {} : { 'content-type': 'application/vnd.onem2m-res+json' };
  const answer = await http.handle({ method, target, headers, body });
  const json = JSON.parse(String(answer.body) || '{}') as Record<string, Record<string, unknown>>;
  return { status: answer.status, attributes: Object.values(json)[0] ?? {} };
}

test('a joined pair is registered and reaches the other CSE in both directions', async () => {
  const { gateway, backend } = await joinPair({ clock: manualClock(), interval: 60, offset: 60 });
  const app = { 'm2m:ae': { rn: 'app', api: 'a', rr: 'TRUE' } };
  assert.equal((await ask(gateway, 'POST', '/~/in-cse-1/onem2m', app)).status, 201);
  assert.equal((await ask(backend, 'GET', '/onem2m/app')).status, 200);
  assert.equal((await ask(gateway, 'GET', '/onem2m/app')).status, 404);
  assert.equal((await ask(backend, 'POST', '/~/mn-cse-1/onem2m', app)).status, 201);
  assert.equal((await ask(gateway, 'GET', '/onem2m/app')).attributes.rn, 'app');
});

test('its registration is renewed as time passes, and comes back when it is lost', async () => {
  const clock = manualClock();
  const { gateway, backend } = await joinPair({ clock, interval: 60, offset: 60 });
  await clock.advance('1h');
  for (const [cse, path] of [
    [backend, '/onem2m/mn-cse-1'],
    [gateway, '/onem2m/in-cse-1'],
  ] as const) {
    assert.equal((await ask(cse, 'GET', path)).status, 200);
  }
  await ask(backend, 'DELETE', '/onem2m/mn-cse-1');
  await clock.advance('2m');
  assert.equal((await ask(backend, 'GET', '/onem2m/mn-cse-1')).status, 200);
});

test('a gateway that never registers comes about as well', async () => {
  const deviations = ['registration.not-sent'];
  const { backend } = await joinPair({ clock: manualClock(), interval: 60, offset: 60, gateway: { deviations } });
  assert.equal((await ask(backend, 'GET', '/onem2m/mn-cse-1')).status, 404);
});
