import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { notificationLab, type SentNotification } from '../testing/notification-lab.ts';

interface Part {
  readonly nev: { readonly rep: { readonly 'm2m:cin': { readonly con: string } } };
}

/** The contents of the instances in a request, which has one notification or a batch. */
function contentsOf({ body }: SentNotification): string[] {
  const batch = body['m2m:agn'] as { 'm2m:sgn': Part[] } | undefined;
  const parts = batch?.['m2m:sgn'] ?? [body['m2m:sgn'] as Part];
  return parts.map(({ nev }) => nev.rep['m2m:cin'].con);
}

const children = { enc: { net: [3], chty: [4] } };

test('each subscription gets its notifications in order, none lost, while its receiver is away for a time', async () => {
  const { subscribe, instance, receivers, contents, clock } = await notificationLab();
  await subscribe(children);
  receivers.set('http://x', 'away');
  for (const con of ['a', 'b', 'c']) await instance(con);
  assert.deepEqual(await contents(), []);
  await clock.advance('30s');
  receivers.clear();
  await instance('d');
  await clock.advance('60s');
  assert.deepEqual(await contents(), ['a', 'b', 'c', 'd']);
});

test('attempts come after pauses that grow from one second to a minute, and begin anew after an answer', async () => {
  const { subscribe, change, receivers, attempts, arrived, clock } = await notificationLab();
  await subscribe({});
  receivers.set('http://x', 'away');
  await change({ mni: 1 });
  await arrived();
  await clock.advance('4m');
  assert.deepEqual(attempts, [0, 1, 3, 7, 15, 31, 63, 123, 183]);
  receivers.clear();
  await clock.advance('60s');
  receivers.set('http://x', 'away');
  await change({ mni: 2 });
  await arrived();
  await clock.advance('2s');
  assert.deepEqual(attempts.slice(9), [243, 300, 301]);
});

test('a retry is the same request, and the next notification another', async () => {
  const { subscribe, change, receivers, identifiers, arrived, clock } = await notificationLab();
  await subscribe({});
  receivers.set('http://x', 'away');
  await change({ mni: 1 });
  await arrived();
  await clock.advance('5s');
  receivers.clear();
  await change({ mni: 2 });
  await clock.advance('5s');
  const [first] = identifiers;
  assert.equal(identifiers.filter((one) => one === first).length, identifiers.length - 1);
  assert.ok(identifiers.length > 3);
});

test('a receiver that does not answer delays neither others nor requests', async () => {
  const { subscribe, make, instance, receivers, sent } = await notificationLab();
  await subscribe({ nu: ['http://x', 'http://z'], ...children });
  await make('b/app/c', { 'm2m:sub': { rn: 's2', nu: ['http://y'], ...children } });
  sent.length = 0;
  receivers.set('http://x', new Promise(() => {}));
  for (const con of ['a', 'b', 'c']) assert.equal((await instance(con)).code, 2001);
  while (sent.length < 7) await new Promise(setImmediate);
  const of = (url: string) => sent.filter((one) => one.url === url).length;
  assert.deepEqual([of('http://x'), of('http://y'), of('http://z')], [1, 3, 3]);
});

test('a receiver that refuses has received its notification', async () => {
  const { subscribe, instance, receivers, contents } = await notificationLab();
  await subscribe(children);
  receivers.set('http://x', 4004);
  for (const con of ['a', 'b']) await instance(con);
  assert.deepEqual(await contents(), ['a', 'b']);
});

test('waiting notifications are bounded for each subscription, and dropped ones counted', async () => {
  const { subscribe, instance, receivers, cse, contents, clock } = await notificationLab({
    limits: { waitingNotifications: 3 },
  });
  const { notifier } = cse.core.services;
  await subscribe(children);
  receivers.set('http://x', 'away');
  for (const con of ['a', 'b', 'c', 'd', 'e']) await instance(con);
  assert.ok(notifier.waiting <= 4, `${notifier.waiting} wait`);
  receivers.clear();
  await clock.advance('60s');
  const arrived = await contents();
  assert.deepEqual(arrived.slice(-3), ['c', 'd', 'e']);
  assert.deepEqual([notifier.waiting, notifier.dropped], [0, 5 - arrived.length]);
});

