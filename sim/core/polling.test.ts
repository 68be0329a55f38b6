import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../environment/clock.ts';
import { exampleMoment, sampleCse } from '../testing/sample-cse.ts';
import type { RequestPrimitive } from './primitive.ts';

async function lab(rqag?: boolean) {
  const clock = manualClock(exampleMoment);
  const cse = sampleCse({ dialect: 'onem2m', base: 'b', cseId: 'c', requireAuth: false, clock });
  const ask = async (request: Partial<RequestPrimitive>) => {
    const answer = await cse.core.request({
      operation: 'retrieve',
      to: 'b',
      from: 'Cme',
      requestIdentifier: 'r1',
      ...request,
    });
    const { code, http } = answer.status;
    return { code, http, content: JSON.parse(JSON.stringify(answer.content ?? null)) };
  };
  await ask({ operation: 'create', content: { 'm2m:ae': { rn: 'me', api: 'N', rr: false } } });
  await ask({
    operation: 'create',
    to: 'b/me',
    content: { 'm2m:pch': { rn: 'p', ...(rqag !== undefined && { rqag }) } },
  });
  const send = (requestIdentifier: string, more: Partial<RequestPrimitive> = {}) =>
    ask({
      operation: 'notify',
      to: 'b/me',
      from: '/c',
      requestIdentifier,
      content: { 'm2m:sgn': { sur: requestIdentifier } },
      ...more,
    });
  const answer = (rqi: string | undefined, rsc = 2000) =>
    ask({ operation: 'notify', to: 'b/me/p/pcu', content: rqi === undefined ? {} : { 'm2m:rsp': { rqi, rsc } } });
  return {
    outgoing: cse.core.services.outgoing,
    clock,
    ask,
    send,
    answer,
    poll: (more: Partial<RequestPrimitive> = {}) => ask({ to: 'b/me/p/pcu', ...more }),
  };
}

test('requests to an AE without a point of access wait in its polling channel until fetched and answered', async () => {
  const { send, poll, answer } = await lab();
  const sent = send('n1');
  const { code, content } = await poll();
  assert.equal(code, 2000);
  const { op, rqi, pc } = content['m2m:rqp'];
  assert.deepEqual([op, rqi, pc], [5, 'n1', { 'm2m:sgn': { sur: 'n1' } }]);
  const { to, fr } = content['m2m:rqp'];
  assert.deepEqual([to, fr], ['Cme', '/c']);
  assert.equal((await answer('n1')).code, 2000);
  assert.equal((await sent).code, 2000);
});

test('a fetched request has the event category of the one sent', async () => {
  const { send, poll, answer } = await lab();
  const sent = send('n1', { eventCategory: 4 });
  assert.equal((await poll()).content['m2m:rqp'].ec, 4);
  await answer('n1');
  await sent;
});

test('a poll waits for a request, and no longer than it says', async () => {
  const { send, poll, answer, clock } = await lab();
  const waiting = poll();
  const sent = send('n1');
  assert.equal((await waiting).content['m2m:rqp'].rqi, 'n1');
  await answer('n1');
  await sent;
  const empty = poll({ requestExpiration: clock.now() + 5_000_000 });
  await clock.advance('5s');
  assert.equal((await empty).code, 4008);
});

test('a channel that aggregates gives everything at once', async () => {
  const { send, poll, answer } = await lab(true);
  const sent = [send('n1'), send('n2'), send('n3')];
  const fetched = (await poll()).content['m2m:agrp'] as { rqi: string }[];
  assert.deepEqual(
    fetched.map(({ rqi }) => rqi),
    ['n1', 'n2', 'n3'],
  );
  for (const { rqi } of fetched) await answer(rqi);
  assert.deepEqual(
    (await Promise.all(sent)).map(({ code }) => code),
    [2000, 2000, 2000],
  );
});

test('an answer that names no request settles fetched ones as refused', async () => {
  const { send, poll, answer } = await lab();
  const sent = send('n1');
  await poll();
  assert.equal((await answer(undefined)).code, 4000);
  assert.equal((await sent).code, 4000);
});

