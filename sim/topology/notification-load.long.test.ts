/** Ten thousand notifications, over sockets, to receivers of every kind at once. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { serveHttp } from '../bindings/http.ts';
import { type CseOptions, createCse } from '../cse/create-cse.ts';

const events = 2_000;

interface Notification {
  readonly 'm2m:sgn': { readonly vrq?: true; readonly nev?: { readonly rep: { readonly 'm2m:cin': { con: string } } } };
}

async function listen(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Takes verifications; notifications are `got`, in the order in which they came, then answered by `answer`. */
async function receiver(answer: (end: () => void, write: (text: string) => void) => void) {
  const got: string[] = [];
  let wake = () => {};
  const { url, [Symbol.asyncDispose]: close } = await listen(async (request, response) => {
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
  return { url, got, until, [Symbol.asyncDispose]: close };
}

/** A CSE with a container, and what makes something below a resource of it. */
async function laboratory(limits: CseOptions['limits']) {
  const cse = createCse({ limits: { lifetime: 100_000, ...limits } });
  const make = (to: string, content: object) =>
    cse.core.request({ operation: 'create', to, content, from: 'Capp', requestIdentifier: 'r' });
  await make('onem2m', { 'm2m:ae': { rn: 'app', api: 'N', rr: 'TRUE' } });
  await make('onem2m/app', { 'm2m:cnt': { rn: 'c', mni: 10 } });
  return {
    cse,
    notifier: cse.core.services.notifier,
    subscribe: (nu: string) => make('onem2m/app/c', { 'm2m:sub': { nu: [nu], enc: { net: [3], chty: [4] } } }),
    async instances(count: number) {
      for (let made = 0; made < count; made++) {
        const answer = make('onem2m/app/c', { 'm2m:cin': { con: String(made) } });
        assert.ok(!(answer instanceof Promise), 'answered at once');
        if (made % 10 === 0) await new Promise(setImmediate);
      }
    },
  };
}

test('each receiver gets its notifications in order and none is lost, whatever the others do; requests go on', async () => {
  const { cse, notifier, subscribe, instances } = await laboratory({});
  await using server = await serveHttp(cse.http);
  await using slow = await receiver((end) => setTimeout(end, 1));
  await using quick = await receiver((end) => end());
  await using silent = await receiver(() => {});
  await using endless = await receiver((_end, write) => write('{'));
  for (const { url } of [slow, quick, silent, endless]) assert.equal((await subscribe(url)).status.code, 2001);
  {
    await using gone = await receiver((end) => end());
    assert.equal((await subscribe(gone.url)).status.code, 2001);
  }
  await instances(events);
  assert.ok(notifier.waiting > 3 * (events - 1), 'what is not delivered waits');
  assert.equal((await fetch(`${server.url}/onem2m/app/c`)).status, 200);
  await Promise.all([slow.until(events), quick.until(events)]);
  const order = Array.from({ length: events }, (_, index) => String(index));
  for (const { got } of [slow, quick]) assert.deepEqual(got, order);
  for (const { got } of [silent, endless]) assert.deepEqual([...new Set(got)], ['0'], 'still at the first');
  assert.equal(notifier.dropped, 0);
  await cse.core.request({ operation: 'delete', to: 'onem2m/app', from: 'Capp', requestIdentifier: 'r' });
});

test('what waits for a receiver that never answers is bounded', async () => {
  const most = 500;
  const { notifier, subscribe, instances } = await laboratory({ waitingNotifications: most });
  await using silent = await receiver(() => {});
  await subscribe(silent.url);
  await instances(10_000);
  await silent.until(1);
  assert.ok(notifier.waiting <= most + 1, `${notifier.waiting} wait`);
  assert.equal(notifier.waiting + notifier.dropped, 10_000);
});
