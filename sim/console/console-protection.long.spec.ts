/** Pages of others in the same browser, and what is in a tree, do nothing to the console. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { create, expect, needsBrowser, row, test } from './testing/console-fixture.ts';

needsBrowser();

/** A page of somebody else, at `http://127.0.0.1:PORT` and, as another site, at `http://evil.localhost:PORT`. */
async function elsewhere(): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>elsewhere</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port, [Symbol.asyncDispose]: close };
}

/** Runs in the browser: `read`, or why nothing can be read. */
const reading = (url: string, options = '{}') =>
  `fetch(${JSON.stringify(url)}, ${options}).then((answer) => answer.ok ? 'read' : 'status ' + answer.status, () => 'refused')`;
const inPage = (page: Page, script: string) => page.evaluate<string>(script);

test('pages of other origins read nothing, load nothing and change nothing', async ({ context, pair }) => {
  await using other = await elsewhere();
  for (const origin of [`http://127.0.0.1:${other.port}`, `http://evil.localhost:${other.port}`]) {
    const page = await context.newPage();
    await page.goto(origin);
    expect(await inPage(page, reading(`${pair.url}/api/overview`)), origin).toBe('refused');
    expect(await inPage(page, reading(`${pair.url}/`)), origin).toBe('refused');
    for (const type of ['text/plain', 'application/json']) {
      const post = `{ method: 'POST', body: '{"do":"pause"}', headers: { 'content-type': '${type}' } }`;
      expect(await inPage(page, reading(`${pair.url}/api/clock`, post)), origin).toBe('refused');
    }
    const events = `new Promise((resolve) => {
      const events = new EventSource('${pair.url}/events');
      events.onmessage = () => resolve('read');
      events.onerror = () => resolve('refused');
    })`;
    expect(await inPage(page, events), origin).toBe('refused');
    const script = `new Promise((resolve) => {
      const script = document.createElement('script');
      script.src = '${pair.url}/app.js';
      script.onload = () => resolve('read');
      script.onerror = () => resolve('refused');
      document.head.append(script);
    })`;
    expect(await inPage(page, script), origin).toBe('refused');
    await inPage(
      page,
      `void document.body.append(Object.assign(document.createElement('iframe'), { src: '${pair.url}' }))`,
    );
    await expect.poll(() => page.frames().length, { message: origin }).toBe(2);
    await expect(page.frameLocator('iframe').getByRole('tree'), origin).toHaveCount(0);
    await page.close();
  }
  expect(pair.clock.isGoing).toBe(true);
});

test('a name that leads to this machine is no name of the console', async ({ context, pair }) => {
  const page = await context.newPage();
  const { port } = new URL(pair.url);
  const answer = await page.goto(`http://rebound.localhost:${port}/`);
  expect(answer?.status()).toBe(403);
  const token = { headers: { 'x-cselab-token': 'guessed' }, method: 'POST', body: '{"do":"pause"}' };
  expect(await inPage(page, reading('/api/clock', JSON.stringify(token)))).toBe('status 403');
  expect(pair.clock.isGoing).toBe(true);
  await page.close();
});

test('what is in a tree is shown, not run, and nothing of elsewhere or inline would be', async ({ context, pair }) => {
  const name = '<img src=x onerror=alert(1)>';
  create(pair, 'onem2m', { 'm2m:cnt': { rn: 'c', lbl: [name] } });
  create(pair, 'onem2m/c', { 'm2m:cin': { con: '<script>document.title = "run"</script>' } });
  const page = await context.newPage();
  const violations: string[] = [];
  page.on('console', (message) => violations.push(message.text()));
  await page.goto(pair.url);
  await row(page, /^c, container/).click();
  await expect(page.getByText(name)).toBeVisible();
  await expect(page.getByText('<script>document.title = "run"</script>').first()).toBeVisible();
  expect(violations).toEqual([]);
  const tried = (what: string) => inPage(page, `{ try { ${what}; 'done' } catch ({ name }) { name } }`);
  for (const what of [
    `document.createElement('script').textContent = 'document.title = "run"'`,
    `document.createElement('script').src = '/app.js'`,
    `document.body.innerHTML = '<b>markup</b>'`,
    `trustedTypes.createPolicy('lax', { createHTML: (text) => text })`,
  ]) {
    expect(await tried(what), what).toBe('TypeError');
  }
  const script = `{ const script = document.createElement('script'); script.append('document.title = "run"'); document.body.append(script) }`;
  const picture = `document.body.append(Object.assign(new Image(), { src: 'http://127.0.0.1:9/elsewhere.png' }))`;
  for (const what of [script, picture]) {
    violations.length = 0;
    await tried(what);
    await expect.poll(() => violations.join(), what).toMatch(/Content Security Policy|TrustedScript/i);
  }
  expect(await inPage(page, reading('http://127.0.0.1:9/'))).toBe('refused');
  expect(await page.title()).toBe('cselab console');
  await page.close();
});