test('a request not fetched in time is not delivered', async () => {
  const { send, poll, clock } = await lab();
  const sent = send('n1');
  await clock.advance('61s');
  const { code, content } = await sent;
  assert.deepEqual([code, content['m2m:dbg']], [5103, 'The AE has not answered within 60 s.']);
  const empty = poll();
  await clock.advance('10s');
  const { code: none, content: nothing } = await empty;
  assert.deepEqual([none, nothing['m2m:dbg']], [4008, 'No request to fetch came in time.']);
});

test('a manual clock goes on while a request whose time has come waits in the channel', {
  timeout: 10_000,
}, async () => {
  const { send, clock } = await lab();
  const sent = send('n1', { operationExecutionTime: clock.now() + 5_000_000 });
  await clock.advance('1h');
  assert.equal((await sent).code, 5103);
});

test('a request waits no longer than it may', async () => {
  const { send, clock } = await lab();
  const sent = send('n1', { requestExpiration: clock.now() + 5_000_000 });
  await clock.advance('6s');
  assert.equal((await sent).code, 5103);
});

test('a polling channel is for its AE alone, and there is one', async () => {
  const { ask } = await lab();
  assert.equal((await ask({ to: 'b/me/p/pcu', from: 'Cother' })).code, 4103);
  const second = { operation: 'create', to: 'b/me', content: { 'm2m:pch': {} } } as const;
  for (const from of ['Cother', 'Cadmin']) assert.equal((await ask({ ...second, from })).code, 4103);
  assert.equal((await ask(second)).code, 4000);
  assert.equal((await ask({ operation: 'delete', to: 'b/me/p/pcu' })).code, 4005);
});

test('an answer has the HTTP status of its class where its code is none of the standard', async () => {
  for (const [rsc, http] of [
    [2001, 201],
    [2999, 200],
    [3000, 400],
    [4105, 409],
    [5999, 400],
  ] as const) {
    const { send, poll, answer } = await lab();
    const sent = send('n1');
    await poll();
    await answer('n1', rsc);
    const { code, http: status } = await sent;
    assert.deepEqual([code, status], [rsc, http]);
  }
});

test('an answer without a code is a success, with what it contains, and counts once', async () => {
  const { send, poll, ask } = await lab();
  const sent = send('n1');
  await poll();
  const answer = {
    operation: 'notify',
    to: 'b/me/p/pcu',
    content: { 'm2m:rsp': { rqi: 'n1', pc: { x: 1 } } },
  } as const;
  assert.equal((await ask(answer)).code, 2000);
  const { code, content } = await sent;
  assert.deepEqual([code, content], [2000, { x: 1 }]);
  assert.equal((await ask(answer)).code, 4000);
});

test('requests in a deleted channel are not delivered, fetched or not', async () => {
  const { send, poll, ask } = await lab();
  const sent = [send('n1'), send('n2')];
  await poll();
  await ask({ operation: 'delete', to: 'b/me/p' });
  for (const one of sent) assert.equal((await one).code, 5103);
});

test('a poll ends with its channel, not when its time is over', async () => {
  const { poll, ask } = await lab();
  const waiting = [poll(), poll()];
  await ask({ operation: 'delete', to: 'b/me/p' });
  for (const one of waiting) assert.equal((await one).code, 4004);
});

test('a channel that does not aggregate gives the oldest first, one at a time', async () => {
  const { send, poll, answer } = await lab(false);
  const sent = [send('n1'), send('n2')];
  for (const rqi of ['n1', 'n2']) {
    assert.equal((await poll()).content['m2m:rqp'].rqi, rqi);
    await answer(rqi);
  }
  await Promise.all(sent);
});

test('a request without an identifier has one in the channel', async () => {
  const { outgoing, poll, answer } = await lab();
  const sent = outgoing.send('Cme', { operation: 'notify', content: {} });
  const { rqi } = (await poll()).content['m2m:rqp'];
  assert.match(rqi, /^\w{16}$/);
  await answer(rqi);
  assert.equal((await sent).status.code, 2000);
});
