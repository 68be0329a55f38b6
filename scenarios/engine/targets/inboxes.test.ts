import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { request } from 'undici';
import type { InboxBlock as InboxSettings } from '../grammar/grammar.ts';
import { serialize } from '../messages/serialization.ts';
import { now } from '../messages/target.ts';
import { Inboxes } from './inboxes.ts';
import type { Route } from './wires/route.ts';

const event = { 'm2m:sgn': { nev: { net: 3, rep: { 'm2m:cin': { con: '21' } } }, sur: 'cse/s1' } };

async function opened(t: TestContext, wanted: Readonly<Record<string, InboxSettings>>) {
  const inboxes = new Inboxes({ startedAt: now() });
  t.after(() => inboxes.close());
  const open = await inboxes.open('cl-1', wanted);
  const box = (name: string) => {
    const inbox = open.byName.get(name);
    assert(inbox);
    return inbox;
  };
  return { inboxes, open, box };
}

function post(url: string, body: unknown = event, signal: AbortSignal | null = null) {
  const headers = { 'content-type': 'application/json', 'x-m2m-ri': 'n1', 'x-m2m-rvi': '3' };
  return request(url, { method: 'POST', headers, body: JSON.stringify(body), signal });
}

const waiting = (of: 'event' | 'any' = 'event', within = 5000) => ({
  of,
  within,
  signal: new AbortController().signal,
});

test('an inbox answers as the scenario wants it, with the identifier of the request', async (t) => {
  const { box } = await opened(t, { friend: {}, refuser: { answers: { status: 403, rsc: 4101 } } });
  const friendly = await post(box('friend').url);
  assert.deepEqual(
    [friendly.statusCode, friendly.headers['x-m2m-rsc'], friendly.headers['x-m2m-ri'], friendly.headers['x-m2m-rvi']],
    [200, '2000', 'n1', '3'],
  );
  const refused = await post(box('refuser').url);
  assert.deepEqual([refused.statusCode, refused.headers['x-m2m-rsc']], [403, '4101']);
  assert.equal(box('refuser').pick('event').length, 1);
});

test('a notification in CBOR is read, with a wire and without', async (t) => {
  const { box, inboxes } = await opened(t, { friend: {} });
  const { url } = box('friend');
  const headers = { 'content-type': 'application/vnd.onem2m-ntfy+cbor' };
  const body = serialize(event, 'cbor');
  assert.equal((await request(url, { method: 'POST', headers, body })).statusCode, 200);
  inboxes.deliver({ method: 'POST', target: new URL(url).pathname, headers, body });
  const all = box('friend').pick('event');
  assert.deepEqual(
    all.map(({ request: { body: text } }) => text),
    [JSON.stringify(event), JSON.stringify(event)],
  );
});

test('an inbox that answers nothing keeps what came, and lets go at its end', async (t) => {
  const { box, open } = await opened(t, { silent: { answers: 'nothing' } });
  const unanswered = post(box('silent').url).then(
    () => 'answered',
    () => 'let go',
  );
  await box('silent').waitFor(1, waiting());
  assert.equal(box('silent').pick('event').length, 1);
  open.close();
  assert.equal(await unanswered, 'let go');
});

test('nobody listens at an inbox that is closed', async (t) => {
  const { box } = await opened(t, { gone: { answers: 'closed' } });
  await assert.rejects(post(box('gone').url), { code: 'ECONNREFUSED' });
});

test('nobody else can listen at an inbox that is closed, as long as the inboxes are open', async (t) => {
  const { box, inboxes } = await opened(t, { gone: { answers: 'closed' } });
  const port = Number(new URL(box('gone').url).port);
  for (const address of ['127.0.0.1', undefined]) {
    const server = createServer().listen(port, address);
    t.after(() => server.close());
    await assert.rejects(once(server, 'listening'), { code: 'EADDRINUSE' });
  }
  await assert.rejects(post(box('gone').url), { code: 'ECONNREFUSED' });
  await inboxes.close();
});

test('the harness listens on this machine only, unless the target is to come from elsewhere', async (t) => {
  for (const options of [{}, { host: '127.0.0.1' }]) {
    const inboxes = new Inboxes({ ...options, startedAt: now() });
    t.after(() => inboxes.close());
    const { url = '' } = (await inboxes.open('cl-1', { watcher: {} })).byName.get('watcher') ?? {};
    assert.equal((await post(url)).statusCode, 200);
    await assert.rejects(post(url.replace('127.0.0.1', '127.0.0.2')));
  }
});

