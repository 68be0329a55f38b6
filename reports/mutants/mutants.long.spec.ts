import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test as base, expect, type Page } from '@playwright/test';
import { renderPage } from '../document/html.tsx';
import { skippedWithoutBrowser } from '../html/testing/browser.ts';
import { drawnDocument } from './drawn-document.ts';
import { killDocument } from './kill-document.ts';
import { sampleDrawn } from './testing/sample-drawn.ts';
import { sampleTable } from './testing/sample-table.ts';

const test = base.extend<{ open(hash?: string, html?: string): Promise<void> }>({
  open: async ({ page }, use) => {
    const directory = mkdtempSync(join(tmpdir(), 'cselab-mutants-'));
    const file = join(directory, 'mutants.html');
    const trouble: string[] = [];
    page.on('console', (message) => trouble.push(message.text()));
    page.on('pageerror', (error) => trouble.push(error.message));
    page.on('dialog', (dialog) => trouble.push(dialog.message()));
    await use(async (hash = '', html = renderPage(killDocument(sampleTable))) => {
      writeFileSync(file, html);
      await page.goto(pathToFileURL(file).href + hash);
    });
    expect(trouble).toEqual([]);
    rmSync(directory, { recursive: true });
  },
});

const skipped = skippedWithoutBrowser();
test.skip(skipped !== undefined, skipped);

const visibleRows = (page: Page) => page.locator('[role=tabpanel]:not([hidden]) .row:not([hidden])');

test('what is remarkable is shown first; views change by the keyboard', async ({ page, open }) => {
  await open();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    '6 deviations: 60 % killed, 40 % identified, 40 % with collateral, 1 that cannot be observed',
  );
  await expect(visibleRows(page)).toHaveCount(5);
  await page.getByRole('tab', { name: 'To look at' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(visibleRows(page)).toHaveCount(6);
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tabpanel')).toContainText('stateful.later');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tabpanel')).toContainText('std.cbor.answer');
});

test('the search and the filters narrow every view', async ({ page, open }) => {
  await open();
  await page.getByRole('tab', { name: 'All deviations' }).click();
  await page.keyboard.press('/');
  await page.keyboard.type('aei is absent');
  await expect(visibleRows(page)).toHaveCount(1);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'not killed' }).click();
  await expect(visibleRows(page)).toHaveCount(1);
  await expect(visibleRows(page)).toContainText('latest.quiet');
  await page.getByRole('button', { name: 'not killed' }).click();
  await page.getByRole('button', { name: 'identified' }).click();
  await expect(visibleRows(page)).toHaveCount(2);
});

test('a link to a deviation opens it, with what was found', async ({ page, open }) => {
  await open('#ae.loud');
  const row = page.locator('.row[open]');
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('(collateral)');
  await expect(row).toContainText('status 500');
  await expect(row).toContainText('<script>alert(1)</script>');
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const [name, html, hash] of [
    ['the kill table', renderPage(killDocument(sampleTable)), '#std.group.odd'],
    ['what was drawn', renderPage(drawnDocument(sampleDrawn)), '#drawn-3'],
  ] as const)
    test(`at 390 pixels nothing of ${name} is cut off, ${colorScheme}`, async ({ page, open }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 390, height: 800 });
      await open(hash, html);
      for (const tab of await page.getByRole('tab').all()) {
        await tab.click();
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      }
    });
}
