/** W3C trace context over the sockets of a pair: what follows from a request has its trace id, and each leg a parent of its own. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { JournalEntry } from '../journal/entry.ts';
import { type Pair, type PairMember, startPair } from './pair.ts';

const id = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';
const sampled = `00-${id}-${parent}-01`;

interface Sent {
  readonly ty?: number;
  readonly content?: object;
  readonly trace?: Record<string, string>;
}

async function send(at: PairMember, method: string, path: string, { ty, content, trace = {} }: Sent = {}) {
  const answer = await fetch(at.url + path, {
    method,
    headers: {
      ...{ 'x-m2m-origin': 'CAdmin', 'x-m2m-ri': 'r', 'x-m2m-rvi': '4', ...trace },
      ...(content && { 'content-type': `application/json${ty ? `;ty=${ty}` : ''}` }),
    },
    ...(content && { body: JSON.stringify(content) }),
  });
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.clone().text()}`);
  await answer.arrayBuffer();
}

/** Each with the trace id, flags as they came, and a parent that no other has. */
function assertLegs(entries: readonly JournalEntry[], traceId = id, flags = '01'): void {
  const parents = entries.map(({ headers }) => {
    const [, version, trace, leg, kept] = /^(..)-(.{32})-([\da-f]{16})-(..)$/.exec(headers.traceparent ?? '') ?? [];
    assert.deepEqual([version, trace, kept], ['00', traceId, flags]);
    return leg;
  });
  assert.ok(entries.length > 0);
  assert.equal(new Set([parent, ...parents]).size, entries.length + 1, 'a leg has the parent of another');
}

const causedBy = (entries: readonly JournalEntry[], traceId = id) => entries.filter((one) => one.traceId === traceId);

describe('a pair', () => {
  let pair: Pair;
  before(async () => {
    pair = await startPair({ dialect: 'onem2m', backend: { requireAuth: false } });
    await send(pair.gateway, 'POST', '/cse-mn', { ty: 3, content: { 'm2m:cnt': { rn: 'data' } } });
  });
  after(() => pair.close());
  const forget = () => {
    for (const { requests, sent } of [pair.gateway, pair.backend]) for (const one of [requests, sent]) one.clear();
  };

  test('hands on what is for the other CSE with the same trace, and its journals show it', async () => {
    forget();
    const trace = { traceparent: sampled, tracestate: 'vendor=a1,other@tenant=b2' };
    await send(pair.gateway, 'GET', '/~/id-in/cse-in', { trace });
    const [forwarded] = causedBy(pair.backend.requests.entries);
    assert.equal(forwarded?.headers.tracestate, trace.tracestate);
    assertLegs([forwarded as JournalEntry, ...causedBy(pair.gateway.sent.entries)].slice(0, 1));
    await pair.gateway.requests.expectRequest({ traceId: id, path: '/~/id-in/cse-in' });
    assert.equal((JSON.parse(JSON.stringify(forwarded)) as { traceId: string }).traceId, id);
  });

  for (const [what, trace] of [
    ['malformed', { traceparent: sampled.toUpperCase(), tracestate: 'vendor=a1' }],
    ['without a parent', { tracestate: 'vendor=a1' }],
    ['absent', {}],
  ] as const)
    test(`sends no trace where it is ${what}`, async () => {
      forget();
      await send(pair.gateway, 'GET', '/~/id-in/cse-in', { trace });
      const [forwarded] = pair.backend.requests.entries.filter(({ headers }) => headers.via !== undefined);
      assert.ok(forwarded);
      assert.deepEqual([forwarded.headers.traceparent, forwarded.headers.tracestate], [undefined, undefined]);
    });

  test('asks and notifies an application of the other CSE in the trace of what caused it', async () => {
    const { gateway, backend } = pair;
    await using inbox = backend.openInbox();
    const ae = { rn: 'app', api: 'Napp', rr: true, srv: ['4'], poa: [inbox.url] };
    await send(backend, 'POST', '/cse-in', { ty: 2, content: { 'm2m:ae': ae } });
    forget();
    const [asked, first, second, last] = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(32)) as [
      string,
      ...string[],
    ];
    const trace = (of = '') => ({ traceparent: `00-${of}-${parent}-03` });
    const nu = [`/id-in/CAdmin`];
    const sub = { rn: 'watch', nu, su: nu[0], enc: { net: [3] } };
    await send(gateway, 'POST', '/cse-mn/data', { ty: 23, content: { 'm2m:sub': sub }, trace: trace(asked) });
    const push = (con: string, of?: string) =>
      send(gateway, 'POST', '/cse-mn/data', {
        ...{ ty: 4, content: { 'm2m:cin': { con } } },
        ...(of && { trace: trace(of) }),
      });
    await Promise.all([push('1', first), push('2', second), push('3')]);
    for (const con of ['1', '2', '3']) assert.equal((await inbox.next()).content, con);
    await send(gateway, 'DELETE', '/cse-mn/data/watch', { trace: trace(last) });
    await inbox.next({ where: ({ isDeletion }) => isDeletion });
    for (const traceId of [asked, first, second, last]) {
      const legs = [causedBy(backend.requests.entries, traceId), causedBy(backend.sent.entries, traceId)];
      assert.deepEqual(
        legs.map(({ length }) => length),
        [1, 1],
        traceId,
      );
      assertLegs(legs.flat(), traceId, '03');
    }
    const of3 = backend.requests.entries.find(({ content }) => content === '3');
    assert.equal(of3?.headers.traceparent, undefined, 'a notification has the trace of another request');
  });

  test('announces, changes and removes what is announced in the trace of what caused it', async () => {
    forget();
    const { gateway, backend } = pair;
    const steps = [
      ['POST', '/cse-mn', { ty: 3, content: { 'm2m:cnt': { rn: 'shown', at: ['/id-in'] } } }],
      ['PUT', '/cse-mn/shown', { content: { 'm2m:cnt': { lbl: ['new'] } } }],
      ['DELETE', '/cse-mn/shown', {}],
    ] as const;
    for (const [at, [method, path, sent]] of steps.entries()) {
      const traceId = String(at + 1).repeat(32);
      await send(gateway, method, path, { ...sent, trace: { traceparent: `00-${traceId}-${parent}-00` } });
      const legs = causedBy(backend.requests.entries, traceId);
      assert.ok(legs.some((one) => one.method === method));
      assertLegs(legs, traceId, '00');
    }
  });
});

