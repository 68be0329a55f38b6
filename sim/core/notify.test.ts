import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../clock.ts';
import type { CseOptions } from '../create-cse.ts';
import { exampleMoment, sampleCse } from '../sample-cse.ts';
import type { RequestPrimitive } from './primitive.ts';
import { CseError, statusOf, TARGET_NOT_REACHABLE } from './status.ts';

interface Notification {
  readonly url: string;
  readonly sgn: Record<string, unknown> & { nev?: { net: number; rep: Record<string, Record<string, unknown>> } };
  readonly body: Record<string, unknown>;
}

/** A container `b/app/c` with whatever is subscribed to it, and what is sent. */
async function lab(options: CseOptions = {}) {
  const clock = manualClock(exampleMoment);
  const sent: Notification[] = [];
  /** By URL: a code, silence, or a promise that answers later. */
  const answers = new Map<string, number | 'unreachable' | Promise<void>>();
  const cse = sampleCse({
    ...{ dialect: 'onem2m', base: 'b', cseId: 'c', requireAuth: false, clock, ...options },
    messenger: {
      async send(url, { content }) {
        const body = JSON.parse(JSON.stringify(content)) as Record<string, unknown>;
        const answer = answers.get(url);
        if (answer === 'unreachable') throw new CseError(TARGET_NOT_REACHABLE, `${url} is silent.`);
        sent.push({ url, body, sgn: (body['m2m:sgn'] ?? {}) as Notification['sgn'] });
        if (answer instanceof Promise) await answer;
        return { status: statusOf(typeof answer === 'number' ? answer : 2000, 200) };
      },
    },
  });
  const ask = async (request: Partial<RequestPrimitive>) => {
    const answer = await cse.core.request({
      operation: 'retrieve',
      to: 'b/app/c',
      from: 'Cme',
      requestIdentifier: 'r',
      ...request,
    });
    return { code: answer.status.code, content: JSON.parse(JSON.stringify(answer.content ?? null)) };
  };
  const make = (to: string, content: object, from = 'Cme') => ask({ operation: 'create', to, content, from });
  await make('b', { 'm2m:ae': { rn: 'app', api: 'N', rr: true, poa: ['http://me'] } });
  await make('b/app', { 'm2m:cnt': { rn: 'c' } });
  const subscribe = async (sub: object) => {
    const made = await make('b/app/c', { 'm2m:sub': { rn: 's', nu: ['http://x'], ...sub } });
    sent.length = 0;
    return made;
  };
  const instance = (con: string) => make('b/app/c', { 'm2m:cin': { con } });
  const change = (cnt: object) => ask({ operation: 'update', content: { 'm2m:cnt': cnt } });
  const arrived = async () => {
    await cse.core.services.notifier.settled();
    return sent;
  };
  const values = async () => (await arrived()).map(({ sgn }) => sgn.nev?.rep['m2m:cin']?.con);
  return { clock, answers, cse, ask, make, subscribe, instance, change, arrived, values, sent };
}

test('a new child, a change, the deletion of a child and of the resource are notified, each with what it is about', async () => {
  const { subscribe, instance, change, ask, arrived } = await lab();
  await subscribe({ enc: { net: [1, 2, 3, 4] } });
  await instance('21');
  await change({ lbl: ['x'] });
  await ask({ operation: 'delete', to: 'b/app/c/la' });
  await ask({ operation: 'delete' });
  const events = (await arrived()).map(({ sgn }) => [sgn.nev?.net, Object.keys(sgn.nev?.rep ?? {})[0]]);
  assert.deepEqual(events, [
    [3, 'm2m:cin'],
    [1, 'm2m:cnt'],
    [4, 'm2m:cin'],
    [2, 'm2m:cnt'],
  ]);
});

test('without criteria a change of the resource is notified, and nothing else', async () => {
  const { subscribe, instance, change, arrived } = await lab();
  await subscribe({});
  await instance('21');
  await change({ mni: 5 });
  assert.deepEqual(
    (await arrived()).map(({ sgn }) => sgn.nev?.net),
    [1],
  );
});

