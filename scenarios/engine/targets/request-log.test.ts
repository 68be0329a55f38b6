import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReceivedRequest } from '../results/exchange.ts';
import { RequestLog } from './simulated-backend.ts';

const request = (method: string, path = '/'): ReceivedRequest => ({ method, path, headers: [], at: 0 });
const isPost = ({ method }: ReceivedRequest) => method === 'POST';
const waiting = { from: 0, within: 60_000, signal: new AbortController().signal };

test('what has come already is found at once, from the position on', async () => {
  const log = new RequestLog();
  for (const path of ['/a', '/b']) log.add(request('POST', path));
  assert.equal((await log.next(isPost, waiting))?.request.path, '/a');
  const second = await log.next(isPost, { ...waiting, from: 1 });
  assert.deepEqual([second?.request.path, second?.index], ['/b', 1]);
});

test('what comes later ends the wait of everybody whom it fits', async () => {
  const log = new RequestLog();
  const posts = [log.next(isPost, waiting), log.next(isPost, waiting)];
  const get = log.next(({ method }) => method === 'GET', waiting);
  log.add(request('PUT'));
  log.add(request('POST', '/x'));
  log.add(request('GET', '/y'));
  assert.deepEqual(
    (await Promise.all(posts)).map((found) => found?.index),
    [1, 1],
  );
  assert.equal((await get)?.index, 2);
});

test('a wait ends with the time, the signal and the log', async () => {
  const log = new RequestLog();
  const interruption = new AbortController();
  const late = log.next(isPost, { ...waiting, within: 1 });
  const interrupted = log.next(isPost, { ...waiting, signal: interruption.signal });
  const closed = log.next(isPost, waiting);
  assert.equal(await late, undefined);
  interruption.abort();
  assert.equal(await interrupted, undefined);
  log.close();
  assert.equal(await closed, undefined);
  assert.equal(await log.next(isPost, waiting), undefined);
  assert.equal(await log.next(isPost, { ...waiting, signal: AbortSignal.abort() }), undefined);
});
