import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pairStarter, UnregisteredError } from './embedded/pairs.ts';

const pair = () => {
  const state = { closed: 0 };
  const close = async () => {
    state.closed += 1;
  };
  return { state, close };
};

test('what comes about is given; where nothing does, nothing more is waited for or started', async () => {
  const start = pairStarter(true, 1);
  const good = pair();
  assert.equal(await start(async () => good), good);
  await assert.rejects(
    start(() => new Promise<typeof good>(() => {})),
    UnregisteredError,
  );
  let started = 0;
  const another = async () => {
    started += 1;
    return good;
  };
  await assert.rejects(start(another), UnregisteredError);
  assert.deepEqual([started, good.state.closed], [0, 0]);
});

test('what comes too late is closed', async () => {
  const late = pair();
  const arrival = deferred<typeof late>();
  await assert.rejects(
    pairStarter(true, 1)(() => arrival.promise),
    UnregisteredError,
  );
  arrival.resolve(late);
  await arrival.promise;
  assert.equal(late.state.closed, 1);
});

test('what is not waited for any longer is told so', async () => {
  const reasons: unknown[] = [];
  const never = (signal: AbortSignal) => {
    signal.addEventListener('abort', () => reasons.push(signal.reason));
    return new Promise<ReturnType<typeof pair>>(() => {});
  };
  await assert.rejects(pairStarter(true, 1)(never), UnregisteredError);
  assert.ok(reasons.length === 1 && reasons[0] instanceof UnregisteredError);
});

test('without deviations there is no limit', async () => {
  const late = pair();
  const arrival = deferred<typeof late>();
  const waited = pairStarter(false, 0)(() => arrival.promise);
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