test('waiting notifications are bounded over all subscriptions, including batches', async () => {
  const { subscribe, make, instance, receivers, cse } = await notificationLab({
    limits: { allWaitingNotifications: 10 },
  });
  const { notifier } = cse.core.services;
  await subscribe(children);
  await make('b/app/c', { 'm2m:sub': { nu: ['http://y'], ...children, bn: { num: 1000 } } });
  for (const url of ['http://x', 'http://y']) receivers.set(url, 'away');
  for (let made = 0; made < 50; made++) {
    await instance('a');
    assert.ok(notifier.waiting <= 12, `${notifier.waiting} wait`);
  }
  assert.equal(notifier.waiting + notifier.dropped, 100);
});

test('nothing is dropped before the limit is reached', async () => {
  const { subscribe, make, instance, receivers, cse, arrived } = await notificationLab({
    limits: { allWaitingNotifications: 10 },
  });
  const { notifier } = cse.core.services;
  await subscribe(children);
  await make('b/app/c', { 'm2m:sub': { nu: ['http://y'], ...children } });
  for (const url of ['http://x', 'http://y']) receivers.set(url, 'away');
  for (let made = 0; made < 5; made++) {
    await instance('a');
    await arrived();
  }
  assert.deepEqual([notifier.waiting, notifier.dropped], [10, 0]);
  await instance('a');
  assert.deepEqual([notifier.waiting, notifier.dropped], [10, 2]);
});