test('the attempt to read the latest instance of an empty container is notified', async () => {
  const { subscribe, ask, arrived } = await lab();
  await subscribe({ enc: { net: [5] } });
  assert.equal((await ask({ to: 'b/app/c/la' })).code, 4004);
  assert.deepEqual(
    (await arrived()).map(({ sgn }) => sgn.nev?.net),
    [5],
  );
});

test('what an evicted or expired instance leaves behind is a deletion', async () => {
  const { subscribe, instance, change, clock, arrived } = await lab();
  await change({ mni: 1, mia: 60 });
  await subscribe({ enc: { net: [4] } });
  await instance('a');
  await instance('b');
  assert.equal((await arrived())[0]?.sgn.nev?.rep['m2m:cin']?.con, 'a');
  await clock.advance('61s');
  assert.equal((await arrived())[1]?.sgn.nev?.rep['m2m:cin']?.con, 'b');
});

test('criteria choose: attributes, kinds of children, size, state tag, operation and originator', async () => {
  const cases: readonly [
    enc: object,
    happens: (l: Awaited<ReturnType<typeof lab>>) => Promise<unknown>,
    times: number,
  ][] = [
    [{ net: [1], atr: ['mni'] }, ({ change }) => change({ lbl: ['x'] }), 0],
    [{ net: [1], atr: ['mni'] }, ({ change }) => change({ mni: 3 }), 1],
    [{ net: [3], chty: [3] }, ({ instance }) => instance('x'), 0],
    [{ net: [3], chty: [3, 4] }, ({ instance }) => instance('x'), 1],
    [{ net: [3], sza: 3 }, ({ instance }) => instance('xx'), 0],
    [{ net: [3], sza: 3 }, ({ instance }) => instance('xxx'), 1],
    [{ net: [1], stb: 1 }, ({ change }) => change({ mni: 3 }), 0],
    [{ net: [1], stb: 0 }, ({ change }) => change({ mni: 3 }), 1],
    [{ net: [3], om: [{ ops: 1, or: 'Cother' }] }, ({ instance }) => instance('x'), 0],
    [{ net: [3], om: [{ ops: 1, or: '/c/Cme' }] }, ({ instance }) => instance('x'), 1],
    [{ net: [3], om: [{ ops: 8 }] }, ({ instance }) => instance('x'), 0],
  ];
  for (const [enc, happens, times] of cases) {
    const all = await lab();
    await all.subscribe({ enc });
    await happens(all);
    assert.equal((await all.arrived()).length, times, JSON.stringify(enc));
  }
});

test('content types: everything, what has changed, or the identifier', async () => {
  const shown = async (nct: number) => {
    const { subscribe, change, arrived } = await lab();
    await subscribe({ nct });
    await change({ lbl: ['x'] });
    return (await arrived())[0]?.sgn.nev?.rep ?? {};
  };
  assert.equal((await shown(1))['m2m:cnt']?.rn, 'c');
  assert.deepEqual(Object.keys((await shown(2))['m2m:cnt'] ?? {}).sort(), ['lbl', 'lt', 'st']);
  assert.match(String((await shown(3))['m2m:uri']), /^cnt/);
});

test('a target is asked before the subscription stands, the originator itself is not', async () => {
  const { make, sent, ask } = await lab();
  const nu = ['http://x', 'Cme', '/c/Cme'];
  const made = await make('b/app/c', { 'm2m:sub': { rn: 's', nu, cr: null } });
  assert.equal(made.code, 2001);
  assert.deepEqual(
    sent.map(({ url, sgn }) => [url, sgn.vrq, sgn.cr, sgn.sur]),
    [['http://x', true, 'Cme', `/c/${made.content['m2m:sub'].ri}`]],
  );
  sent.length = 0;
  const change = { 'm2m:sub': { nu: ['http://x', 'http://y'] } };
  await ask({ operation: 'update', to: 'b/app/c/s', content: change });
  assert.deepEqual(
    sent.map(({ url }) => url),
    ['http://y'],
  );
});

test('a target that refuses or cannot be asked prevents the subscription', async () => {
  for (const [answer, code] of [
    [4101, 4101],
    [5205, 5205],
    [4103, 5204],
    ['unreachable', 5204],
  ] as const) {
    const { make, answers, ask } = await lab();
    answers.set('http://x', answer);
    assert.equal((await make('b/app/c', { 'm2m:sub': { rn: 's', nu: ['http://x'] } })).code, code);
    assert.equal((await ask({ to: 'b/app/c/s' })).code, 4004);
  }
});

