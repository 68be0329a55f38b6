import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notificationLab } from '../core/testing/notification-lab.ts';

test('a target is asked before the subscription is stored, the originator itself is not', async () => {
  const { make, sent, ask } = await notificationLab();
  const nu = ['http://x', 'Cme', '/c/Cme', '//openmtc.org/c/Cme', 'b/app', '/c/b/app'];
  const made = await make('b/app/c', { 'm2m:sub': { rn: 's', nu, cr: null } });
  assert.equal(made.code, 2001);
  assert.deepEqual(
    sent.map(({ url, sgn }) => [url, sgn]),
    [['http://x', { vrq: true, sur: `/c/${made.content['m2m:sub']?.ri}`, cr: 'Cme' }]],
  );
  sent.length = 0;
  await ask({ operation: 'update', to: 'b/app/c/s', content: { 'm2m:sub': { nu: ['http://x', 'http://y'] } } });
  assert.deepEqual(
    sent.map(({ url }) => url),
    ['http://y'],
  );
});

test('an AE of the same name at another CSE is another entity, and so is a resource below an AE', async () => {
  const { make } = await notificationLab();
  for (const nu of ['/d/Cme', '//other.org/c/Cme', 'b/app/c'])
    assert.equal((await make('b/app/c', { 'm2m:sub': { nu: [nu] } })).code, 5204, nu);
});

test('an AE-ID that is unique in the service provider is the same at each of its CSEs', async () => {
  const { make, sent } = await notificationLab();
  const sub = { nu: ['Sme', '/Sme', '/d/Sme', '//openmtc.org/d/Sme'] };
  assert.equal((await make('b/app/c', { 'm2m:sub': sub }, 'Sme')).code, 2001);
  assert.deepEqual(sent, []);
  assert.equal((await make('b/app/c', { 'm2m:sub': { nu: ['//other.org/d/Sme'] } }, 'Sme')).code, 5204);
});

test('a target that refuses or cannot be asked prevents the subscription', async () => {
  for (const [receiver, code] of [
    [4101, 4101],
    [5205, 5205],
    [4103, 5204],
    ['away', 5204],
  ] as const) {
    const { make, receivers, ask } = await notificationLab();
    receivers.set('http://x', receiver);
    assert.equal((await make('b/app/c', { 'm2m:sub': { rn: 's', nu: ['http://x'] } })).code, code);
    assert.equal((await ask({ to: 'b/app/c/s' })).code, 4004);
  }
});

test('an AE without a point of access cannot be asked', async () => {
  const { make } = await notificationLab();
  await make('b', { 'm2m:ae': { rn: 'mute', api: 'N', rr: false } }, 'Cmute');
  assert.equal((await make('b/app/c', { 'm2m:sub': { nu: ['Cmute'] } })).code, 5204);
});

test('a subscription cannot be a child of another one, which each dialect refuses in its own way', async () => {
  for (const [dialect, code] of [
    ['onem2m', 5203],
    ['documented', 4108],
  ] as const) {
    const { subscribe, make, instance, ask } = await notificationLab({ dialect });
    await subscribe({});
    const { content } = await instance('x');
    const below = [`b/app/c/${content['m2m:cin']?.rn}`, 'b/app/c/s'];
    for (const to of below) assert.equal((await make(to, { 'm2m:sub': { nu: ['Cme'] } })).code, code);
    assert.equal((await ask({ to: 'b/app/c/s' })).code, 2000);
  }
});

test('the right to create without that to read is not enough to subscribe', async () => {
  const { make, ask } = await notificationLab({ requireAuth: true });
  const rule = (acop: number) => ({ acr: [{ acor: ['Cother'], acop }] });
  const policy = { 'm2m:acp': { rn: 'p', pv: rule(1), pvs: { acr: [{ acor: ['Cme'], acop: 63 }] } } };
  const { content } = await make('b/app', policy);
  await make('b/app', { 'm2m:cnt': { rn: 'shared', acpi: [content['m2m:acp']?.ri] } });
  const subscribe = () => make('b/app/shared', { 'm2m:sub': { nu: ['Cother'] } }, 'Cother');
  assert.equal((await subscribe()).code, 4103);
  await ask({ operation: 'update', to: 'b/app/p', content: { 'm2m:acp': { pv: rule(3) } } });
  assert.equal((await subscribe()).code, 2001);
});

test('defaults are filled in: the event type, the content type, the duration of a batch', async () => {
  const { subscribe, ask } = await notificationLab();
  const { content } = await subscribe({ nu: ['Cme'], bn: { num: 3 } });
  const { enc, nct, bn } = content['m2m:sub'] ?? {};
  assert.deepEqual([enc, nct, bn], [{ net: [1] }, 1, { num: 3, dur: 'PT60S' }]);
  const update = (sub: object) => ask({ operation: 'update', to: 'b/app/c/s', content: { 'm2m:sub': sub } });
  await update({ enc: { net: [3], atr: ['lbl'] }, bn: { num: 4 } });
  const updated = (await update({ enc: null })).content['m2m:sub'];
  assert.deepEqual([updated?.enc, updated?.bn], [{ net: [1] }, { num: 4, dur: 'PT60S' }]);
  const blocking = await ask({
    operation: 'create',
    to: 'b/app',
    content: { 'm2m:sub': { nu: ['Cme'], enc: { net: [7] } } },
  });
  assert.equal(blocking.content['m2m:sub']?.nct, 2);
});

