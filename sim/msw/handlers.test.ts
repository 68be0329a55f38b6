import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, describe, test } from 'node:test';
import { http } from 'msw';
import { setupServer } from 'msw/node';
import { serveHttp } from '../bindings/http.ts';
import { type CseOptions, createCse, cseHandlers, type NearMiss } from '../msw.ts';

const server = setupServer();
let unhandled: string[] = [];
before(() => server.listen({ onUnhandledRequest: ({ url }) => void unhandled.push(url) }));
after(() => server.close());
afterEach(() => {
  server.resetHandlers();
  unhandled = [];
});

const baseUrl = 'http://gateway.test:8080';
const json = { 'Content-Type': 'application/vnd.onem2m-res+json' };
const post = (url: string, content: object, headers: Record<string, string> = json) =>
  fetch(url, { method: 'POST', headers, body: JSON.stringify(content) });

/** A CSE in place of the network, and what was most likely meant otherwise. */
function simulated(options: CseOptions = {}, place = baseUrl): NearMiss[] {
  const misses: NearMiss[] = [];
  server.use(...cseHandlers(createCse(options), place, { onNearMiss: (miss) => misses.push(miss) }));
  return misses;
}

describe('an application behind whose fetch a CSE is', () => {
  test('registers, stores, reads the latest and discovers, in the documented dialect', async () => {
    const misses = simulated();
    const statuses = [
      await post(`${baseUrl}/onem2m`, { 'm2m:ae': { rn: 'app', api: 'api', rr: 'TRUE' } }),
      await post(`${baseUrl}/onem2m/app`, { 'm2m:cnt': { rn: 'data', lbl: ['room-1'] } }),
      await post(`${baseUrl}/onem2m/app/data`, { 'm2m:cin': { con: '21.5', cnf: 'text/plain:0' } }),
    ].map(({ status }) => status);
    assert.deepEqual(statuses, [201, 201, 201]);
    const latest = await (await fetch(`${baseUrl}/onem2m/app/data/latest`)).json();
    assert.equal((latest as { 'm2m:cin': { con: string } })['m2m:cin'].con, '21.5');
    const found = await (await fetch(`${baseUrl}/~/mn-cse-1/onem2m?fu=1&lbl=room-1`)).json();
    assert.deepEqual(found, { 'm2m:uril': ['/mn-cse-1/onem2m/app/data'] });
    assert.deepEqual([misses, unhandled], [[], []]);
  });

  test('does so in the onem2m dialect', async () => {
    const misses = simulated({ dialect: 'onem2m' });
    const said = (ty?: number) => ({
      ...{ 'X-M2M-Origin': 'CAdmin', 'X-M2M-RI': 'r1', 'X-M2M-RVI': '4', Accept: 'application/json' },
      ...(ty !== undefined && { 'Content-Type': `application/json;ty=${ty}` }),
    });
    const created = [
      await post(`${baseUrl}/cse-in`, { 'm2m:cnt': { rn: 'data' } }, said(3)),
      await post(`${baseUrl}/cse-in/data`, { 'm2m:cin': { con: 21.5 } }, said(4)),
    ];
    assert.deepEqual(
      created.map(({ status, headers }) => [status, headers.get('X-M2M-RSC')]),
      [
        [201, '2001'],
        [201, '2001'],
      ],
    );
    const latest = await (await fetch(`${baseUrl}/cse-in/data/la`, { headers: said() })).json();
    assert.equal((latest as { 'm2m:cin': { con: number } })['m2m:cin'].con, 21.5);
    assert.deepEqual(misses, []);
  });

  test('gets what a deviation makes of an answer', async () => {
    simulated({ deviations: ['ae.aei.missing'] });
    const answer = await post(`${baseUrl}/onem2m`, { 'm2m:ae': { rn: 'app', api: 'api', rr: 'TRUE' } });
    assert.equal(JSON.stringify(await answer.json()).includes('"aei"'), false);
  });

  test('is notified at a URL that another handler answers', async () => {
    simulated();
    const { promise, resolve } = withResolvers<unknown>();
    const inbox = http.post('https://application.test/inbox', async ({ request }) => {
      const content = (await request.json()) as Record<string, { vrq?: boolean }>;
      if (content['m2m:sgn']?.vrq !== true) resolve(content);
      return new Response(null, { status: 200, headers: { 'X-M2M-RSC': '2000' } });
    });
    server.use(inbox);
    await post(`${baseUrl}/onem2m`, { 'm2m:ae': { rn: 'app', api: 'api', rr: 'TRUE' } });
    await post(`${baseUrl}/onem2m/app`, { 'm2m:cnt': { rn: 'data' } });
    const subscription = { rn: 'watch', nu: ['https://application.test/inbox'], enc: { net: [3] } };
    assert.equal((await post(`${baseUrl}/onem2m/app/data`, { 'm2m:sub': subscription })).status, 201);
    await post(`${baseUrl}/onem2m/app/data`, { 'm2m:cin': { con: 'news', cnf: 'text/plain:0' } });
    assert.match(JSON.stringify(await promise), /"con":"news"/);
  });

  test('finds it behind a path as a proxy puts it there', async () => {
    const misses = simulated({}, `${baseUrl}/gateway/`);
    assert.equal((await fetch(`${baseUrl}/gateway/onem2m`)).status, 200);
    assert.equal((await fetch(`${baseUrl}/gateway`)).status, 404);
    assert.equal((await fetch(`${baseUrl}/gateway/oneM2M/a?lbl=x`)).status, 404);
    assert.deepEqual(
      misses.map(({ meant }) => meant),
      [undefined, `${baseUrl}/gateway/onem2m/a?lbl=x`],
    );
  });

  test('can have a gateway and a backend of the same names', async () => {
    const misses = [
      ...simulated({ cseId: 'gateway' }, 'http://localhost:8080'),
      ...simulated({ cseId: 'backend' }, 'http://localhost:18080'),
    ];
    for (const [port, name] of [
      [8080, 'gateway'],
      [18080, 'backend'],
    ]) {
      const base = await (await fetch(`http://localhost:${port}/onem2m`)).text();
      assert.match(base, new RegExp(`"csi":"/?${name}"`));
    }
    assert.deepEqual(misses, []);
  });

  test('can give up a request', async () => {
    simulated();
    const given = AbortSignal.abort(new Error('no longer wanted'));
    await assert.rejects(fetch(`${baseUrl}/onem2m`, { signal: given }), /no longer wanted/);
  });
});

