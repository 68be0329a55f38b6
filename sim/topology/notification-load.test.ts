/** Ten thousand notifications, over sockets, to receivers of every kind at once. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { serveHttp } from '../bindings/http.ts';
import { createCse } from '../create-cse.ts';

const events = 2_000;

interface Notification {
  readonly 'm2m:sgn': { readonly vrq?: true; readonly nev?: { readonly rep: { readonly 'm2m:cin': { con: string } } } };
}

async function listen(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Takes verifications; notifications are `got`, in the order in which they came, then answered by `answer`. */
async function receiver(answer: (end: () => void, write: (text: string) => void) => void) {
  const got: string[] = [];
  let wake = () => {};
  const { url, close } = await listen(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const { vrq, nev } = (JSON.parse(text) as Notification)['m2m:sgn'];
    response.setHeader('x-m2m-rsc', '2000');
    if (vrq) return void response.end();
    got.push(String(nev?.rep['m2m:cin'].con));
    answer(
      () => response.end(),
      (more) => response.write(more),
    );
    wake();
  });
  const until = async (count: number) => {
    while (got.length < count) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { url, close, got, until };
}

test('each receiver gets its notifications in order and none is lost, whatever the others do; requests go on', async () => {
  const cse = createCse({ limits: { lifetime: 100_000 } });
  const { notifier } = cse.core.services;
  await using server = await serveHttp(cse.http);
  const slow = await receiver((end) => setTimeout(end, 1));
  const quick = await receiver((end) => end());
  const silent = await receiver(() => {});
  const endless = await receiver((_end, write) => write('{'));
  const gone = await receiver((end) => end());
  const receivers = [slow, quick, silent, endless, gone];
  const ask = async (method: string, path: string, content?: object) => {
    const answer = await fetch(`${server.url}/onem2m${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-m2m-origin': 'Capp' },
      ...(content && { body: JSON.stringify(content) }),
    });
    return { status: answer.status, body: await answer.text() };
  };
  await ask('POST', '', { 'm2m:ae': { rn: 'app', api: 'N', rr: 'TRUE' } });
  await ask('POST', '/app', { 'm2m:cnt': { rn: 'c', mni: 10 } });
  for (const { url } of receivers)
    assert.equal((await ask('POST', '/app/c', { 'm2m:sub': { nu: [url], enc: { net: [3], chty: [4] } } })).status, 201);
  await gone.close();

  for (let made = 0; made < events; made += 8) {
    const eight = Array.from({ length: 8 }, (_, index) =>
      ask('POST', '/app/c', { 'm2m:cin': { con: String(made + index).padStart(5, '0') } }),
    );
    for (const { status } of await Promise.all(eight)) assert.equal(status, 201);
  }
  assert.equal((await ask('GET', '/app/c')).status, 200);
  await Promise.all([slow.until(events), quick.until(events)]);
  const order = Array.from({ length: events }, (_, index) => String(index).padStart(5, '0'));
  for (const { got } of [slow, quick]) assert.deepEqual([...got].sort(), order);
  assert.deepEqual(slow.got, quick.got, 'both in the order of the events');
  assert.deepEqual([silent.got.length, endless.got.length, notifier.dropped], [1, 1, 0]);
  assert.ok(notifier.waiting >= 3 * (events - 1), 'what was not delivered waits');
  assert.equal((await ask('DELETE', '/app')).status, 200);
  await Promise.all([slow, quick, silent, endless].map(({ close }) => close()));
});

test('what waits for receivers that never answer is bounded, the latest of it kept', async () => {
  const most = 500;
  const limits = { waitingNotifications: most };
  const cse = createCse({ limits });
  const { notifier } = cse.core.services;
  const silent = await receiver(() => {});
  const make = (to: string, content: object) =>
    cse.core.request({ operation: 'create', to, content, from: 'Capp', requestIdentifier: 'r' });
  await make('onem2m', { 'm2m:ae': { rn: 'app', api: 'N', rr: 'TRUE' } });
  await make('onem2m/app', { 'm2m:cnt': { rn: 'c', mni: 10 } });
  await make('onem2m/app/c', { 'm2m:sub': { nu: [silent.url], enc: { net: [3] } } });
  for (let made = 0; made < 10_000; made++) {
    const answer = make('onem2m/app/c', { 'm2m:cin': { con: String(made) } });
    assert.ok(!(answer instanceof Promise), 'answered at once');
    if (made % 100 === 0) await new Promise(setImmediate);
  }
  await silent.until(1);
  assert.ok(notifier.waiting <= most + 1, `${notifier.waiting} wait`);
  assert.equal(notifier.waiting + notifier.dropped, 10_000);
  await silent.close();
});
