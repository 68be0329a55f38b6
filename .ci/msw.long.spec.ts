/** `cselab/msw` as the package holds it for browsers, in a real one: the CSE behind the page's own fetch. */
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { build } from 'esbuild';
import { skippedWithoutBrowser } from '../reports/html/testing/browser.ts';
import { bundleForBrowser } from './browser-bundle.ts';

const skipped = skippedWithoutBrowser();
test.skip(skipped !== undefined, skipped);

/** What the script of the page makes for the tests. */
interface Site {
  simulate(baseUrl: string, options?: object): Promise<void>;
  readonly misses: readonly { readonly kind: string; readonly meant?: string }[];
  readonly notified: readonly object[];
}

/** As an application would have it; `cselab/msw` is the bundle. */
const script = `
  import { http } from 'msw';
  import { setupWorker } from 'msw/browser';
  import { createCse, cseHandlers, cseWsHandlers } from 'cselab/msw';

  window.misses = [];
  window.notified = [];
  window.simulate = async (baseUrl, options) => {
    const inbox = http.post('https://application.test/inbox', async ({ request }) => {
      window.notified.push(await request.json());
      return new Response(null, { status: 200, headers: { 'X-M2M-RSC': '2000' } });
    });
    const onNearMiss = (miss) => window.misses.push(miss);
    const cse = createCse(options);
    const handlers = [...cseHandlers(cse, baseUrl, { onNearMiss }), ...cseWsHandlers(cse, 'wss://gateway.test:8543')];
    const worker = setupWorker(...handlers, inbox);
    await worker.start({ quiet: true, onUnhandledRequest: 'bypass' });
  };
`;

let place = '';
let server: Server;
let origin = '';

test.beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'cselab-msw-'));
  await bundleForBrowser(join(place, 'msw.js'));
  const page = await build({
    stdin: { contents: script, resolveDir: process.cwd() },
    alias: { 'cselab/msw': join(place, 'msw.js') },
    nodePaths: [resolve('node_modules')],
    bundle: true,
    format: 'esm',
    write: false,
  });
  const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
    '/': ['text/html', '<!doctype html><title>A page</title><script type="module" src="/page.js"></script>'],
    '/page.js': ['text/javascript', page.outputFiles[0]?.text ?? ''],
    '/mockServiceWorker.js': ['text/javascript', await readFile('node_modules/msw/lib/mockServiceWorker.js', 'utf8')],
    '/data.json': ['application/json', '{"from":"the network"}'],
  };
  server = createServer(({ url = '' }, response) => {
    const [type, text] = files[url] ?? ['text/plain', ''];
    response.writeHead(files[url] === undefined ? 404 : 200, { 'Content-Type': type }).end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

test.afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(place, { recursive: true });
});

test.beforeEach(async ({ page }) => {
  await page.goto(origin);
  await page.waitForFunction(() => 'simulate' in globalThis);
});

const simulate = (page: Page, baseUrl: string, options = {}) =>
  page.evaluate(([at, given]) => (globalThis as unknown as Site).simulate(at, given), [baseUrl, options] as const);

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly content?: object;
}

/** By the page's own fetch. */
function send(page: Page, url: string, { method = 'GET', headers = {}, content }: Sent = {}) {
  const body = content === undefined ? {} : { body: JSON.stringify(content) };
  const asked = { url, options: { method, headers, ...body } };
  return page.evaluate(async ({ url, options }) => {
    const answer = await fetch(url, options);
    const text = await answer.text();
    return {
      status: answer.status,
      rsc: answer.headers.get('X-M2M-RSC'),
      content: text === '' ? {} : JSON.parse(text),
    };
  }, asked);
}

const created = { status: 201, rsc: '2001' };
const gateway = 'https://gateway.test:8443';

test('a page registers an AE, stores, reads the latest, discovers and deletes', async ({ page }) => {
  await simulate(page, gateway);
  const headers = { 'Content-Type': 'application/vnd.onem2m-res+json' };
  const create = (path: string, content: object) =>
    send(page, `${gateway}${path}`, { method: 'POST', headers, content });
  expect(await create('/onem2m', { 'm2m:ae': { rn: 'app', api: 'api', rr: 'TRUE' } })).toMatchObject(created);
  expect(await create('/onem2m/app', { 'm2m:cnt': { rn: 'data', lbl: ['room-1'] } })).toMatchObject(created);
  for (const con of ['21.5', 'zwölf ☃']) {
    const instance = { 'm2m:cin': { con, cnf: 'text/plain:0' } };
    expect(await create('/onem2m/app/data', instance)).toMatchObject(created);
  }
  const { content: latest } = await send(page, `${gateway}/onem2m/app/data/latest`);
  expect(latest).toMatchObject({ 'm2m:cin': { con: 'zwölf ☃' } });
  const { content: found } = await send(page, `${gateway}/~/mn-cse-1/onem2m?fu=1&lbl=room-1`);
  expect(found).toEqual({ 'm2m:uril': ['/mn-cse-1/onem2m/app/data'] });
  expect(await send(page, `${gateway}/onem2m/app`, { method: 'DELETE' })).toMatchObject({ status: 200 });
  expect(await send(page, `${gateway}/onem2m/app`)).toMatchObject({ status: 404, rsc: '4004' });
  expect(await page.evaluate(() => (globalThis as unknown as Site).misses)).toEqual([]);
});