describe('what is not for the CSE', () => {
  test('goes to the network, and MSW sees it as unhandled', async (t) => {
    const misses = simulated();
    const other = createServer((_request, response) => response.end('the network')).listen(0, '127.0.0.1');
    t.after(() => other.close());
    await once(other, 'listening');
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/onem2m`;
    assert.equal(await (await fetch(url)).text(), 'the network');
    assert.deepEqual([unhandled, misses], [[url], []]);
  });

  test('goes to handlers that come after', async () => {
    server.use(http.get('http://weather.test/today', () => new Response('rain')));
    simulated();
    assert.equal(await (await fetch('http://weather.test/today')).text(), 'rain');
  });
});

describe('a near miss', () => {
  test('of the port is explained, and the request goes on', async () => {
    const real = await serveHttp(createCse().http, { port: 0 });
    const misses = simulated({}, 'http://127.0.0.1:1');
    const url = `${real.url}/onem2m?fu=1`;
    assert.equal((await fetch(url)).status, 200);
    await real.close();
    const [miss] = misses;
    assert.deepEqual(
      [miss?.kind, miss?.method, miss?.url, miss?.meant],
      ['origin', 'GET', url, 'http://127.0.0.1:1/onem2m?fu=1'],
    );
  });

  test('of the path is answered as the CSE answers it, and explained', async () => {
    const misses = simulated();
    const answer = await fetch(`${baseUrl}/oneM2M/app`);
    assert.deepEqual([answer.status, answer.headers.get('X-M2M-RSC')], [404, '4004']);
    assert.deepEqual(misses, [
      {
        kind: 'path',
        method: 'GET',
        url: `${baseUrl}/oneM2M/app`,
        says: 'The CSE base is called onem2m, not oneM2M.',
        meant: `${baseUrl}/onem2m/app`,
      },
    ]);
  });

  test('of the headers is explained', async () => {
    const misses = simulated({ dialect: 'onem2m' });
    assert.equal((await fetch(`${baseUrl}/cse-in`)).status, 400);
    assert.deepEqual(
      misses.map(({ kind }) => kind),
      ['headers'],
    );
    assert.match(misses[0]?.says ?? '', /X-M2M-Origin, X-M2M-RI, X-M2M-RVI/);
  });

  test('is a warning on the console unless somebody listens', async (context) => {
    const warn = context.mock.method(console, 'warn', () => {});
    server.use(...cseHandlers(createCse(), baseUrl));
    await fetch(`${baseUrl}/oneM2M`);
    await fetch(`${baseUrl}/oneM2M`);
    const texts = warn.mock.calls.map(({ arguments: [text] }) => text);
    assert.deepEqual(texts, [
      `[cselab] Near miss (path): GET ${baseUrl}/oneM2M: The CSE base is called onem2m, not oneM2M. Did you mean ${baseUrl}/onem2m?`,
    ]);
  });
});

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => (resolve = done));
  return { promise, resolve };
}
