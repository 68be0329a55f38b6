import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notificationLab } from '../testing/notification-lab.ts';

const blocking = { enc: { net: [7] }, nu: ['Cx'] };

test('a blocking subscription is asked before a change, with what it would change', async () => {
  const { subscribe, change, ask, sent, clock } = await notificationLab();
  const et = '20170302T161353,000000';
  await subscribe({ ...blocking, et });
  assert.equal((await change({ lbl: ['x'], mni: 3, mbs: null, et })).code, 2004);
  assert.deepEqual([sent[0]?.sgn.nev?.net, sent[0]?.sgn.cr], [7, undefined]);
  assert.deepEqual(sent[0]?.sgn.nev?.rep, { 'm2m:cnt': { lbl: ['x'], mni: 3, mbs: null, et } });
  assert.equal((await ask({})).content['m2m:cnt']?.mni, 3);
  await clock.advance('2m');
  assert.equal(sent.length, 1);
});

test('the subscriber can prevent the change, by a refusal and by silence', async () => {
  const { subscribe, change, ask, receivers } = await notificationLab();
  await subscribe(blocking);
  for (const [receiver, code] of [
    [4005, 4127],
    [5000, 4127],
    ['away', 5107],
  ] as const) {
    receivers.set('http://x', receiver);
    assert.equal((await change({ mni: 3 })).code, code);
  }
  assert.equal((await ask({})).content['m2m:cnt']?.mni, undefined);
});

test('nobody is asked about attributes that the criteria do not name', async () => {
  const { subscribe, change, receivers, sent } = await notificationLab();
  await subscribe({ ...blocking, enc: { net: [7], atr: ['lbl'] } });
  receivers.set('http://x', 4005);
  assert.equal((await change({ mni: 3 })).code, 2004);
  assert.equal((await change({ mni: 4, lbl: ['x'] })).code, 4127);
  assert.equal((await change({ lbl: null })).code, 4127);
  assert.equal(sent.length, 2);
});

test('a resource has one blocking subscription', async () => {
  const { subscribe, make, ask } = await notificationLab();
  await subscribe(blocking);
  assert.equal((await make('b/app/c', { 'm2m:sub': blocking })).code, 4124);
  await ask({ operation: 'delete', to: 'b/app/c/s' });
  assert.equal((await make('b/app/c', { 'm2m:sub': blocking })).code, 2001);
});

test('of two blocking subscriptions that are verified at the same time one stands', async () => {
  const { make } = await notificationLab();
  const both = ['s1', 's2'].map((rn) => make('b/app/c', { 'm2m:sub': { rn, ...blocking } }));
  assert.deepEqual((await Promise.all(both)).map(({ code }) => code).sort(), [2001, 4124]);
});

test('further changes wait for the answer, and everything else goes on', async () => {
  const { subscribe, change, instance, receivers, sent, ask } = await notificationLab();
  await subscribe({ ...blocking, enc: { net: [7], atr: ['lbl'] } });
  let answer = () => {};
  receivers.set('http://x', new Promise((resolve) => (answer = resolve)));
  const order: string[] = [];
  const first = change({ lbl: ['first'] }).then(() => order.push('first'));
  const second = change({ mni: 3 }).then(() => order.push('second'));
  assert.equal((await instance('x')).code, 2001);
  assert.deepEqual([order, sent.length], [[], 1]);
  answer();
  await Promise.all([first, second]);
  assert.deepEqual(order, ['first', 'second']);
  const { lbl, mni } = (await ask({})).content['m2m:cnt'] ?? {};
  assert.deepEqual([lbl, mni], [['first'], 3]);
});

test('a resource removed with its parent while approval is pending is not found', async () => {
  const { subscribe, change, receivers, ask } = await notificationLab();
  await subscribe(blocking);
  let answer = () => {};
  receivers.set('http://x', new Promise((resolve) => (answer = resolve)));
  const changed = change({ mni: 3 });
  assert.equal((await ask({ operation: 'delete', to: 'b/app' })).code, 2002);
  answer();
  assert.equal((await changed).code, 4004);
});

for (const [agreement, changed] of [
  ['agrees', 2004],
  ['is away', 5107],
] as const) {
  test(`a delete waits until the update is done, or refused: who is asked ${agreement}`, async () => {
    const { subscribe, change, ask, receivers } = await notificationLab();
    await subscribe(blocking);
    let answer = () => {};
    receivers.set('http://x', changed === 5107 ? 'away' : new Promise((resolve) => (answer = resolve)));
    const order: number[] = [];
    const note = ({ code }: { readonly code: number }) => order.push(code);
    const first = change({ mni: 3 }).then(note);
    const deleted = ask({ operation: 'delete' }).then(note);
    const last = change({ mni: 4 }).then(note);
    answer();
    await Promise.all([first, deleted, last]);
    assert.deepEqual(order, [changed, 2002, 4004]);
  });
}

test('a change waits for the answer although the blocking subscription was removed', async () => {
  const { subscribe, change, ask, receivers } = await notificationLab();
  await subscribe(blocking);
  let answer = () => {};
  receivers.set('http://x', new Promise((resolve) => (answer = resolve)));
  const order: string[] = [];
  const first = change({ mni: 3 }).then(() => order.push('first'));
  await ask({ operation: 'delete', to: 'b/app/c/s' });
  const second = change({ mni: 4 }).then(() => order.push('second'));
  answer();
  await Promise.all([first, second]);
  assert.deepEqual(order, ['first', 'second']);
  assert.equal((await ask({})).content['m2m:cnt']?.mni, 4);
});

test('nobody is asked about a change that its type refuses', async () => {
  const { make, ask, receivers, sent } = await notificationLab({ requireAuth: true });
  const csr = { cb: '/far/b', csi: '/far', rr: true, poa: ['http://far'] };
  assert.equal((await make('b', { 'm2m:csr': csr }, '/far')).code, 2001);
  await make('b/app', { 'm2m:grp': { rn: 'g', mt: 3, mnm: 5, mid: [] } });
  assert.equal((await make('b/app/g', { 'm2m:sub': { ...blocking, nu: ['Cme'] } })).code, 2001);
  receivers.set('http://far', 4103);
  receivers.set('http://me', 4005);
  const content = { 'm2m:grp': { mid: ['/far/x'] } };
  assert.equal((await ask({ operation: 'update', to: 'b/app/g', content })).code, 5105);
  assert.deepEqual(
    sent.map(({ url }) => url).filter((url) => url === 'http://me'),
    [],
  );
});

test('a delete waits for the latest of several updates, though those before it are done', async () => {
  const { subscribe, change, ask, receivers, sent } = await notificationLab();
  await subscribe(blocking);
  const answers: (() => void)[] = [];
  const next = () => receivers.set('http://x', new Promise((resolve) => answers.push(resolve)));
  next();
  const order: string[] = [];
  const first = change({ mni: 3 }).then(() => order.push('first'));
  const second = change({ mni: 4 }).then(() => order.push('second'));
  while (sent.length === 0) await new Promise(setImmediate);
  next();
  answers[0]?.();
  await first;
  const deleted = ask({ operation: 'delete' }).then(() => order.push('deleted'));
  await ask({});
  answers[1]?.();
  await Promise.all([second, deleted]);
  assert.deepEqual(order, ['first', 'second', 'deleted']);
});
