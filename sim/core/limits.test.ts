/** What one client could otherwise make a CSE hold without end. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleMoment } from '../testing/sample-cse.ts';
import { notificationLab } from './testing/notification-lab.ts';

const second = 1_000_000;

test('resources are created up to the limit, and again when one has gone', async () => {
  const { make, ask } = await notificationLab({ limits: { resources: 4 } });
  assert.equal((await make('b/app/c', { 'm2m:cin': { con: '1', rn: 'one' } })).code, 2001);
  const refused = await make('b/app/c', { 'm2m:cin': { con: '2' } });
  assert.deepEqual(refused, {
    code: 5207,
    content: { 'm2m:dbg': 'There are 4 resources, which is the limit (resources).' },
  });
  await ask({ operation: 'delete', to: 'b/app/c/one' });
  assert.equal((await make('b/app/c', { 'm2m:cin': { con: '2' } })).code, 2001);
  assert.deepEqual(await ask({ responseType: 1 }), refused, 'an m2m:req is a resource too');
});

test('subscriptions and the targets of one have a limit', async () => {
  const { make, ask } = await notificationLab({ limits: { subscriptions: 1, notificationTargets: 2 } });
  const three = ['http://x', 'http://y', 'http://z'];
  assert.equal((await make('b/app/c', { 'm2m:sub': { nu: three } })).code, 5207);
  assert.equal((await make('b/app/c', { 'm2m:sub': { rn: 's', nu: three.slice(1) } })).code, 2001);
  const update = { operation: 'update', to: 'b/app/c/s', content: { 'm2m:sub': { nu: three } } } as const;
  assert.match(JSON.stringify((await ask(update)).content), /2 at most \(notificationTargets\)/);
  assert.match(
    JSON.stringify((await make('b/app/c', { 'm2m:sub': { nu: ['http://x'] } })).content),
    /\(subscriptions\)/,
  );
});

test('a request is held for a limited time, and so many are', async () => {
  const { ask, clock } = await notificationLab({ limits: { heldRequests: 1, heldSeconds: 60 } });
  const at = (seconds: number) => ({ operationExecutionTime: exampleMoment + seconds * second });
  assert.match(JSON.stringify((await ask(at(3600))).content), /60 at most \(heldSeconds\)/);
  const held = ask(at(30));
  assert.match(JSON.stringify((await ask(at(30))).content), /\(heldRequests\)/);
  await clock.advance('31s');
  assert.equal((await held).code, 2000);
  const next = ask({ operationExecutionTime: clock.now() + second });
  await clock.advance('2s');
  assert.equal((await next).code, 2000, 'there is room again');
});

test('so many polls wait in a channel, none of them beyond the limit', async () => {
  const { make, ask, clock } = await notificationLab({ limits: { polls: 1, heldSeconds: 20 } });
  await make('b/app', { 'm2m:pch': { rn: 'p' } });
  const years = { to: 'b/app/p/pcu', requestExpiration: exampleMoment + 1e9 * second };
  const waiting = ask(years);
  assert.match(JSON.stringify((await ask(years)).content), /\(polls\)/);
  await clock.advance('21s');
  assert.equal((await waiting).code, 4008);
});

test('without limits of its own a CSE has the default ones', async () => {
  const { make, ask } = await notificationLab();
  const targets = (count: number) => Array.from({ length: count }, () => 'Cme');
  assert.equal((await make('b/app/c', { 'm2m:sub': { nu: targets(100) } })).code, 2001);
  assert.equal((await make('b/app/c', { 'm2m:sub': { nu: targets(101) } })).code, 5207);
  const at = (seconds: number) => ask({ operationExecutionTime: exampleMoment + seconds * second });
  assert.equal((await at(86_401)).code, 5207);
  const held = Array.from({ length: 1000 }, () => at(86_400));
  assert.equal((await at(1)).code, 5207);
  await make('b/app', { 'm2m:pch': { rn: 'p' } });
  const poll = () => ask({ to: 'b/app/p/pcu', requestExpiration: exampleMoment + 1e9 * second });
  const polls = Array.from({ length: 100 }, poll);
  assert.equal((await poll()).code, 5207);
  assert.deepEqual([held.length, polls.length], [1000, 100]);
});

test('so many requests wait in a channel, fetched or not', async () => {
  const { make, ask, clock } = await notificationLab({ limits: { polledRequests: 2 } });
  await ask({ operation: 'update', to: 'b/app', content: { 'm2m:ae': { rr: false } } });
  await make('b/app', { 'm2m:pch': { rn: 'p' } });
  const send = (place: number) =>
    ask({ operation: 'notify', to: 'b/app', requestIdentifier: `r${place}`, content: { 'm2m:sgn': {} } });
  const waiting = Array.from({ length: 2 }, (_, place) => send(place));
  await ask({ to: 'b/app/p/pcu' });
  const { code, content } = await send(2);
  assert.deepEqual([code, content['m2m:dbg']], [5103, '2 requests wait in the polling channel (polledRequests).']);
  await clock.advance('60s');
  for (const one of waiting) assert.equal((await one).code, 5103);
  const next = send(3);
  assert.equal((await ask({ to: 'b/app/p/pcu' })).content['m2m:rqp']?.rqi, 'r3');
  await clock.advance('60s');
  await next;
});