test('what is sent to the inbox of a scenario that is over is not found', async (t) => {
  const { box, open, inboxes } = await opened(t, { watcher: {} });
  const { url } = box('watcher');
  assert.equal(inboxes.used, false);
  open.close();
  const answer = await post(url);
  assert.deepEqual([answer.statusCode, inboxes.used], [404, true]);
});

test('two scenarios do not see each other’s notifications, though they use the same port one after the other', async (t) => {
  const { box, open, inboxes } = await opened(t, { watcher: {} });
  const first = box('watcher');
  open.close();
  const other = (await inboxes.open('cl-2', { watcher: {} })).byName.get('watcher');
  assert(other);
  assert.equal(new URL(other.url).port, new URL(first.url).port);
  await post(`${other.url}?ct=json`);
  assert.equal((await post(first.url)).statusCode, 404);
  assert.deepEqual([first.pick('any').length, other.pick('any').length], [0, 1]);
});

const sentBadly = (body: string, length = `Content-Length: ${Buffer.byteLength(body)}`) =>
  `POST TinyIoT/app/red HTTP/1.1\r\nHost: 127.0.0.1\r\nX-M2M-RI: n1\r\n${length}\r\n\r\n${body}`;

/** Everything that comes back on a connection on which these parts are written. */
async function exchanged(url: string, parts: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let came = '';
  socket.on('data', (part) => {
    came += part.toString();
  });
  await once(socket, 'connect');
  socket.setNoDelay(true);
  for (const part of parts) await new Promise((written) => socket.write(part, written));
  socket.end();
  await once(socket, 'close');
  return came;
}

test('a request that is no HTTP is kept as it came, answered, and read as what it was meant to be', async (t) => {
  const { box, inboxes } = await opened(t, { other: {}, watcher: {} });
  const text = sentBadly(JSON.stringify(event));
  for (const parts of [[text], [...text]]) {
    const answer = await exchanged(box('watcher').url, parts);
    assert.match(answer, /^HTTP\/1\.1 200 \r\n[\s\S]*X-M2M-RI: n1\r\nX-M2M-RSC: 2000\r\n/);
    const [{ request: shown, view } = assert.fail()] = box('watcher').pick('event');
    assert.deepEqual([shown.exactBytes, shown.body], [true, text]);
    assert.deepEqual([view.malformed, view.path], ['POST TinyIoT/app/red HTTP/1.1', 'TinyIoT/app/red']);
    assert.deepEqual(
      [view.attributes, view.subscription, view.headers.get('x-m2m-ri')],
      [{ con: '21' }, 'cse/s1', 'n1'],
    );
  }
  assert.deepEqual([box('other').pick('any').length, inboxes.used], [0, true]);
});

test('of what is no HTTP a body in chunks is read too, and what is cut short, or is nothing at all, is shown', async (t) => {
  const { box } = await opened(t, { watcher: {} });
  const body = JSON.stringify(event);
  const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  await exchanged(box('watcher').url, [sentBadly(chunks, 'Transfer-Encoding: chunked')]);
  assert.deepEqual(box('watcher').pick('event')[0]?.view.attributes, { con: '21' });
  await exchanged(box('watcher').url, ['\u0016\u0003\u0001 no request']);
  const [{ request: shown, view } = assert.fail()] = box('watcher').pick('any');
  assert.deepEqual([view.kind, shown.body], ['other', '\u0016\u0003\u0001 no request']);
});

test('what is well-formed is no part of something malformed that comes after it', async (t) => {
  const { box } = await opened(t, { watcher: {} });
  const { url } = box('watcher');
  const good = `POST ${new URL(url).pathname} HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n\r\n{}`;
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(good);
  await once(socket, 'data');
  socket.write(sentBadly('{}'));
  await once(socket.resume(), 'close');
  const came = box('watcher').pick('any');
  assert.deepEqual(
    came.map(({ request: shown, view }) => [view.malformed, shown.body]),
    [
      [undefined, '{}'],
      ['POST TinyIoT/app/red HTTP/1.1', sentBadly('{}')],
    ],
  );
});

