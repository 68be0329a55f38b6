/** What the console tells of messages that a gateway, its backend and applications exchange over WebSocket and CoAP. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { WebSocket } from 'ws';
import { wireNames } from '../dialects/outgoing-message.ts';
import { manualClock } from '../environment/clock.ts';
import { startWatchedPair, type WatchedPair } from './testing/watched-pair.ts';

type Told = readonly [way: string, asked: string, wire: string | undefined, rsc: string | undefined];

const told = ({ console }: WatchedPair): Told[] =>
  console.traffic.summaries.map(({ from, to, method, target, wire, rsc }) => [
    `${from} to ${to}`,
    `${method} ${target}`,
    wire,
    rsc,
  ]);

for (const wire of ['ws', 'coap'] as const)
  test(`between the CSEs each message is told once, with both ends, over ${wireNames[wire]}`, async () => {
    await using pair = await startWatchedPair({ driver: manualClock(), wire });
    const remote = `${pair.gateway.url}/~/in-cse-1/onem2m`;
    const asked = { headers: { 'X-M2M-Origin': '//openmtc.org/mn-cse-1/Capp', 'X-M2M-RI': 'r1' } };
    assert.equal((await fetch(`${remote}?fu=1&lbl=a%20b&ty=16`, asked)).status, 200);
    const name = wireNames[wire];
    const [applications, between] = ['applications to mn-cse-1', 'mn-cse-1 to in-cse-1'];
    const forwarded = told(pair).filter(([, text]) => text.includes('fu=1'));
    assert.deepEqual(
      forwarded.map(([way, , by, rsc]) => [way, by, rsc]),
      [
        [applications, undefined, '2000'],
        [between, name, '2000'],
      ],
    );
    assert.ok(told(pair).some(([way, text, by]) => way === between && text.startsWith('POST') && by === name));
    assert.deepEqual(
      told(pair).filter(([way, , by]) => way.startsWith('applications') && by !== undefined),
      [],
    );
  });

async function application(t: TestContext, { gateway }: WatchedPair) {
  const socket = new WebSocket(gateway.wsUrl ?? '', 'oneM2M.json');
  t.after(() => socket.terminate());
  socket.on('message', (data) => {
    const { op, rqi } = JSON.parse(String(data));
    if (op === 5) socket.send(JSON.stringify({ rsc: 2000, rqi, rvi: '2a' }));
  });
  await once(socket, 'open');
  return async (primitive: object) => {
    socket.send(JSON.stringify({ op: 1, fr: 'Capp', rvi: '2a', ...primitive }));
    const [answer] = await once(socket, 'message');
    return JSON.parse(String(answer));
  };
}

test('requests and notifications over a WebSocket connection are listed with their wire', async (t) => {
  await using pair = await startWatchedPair({ driver: manualClock(), wire: 'ws' });
  const ask = await application(t, pair);
  const ae = await ask({ to: 'onem2m', rqi: 'r1', ty: 2, pc: { 'm2m:ae': { rn: 'app', api: 'a', rr: 'TRUE' } } });
  assert.equal(ae.rsc, 2001);
  const { outgoing } = pair.gateway.cse.core.services;
  const answered = outgoing.send('Capp', outgoing.ownRequest({ operation: 'notify', content: {} }));
  assert.equal((await answered).status.code, 2000);
  const over = told(pair).filter(([way]) => /applications/.test(way));
  assert.deepEqual(
    over.map(([way, text, by, rsc]) => [way, text.split(' ')[0], by, rsc]),
    [
      ['applications to mn-cse-1', 'POST', 'WebSocket', '2001'],
      ['mn-cse-1 to applications', 'POST', 'WebSocket', '2000'],
    ],
  );
});
