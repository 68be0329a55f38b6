import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test as base, expect, type Page } from '@playwright/test';
import type { RunResult } from '../../scenarios/index.ts';
import { conformantRun, sampleRun } from '../sample-run.ts';
import { browserMissing, browserRequired } from './browser.ts';
import { renderHtml } from './html-reporter.ts';

interface Fixtures {
  /** Writes a report, opens it from its file and gives its address. */
  open(result: RunResult, hash?: string): Promise<string>;
}

const test = base.extend<Fixtures>({
  open: async ({ page }, use) => {
    const directory = mkdtempSync(join(tmpdir(), 'cselab-report-'));
    const file = join(directory, 'report.html');
    const address = pathToFileURL(file).href;
    const trouble: string[] = [];
    page.on('console', (message) => trouble.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => trouble.push(`dialog: ${dialog.message()}`));
    page.on('request', (request) => {
      if (request.url().split('#')[0] !== address) trouble.push(`request: ${request.url()}`);
    });
    await use(async (result, hash = '') => {
      writeFileSync(file, renderHtml(result));
      await page.goto(address + hash);
      return address;
    });
    expect(trouble).toEqual([]);
    rmSync(directory, { recursive: true });
  },
});

const missing = browserMissing();
if (missing !== undefined) {
  if (browserRequired()) throw new Error(missing);
  test.skip(true, missing);
}

const row = (page: Page, id: string) => page.locator('details.row').filter({ has: page.locator(`[id="${id}"]`) });

test('what is violated is shown first, with request, answer and command line', async ({ page, open }) => {
  await open(sampleRun);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Not conformant: 3 documented requirements are violated',
  );
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Violated 3');
  const first = page.getByRole('article').first();
  await expect(first).toContainText('rr is the text "TRUE"');
  await expect(first.getByText('POST /onem2m', { exact: false }).last()).toBeVisible();
  await expect(first.getByText('curl -sS -i -X POST')).toBeVisible();
});

test('a report without violations begins with the sections', async ({ page, open }) => {
  await open(conformantRun);
  await expect(page.getByRole('tab', { selected: true })).toContainText('By section');
  await expect(page.getByRole('tab', { name: 'Violated' })).toHaveCount(0);
});

test('the search narrows every view and Esc widens it again', async ({ page, open }) => {
  await open(sampleRun);
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('STATE-tag');
  await expect(page.getByRole('tab')).toHaveText([
    'Violated 1',
    'By section 1',
    'By scenario 2',
    'Left open 0',
    'Not tested 0',
  ]);
  await expect(page.getByRole('article')).toHaveCount(1);
  await page.getByRole('tab', { name: 'Left open' }).click();
  const nothing = page.getByRole('tabpanel', { name: 'Left open' }).getByText('Nothing here matches');
  await expect(nothing).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(nothing).toBeHidden();
  await expect(page.getByRole('tab', { name: 'By section' })).toHaveText('By section 17');
});

test('scenarios are found by the paths of their requests', async ({ page, open }) => {
  await open(sampleRun);
  await page.getByRole('searchbox').fill('/onem2m/nowhere');
  await page.getByRole('tab', { name: 'By scenario' }).click();
  await expect(page.locator('details.row:visible')).toHaveCount(1);
  await expect(row(page, 'scenario:gaps/errors/unknown-path')).toBeVisible();
});

test('verdicts and levels filter', async ({ page, open }) => {
  await open(sampleRun);
  await page.getByRole('tab', { name: 'By section' }).click();
  await page.getByRole('button', { name: '3 not testable' }).click();
  await expect(page.locator('details.row:visible')).toHaveCount(3);
  await page.getByRole('button', { name: '2 observed' }).click();
  await expect(page.locator('details.row:visible')).toHaveCount(5);
  await page.getByRole('button', { name: 'left open', exact: true }).click();
  await expect(page.locator('details.row:visible')).toHaveCount(2);
  await expect(page.getByRole('heading', { name: 'Wire conventions' })).toBeHidden();
});

test('a transcript opens, and the hostile text in it is only text', async ({ page, open }) => {
  await open(sampleRun);
  await page.getByRole('tab', { name: 'By scenario' }).click();
  const scenario = row(page, 'scenario:documented/content-instance/latest');
  await scenario.locator('> summary').click();
  await expect(scenario.locator('pre', { hasText: '</script><script>alert(1)</script>' }).last()).toBeVisible();
  await expect(scenario.locator('pre', { hasText: '\\x1b[31mred' }).last()).toBeVisible();
  await expect(scenario.locator('.steps > li')).toHaveCount(4);
  await expect(page.locator('script')).toHaveCount(1);
});

test('the command line is copied', async ({ page, open, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(sampleRun);
  const copy = page.getByRole('article').first().getByRole('button', { name: 'Copy' });
  await copy.click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^curl -sS -i -X POST/);
});

test('a link to a requirement opens it', async ({ page, open }) => {
  await open(sampleRun, '#container.state-tag-is-text');
  await expect(page.getByRole('tab', { selected: true })).toContainText('By section');
  await expect(row(page, 'container.state-tag-is-text').locator('> summary')).toBeFocused();
  await expect(row(page, 'container.state-tag-is-text').getByText('st is the integer 0')).toHaveCount(3);
});

test('evidence leads to the step of its scenario, also past a filter', async ({ page, open }) => {
  await open(sampleRun, '#container.state-tag-is-text');
  await page.getByRole('searchbox').fill('state-tag-is-text returned');
  await page.getByRole('link', { name: 'A container is created below an AE, step 3' }).click();
  await expect(page.getByRole('tab', { selected: true })).toContainText('By scenario');
  await expect(page.locator('[id="scenario:documented/container/creates:3"]')).toBeInViewport();
  await page.goBack();
  await expect(page.getByRole('tab', { selected: true })).toContainText('By section');
});

test('tabs and rows are reached with the arrow keys', async ({ page, open }) => {
  await open(sampleRun);
  await page.getByRole('tab', { selected: true }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { selected: true })).toContainText('By section');
  await page.keyboard.press('/');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(row(page, 'wire.timestamps')).toHaveAttribute('open');
  await expect(row(page, 'wire.timestamps').getByText('no scenario that ran checks it')).toBeVisible();
});

for (const scheme of ['light', 'dark'] as const) {
  test(`the theme can be switched away from ${scheme}`, async ({ page, open }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await open(sampleRun);
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const before = await background();
    await page.getByRole('button', { name: 'Switch between light and dark' }).click();
    const after = await background();
    expect(after).not.toBe(before);
    await page.emulateMedia({ colorScheme: scheme === 'light' ? 'dark' : 'light' });
    expect(await background()).toBe(after);
  });
}

for (const width of [390, 1280]) {
  test(`nothing is wider than a page of ${width} pixels`, async ({ page, open }) => {
    await page.setViewportSize({ width, height: 800 });
    await open(sampleRun);
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      for (const summary of await page.locator('details.row:visible > summary').all()) await summary.click();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  });
}