test('an inbox waits for its kind of notification, and shows each once', async (t) => {
  const { box } = await opened(t, { watcher: {} });
  const inbox = box('watcher');
  const waited = inbox.waitFor(2, waiting());
  for (const body of [
    { 'm2m:sgn': { vrq: true, sur: 'cse/s1', cr: 'CApp' } },
    event,
    { 'm2m:sgn': { sud: true, sur: 'cse/s1' } },
    { 'm2m:agn': { 'm2m:sgn': [event['m2m:sgn'], event['m2m:sgn']] } },
    { 'm2m:rsp': { rsc: 2000, rqi: 'r1' } },
    event,
    'what is this',
  ]) {
    await post(inbox.url, body);
  }
  await waited;
  assert.equal(inbox.pick('event').length, 2);
  assert.deepEqual(inbox.pick('event'), []);
  const others = inbox.pick('any').map(({ view }) => view);
  assert.deepEqual(
    others.map(({ kind }) => kind),
    ['verification', 'deletion', 'aggregate', 'response', 'other'],
  );
  const [verification, , aggregate, response] = others;
  assert.deepEqual([verification?.creator, verification?.subscription], ['CApp', 'cse/s1']);
  assert.deepEqual([aggregate?.event, aggregate?.root, aggregate?.attributes], [3, 'm2m:cin', { con: '21' }]);
  assert.deepEqual([response?.root, response?.attributes?.rqi], ['m2m:rsp', 'r1']);
});

test('whoever waits in vain is told when the time is over, and when the run is interrupted', async (t) => {
  const { box } = await opened(t, { watcher: {} });
  await box('watcher').waitFor(1, waiting('event', 1));
  await box('watcher').waitFor(1, { of: 'event', within: 60_000, signal: AbortSignal.abort() });
  assert.deepEqual(box('watcher').pick('event'), []);
});

test('an endless sender fills no memory', async (t) => {
  const { box } = await opened(t, { watcher: {} });
  const { url } = box('watcher');
  const large = { 'm2m:sgn': { nev: { net: 3, rep: { 'm2m:cin': { con: 'x'.repeat(900_000) } } } } };
  for (let sent = 0; sent < 25; sent += 1) assert.equal((await post(url, large)).statusCode, 200);
  assert(box('watcher').pick('any').length < 25);
  await assert.rejects(post(url, { ...large, more: 'x'.repeat(900_000) }));
});

test('what comes by a route for a scenario that is over is answered, so that nobody waits for it', async () => {
  const route: Pick<Route, 'onNotification' | 'listen'> = { onNotification: () => undefined, listen: async () => {} };
  const inboxes = new Inboxes({ startedAt: 0, wireless: true, origin: 'ws://127.0.0.1:9', route });
  const { close } = await inboxes.open('scn', { kept: {}, gone: { answers: 'closed' } });
  const codeAt = (target: string) =>
    route.onNotification({ method: 'POST', target, headers: {}, body: '{}' })?.headers['x-m2m-rsc'];
  assert.deepEqual([codeAt('/scn/kept'), codeAt('/scn/gone')], ['2000', undefined]);
  close();
  assert.equal(codeAt('/scn/kept'), '4004');
});

test('over CoAP and WebSocket, where no path says who is asked, nobody listens where a closed inbox is', async (t) => {
  const route: Pick<Route, 'onNotification' | 'listen'> = { onNotification: () => undefined, listen: async () => {} };
  for (const [origin, apart] of [
    ['coap://127.0.0.1:9', true],
    ['ws://127.0.0.1:9', true],
    ['mqtt://127.0.0.1:9', false],
  ] as const) {
    const inboxes = new Inboxes({ startedAt: 0, wireless: true, origin, route });
    t.after(() => inboxes.close());
    const { byName } = await inboxes.open('scn', { kept: {}, gone: { answers: 'closed' } });
    const [kept, gone] = ['kept', 'gone'].map((name) => new URL(byName.get(name)?.url ?? ''));
    assert.deepEqual([kept?.port, gone?.port !== '9'], ['9', apart]);
    assert.equal(gone?.href.replace(/:\d+/, ''), `${origin.replace(/:\d+/, '')}/scn/gone`);
  }
});
