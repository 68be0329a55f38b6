import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeSnapshot } from '../../core/operations/snapshot.ts';
import { type OutgoingRequest, UnreachableError } from '../../dialects/outgoing-message.ts';
import { manualClock } from '../../environment/clock.ts';
import { Instruments } from '../../instruments/instruments.ts';
import { type CseNode, startNode } from '../../topology/node.ts';
import { Activity } from './activity.ts';
import { Latest } from './latest.ts';

const type = { 'content-type': 'application/vnd.onem2m-res+json' };

async function counted(node: CseNode, method: string, target: string, content?: object): Promise<number> {
  const body = new TextEncoder().encode(content === undefined ? '' : JSON.stringify(content));
  const { status } = await node.service.handle({ method, target, headers: content === undefined ? {} : type, body });
  return status;
}

test('requests, refusals and what is held are counted, also after a reset', async () => {
  const latest = new Latest(5);
  const activity = new Activity('mn-cse-1', latest);
  const instruments = new Instruments({ clock: manualClock(), maxEntries: 0 });
  activity.listenTo(instruments);
  await using node = await startNode({ cse: {} }, { instruments });
  activity.attach(node);
  const empty = takeSnapshot(node.cse.core);
  assert.equal(await counted(node, 'POST', '/onem2m', { 'm2m:ae': { rn: 'a', api: 'N', rr: 'TRUE' } }), 201);
  assert.equal(await counted(node, 'POST', '/onem2m/a', { 'm2m:cnt': { rn: 'c' } }), 201);
  assert.equal(await counted(node, 'GET', '/onem2m/nowhere'), 404);
  const before = { requests: 3, refused: 1, failed: 0, notifications: 0, undelivered: 0 };
  assert.deepEqual(activity.counts, before);
  assert.deepEqual(activity.census(), { resources: 3, applications: 1, subscriptions: 0 });
  assert.deepEqual(
    latest.remarks.map(({ text }) => text),
    ['404 (4004) to GET /onem2m/nowhere'],
  );
  const full = takeSnapshot(node.cse.core);
  node.restore(empty);
  assert.deepEqual(activity.census(), { resources: 1, applications: 0, subscriptions: 0 });
  node.restore(full);
  assert.equal(await counted(node, 'DELETE', '/onem2m/a'), 200);
  assert.deepEqual(activity.census(), { resources: 1, applications: 0, subscriptions: 0 });
});

test('a notification is counted when it is sent, and as lost where nobody answers', async () => {
  const latest = new Latest(5);
  const activity = new Activity('mn-cse-1', latest);
  const sent: string[] = [];
  const lost = new UnreachableError('http://app: gone');
  const sender = {
    send: (url: string, { method, target }: OutgoingRequest) => {
      sent.push(`${method} ${url}${target}`);
      return sent.length === 1 ? Promise.resolve({ status: 200, headers: {}, body: '' }) : Promise.reject(lost);
    },
  };
  const clock = manualClock();
  const instruments = new Instruments({ clock, maxEntries: 0 });
  activity.listenTo(instruments);
  const around = instruments.wrapSender(sender, () => assert.fail('no deviation asks for the CSE'));
  await using node = await startNode(
    { cse: {} },
    { clock, instruments: { wrapService: (...inner) => instruments.wrapService(...inner), wrapSender: () => around } },
  );
  activity.attach(node);
  await counted(node, 'POST', '/onem2m', { 'm2m:ae': { rn: 'a', api: 'N', rr: 'TRUE' } });
  await counted(node, 'POST', '/onem2m/a', { 'm2m:cnt': { rn: 'c' } });
  const nu = ['http://app/n'];
  assert.equal(await counted(node, 'POST', '/onem2m/a/c', { 'm2m:sub': { rn: 's', nu } }), 201);
  assert.equal(activity.census().subscriptions, 1);
  const before = activity.counts;
  await around
    .send('http://other', {
      method: 'POST',
      target: '/o',
      headers: { 'Content-Type': 'application/vnd.onem2m-res+json' },
    })
    .catch(() => {});
  assert.equal(activity.counts.notifications, before.notifications);
  await assert.rejects(
    around.send('http://app', {
      method: 'POST',
      target: '/n',
      headers: { 'Content-Type': 'application/vnd.onem2m-ntfy+json' },
    }),
    lost,
  );
  assert.equal(activity.counts.notifications, before.notifications + 1);
  assert.ok(activity.counts.undelivered > before.undelivered);
  assert.equal(latest.remarks.at(-1)?.text, 'POST to http://app: gone');
});
