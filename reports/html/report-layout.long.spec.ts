/** How a report is laid out: its picture of messages, its colours, its width. */
import { expect } from '@playwright/test';
import { axeFindings } from '../../.ci/accessible.ts';
import type { RunResult } from '../../scenarios/index.ts';
import { sampleRun } from '../testing/sample-run.ts';
import { skippedWithoutBrowser } from './testing/browser.ts';
import { test } from './testing/report-page.ts';

const skipped = skippedWithoutBrowser();
test.skip(skipped !== undefined, skipped);

/** With a scenario in which the gateway, its backend and a notification target take part. */
function withPair(result: RunResult): RunResult {
  const [first] = result.scenarios;
  const sent = first?.steps.flatMap(({ exchange }) => exchange ?? [])[0];
  if (first === undefined || sent === undefined) throw new Error('the sample has no exchange');
  const request = { method: 'GET', path: `/onem2m/${'long/'.repeat(30)}`, headers: [] };
  const shown = [{ method: 'POST', path: '/inbox', headers: [], at: sent.at + 1 }];
  const steps: typeof first.steps = [
    { phase: 'step', title: 'create', exchange: sent, checks: [] },
    {
      phase: 'step',
      title: 'wait',
      notifications: { inbox: 'watcher', url: 'http://x', waited: 1, count: 1, shown },
      checks: [],
    },
    { phase: 'step', title: 'read', on: 'backend', exchange: { ...sent, request, at: sent.at + 9 }, checks: [] },
  ];
  return { ...result, scenarios: [...result.scenarios, { ...first, id: 'pair/x/y', title: 'Across a pair', steps }] };
}

test('messages between more than two parties are drawn, and the picture scrolls by itself', async ({ page, open }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open(withPair(sampleRun));
  await page.getByRole('tab', { name: 'By scenario' }).click();
  const scenario = page.locator('details.row').filter({ has: page.getByText('Across a pair') });
  await scenario.locator('> summary').click();
  await expect(scenario.locator('.sequence .party')).toHaveText([
    'harness',
    'gateway',
    'backend',
    'notification target',
  ]);
  await expect(scenario.locator('.sequence .arrow')).toHaveCount(5);
  const messages = scenario.getByRole('group', { name: 'Messages' }).getByRole('link');
  await expect(messages.nth(3)).toHaveAccessibleName(/^harness to backend: GET \/onem2m.*, step 3$/);
  expect(await axeFindings(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test('the keyboard goes from message to message of the picture, and to the step of one', async ({ page, open }) => {
  await open(withPair(sampleRun));
  await page.getByRole('tab', { name: 'By scenario' }).click();
  const scenario = page.locator('details.row').filter({ has: page.getByText('Across a pair') });
  await scenario.locator('> summary').click();
  const messages = scenario.getByRole('group', { name: 'Messages' }).getByRole('link');
  await scenario.locator('> summary').focus();
  await page.keyboard.press('Tab');
  await expect(messages.first()).toBeFocused();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  await expect(messages.nth(3)).toBeFocused();
  await expect(scenario.locator('.steps > .current')).toContainText('read');
  await page.keyboard.press('Enter');
  await expect(scenario.locator('.steps > li').nth(2)).toBeFocused();
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
