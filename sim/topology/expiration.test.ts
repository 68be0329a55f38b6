/** A deployed application framework renews its AE and containers, but no subscription, and takes no `et` from answers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../environment/clock.ts';
import { startNode } from './node.ts';

async function site(keepExpired: boolean) {
  const clock = manualClock();
  const log: string[] = [];
  const node = await startNode({ cse: { keepExpired } }, { clock, log: (line) => log.push(line) });
  const ask = async (method: string, target: string, content?: object) => {
    const headers = { 'x-m2m-origin': 'CApp', 'content-type': 'application/vnd.onem2m-res+json' };
    const body = Buffer.from(content === undefined ? '' : JSON.stringify(content));
    return (await node.service.handle({ method, target, headers, body })).status;
  };
  const et = () => new Date(clock.now() / 1000 + 3_600_000).toISOString();
  assert.equal(await ask('POST', '/onem2m', { 'm2m:ae': { rn: 'app', api: 'N', rr: true, et: et() } }), 201);
  assert.equal(await ask('POST', '/onem2m/app', { 'm2m:cnt': { rn: 'c', et: et() } }), 201);
  assert.equal(await ask('POST', '/onem2m/app/c', { 'm2m:sub': { rn: 's', nu: ['CApp'], enc: { net: [3] } } }), 201);
  return { node, clock, log, ask };
}

test('expired resources are logged, but no content instances', async () => {
  const { node, clock, log, ask } = await site(false);
  await using _ = node;
  await ask('POST', '/onem2m/app/c', { 'm2m:cin': { con: '21' } });
  await clock.advance('2001s');
  assert.equal(await ask('GET', '/onem2m/app/c/s'), 404);
  assert.equal(await ask('GET', '/onem2m/app/c/latest'), 404);
  await clock.advance('1600s');
  assert.equal(await ask('GET', '/onem2m/app'), 404);
  assert.deepEqual(log, ['onem2m/app/c/s has expired', 'onem2m/app has expired, with 1 resource below it']);
});

test('where expired resources are kept, only the age that a container allows its instances counts', async () => {
  const { node, clock, log, ask } = await site(true);
  await using _ = node;
  assert.equal(await ask('POST', '/onem2m/app', { 'm2m:cnt': { rn: 'aging', mia: 60 } }), 201);
  for (const container of ['c', 'aging']) await ask('POST', `/onem2m/app/${container}`, { 'm2m:cin': { con: '21' } });
  await clock.advance('2h');
  for (const kept of ['app', 'app/c', 'app/c/s', 'app/c/latest', 'app/aging']) {
    assert.equal(await ask('GET', `/onem2m/${kept}`), 200, kept);
  }
  assert.equal(await ask('GET', '/onem2m/app/aging/latest'), 404);
  assert.equal(await ask('POST', '/onem2m/app/c', { 'm2m:cin': { con: '22' } }), 201);
  assert.equal(await ask('GET', '/onem2m/app/c/latest'), 200);
  assert.deepEqual(log, []);
});
