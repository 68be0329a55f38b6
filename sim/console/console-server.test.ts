import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { manualClock } from '../environment/clock.ts';
import { startWatchedPair, type WatchedPair } from './testing/watched-pair.ts';

let pair: WatchedPair;
let token: string;

before(async () => {
  pair = await startWatchedPair({ driver: manualClock(0) });
  const page = await (await fetch(pair.url)).text();
  token = /name="token" content="([^"]+)"/.exec(page)?.[1] ?? '';
});
after(async () => {
  await pair[Symbol.asyncDispose]();
  assert.deepEqual(pair.errors, []);
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** With the headers as they are given, Host and Origin too. */
function send(method: string, path: string, headers: Record<string, string> = {}, body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${pair.url}${path}`, { method, headers }, async (response) => {
      let text = '';
      for await (const part of response.setEncoding('utf8')) text += part;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const read = async (path: string) => JSON.parse((await send('GET', path)).text);

const act = (path: string, body: unknown) => send('POST', path, { 'x-cselab-token': token }, JSON.stringify(body));

test('the page and all of its files are there, under a policy that takes nothing from elsewhere and nothing inline', async () => {
  const { status, headers, text } = await send('GET', '/');
  const policy = String(headers['content-security-policy']);
  assert.equal(status, 200);
  assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/);
  assert.match(policy, /frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'/);
  assert.doesNotMatch(policy, /unsafe|https?:|data:/);
  assert.doesNotMatch(text, /<style|style=|onclick|<script(?! type="module" src="\/app\.js")/);
  const wanted = ['/', '/style.css', '/icon.svg'];
  for (const path of wanted) {
    const file = await send('GET', path);
    assert.deepEqual([file.status, file.headers['x-content-type-options']], [200, 'nosniff'], path);
    assert.doesNotMatch(file.text.replaceAll('http://www.w3.org/2000/svg', ''), /https?:\/\//, path);
  }
  const script = await send('GET', '/app.js');
  assert.deepEqual([script.status, script.headers['content-type']], [200, 'text/javascript; charset=utf-8']);
  assert.doesNotMatch(script.text, /\b(?:eval|Function|importScripts|import)\(/);
  // What a browser has to read before the page is there.
  assert.ok(script.text.length < 50_000, `${script.text.length} octets`);
});

test('other hosts, other origins and requests without the token are refused', async () => {
  const { host, port } = new URL(pair.url);
  const own = { host, origin: pair.url, 'x-cselab-token': token };
  const forward = JSON.stringify({ do: 'forward', by: '1s' });
  const status = async (method: string, path: string, headers: Record<string, string>) =>
    (await send(method, path, headers, method === 'POST' ? forward : '')).status;
  const before = pair.clock.now();
  assert.equal(await status('GET', '/', { host: `evil.example:${port}` }), 403);
  assert.equal(await status('GET', '/', { host: '127.0.0.1:1' }), 403);
  assert.equal(await status('GET', '/events', { host, origin: 'http://evil.example' }), 403);
  for (const site of ['cross-site', 'same-site']) {
    assert.equal(await status('GET', '/api/overview', { host, 'sec-fetch-site': site }), 403);
    assert.equal(await status('GET', '/', { host, 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' }), 200);
  }
  assert.equal(await status('GET', '/api/overview', { host, 'sec-fetch-site': 'same-origin' }), 200);
  for (const wrong of [
    { ...own, origin: 'http://evil.example' },
    { ...own, origin: 'null' },
    { ...own, host: `evil.example:${port}` },
    { ...own, 'x-cselab-token': '' },
    { ...own, 'x-cselab-token': `${token.slice(1)}A` },
    { host, origin: pair.url },
  ]) {
    assert.equal(await status('POST', '/api/clock', wrong), 403, JSON.stringify(wrong));
  }
  assert.equal(pair.clock.now(), before);
  assert.equal(await status('GET', '/', { host: `localhost:${port}` }), 200);
  assert.equal(await status('POST', '/api/clock', own), 200);
  assert.equal(pair.clock.now(), before + 1_000_000);
});

test('what comes and what is answered is kept, between whom it was, and can be read in full', async () => {
  await fetch(`${pair.gateway.url}/~/in-cse-1/onem2m`, { headers: { 'x-m2m-origin': 'Capp' } });
  const messages = await read('/api/messages');
  const [asked, handedOn] = messages.slice(-2);
  assert.deepEqual(
    [asked.from, asked.to, asked.method, asked.target, asked.originator, asked.status, asked.rsc],
    ['applications', 'mn-cse-1', 'GET', '/~/in-cse-1/onem2m', 'Capp', 200, '2000'],
  );
  assert.deepEqual([handedOn.from, handedOn.to, handedOn.status], ['mn-cse-1', 'in-cse-1', 200]);
  const whole = await read(`/api/message?id=${asked.id}`);
  assert.match(whole.answer.body, /"csi":"\/?in-cse-1"/);
  assert.equal(await read('/api/message?id=999999'), null);
});

test('resources are created, looked at and deleted through the service of the CSE', async () => {
  const made = JSON.parse(
    (
      await act('/api/request', {
        ...{ cse: 'mn-cse-1', method: 'POST', target: '/onem2m', originator: 'Cme' },
        content: { 'm2m:cnt': { rn: 'made' } },
      })
    ).text,
  );
  assert.equal(made.status, 201);
  const { children } = await read('/api/children?cse=mn-cse-1&id=onem2m');
  const leaf = children.find(({ name }: { name: string }) => name === 'made');
  assert.deepEqual([leaf.type, leaf.children], ['cnt', 0]);
  for (let count = 0; count < 300; count++) {
    pair.gateway.cse.core.perform({
      operation: 'create',
      to: 'onem2m/made',
      content: { 'm2m:cin': { con: `${count}` } },
    });
  }
  const details = await read(`/api/resource?cse=mn-cse-1&id=${leaf.id}`);
  assert.deepEqual([details.path, details.attributes.cni, details.instances.length], ['onem2m/made', 300, 200]);
  assert.equal(details.instances.at(-1).con, '299');
  const gone = { cse: 'mn-cse-1', method: 'DELETE', target: '/onem2m/made', originator: '' };
  assert.equal(JSON.parse((await act('/api/request', gone)).text).status, 200);
  assert.equal(await read(`/api/resource?cse=mn-cse-1&id=${leaf.id}`), null);
});

test('registrations and subscriptions are listed as long as they are there', async () => {
  const { core } = pair.gateway.cse;
  const nu = ['http://127.0.0.1:9'];
  core.perform({ operation: 'create', to: 'onem2m', content: { 'm2m:cnt': { rn: 'watched' } } });
  core.perform({ operation: 'create', to: 'onem2m/watched', content: { 'm2m:sub': { rn: 'watch', nu } } });
  const held = await read('/api/held?cse=mn-cse-1');
  assert.deepEqual(
    held.subscriptions.map(({ path, says }: { path: string; says: string[] }) => [path, says]),
    [['onem2m/watched/watch', nu]],
  );
  assert.deepEqual(
    (await read('/api/held?cse=in-cse-1')).registrations.map(({ path }: { path: string }) => path),
    ['onem2m/mn-cse-1'],
  );
  core.perform({ operation: 'delete', to: 'onem2m/watched' });
  assert.deepEqual((await read('/api/held?cse=mn-cse-1')).subscriptions, []);
});

test('deviations and disturbances are switched on and off', async () => {
  pair.gateway.cse.core.perform({ operation: 'create', to: 'onem2m', content: { 'm2m:cnt': { rn: 'sized' } } });
  const answer = async () => (await fetch(`${pair.gateway.url}/onem2m/sized`)).json();
  assert.ok((await read('/api/deviations')).some(({ id }: { id: string }) => id === 'container.cbs.missing'));
  const sound = JSON.stringify(await answer());
  assert.equal((await act('/api/deviations', { cse: 'mn-cse-1', ids: ['container.cbs.missing'] })).status, 200);
  assert.notEqual(JSON.stringify(await answer()), sound);
  await act('/api/deviations', { cse: 'mn-cse-1', ids: [] });
  assert.equal(JSON.stringify(await answer()), sound);
  const unknown = await act('/api/deviations', { cse: 'mn-cse-1', ids: ['container.cbs.mising', 'nonsense'] });
  assert.deepEqual(
    [unknown.status, /"container\.cbs\.mising\\"; the nearest is \\"container\.cbs\.missing/.test(unknown.text)],
    [400, true],
  );
  assert.deepEqual((await read('/api/overview')).cses[0].deviations, []);
  await act('/api/disturbances', { cse: 'mn-cse-1', rules: ['drop GET /onem2m/nothing'] });
  await assert.rejects(fetch(`${pair.gateway.url}/onem2m/nothing`));
  const [rule] = (await read('/api/overview')).cses[0].rules;
  assert.equal(rule.disturbed, 1);
  const wrong = await act('/api/disturbances', { cse: 'mn-cse-1', rules: ['explode'] });
  assert.equal(wrong.status, 400);
  assert.match(wrong.text, /explode/);
  await act('/api/disturbances', { cse: 'mn-cse-1', rules: [] });
});

test('deviations of what a CSE sends are switched on and off too', async () => {
  const { core } = pair.gateway.cse;
  const et = new Date(pair.clock.now() / 1000 + 30 * 86_400_000).toISOString();
  core.perform({ operation: 'create', to: 'onem2m', content: { 'm2m:cnt': { rn: 'labelled', lbl: ['kept'], et } } });
  const { children } = await read('/api/children?cse=mn-cse-1&id=onem2m');
  const { id } = children.find(({ name }: { name: string }) => name === 'labelled');
  const labels = async () => (await read(`/api/resource?cse=mn-cse-1&id=${id}`)).attributes.lbl;
  await act('/api/clock', { do: 'forward', by: '2h' });
  assert.deepEqual(await labels(), ['kept']);
  assert.equal((await act('/api/deviations', { cse: 'mn-cse-1', ids: ['pair.renewal.loses-labels'] })).status, 200);
  await act('/api/clock', { do: 'forward', by: '2h' });
  assert.equal(await labels(), undefined);
  await act('/api/deviations', { cse: 'mn-cse-1', ids: [] });
});

test('the clock is paused, resumed and advanced; expired resources go', async () => {
  const { core } = pair.gateway.cse;
  const et = new Date(pair.clock.now() / 1000 + 3_600_000).toISOString();
  core.perform({ operation: 'create', to: 'onem2m', content: { 'm2m:cnt': { rn: 'short', et } } });
  const id = core.tree.base.children?.get('short')?.id ?? '';
  assert.equal(JSON.parse((await act('/api/clock', { do: 'pause' })).text).running, false);
  await act('/api/clock', { do: 'forward', by: '2h' });
  assert.equal(core.tree.byId(id), undefined);
  assert.equal(JSON.parse((await act('/api/clock', { do: 'resume' })).text).running, true);
  for (const by of ['soon', '9000d', ''])
    assert.equal((await act('/api/clock', { do: 'forward', by })).status, 400, by);
});

test('what cannot be done is reported', async () => {
  const cases: [string, unknown, number, RegExp][] = [
    ['/api/clock', { do: 'back' }, 400, /error/],
    ['/api/request', { cse: 'x', method: 'GET', target: '/onem2m', originator: '' }, 404, /There is no CSE x/],
    ['/api/request', { cse: 'mn-cse-1', method: 'TRACE', target: '/', originator: '' }, 400, /method/],
    ['/api/nothing', {}, 404, /There is no POST \/api\/nothing/],
  ];
  for (const [path, body, status, says] of cases) {
    const answer = await act(path, body);
    assert.equal(answer.status, status, path);
    assert.match(answer.text, says);
  }
  assert.equal((await send('POST', '/api/clock', { 'x-cselab-token': token }, 'no JSON')).status, 400);
  const long = await send('POST', '/api/clock', { 'x-cselab-token': token }, ' '.repeat(1024 * 1024 + 1)).catch(
    () => undefined,
  );
  assert.ok(long === undefined || long.status === 413);
});

test('events tell of messages and of changes of the tree', async () => {
  const over = new AbortController();
  const { body, headers } = await fetch(`${pair.url}/events`, { signal: over.signal });
  assert.equal(headers.get('content-type'), 'text/event-stream');
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  await fetch(`${pair.gateway.url}/onem2m`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ 'm2m:cnt': { rn: 'told' } }),
  });
  let text = '';
  while (!(text.includes('"name":"told"') && text.includes('"status":201')))
    text += (await reader?.read())?.value ?? '';
  over.abort();
  const [first] = text.split('\n\n');
  assert.equal(JSON.parse(String(first).replace('data: ', '')).begins, true);
});