test('a subscription cannot stand below an instance or another subscription', async () => {
  const { make, subscribe, instance } = await lab();
  await subscribe({});
  await instance('x');
  for (const to of ['b/app/c/s', 'b/app/c/la'])
    assert.equal((await make(to, { 'm2m:sub': { nu: ['Cme'] } })).code, to.endsWith('la') ? 4005 : 5203);
});

test('each subscription gets its notifications in order, none lost, while its receiver is away for a time', async () => {
  const { subscribe, instance, answers, values, clock } = await lab();
  await subscribe({ enc: { net: [3] } });
  answers.set('http://x', 'unreachable');
  for (const con of ['a', 'b', 'c']) await instance(con);
  assert.deepEqual(await values(), []);
  await clock.advance('30s');
  answers.delete('http://x');
  await clock.advance('60s');
  assert.deepEqual(await values(), ['a', 'b', 'c']);
});

test('a receiver that does not answer holds up nobody else', async () => {
  const { subscribe, make, instance, answers, sent } = await lab();
  await subscribe({ enc: { net: [3] } });
  await make('b/app/c', { 'm2m:sub': { rn: 's2', nu: ['http://y'], enc: { net: [3] } } });
  sent.length = 0;
  answers.set('http://x', new Promise(() => {}));
  for (const con of ['a', 'b', 'c']) assert.equal((await instance(con)).code, 2001);
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  const of = (url: string) => sent.filter((one) => one.url === url).length;
  assert.deepEqual([of('http://x'), of('http://y')], [1, 3]);
});

test('what waits is bounded, and what that costs is counted', async () => {
  const { subscribe, instance, answers, cse, values, clock } = await lab({ limits: { waitingNotifications: 3 } });
  await subscribe({ enc: { net: [3] } });
  answers.set('http://x', 'unreachable');
  for (const con of ['a', 'b', 'c', 'd', 'e']) await instance(con);
  await cse.core.services.notifier.settled();
  answers.delete('http://x');
  await clock.advance('60s');
  const arrived = await values();
  assert.deepEqual(arrived.slice(-2), ['d', 'e']);
  assert.equal(arrived.length + cse.core.services.notifier.dropped, 5);
});

test('pending notifications: only the latest of what could not be sent', async () => {
  const { subscribe, instance, answers, values, clock } = await lab();
  await subscribe({ enc: { net: [3] }, pn: 1 });
  answers.set('http://x', 'unreachable');
  for (const con of ['a', 'b', 'c']) {
    await instance(con);
    await values();
  }
  answers.delete('http://x');
  await clock.advance('60s');
  assert.deepEqual(await values(), ['c']);
});

test('a batch is sent as one when it is full, or when its time is over', async () => {
  const { subscribe, instance, arrived, clock } = await lab();
  await subscribe({ enc: { net: [3] }, bn: { num: 3, dur: 'PT20S' } });
  for (const con of ['a', 'b', 'c', 'd']) await instance(con);
  const contents = async () =>
    (await arrived()).map(({ body }) => (body['m2m:agn'] as Record<string, unknown[]>)['m2m:sgn']?.length);
  assert.deepEqual(await contents(), [3]);
  await clock.advance('20s');
  assert.deepEqual(await contents(), [3, 1]);
});

test('a subscription ends with the last notification that it counts down', async () => {
  const { subscribe, instance, values, ask } = await lab();
  await subscribe({ enc: { net: [3] }, exc: 2 });
  await instance('a');
  assert.equal((await ask({ to: 'b/app/c/s' })).content['m2m:sub'].exc, 1);
  for (const con of ['b', 'c']) await instance(con);
  assert.deepEqual(await values(), ['a', 'b']);
  assert.equal((await ask({ to: 'b/app/c/s' })).code, 4004);
});