test('a page does so in the onem2m dialect', async ({ page }) => {
  await simulate(page, gateway, { dialect: 'onem2m' });
  const said = (ty?: number) => ({
    ...{ 'X-M2M-Origin': 'CAdmin', 'X-M2M-RI': 'r1', 'X-M2M-RVI': '4', Accept: 'application/json' },
    ...(ty !== undefined && { 'Content-Type': `application/json;ty=${ty}` }),
  });
  const create = (path: string, ty: number, content: object) =>
    send(page, `${gateway}${path}`, { method: 'POST', headers: said(ty), content });
  expect(await create('/cse-in', 3, { 'm2m:cnt': { rn: 'data' } })).toMatchObject(created);
  expect(await create('/cse-in/data', 4, { 'm2m:cin': { con: 21.5 } })).toMatchObject(created);
  const { content } = await send(page, `${gateway}/cse-in/data/la`, { headers: said() });
  expect(content).toMatchObject({ 'm2m:cin': { con: 21.5 } });
});

test('notifications go by fetch to what the page answers itself', async ({ page }) => {
  await simulate(page, gateway);
  const headers = { 'Content-Type': 'application/vnd.onem2m-res+json' };
  const create = (path: string, content: object) =>
    send(page, `${gateway}${path}`, { method: 'POST', headers, content });
  await create('/onem2m', { 'm2m:ae': { rn: 'app', api: 'api', rr: 'TRUE' } });
  await create('/onem2m/app', { 'm2m:cnt': { rn: 'data' } });
  const subscription = { nu: ['https://application.test/inbox'], enc: { net: [3] } };
  expect(await create('/onem2m/app/data', { 'm2m:sub': subscription })).toMatchObject(created);
  for (const con of ['one', 'two', 'three'])
    await create('/onem2m/app/data', { 'm2m:cin': { con, cnf: 'text/plain:0' } });
  const told = () => page.evaluate(() => JSON.stringify((globalThis as unknown as Site).notified));
  await expect.poll(told).toMatch(/"one".*"two".*"three"/s);
});

test('a page is answered and notified over the WebSocket that it opens', async ({ page }) => {
  await simulate(page, gateway, { dialect: 'onem2m' });
  const create = (to: string, ty: number, pc: object) => ({ op: 1, to, fr: 'CA', rqi: `r${ty}`, rvi: '3', ty, pc });
  const requests = [
    create('cse-in', 2, { 'm2m:ae': { rn: 'a', api: 'Na', rr: true, srv: ['3'] } }),
    create('cse-in/a', 3, { 'm2m:cnt': { rn: 'c' } }),
    create('cse-in/a/c', 23, { 'm2m:sub': { rn: 's', nu: ['/id-in/CA'], enc: { net: [3] } } }),
    create('cse-in/a/c', 4, { 'm2m:cin': { con: 'zwölf ☃' } }),
  ];
  const heard = await page.evaluate(async (all) => {
    const socket = new WebSocket('wss://gateway.test:8543', 'oneM2M.json');
    const messages: Array<{ readonly rsc?: number; readonly op?: number }> = [];
    const whenThereAre = (count: number) =>
      new Promise<void>((resolve) => {
        const look = () => messages.length >= count && resolve();
        look();
        socket.addEventListener('message', look);
      });
    socket.addEventListener('message', ({ data }) => messages.push(JSON.parse(data)));
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    for (const [at, request] of all.entries()) {
      socket.send(JSON.stringify(request));
      await whenThereAre(at + 1);
    }
    // The last request has an answer and a notification.
    await whenThereAre(all.length + 1);
    return messages;
  }, requests);
  expect(heard.flatMap(({ rsc }) => rsc ?? [])).toEqual([2001, 2001, 2001, 2001]);
  const [notification] = heard.filter(({ op }) => op === 5);
  expect(JSON.stringify(notification)).toContain('"con":"zwölf ☃"');
});

test('a page meets what a deviation makes of answers', async ({ page }) => {
  await simulate(page, gateway, { deviations: ['content.base64-decoded', 'ae.aei.missing'] });
  const headers = { 'Content-Type': 'application/vnd.onem2m-res+json' };
  const create = (path: string, content: object) =>
    send(page, `${gateway}${path}`, { method: 'POST', headers, content });
  const { content: ae } = await create('/onem2m', { 'm2m:ae': { rn: 'app', api: 'api', rr: 'TRUE' } });
  expect(JSON.stringify(ae)).not.toContain('"aei"');
  await create('/onem2m/app', { 'm2m:cnt': { rn: 'data' } });
  await create('/onem2m/app/data', { 'm2m:cin': { con: 'eyJhIjoiw6kifQ==', cnf: 'application/json:1' } });
  const { content: latest } = await send(page, `${gateway}/onem2m/app/data/latest`);
  expect(latest).toMatchObject({ 'm2m:cin': { con: '{"a":"é"}' } });
});

test('a CSE at the origin of the page leaves the page its files, and a near miss is explained', async ({ page }) => {
  await simulate(page, origin);
  expect(await send(page, `${origin}/onem2m`)).toMatchObject({ status: 200, rsc: '2000' });
  expect((await send(page, '/data.json')).content).toEqual({ from: 'the network' });
  expect(await send(page, '/~/mn-cse1/onem2m')).toMatchObject({ status: 404 });
  expect(await page.evaluate(async () => (await fetch('/oneM2M')).text())).toBe('');
  const misses = await page.evaluate(() => (globalThis as unknown as Site).misses);
  expect(misses.map(({ kind, meant }) => [kind, meant])).toEqual([
    ['path', `${origin}/~/mn-cse-1/onem2m`],
    ['path', `${origin}/onem2m`],
  ]);
});