test('the books are balanced whatever happens', async () => {
  type Step = 'instance' | 'away' | 'back' | 'time';
  const steps = fc.array(fc.constantFrom<Step>('instance', 'instance', 'instance', 'away', 'back', 'time'), {
    maxLength: 30,
  });
  const attributes = fc.record(
    {
      ln: fc.constant(true),
      pn: fc.constantFrom(1, 2),
      bn: fc.record({ num: fc.integer({ min: 1, max: 4 }) }),
      rl: fc.constant({ mnn: 2, tww: 'PT5S' }),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(steps, attributes, async (all, more) => {
      const { subscribe, instance, receivers, arrived, clock, cse } = await notificationLab({
        limits: { waitingNotifications: 5 },
      });
      await subscribe({ ...children, ...more });
      let made = 0;
      for (const step of all) {
        if (step === 'instance') await instance(String(made++));
        else if (step === 'time') await clock.advance('7s');
        else if (step === 'away') receivers.set('http://x', 'away');
        else receivers.clear();
        await arrived();
        assert.ok(cse.core.services.notifier.waiting <= 7);
      }
      receivers.clear();
      await clock.advance('5m');
      const { notifier } = cse.core.services;
      const contents = (await arrived()).flatMap(contentsOf).map(Number);
      assert.deepEqual(
        contents,
        [...new Set(contents)].sort((a, b) => a - b),
        'in order, each once',
      );
      assert.equal(notifier.waiting, 0);
      if (made > 0) assert.equal(contents.at(-1), made - 1);
      if (more.ln === undefined && more.pn !== 1) assert.equal(contents.length + notifier.dropped, made);
    }),
    { numRuns: 60 },
  );
});

test('pending notifications: only the latest of those that could not be sent', async () => {
  const { subscribe, instance, receivers, contents, clock } = await notificationLab();
  await subscribe({ ...children, pn: 1 });
  receivers.set('http://x', 'away');
  for (const con of ['a', 'b', 'c']) {
    await instance(con);
    await contents();
  }
  receivers.clear();
  await clock.advance('60s');
  assert.deepEqual(await contents(), ['c']);
});

test('the latest of those that could not be sent has that event category', async () => {
  const { subscribe, instance, receivers, arrived, clock } = await notificationLab();
  await subscribe({ ...children, pn: 1 });
  await instance('a');
  await arrived();
  receivers.set('http://x', 'away');
  for (const con of ['b', 'c']) await instance(con);
  await arrived();
  receivers.clear();
  await clock.advance('60s');
  await instance('d');
  const categories = (await arrived()).map((one) => [...contentsOf(one), one.category]);
  assert.deepEqual(categories, [
    ['a', undefined],
    ['c', 4],
    ['d', undefined],
  ]);
});

test('of several that wait for an unreachable receiver, the latest is kept where only that matters', async () => {
  const { subscribe, instance, receivers, contents, clock } = await notificationLab();
  await subscribe({ ...children, pn: 1 });
  receivers.set('http://x', 'away');
  for (const con of ['a', 'b', 'c']) await instance(con);
  assert.deepEqual(await contents(), []);
  receivers.clear();
  await clock.advance('60s');
  assert.deepEqual(await contents(), ['c']);
});

test('a batch is sent as one when it is full, or when its time is over', async () => {
  const { subscribe, instance, arrived, clock } = await notificationLab();
  await subscribe({ ...children, bn: { num: 3, dur: 'PT20S' } });
  for (const con of ['a', 'b', 'c', 'd']) await instance(con);
  const contents = async () => (await arrived()).map(contentsOf);
  await clock.advance('19s');
  assert.deepEqual(await contents(), [['a', 'b', 'c']]);
  await clock.advance('1s');
  assert.deepEqual(await contents(), [['a', 'b', 'c'], ['d']]);
});

test('the rest of a batch is sent when the subscription is removed, and when it no longer has batches', async () => {
  for (const end of ['delete', 'update'] as const) {
    const { subscribe, instance, arrived, ask } = await notificationLab();
    await subscribe({ ...children, bn: { num: 3 } });
    await instance('a');
    await ask({ operation: end, to: 'b/app/c/s', ...(end === 'update' && { content: { 'm2m:sub': { bn: null } } }) });
    assert.deepEqual((await arrived()).map(contentsOf), [['a']], end);
  }
});

test('of a batch only the latest is sent where only that matters, with that event category', async () => {
  const { subscribe, instance, arrived } = await notificationLab();
  await subscribe({ ...children, bn: { num: 3 }, ln: true });
  for (const con of ['a', 'b', 'c']) await instance(con);
  const all = await arrived();
  assert.deepEqual(all.map(contentsOf), [['c']]);
  assert.equal(all[0]?.category, 4);
});

test('the event category of the subscription is that of its notifications', async () => {
  const { subscribe, instance, arrived } = await notificationLab();
  await subscribe({ ...children, nec: 2 });
  await instance('a');
  assert.equal((await arrived())[0]?.category, 2);
});

test('no more notifications than the rate limit allows', async () => {
  const { subscribe, instance, contents, clock } = await notificationLab();
  await subscribe({ ...children, rl: { mnn: 2, tww: 'PT10S' } });
  for (const con of ['a', 'b', 'c', 'd', 'e']) await instance(con);
  assert.deepEqual(await contents(), ['a', 'b']);
  await clock.advance('11s');
  assert.deepEqual(await contents(), ['a', 'b', 'c', 'd']);
  await clock.advance('10s');
  assert.deepEqual(await contents(), ['a', 'b', 'c', 'd', 'e']);
});

test('the times of the rate limit follow each other', async () => {
  const { subscribe, instance, contents, clock } = await notificationLab();
  await subscribe({ ...children, rl: { mnn: 2, tww: 'PT10S' } });
  await instance('a');
  await contents();
  await clock.advance('8s');
  for (const con of ['b', 'c']) await instance(con);
  assert.deepEqual(await contents(), ['a', 'b']);
  await clock.advance('2s');
  assert.deepEqual(await contents(), ['a', 'b', 'c']);
  await clock.advance('1s');
  await instance('d');
  assert.deepEqual(await contents(), ['a', 'b', 'c', 'd']);
});

test('only the latest is sent to whom only the latest matters', async () => {
  const { subscribe, instance, contents } = await notificationLab();
  await subscribe({ ...children, ln: true });
  for (const con of ['a', 'b', 'c']) void instance(con);
  assert.deepEqual(await contents(), ['c']);
});

test('former targets of a subscription get no later events', async () => {
  const { subscribe, instance, arrived, ask } = await notificationLab();
  await subscribe(children);
  await instance('a');
  await ask({ operation: 'update', to: 'b/app/c/s', content: { 'm2m:sub': { nu: ['Cme'] } } });
  await instance('b');
  assert.deepEqual(
    (await arrived()).map(({ url }) => url),
    ['http://x', 'http://me'],
  );
});

test('notifications that wait when a subscription is removed are still sent, but not for ever', async () => {
  for (const [away, got] of [
    ['30s', 1],
    ['10m', 0],
  ] as const) {
    const { subscribe, instance, receivers, contents, clock, ask, cse } = await notificationLab();
    await subscribe(children);
    receivers.set('http://x', 'away');
    await instance('a');
    await contents();
    await ask({ operation: 'delete', to: 'b/app/c/s' });
    await clock.advance(away);
    receivers.clear();
    await clock.advance('2m');
    assert.equal((await contents()).length, got, away);
    assert.equal(cse.core.services.notifier.waiting, 0);
  }
});

test('notifications to a former target are given up in the end', async () => {
  const { subscribe, instance, receivers, arrived, clock, ask, cse } = await notificationLab();
  await subscribe(children);
  receivers.set('http://x', 'away');
  await instance('a');
  await arrived();
  await ask({ operation: 'update', to: 'b/app/c/s', content: { 'm2m:sub': { nu: ['Cme'] } } });
  assert.equal(cse.core.services.notifier.waiting, 1);
  await clock.advance('10m');
  assert.equal(cse.core.services.notifier.waiting, 0);
});

test('time goes on while a notification waits in a polling channel', async () => {
  const { make, subscribe, instance, ask, clock, arrived } = await notificationLab();
  await make('b', { 'm2m:ae': { rn: 'poller', api: 'N', rr: false } }, 'Cpoll');
  await make('b/poller', { 'm2m:pch': { rn: 'p' } }, 'Cpoll');
  await subscribe({});
  await make('b/app/c', { 'm2m:sub': { rn: 's2', nu: ['Cpoll'], ...children } }, 'Cpoll');
  await instance('a');
  await arrived();
  await clock.advance('5m');
  await arrived();
  const poll = ask({ to: 'b/poller/p/pcu', from: 'Cpoll' });
  await clock.advance('1m');
  assert.match(JSON.stringify((await poll).content), /"con":"a"/);
});

test('a CSE on the way that cannot reach the target has not delivered; the target itself has, whatever it answers', async () => {
  const { subscribe, make, instance, receivers, arrived, clock } = await notificationLab();
  await make('b', { 'm2m:csr': { csi: '/d', cb: '/d/b', rr: true, poa: ['http://d'], srv: ['3'] } }, '/d');
  await subscribe({ nu: ['/d/Cyou', 'http://x'], ...children });
  receivers.set('http://d', 5103).set('http://x', 5103);
  await instance('a');
  await arrived();
  receivers.clear();
  await clock.advance('10s');
  assert.deepEqual((await arrived()).map(({ url }) => url).sort(), ['http://d', 'http://d', 'http://x']);
});

test('statistics count events, requests and answers of each target, from when they are enabled (TS-0004, clause 7.5.1.2.2)', async () => {
  const { subscribe, instance, ask, receivers, arrived, clock } = await notificationLab();
  const nsi = async () => {
    const counts = (await ask({ to: 'b/app/c/s' })).content['m2m:sub']?.nsi as { tg: string }[] | undefined;
    return counts?.sort((a, b) => a.tg.localeCompare(b.tg));
  };
  const enable = (nse: boolean | null) =>
    ask({ operation: 'update', to: 'b/app/c/s', content: { 'm2m:sub': { nse } } });
  await subscribe({ nu: ['http://x', 'http://y'], ...children });
  await instance('uncounted');
  await arrived();
  assert.equal(await nsi(), undefined);
  await enable(true);
  receivers.set('http://y', 'away');
  for (const con of ['a', 'b']) await instance(con);
  await arrived();
  assert.deepEqual(await nsi(), [
    { tg: 'http://x', rqs: 2, rsr: 2, noec: 2 },
    { tg: 'http://y', rqs: 1, rsr: 0, noec: 2 },
  ]);
  receivers.clear();
  await clock.advance('1s');
  await enable(false);
  await instance('uncounted');
  await arrived();
  assert.deepEqual(await nsi(), [
    { tg: 'http://x', rqs: 2, rsr: 2, noec: 2 },
    { tg: 'http://y', rqs: 3, rsr: 2, noec: 2 },
  ]);
});

test('an answer after the removal of its subscription does not count it down', async () => {
  const { subscribe, instance, ask, receivers, arrived, cse, sent } = await notificationLab();
  await subscribe({ ...children, exc: 1 });
  let answer = () => assert.fail('x was not asked');
  receivers.set('http://x', new Promise((resolve) => (answer = resolve as () => never)));
  await instance('a');
  while (sent.length === 0) await new Promise(setImmediate);
  await ask({ operation: 'delete', to: 'b/app/c/s' });
  const { descendants } = cse.core.tree.base;
  answer();
  await arrived();
  assert.equal(cse.core.tree.base.descendants, descendants);
});

test('an internal error of the messenger is reported, and loses the notification', async () => {
  const defects: unknown[] = [];
  const { subscribe, instance, contents, receivers } = await notificationLab({ onError: (one) => defects.push(one) });
  await subscribe(children);
  const defect = Promise.reject(new TypeError('defect'));
  defect.catch(() => {});
  receivers.set('http://x', defect);
  await instance('a');
  await contents();
  receivers.clear();
  await instance('b');
  assert.deepEqual((await contents()).slice(-1), ['b']);
  assert.deepEqual(defects.map(String), ['TypeError: defect']);
});