test('a batch has the trace of the latest event in it; a blocking update asks in that of the update', async () => {
  await using pair = await startPair({ dialect: 'onem2m', clock: 'manual' });
  const { gateway } = pair;
  await using inbox = gateway.openInbox();
  await send(gateway, 'POST', '/cse-mn', { ty: 3, content: { 'm2m:cnt': { rn: 'data' } } });
  const ae = { rn: 'app', api: 'Napp', rr: true, srv: ['4'], poa: [inbox.url] };
  await send(gateway, 'POST', '/cse-mn', { ty: 2, content: { 'm2m:ae': ae } });
  const batch = { rn: 'batch', nu: [inbox.url], enc: { net: [3] }, bn: { num: 2 } };
  const asked = { rn: 'asked', nu: ['/id-mn/CAdmin'], enc: { net: [7] } };
  for (const sub of [asked, batch])
    await send(gateway, 'POST', '/cse-mn/data', { ty: 23, content: { 'm2m:sub': sub } });
  const trace = (letter: string) => ({ traceparent: `00-${letter.repeat(32)}-${parent}-01` });
  for (const letter of ['a', 'b'])
    await send(gateway, 'POST', '/cse-mn/data', {
      ty: 4,
      content: { 'm2m:cin': { con: letter } },
      trace: trace(letter),
    });
  await send(gateway, 'PUT', '/cse-mn/data', { content: { 'm2m:cnt': { lbl: ['x'] } }, trace: trace('c') });
  await pair.clock.advance('1s');
  const traces = gateway.sent.entries.flatMap(({ traceId, root }) => (traceId ? [[root, traceId[0]]] : []));
  assert.deepEqual(traces.sort(), [
    ['m2m:agn', 'b'],
    ['m2m:sgn', 'c'],
  ]);
});