test('criteria that contradict each other or the resource are refused', async () => {
  const refused: readonly object[] = [
    { enc: { net: [9] } },
    { enc: { net: [1], md: { num: 1, dur: 'PT1S' } } },
    { enc: { net: [3] }, nct: 2 },
    { enc: { net: [1, 3] }, nct: 2 },
    { enc: { net: [1] }, nct: 5 },
    { enc: { net: [1], chty: [2] } },
    { enc: { net: [8], md: { num: 1, dur: 'PT1S' } } },
    { enc: { net: [1], om: [{ ops: 1 }] } },
    { enc: { om: [{ ops: 1 }, {}] } },
    { enc: { surprise: 1 } },
    { enc: { net: [1, 7] } },
    { enc: { net: [7], sza: 1 } },
    { enc: { net: [7] }, nct: 1 },
    { enc: { net: [7] }, nu: ['Cme', 'Cx'] },
    { enc: { net: [7] }, nu: ['http://x'] },
    { enc: { net: [7] }, su: 'http://su' },
    { enc: { net: [7] }, nse: true },
    ...['exc', 'psn', 'pn', 'nsp'].map((name) => ({ enc: { net: [7] }, [name]: 1 })),
    { enc: { net: [7] }, bn: { num: 1 } },
    { cr: 'Cme' },
    { nu: [] },
    { exc: 0 },
    { nec: 1 },
    { nsi: [] },
  ];
  for (const attributes of refused) {
    const { make } = await notificationLab();
    const sub = { nu: ['Cme'], ...attributes };
    assert.equal((await make('b/app/c', { 'm2m:sub': sub })).code, 4000, JSON.stringify(attributes));
  }
});

test('events of an underlying network are not implemented', async () => {
  const { subscribe } = await notificationLab();
  for (const wanted of [{ enc: { net: [6] } }, { enc: { net: [1, 6] } }, { nct: 4 }]) {
    assert.equal((await subscribe(wanted)).code, 5001, JSON.stringify(wanted));
  }
});

test('a report on missing data needs a time series, and to know how much of it in which time', async () => {
  const { make } = await notificationLab();
  await make('b/app', { 'm2m:ts': { rn: 't', pei: 1000, mdd: true, mdt: 500 } });
  const subscribe = (md: unknown) => make('b/app/t', { 'm2m:sub': { nu: ['Cme'], enc: { net: [8], md } } });
  for (const md of [null, {}, { num: 5 }, { dur: 'PT10S' }, { num: -5, dur: 'PT10S' }, { num: 5, dur: '10' }])
    assert.equal((await subscribe(md)).code, 4000, JSON.stringify(md));
  assert.equal((await subscribe({ num: 5, dur: 'PT10S' })).content['m2m:sub']?.nct, 5);
});

test('an update obeys the same rules, and cannot make a subscription blocking', async () => {
  const { subscribe, ask } = await notificationLab();
  await subscribe({ nu: ['Cme'], nct: 2 });
  for (const change of [
    { enc: { net: [3] } },
    { enc: { net: [7] } },
    { enc: { net: [1], om: [{ ops: 1 }] } },
    { enc: { net: [1], chty: [2] } },
    { nu: null },
    { su: 'http://su' },
    { psn: 1 },
  ]) {
    const { code } = await ask({ operation: 'update', to: 'b/app/c/s', content: { 'm2m:sub': change } });
    assert.equal(code, 4000, JSON.stringify(change));
  }
  const { code, content } = await ask({
    operation: 'update',
    to: 'b/app/c/s',
    content: { 'm2m:sub': { enc: { om: [{ ops: 4 }] } } },
  });
  assert.deepEqual([code, content['m2m:sub']?.enc], [2004, { om: [{ ops: 4 }] }]);
});

test('statistics count where enabled, stay when stopped, and restart', async () => {
  const { subscribe, change, ask, arrived } = await notificationLab();
  const statistics = async (nse?: boolean | null) => {
    await arrived();
    const update = { operation: 'update', content: { 'm2m:sub': { nse } } } as const;
    const { content } = await ask({ to: 'b/app/c/s', ...(nse !== undefined && update) });
    return content['m2m:sub']?.nsi;
  };
  const counted = (rqs: number) => [{ tg: 'http://x', rqs, rsr: rqs, noec: rqs }];
  assert.equal((await subscribe({ nse: true })).content['m2m:sub']?.nsi, undefined);
  await change({ mni: 1 });
  assert.deepEqual(await statistics(), counted(1));
  assert.deepEqual(await statistics(false), counted(1));
  await change({ mni: 2 });
  assert.deepEqual(await statistics(), counted(1));
  assert.equal(await statistics(true), undefined);
  for (const mni of [3, 4]) await change({ mni });
  assert.deepEqual(await statistics(), counted(2));
  assert.equal(await statistics(null), undefined);
});

test('requests that nobody answered are among those sent', async () => {
  const { subscribe, change, ask, receivers, arrived } = await notificationLab();
  await subscribe({ nse: true });
  receivers.set('http://x', 'away');
  await change({ mni: 1 });
  await arrived();
  const { content } = await ask({ to: 'b/app/c/s' });
  assert.deepEqual(content['m2m:sub']?.nsi, [{ tg: 'http://x', rqs: 1, rsr: 0, noec: 1 }]);
});

test('attributes are accepted by long names, within the criteria too', async () => {
  const { make } = await notificationLab({ dialect: 'documented' });
  const { content } = await make('b/app/c', {
    'm2m:sub': {
      notificationURI: ['Cme'],
      eventNotificationCriteria: { notificationEventType: [3], operationMonitor: null, childResourceType: [4] },
      batchNotify: { number: 2, duration: 'PT1M' },
    },
  });
  const { nu, enc, bn } = content['m2m:sub'] ?? {};
  assert.deepEqual([nu, enc, bn], [['Cme'], { net: [3], chty: [4] }, { num: 2, dur: 'PT1M' }]);
});
