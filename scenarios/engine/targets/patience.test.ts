import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Patience, UnregisteredError } from './embedded/pairs.ts';

const pair = () => {
  const state = { closed: 0 };
  const close = async () => {
    state.closed += 1;
  };
  return { state, close };
};

test('what comes about is given; where nothing does, nothing more is waited for or started', async () => {
  const patience = new Patience(true, 1);
  const good = pair();
  assert.equal(await patience.for(async () => good), good);
  await assert.rejects(
    patience.for(() => new Promise<typeof good>(() => {})),
    UnregisteredError,
  );
  let started = 0;
  const another = async () => {
    started += 1;
    return good;
  };
  await assert.rejects(patience.for(another), UnregisteredError);
  assert.deepEqual([started, good.state.closed], [0, 0]);
});

test('what comes too late is closed', async () => {
  const late = pair();
  const arrival = deferred<typeof late>();
  await assert.rejects(
    new Patience(true, 1).for(() => arrival.promise),
    UnregisteredError,
  );
  arrival.resolve(late);
  await arrival.promise;
  assert.equal(late.state.closed, 1);
});

test('without faults there is no limit', async () => {
  const late = pair();
  const arrival = deferred<typeof late>();
  const waited = new Patience(false, 0).for(() => arrival.promise);
  arrival.resolve(late);
  assert.equal(await waited, late);
});

function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
