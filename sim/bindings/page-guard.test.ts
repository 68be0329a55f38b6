/** What a page in a browser can do at a server of ours: nothing, unless the server permits its origin. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { createCse } from '../index.ts';
import { type HttpServerOptions, serveHttp } from './http.ts';
import { serveEcho } from './testing/echo-server.ts';

type Headers = Readonly<Record<string, string>>;

const page = 'http://dashboard.example';

/** As `fetch` cannot: with the headers that only a browser sends. */
async function ask(url: string, headers: Headers, method = 'GET') {
  const { status, answered, body } = await new Promise<{ status: number; answered: Headers; body: Promise<string> }>(
    (resolve, reject) => {
      const sent = request(url, { method, headers }, (answer) =>
        resolve({ status: answer.statusCode ?? 0, answered: answer.headers as Headers, body: text(answer) }),
      );
      sent.on('error', reject).end();
    },
  );
  return { status, headers: answered, body: await body };
}

async function statusOf(headers: Headers, options: HttpServerOptions = {}, method = 'GET') {
  await using running = await serveEcho({ hosts: [], ...options });
  const answer = await ask(running.server.url, headers, method);
  const handed = running.service.targets.length;
  return { status: answer.status, handed, permitted: answer.headers['access-control-allow-origin'] };
}

const refused = { status: 403, handed: 0, permitted: undefined };
const served = { status: 200, handed: 1, permitted: undefined };

const fromElsewhere: readonly (readonly [what: string, method: string, headers: Headers])[] = [
  ['a POST of another origin', 'POST', { origin: page }],
  ['a GET of another origin', 'GET', { origin: page }],
  ['a page without an origin', 'POST', { origin: 'null' }],
  ['another port of the same host', 'POST', { origin: 'http://127.0.0.1:1' }],
  ['a GET without Origin, as of an image', 'GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ['a page of the same site', 'GET', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
  ['a form that navigates', 'POST', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
  ['a frame', 'GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
  ['a preflight', 'OPTIONS', { origin: page, 'access-control-request-method': 'PUT' }],
];

for (const [what, method, headers] of fromElsewhere) {
  test(`${what} is refused, and the service does not hear of it`, async () => {
    assert.deepEqual(await statusOf(headers, {}, method), refused);
  });
}

const usual: readonly (readonly [what: string, method: string, headers: Headers])[] = [
  ['a client that is no browser', 'POST', {}],
  ['its own page', 'POST', { 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:8000' }],
  ['an address that somebody types', 'GET', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
  [
    'a link from elsewhere',
    'GET',
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  ],
  ['its own page in an older browser', 'POST', { host: '127.0.0.1:8000', origin: 'http://127.0.0.1:8000' }],
];

for (const [what, method, headers] of usual) {
  test(`${what} is served`, async () => {
    assert.deepEqual(await statusOf(headers, {}, method), served);
  });
}

test('a page of an origin that is named is served, and may read the answer with its headers', async () => {
  for (const cors of [[page], ['http://other.example', page], ['*']]) {
    await using running = await serveEcho({ cors });
    const { status, headers } = await ask(running.server.url, { origin: page, 'sec-fetch-site': 'cross-site' }, 'POST');
    assert.equal(status, 200);
    assert.equal(headers['access-control-allow-origin'], page);
    assert.equal(headers['access-control-expose-headers'], 'X-M2M-RSC');
    assert.equal(headers.vary, 'Origin');
  }
});

test('its preflight permits methods and headers of the interface, and no others', async () => {
  await using running = await serveEcho({ cors: [page] });
  const asked = 'content-type, x-m2m-origin, X-M2M-RI, x-evil, accept, traceparent';
  const { status, headers } = await ask(
    running.server.url,
    {
      ...{ origin: page, 'access-control-request-method': 'PUT', 'access-control-request-headers': asked },
      'access-control-request-private-network': 'true',
    },
    'OPTIONS',
  );
  assert.equal(status, 204);
  assert.equal(headers['access-control-allow-origin'], page);
  assert.equal(headers['access-control-allow-methods'], 'GET, HEAD, POST, PUT, DELETE');
  assert.equal(headers['access-control-allow-headers'], 'content-type, x-m2m-origin, X-M2M-RI, accept, traceparent');
  assert.equal(headers['access-control-allow-private-network'], 'true');
  assert.deepEqual(running.service.targets, []);
});

test('permission for one origin is none for another', async () => {
  assert.deepEqual(await statusOf({ origin: 'http://evil.example' }, { cors: [page] }), refused);
});

test('an invalid origin is reported at once', async () => {
  for (const origin of ['localhost:3000', 'http://a.example/', 'http://a.example/path', '']) {
    await assert.rejects(serveHttp(createCse().http, { cors: [origin] }), TypeError);
  }
});

test('a CSE says itself whose pages may use it', async () => {
  await using server = await serveHttp(createCse({ cors: [page] }).http);
  const answer = await ask(`${server.url}/onem2m`, { origin: page });
  assert.deepEqual([answer.status, answer.headers['access-control-allow-origin']], [200, page]);
  assert.match(answer.headers['access-control-expose-headers'] ?? '', /X-M2M-RSC/);
});

test('at a loopback interface a name that is not ours is misdirected', async () => {
  for (const host of ['evil.example', 'evil.example:8000', 'localhost.evil.example', '127.0.0.1.evil.example', 'a']) {
    assert.deepEqual(await statusOf({ host }), { status: 421, handed: 0, permitted: undefined }, host);
  }
});

test('localhost, addresses and the names that were given are ours', async () => {
  for (const host of [
    'localhost',
    'LOCALHOST:80',
    'a.localhost',
    '127.0.0.1:1',
    '[::1]',
    '10.0.0.1',
    'gateway.example:8000',
  ]) {
    assert.deepEqual(await statusOf({ host }, { hosts: ['gateway.example'] }), served, host);
  }
});

test('a server for the whole network is reached by any name', async () => {
  await using server = await serveHttp(createCse().http, { interface: '0.0.0.0' });
  assert.equal((await ask(`${server.url}/onem2m`, { host: 'gateway.example' })).status, 200);
});