test('the subscriber is told when the subscription goes, by itself, with its parent or at the end of its time', async () => {
  for (const end of ['itself', 'parent', 'time'] as const) {
    const { subscribe, ask, arrived, clock } = await lab();
    await subscribe({ su: 'http://su', ...(end === 'time' && { et: '20170302T161353' }) });
    if (end === 'time') await clock.advance('61s');
    else await ask({ operation: 'delete', to: end === 'itself' ? 'b/app/c/s' : 'b/app' });
    const [last] = (await arrived()).filter(({ url }) => url === 'http://su');
    assert.equal(last?.sgn.sud, true, end);
  }
});

test('no more notifications than the rate limit allows', async () => {
  const { subscribe, instance, values, clock } = await lab();
  await subscribe({ enc: { net: [3] }, rl: { mnn: 2, tww: 'PT10S' } });
  for (const con of ['a', 'b', 'c', 'd']) await instance(con);
  assert.deepEqual(await values(), ['a', 'b']);
  await clock.advance('11s');
  assert.deepEqual(await values(), ['a', 'b', 'c', 'd']);
});

test('only the latest is sent to whom only the latest matters', async () => {
  const { subscribe, instance, values } = await lab();
  await subscribe({ enc: { net: [3] }, ln: true });
  for (const con of ['a', 'b', 'c']) void instance(con);
  assert.deepEqual(await values(), ['c']);
});

test('a blocking subscription is asked before a change, and can prevent it', async () => {
  const { subscribe, change, ask, answers, arrived, make } = await lab();
  await subscribe({ enc: { net: [7] } });
  assert.equal((await change({ lbl: ['x'] })).code, 2004);
  const [asked] = await arrived();
  assert.deepEqual([asked?.sgn.nev?.net, asked?.sgn.nev?.rep['m2m:cnt']?.lbl], [7, ['x']]);
  answers.set('http://x', 4103);
  assert.equal((await change({ lbl: ['y'] })).code, 4127);
  answers.set('http://x', 'unreachable');
  assert.equal((await change({ lbl: ['y'] })).code, 5107);
  assert.deepEqual((await ask({})).content['m2m:cnt'].lbl, ['x']);
  answers.delete('http://x');
  assert.equal((await make('b/app/c', { 'm2m:sub': { nu: ['http://x'], enc: { net: [7] } } })).code, 4124);
  assert.equal((await make('b/app/c', { 'm2m:sub': { nu: ['http://x'], enc: { net: [7, 1] } } })).code, 4000);
});

test('an AE as a target is reached at its point of access, or fetches from its polling channel', async () => {
  const { subscribe, instance, arrived, ask, make } = await lab();
  await subscribe({ nu: ['Cme'], enc: { net: [3] } });
  await instance('a');
  assert.deepEqual(
    (await arrived()).map(({ url }) => url),
    ['http://me'],
  );
  await ask({ operation: 'update', to: 'b/app', content: { 'm2m:ae': { poa: null } } });
  await make('b/app', { 'm2m:pch': { rn: 'p' } });
  await instance('b');
  const { content } = await ask({ to: 'b/app/p/pcu' });
  assert.equal(content['m2m:rqp'].pc['m2m:sgn'].nev.rep['m2m:cin'].con, 'b');
});

test('statistics count what was sent and answered, where they are asked for', async () => {
  const { subscribe, instance, ask, arrived } = await lab();
  await subscribe({ enc: { net: [3] }, nse: true });
  await instance('a');
  await arrived();
  const { nsi } = (await ask({ to: 'b/app/c/s' })).content['m2m:sub'];
  assert.deepEqual(nsi, [{ tg: 'http://x', rqs: 1, rsr: 1, noec: 1 }]);
});

test('the documented dialect calls the subscription by its path, in the form in which the target is written', async () => {
  const sp = 'openmtc.org';
  for (const [nu, sur] of [
    ['Cme', 'b/app/c/s'],
    ['/c/Cme', '/c/b/app/c/s'],
    [`//${sp}/c/Cme`, `//${sp}/c/b/app/c/s`],
  ] as const) {
    const { make, arrived } = await lab({ dialect: 'documented' });
    await make('b/app/c', { 'm2m:sub': { rn: 's', nu: [nu], enc: { notificationEventType: [3], attribute: null } } });
    await make('b/app/c', { 'm2m:cin': { con: 'x' } });
    assert.equal((await arrived())[0]?.sgn.sur, sur);
  }
});
