import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type NotificationLab, notificationLab } from '../testing/notification-lab.ts';

test('a new child, a change, the deletion of a child and of the resource are notified, each with what it is about', async () => {
  const { subscribe, instance, change, ask, arrived } = await notificationLab();
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

test('a notification has the event, the reference to the subscription, and the creator where the subscription has one', async () => {
  for (const cr of [undefined, null]) {
    const { subscribe, instance, arrived } = await notificationLab();
    const { content } = await subscribe({ enc: { net: [3] }, ...(cr === null && { cr }) });
    await instance('21');
    const [one] = await arrived();
    assert.deepEqual(Object.keys(one?.body ?? {}), ['m2m:sgn']);
    const { nev, ...others } = one?.sgn ?? {};
    assert.deepEqual(others, { sur: `/c/${content['m2m:sub']?.ri}`, ...(cr === null && { cr: 'Cme' }) });
    assert.deepEqual([nev?.net, nev?.rep['m2m:cin']?.con, nev?.rep['m2m:cin']?.ty], [3, '21', 4]);
  }
});

test('a notification shows the state at the time of the event', async () => {
  const { subscribe, change, receivers, clock, arrived } = await notificationLab();
  await subscribe({});
  receivers.set('http://x', 'away');
  for (const mni of [1, 2, 3]) await change({ mni });
  await arrived();
  receivers.clear();
  await clock.advance('10s');
  assert.deepEqual(
    (await arrived()).map(({ sgn }) => sgn.nev?.rep['m2m:cnt']?.mni),
    [1, 2, 3],
  );
});

test('the creation and the deletion of a subscription are events for the others, not for itself', async () => {
  const { subscribe, make, ask, arrived } = await notificationLab();
  await subscribe({ enc: { net: [3, 4] } });
  await make('b/app/c', { 'm2m:sub': { rn: 's2', nu: ['Cme'], enc: { net: [3, 4] } } });
  await ask({ operation: 'delete', to: 'b/app/c/s2' });
  assert.deepEqual(
    (await arrived()).map(({ url, sgn }) => [url, sgn.nev?.net, sgn.nev?.rep['m2m:sub']?.rn]),
    [
      ['http://x', 3, 's2'],
      ['http://x', 4, 's2'],
    ],
  );
});

test('a retrieve with instances of an empty container is notified', async () => {
  const { subscribe, ask, instance, arrived } = await notificationLab();
  await subscribe({ enc: { net: [5] } });
  await ask({ to: 'b/app/c' });
  await ask({ to: 'b/app/c', resultContent: 5 });
  for (const resultContent of [4, 8]) await ask({ to: 'b/app/c', resultContent });
  await instance('x');
  await ask({ to: 'b/app/c', resultContent: 4 });
  assert.deepEqual(
    (await arrived()).map(({ sgn }) => sgn.nev?.net),
    [5, 5],
  );
});

test('the attempt to read the latest instance of an empty container is notified', async () => {
  const { subscribe, ask, instance, arrived } = await notificationLab();
  await subscribe({ enc: { net: [5] } });
  assert.equal((await ask({ to: 'b/app/c/la' })).code, 4004);
  await instance('x');
  assert.equal((await ask({ to: 'b/app/c/la' })).code, 2000);
  assert.deepEqual(
    (await arrived()).map(({ sgn }) => sgn.nev?.net),
    [5],
  );
});

test('an instance that expires is notified as deleted without a request, one that makes room for another is not', async () => {
  const { subscribe, instance, change, clock, contents } = await notificationLab();
  await change({ mni: 1, mia: 60 });
  await subscribe({ enc: { net: [4] } });
  await instance('a');
  await instance('b');
  await clock.advance('61s');
  assert.deepEqual(await contents(), ['b']);
});

test('an expiration that comes nearer through a resource far above is noticed in time', async () => {
  const { subscribe, ask, clock, arrived } = await notificationLab({ dialect: 'documented' });
  await subscribe({ enc: { net: [2] } });
  await ask({ operation: 'update', to: 'b/app', content: { 'm2m:ae': { et: '20170302T161353' } } });
  await clock.advance('1m');
  assert.deepEqual(
    (await arrived()).map(({ sgn }) => sgn.nev?.net),
    [2],
  );
});

type Case = readonly [enc: object, happens: (lab: NotificationLab) => Promise<unknown>, times: number];

test('criteria select: attributes, types of children, size, state tag, times, and how they are combined', async () => {
  const cases: readonly Case[] = [
    [{ net: [1], atr: ['mni'] }, ({ change }) => change({ lbl: ['x'] }), 0],
    [{ net: [1], atr: ['mni', 'lbl'] }, ({ change }) => change({ mni: 3 }), 1],
    [{ net: [1], atr: ['lbl'] }, ({ change }) => change({ lbl: null }), 1],
    [{ net: [3], chty: [3] }, ({ instance }) => instance('x'), 0],
    [{ net: [3], chty: [3, 4] }, ({ instance }) => instance('x'), 1],
    [{ net: [3], chty: [] }, ({ instance }) => instance('x'), 1],
    [{ net: [1], atr: [] }, ({ change }) => change({ mni: 3 }), 1],
    [{ net: [1], atr: ['et'] }, ({ change }) => change({ et: '20300101T000000' }), 1],
    [{ net: [1], atr: ['et'] }, ({ change }) => change({ et: null }), 1],
    [{ net: [1], atr: ['et'] }, ({ change }) => change({ mni: 3 }), 0],
    [{ om: [] }, ({ change }) => change({ mni: 3 }), 1],
    [{ net: [3], sza: 3 }, ({ instance }) => instance('xx'), 0],
    [{ net: [3], sza: 3 }, ({ instance }) => instance('xxx'), 1],
    [{ net: [1], stb: 1 }, ({ change }) => change({ mni: 3 }), 0],
    [{ net: [1], stb: 0 }, ({ change }) => change({ mni: 3 }), 1],
    [{ net: [1], crb: '20000101T000000' }, ({ change }) => change({ mni: 3 }), 0],
    [{ net: [1], cra: '20000101T000000' }, ({ change }) => change({ mni: 3 }), 1],
    [{ net: [3], sza: 9, cra: '20000101T000000' }, ({ instance }) => instance('x'), 0],
    [{ net: [3], sza: 9, cra: '20000101T000000', fo: 2 }, ({ instance }) => instance('x'), 1],
  ];
  for (const [enc, happens, times] of cases) {
    const lab = await notificationLab();
    await lab.subscribe({ enc });
    await happens(lab);
    assert.equal((await lab.arrived()).length, times, JSON.stringify(enc));
  }
});

test('a monitor sees operations on the resource itself, by a set of them or by one, and by their originator', async () => {
  const retrieve: Case[1] = ({ ask }) => ask({});
  const cases: readonly Case[] = [
    [{ om: [{ ops: 2 }] }, retrieve, 1],
    [{ om: [{ ops: 13 }] }, retrieve, 0],
    [{ om: [{ ops: 1, or: '/c/Cme' }] }, ({ instance }) => instance('x'), 1],
    [{ om: [{ ops: 1, or: 'Cother' }] }, ({ instance }) => instance('x'), 0],
    [{ om: [{ ops: 6 }] }, ({ change }) => change({ mni: 1 }), 1],
    [{ om: [{ ops: 3, org: 'Cme' }] }, ({ change }) => change({ mni: 1 }), 1],
    [{ om: [{ ops: 3, org: 'Cme' }] }, retrieve, 0],
    [{ om: [{ ops: 1, org: 'Cme' }] }, ({ instance }) => instance('x'), 1],
    [{ om: [{ ops: 2, org: 'Cme' }] }, retrieve, 1],
    [{ om: [{ ops: 4, org: 'Cme' }] }, ({ ask }) => ask({ operation: 'delete' }), 1],
    [{ om: [{ ops: 5, org: 'Cme' }] }, ({ ask }) => ask({ operation: 'delete' }), 0],
    [{ om: [{ ops: 8 }] }, ({ ask }) => ask({ operation: 'delete' }), 1],
    [{ om: [{ ops: 1 }, { ops: 4 }] }, ({ change }) => change({ mni: 1 }), 1],
    [{ om: [{ or: 'Cme' }] }, retrieve, 1],
  ];
  for (const [enc, happens, times] of cases) {
    const lab = await notificationLab();
    await lab.subscribe({ enc });
    await happens(lab);
    assert.equal((await lab.arrived()).length, times, JSON.stringify(enc));
  }
});

test('the notification names the matching monitor', async () => {
  const { subscribe, ask, arrived } = await notificationLab();
  await subscribe({ enc: { om: [{ ops: 1 }, { ops: 2, org: 'Cme' }] } });
  await ask({});
  const [one] = await arrived();
  assert.deepEqual(one?.sgn.nev?.om, { ops: 2, org: 'Cme' });
  assert.equal(one?.sgn.nev?.rep['m2m:cnt']?.rn, 'c');
});

test('content types: everything, what has changed, or the identifier', async () => {
  const shown = async (nct: number) => {
    const { subscribe, change, arrived } = await notificationLab();
    await subscribe({ nct });
    await change({ lbl: ['x'] });
    return (await arrived())[0]?.sgn.nev?.rep ?? {};
  };
  assert.equal((await shown(1))['m2m:cnt']?.rn, 'c');
  assert.deepEqual(Object.keys((await shown(2))['m2m:cnt'] ?? {}).sort(), ['lbl', 'lt', 'st']);
  assert.match(String((await shown(3))['m2m:uri']), /^cnt/);
});

test('each subscription gets the content that it requests of an event', async () => {
  const { subscribe, make, change, arrived } = await notificationLab();
  await subscribe({ nct: 2, nfu: 'http://forward' });
  await make('b/app/c', { 'm2m:sub': { nu: ['Cme'], nct: 3 } });
  await make('b/app/c', { 'm2m:sub': { nu: ['Cme'], eeno: true } });
  await change({ lbl: ['x'] });
  const [one, two, three] = (await arrived()).map(({ sgn }) => sgn);
  assert.deepEqual(one?.nev?.rep['m2m:cnt']?.lbl, ['x']);
  assert.equal(one?.nfu, 'http://forward');
  assert.deepEqual(Object.keys(two?.nev?.rep ?? {}), ['m2m:uri']);
  assert.equal(three?.nev?.rep['m2m:cnt']?.rn, 'c');
  assert.deepEqual([two?.cr, three?.cr], [undefined, 'Cme']);
});

test('a subscription ends with the last notification that it counts down', async () => {
  const { subscribe, instance, contents, ask } = await notificationLab();
  await subscribe({ enc: { net: [3] }, exc: 2 });
  await instance('a');
  assert.deepEqual(await contents(), ['a']);
  assert.equal((await ask({ to: 'b/app/c/s' })).content['m2m:sub']?.exc, 1);
  for (const con of ['b', 'c']) await instance(con);
  assert.deepEqual(await contents(), ['a', 'b']);
  assert.equal((await ask({ to: 'b/app/c/s' })).code, 4004);
});

test('a subscription that counts down to the deletion of its own resource is removed once', async () => {
  const { subscribe, ask, arrived, cse } = await notificationLab();
  await subscribe({ enc: { net: [2] }, exc: 1, su: 'http://su' });
  const before = cse.core.tree.base.descendants;
  await ask({ operation: 'delete' });
  assert.equal(cse.core.tree.base.descendants, before - 2);
  assert.deepEqual(
    (await arrived()).map(({ url, sgn }) => [url, sgn.nev?.net, sgn.sud]),
    [
      ['http://x', 2, undefined],
      ['http://su', undefined, true],
    ],
  );
});

test('the subscriber is notified when the subscription is removed, by itself, with its parent or by expiration', async () => {
  for (const end of ['itself', 'parent', 'time'] as const) {
    const { subscribe, ask, arrived, clock } = await notificationLab();
    const { content } = await subscribe({
      su: 'http://su',
      cr: null,
      ...(end === 'time' && { et: '20170302T161353' }),
    });
    if (end === 'time') await clock.advance('61s');
    else await ask({ operation: 'delete', to: end === 'itself' ? 'b/app/c/s' : 'b/app' });
    const told = (await arrived()).filter(({ url }) => url === 'http://su').map(({ sgn }) => sgn);
    assert.deepEqual(told, [{ sud: true, sur: `/c/${content['m2m:sub']?.ri}`, cr: 'Cme' }], end);
  }
});

test('a delete of a subscription is answered once the subscriber was notified, or after a second', async () => {
  const { subscribe, ask, clock, sent, receivers } = await notificationLab();
  await subscribe({ su: 'http://su' });
  assert.equal((await ask({ operation: 'delete', to: 'b/app/c/s' })).code, 2002);
  assert.deepEqual([sent.length, sent[0]?.sgn.sud], [1, true]);
  await subscribe({ su: 'http://su' });
  receivers.set('http://su', new Promise(() => {}));
  const late = ask({ operation: 'delete', to: 'b/app/c/s' });
  await clock.advance('1s');
  assert.equal((await late).code, 2002);
});

test('in the documented dialect a delete of a subscription is answered a while before the subscriber is notified', async () => {
  const { subscribe, ask, sent, arrived, clock } = await notificationLab({ dialect: 'documented' });
  await subscribe({ su: 'http://su' });
  assert.equal((await ask({ operation: 'delete', to: 'b/app/c/s' })).code, 2002);
  assert.deepEqual(await arrived(), []);
  await clock.advance('200ms');
  assert.deepEqual(
    sent.map(({ url, sgn }) => [url, sgn.sud, sgn.sur]),
    [['http://su', true, 'b/app/c/s']],
  );
});

test('a delete of a subscription does not wait for an unreachable subscriber', async () => {
  const { subscribe, ask, receivers, change } = await notificationLab();
  await subscribe({ nu: ['http://me'], su: 'http://me' });
  receivers.set('http://me', 'away');
  await change({ lbl: ['a'] });
  assert.equal((await ask({ operation: 'delete', to: 'b/app/c/s' })).code, 2002);
});

test('a subscription with psn is notified of the latest instances before it', async () => {
  const { subscribe, instance, contents } = await notificationLab();
  for (const con of ['a', 'b', 'c']) await instance(con);
  await subscribe({ enc: { net: [3] }, psn: 2 });
  await instance('d');
  assert.deepEqual(await contents(), ['b', 'c', 'd']);
});

test('what falls due while a manual clock is advanced has been sent when that ends', async () => {
  for (const [attributes, limits] of [
    [{ enc: { net: [3] }, bn: { num: 9, dur: 'PT10S' } }, {}],
    [{ enc: { net: [4] } }, { mia: 10 }],
  ] as const) {
    const { subscribe, instance, change, clock, sent } = await notificationLab();
    await subscribe(attributes);
    await change(limits);
    await instance('a');
    await clock.advance('11s');
    assert.equal(sent.length, 1, JSON.stringify(attributes));
  }
});

test('a time series reports on missing data, when enough of it is missing in the time', async () => {
  const { make, clock, sent } = await notificationLab();
  await make('b/app', { 'm2m:ts': { rn: 't', pei: 1000, peid: 0, mdd: true, mdn: 10, mdt: 500 } });
  const enc = { net: [8], md: { num: 2, dur: 'PT3S' } };
  assert.equal((await make('b/app/t', { 'm2m:sub': { nu: ['http://x'], enc } })).code, 2001);
  sent.length = 0;
  await make('b/app/t', { 'm2m:tsi': { dgt: '20170302T161253', con: '1' } });
  await clock.advance('6s');
  const reports = sent.map(({ sgn }) => [sgn.nev?.net, sgn.nev?.rep['m2m:tsn']]);
  const report = (mdc: number, ...seconds: number[]) => [
    8,
    { mdlt: seconds.map((second) => `20170302T1612${second},000000`), mdc },
  ];
  assert.deepEqual(reports, [report(2, 54, 55), report(3, 54, 55, 56), report(2, 57, 58)]);
});

test('an AE as a target is reached at its point of access, or fetches from its polling channel', async () => {
  const { subscribe, instance, arrived, ask, make } = await notificationLab();
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
  const polled = content['m2m:rqp']?.pc as { 'm2m:sgn': { nev: { rep: { 'm2m:cin': { con: string } } } } };
  assert.equal(polled['m2m:sgn'].nev.rep['m2m:cin'].con, 'b');
});

test('an AE that says that requests do not reach it gets nothing until they do', async () => {
  const { subscribe, instance, contents, ask, clock } = await notificationLab();
  await subscribe({ nu: ['Cme'], enc: { net: [3] } });
  const reachable = (rr: boolean) => ask({ operation: 'update', to: 'b/app', content: { 'm2m:ae': { rr } } });
  await reachable(false);
  await instance('a');
  assert.deepEqual(await contents(), []);
  await reachable(true);
  await clock.advance('1s');
  assert.deepEqual(await contents(), ['a']);
});

test('a target at another CSE is reached through it', async () => {
  const { subscribe, make, instance, arrived } = await notificationLab();
  await make('b', { 'm2m:csr': { csi: '/d', cb: '/d/b', rr: true, poa: ['http://d'], srv: ['3'] } }, '/d');
  await subscribe({ nu: ['/d/Cyou'], enc: { net: [3] } });
  await instance('a');
  assert.deepEqual(
    (await arrived()).map(({ url }) => url),
    ['http://d'],
  );
});

test('the documented dialect calls the subscription by its path, in the form in which the target is written', async () => {
  for (const [nu, sur] of [
    ['Cme', 'b/app/c/s'],
    ['http://x/y?ct=json', 'b/app/c/s'],
    ['/c/Cme', '/c/b/app/c/s'],
    ['//openmtc.org/c/Cme', '//openmtc.org/c/b/app/c/s'],
  ] as const) {
    const { make, sent, arrived, instance } = await notificationLab({ dialect: 'documented' });
    await make('b/app/c', { 'm2m:sub': { rn: 's', nu: [nu], enc: { notificationEventType: [3], attribute: null } } });
    sent.length = 0;
    await instance('x');
    const [one] = await arrived();
    assert.equal(one?.sgn.sur, sur);
    assert.equal(one?.url, nu.startsWith('http') ? nu : 'http://me');
  }
});

test('the serialisation in a URL is not part of the request target', async () => {
  for (const [nu, url] of [
    ['http://x?ct=json', 'http://x'],
    ['http://x/y?a=b&ct=json', 'http://x/y?a=b'],
    ['http://x/y?ct=json&a=b', 'http://x/y?a=b'],
    ['http://x/y?act=json', 'http://x/y?act=json'],
  ] as const) {
    const { subscribe, instance, arrived } = await notificationLab();
    await subscribe({ nu: [nu], enc: { net: [3] } });
    await instance('a');
    assert.deepEqual(
      (await arrived()).map((one) => one.url),
      [url],
    );
  }
});

test('an undelivered notification is not counted down, and counts when it is delivered later', async () => {
  const { subscribe, instance, contents, receivers, ask, clock } = await notificationLab();
  await subscribe({ enc: { net: [3] }, exc: 2 });
  receivers.set('http://x', 'away');
  await instance('a');
  assert.deepEqual(await contents(), []);
  assert.equal((await ask({ to: 'b/app/c/s' })).content['m2m:sub']?.exc, 2);
  receivers.delete('http://x');
  await clock.advance('5s');
  assert.deepEqual(await contents(), ['a']);
  assert.equal((await ask({ to: 'b/app/c/s' })).content['m2m:sub']?.exc, 1);
});

test('simultaneous events are counted down one by one, and excess ones dropped', async () => {
  const { subscribe, instance, contents, cse } = await notificationLab();
  await subscribe({ enc: { net: [3] }, exc: 2 });
  await Promise.all(['a', 'b', 'c', 'd'].map(instance));
  assert.deepEqual(await contents(), ['a', 'b']);
  assert.equal(cse.core.services.notifier.waiting, 0);
});

test('a notification on its way to a slow target counts', async () => {
  const { subscribe, instance, arrived, receivers, ask } = await notificationLab();
  await subscribe({ nu: ['http://x', 'http://y'], enc: { net: [3] }, exc: 2 });
  let answer: () => void = () => assert.fail('y was not asked');
  receivers.set('http://y', new Promise((resolve) => (answer = resolve)));
  for (const con of ['a', 'b', 'c']) void instance(con);
  while ((await ask({ to: 'b/app/c/s' })).code !== 4004) await setImmediate();
  answer();
  const got = (await arrived()).filter(({ url }) => url === 'http://y');
  assert.deepEqual(
    got.map(({ sgn }) => sgn.nev?.rep['m2m:cin']?.con),
    ['a', 'b'],
  );
});

test('each of several targets gets as many notifications as are counted down', async () => {
  const { subscribe, instance, arrived, receivers, ask, clock } = await notificationLab();
  await subscribe({ nu: ['http://x', 'http://y'], enc: { net: [3] }, exc: 2 });
  receivers.set('http://y', 'away');
  for (const con of ['a', 'b', 'c']) await instance(con);
  await arrived();
  assert.equal((await ask({ to: 'b/app/c/s' })).code, 4004);
  receivers.delete('http://y');
  await clock.advance('5s');
  const got = (await arrived()).map(({ url, sgn }) => [url, sgn.nev?.rep['m2m:cin']?.con]);
  for (const url of ['http://x', 'http://y']) {
    assert.deepEqual(
      got.filter(([target]) => target === url).map(([, con]) => con),
      ['a', 'b'],
    );
  }
});

test('a deletion has the originator of its request, a later expiration none', async () => {
  const { subscribe, make, ask, clock, arrived } = await notificationLab();
  await subscribe({ enc: { net: [4] }, eeno: true });
  for (const rn of ['one', 'two']) await make('b/app/c', { 'm2m:cin': { rn, con: '1', et: '20170302T161353' } });
  await ask({ operation: 'delete', to: 'b/app/c/one', from: 'Cx' });
  await clock.advance('1m');
  const told = (await arrived()).map(({ sgn }) => [sgn.nev?.rep['m2m:cin']?.rn, sgn.cr]);
  assert.deepEqual(told, [
    ['one', 'Cx'],
    ['two', undefined],
  ]);
});
