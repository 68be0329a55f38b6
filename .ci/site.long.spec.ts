/** The site as it is published, in a real browser: at three widths, light and dark; what is searched, typed and checked there. */
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { deadAnchors } from '../.site/anchors.ts';
import { loader } from '../fixtures/testing/loader.ts';
import { renderJson } from '../reports/formats/json-reporter.ts';
import { skippedWithoutBrowser } from '../reports/html/testing/browser.ts';
import { check, lastOf } from '../scenarios/index.ts';
import { axeFindings } from './accessible.ts';
import { execute } from './execute.ts';

const skipped = skippedWithoutBrowser();
test.skip(skipped !== undefined, skipped);
// It is built once.
test.describe.configure({ mode: 'default' });

const [dist, base] = ['.site/dist', '/lab/'];
const types = new Map([
  ['.html', 'text/html'],
  ['.js', 'text/javascript'],
  ['.css', 'text/css'],
  ['.png', 'image/png'],
]);
/** What a target calls itself is text, whatever it is. */
const hostile = '{{ 1 + 1 }} | <b> ::: `CSE`';
let server: Server;
let origin = '';
const missed: string[] = [];

test.beforeAll(async () => {
  test.setTimeout(300_000);
  const reports = await mkdtemp(join(tmpdir(), 'cselab-field-'));
  for (const [dialect, id, deviation] of [
    ['documented', 'container.cni', 'container.cni.one-behind'],
    ['onem2m', 'std.filter.cty', 'std.filter.cty.ignored'],
  ] as const) {
    const target = { kind: 'in-process', deviations: [deviation] } as const;
    const result = await lastOf(check({ target, dialect, ids: [id] }));
    const product = { ...result.target, product: hostile };
    await writeFile(join(reports, `${dialect}.json`), renderJson({ ...result, target: product }));
  }
  const site = [...loader(), '.site/build.ts', '--base', base, '--reports', reports];
  const { code, output } = await execute(process.execPath, site, { NODE_OPTIONS: '' });
  expect(code, output).toBe(0);
  await rm(reports, { recursive: true });
  server = createServer(async ({ url = '' }, response) => {
    const path = new URL(url, 'http://site').pathname.replace(/\/$/, '/index.html').replace(/\/[^./]+$/, '$&.html');
    const content = await readFile(join(dist, path.replace(base, '/'))).catch(() => undefined);
    if (content === undefined) missed.push(url);
    response.writeHead(content ? 200 : 404, { 'Content-Type': types.get(extname(path)) ?? 'font/woff2' }).end(content);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`;
});

test.afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** A check in a browser takes seconds, and more of a busy machine. */
const patience = { timeout: 60_000 };
test.setTimeout(120_000);

const rule = 'rules/documented/resources-and-their-fields-container-m2m-cnt';
const pages = ['', 'guide/start', 'reference/commands', rule, 'matrix', 'playground'];
/** Those that axe looks at, too. */
const judged = new Set([rule, 'matrix', 'playground']);

for (const colorScheme of ['light', 'dark'] as const) {
  test(`pages fit into every width and are accessible when it is ${colorScheme}`, async ({ browser }) => {
    const page = await browser.newPage({ colorScheme });
    for (const path of pages) {
      await page.goto(origin + path);
      if (path === 'playground') await expect(page.getByRole('status')).toHaveText(/^Ready/);
      for (const width of [1440, 768, 390]) {
        await page.setViewportSize({ width, height: 900 });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(wide, `${path} at ${width}`).toBeLessThanOrEqual(width);
      }
      if (judged.has(path)) expect(await axeFindings(page), path).toEqual([]);
    }
    await page.close();
  });
}

test('no page asks for what is not there, and dead links would be found', async () => {
  expect(missed).toEqual([]);
  expect(deadAnchors(dist, base)).toEqual([]);
  const folder = await mkdtemp(join(tmpdir(), 'cselab-links-'));
  const links = ['/lab/page#here', '/lab/page.html?a=b', '/lab/absent', '#absent', 'https://example.org/absent#x'];
  await writeFile(join(folder, 'page.html'), ['<p id="here">', ...links.map((to) => `<a href="${to}">`)].join(''));
  expect(deadAnchors(folder, base)).toEqual(['page.html: /lab/absent', 'page.html: #absent']);
  await rm(folder, { recursive: true });
});

test('the search finds a requirement by its id', async ({ page }) => {
  await page.goto(origin);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('container.cni.counts');
  await page.getByRole('option').first().getByRole('link').click();
  await expect(page).toHaveURL(/rules\/documented\/.*#container-cni-counts$/);
});

test('the CSE of the playground takes requests and shows its tree, and they are checked', async ({ page }) => {
  await page.goto(`${origin}playground`);
  for (const name of ['Register an AE', 'Create a container', 'Push a value']) {
    await page.getByRole('button', { name }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await expect(page.locator('[data-name=answer]')).toContainText('201');
  }
  await expect(page.locator('[data-name=tree] summary')).toContainText([
    'onem2m',
    'app',
    'readings',
    'contentInstance',
  ]);
  await page.getByRole('button', { name: 'Judge' }).click();
  await expect(page.locator('[data-name=findings]')).toContainText(
    /No deviation in the \d\d of \d+ requirements.*after 3 requests/,
  );
});

test('a check in the browser names what the CSE does wrong, with the exchange', async ({ page }) => {
  await page.goto(`${origin}playground?deviation=container.cni.one-behind&check=container.cni`);
  const finding = page.locator('.finding');
  await expect(finding).toContainText(/violated container\.cni\.counts.*actual.*GET \/onem2m.*m2m:cnt/s, patience);
  await expect(finding).toHaveCount(1);
});

test('the field matrix leads from a cell to the exchange, and to the imitation of the product', async ({ page }) => {
  await page.goto(`${origin}matrix`);
  const cells = page
    .locator('.matrix')
    .first()
    .getByRole('row', { name: /container/ })
    .getByRole('link');
  await cells.last().click();
  await expect(page).toHaveURL(/#1-1-b-cse-.*container/);
  await expect(page.getByRole('heading', { level: 2 }).getByText(hostile)).toHaveCount(2);
  await page.locator('summary', { hasText: 'The exchange' }).first().click();
  await expect(page.getByText(/GET \/onem2m\/cl-/).first()).toBeVisible();
  await page.locator('a[href*="as=acme"][href*="std.filter.cty"]').click();
  await expect(page.locator('.finding')).toContainText(/violated std\.filter\.cty/, patience);
});
