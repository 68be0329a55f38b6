/** Ten minutes of two hundred devices on two gateways are watched: the page goes on as it began. */
import { fileURLToPath } from 'node:url';
import type { CDPSession, Page } from '@playwright/test';
import { manualClock } from '../environment/clock.ts';
import { expect, needsBrowser, row, test } from './testing/console-fixture.ts';
import { startDevices } from './testing/watched-devices.ts';

needsBrowser();

const start = Date.UTC(2026, 2, 2, 9);
test.use({
  installation: async ({ browserName: _needed }, use) => use({ gateways: 2, driver: manualClock(start * 1000) }),
});

const pictures = (name: string) => fileURLToPath(new URL(`../../reports/latest/console-${name}.png`, import.meta.url));

const sizes = [
  [390, 844],
  [1280, 800],
  [3840, 2160],
] as const;

interface Figures {
  /** Bytes that are in use after what nobody needs was collected. */
  readonly heap: number;
  /** Of the document, and those that somebody holds beside it. */
  readonly nodes: number;
}

async function figuresOf(browser: CDPSession): Promise<Figures> {
  await browser.send('HeapProfiler.collectGarbage');
  const { metrics } = await browser.send('Performance.getMetrics');
  const figure = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  return { heap: figure('JSHeapUsedSize'), nodes: figure('Nodes') };
}

/** Somebody looks here and there. */
async function look(page: Page, minute: number): Promise<void> {
  const views = [
    () =>
      row(page, /^temperature-0[1-9]/)
        .nth(minute)
        .click(),
    () => page.getByRole('option').last().click(),
    () => page.getByRole('tab', { name: 'Installation' }).click(),
    () => page.getByRole('searchbox', { name: 'Filter' }).fill(minute % 2 === 0 ? 'get' : ''),
  ];
  await views[minute % views.length]?.();
}

/** Six times ten seconds, by the clock of the page. */
async function forwardMinute(page: Page, minute: number): Promise<void> {
  for (let step = 1; step <= 6; step += 1) {
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    const now = new Date(start + minute * 60_000 + step * 10_000).toISOString().slice(0, 19).replace('T', ' ');
    await expect.poll(() => page.locator('#now').textContent(), { intervals: [20] }).toBe(now);
    await toldOfAll(page);
  }
}

async function messagesOf(page: Page): Promise<number> {
  const [, all = ''] = /^([\d,]+) messages/.exec((await page.locator('.counts').textContent()) ?? '') ?? [];
  return Number(all.replaceAll(',', ''));
}

/** An event tells of 300 messages at most, so those of two steps must not come together: none may be missing from the page. */
async function toldOfAll(page: Page): Promise<void> {
  let before = Number.NaN;
  const isQuiet = async () => {
    const last = before;
    before = await messagesOf(page);
    return before === last;
  };
  await expect.poll(isQuiet, { intervals: [150] }).toBe(true);
}

async function takePictures(page: Page): Promise<void> {
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: pictures(`${width}-${colorScheme}`) });
    }
  }
}

/** By the third minute the page keeps as many messages as it ever does. */
function expectStable(minutes: readonly Figures[]): void {
  for (const of of ['heap', 'nodes'] as const) {
    const most = (from: number, to: number) => Math.max(...minutes.slice(from, to).map((one) => one[of]));
    expect(most(5, 10) / most(2, 5), `${of}: ${minutes.map((one) => one[of])}`).toBeLessThan(1.5);
  }
}

test('ten minutes of 200 devices on two gateways leave the page as it was', async ({ page, pair }) => {
  test.setTimeout(240_000);
  await using devices = await startDevices(pair);
  expect(devices.devices).toBe(200);
  await page.goto(pair.url);
  await row(page, /^building, application, 100 children/)
    .first()
    .click();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('button', { name: 'Pause clock' }).click();
  await page.getByRole('textbox', { name: 'Clock forward by' }).fill('10s');
  const browser = await page.context().newCDPSession(page);
  await browser.send('Performance.enable');
  const minutes: Figures[] = [];
  for (let minute = 0; minute < 10; minute += 1) {
    await forwardMinute(page, minute);
    await look(page, minute);
    minutes.push(await figuresOf(browser));
  }
  expect(await messagesOf(page)).toBeGreaterThan(13_000);
  expect(devices.refused()).toBe(0);
  await expect(page.getByText('skipped')).toHaveCount(0);
  expectStable(minutes);
  expect(Math.max(...minutes.map(({ nodes }) => nodes))).toBeLessThan(5_000);
  await page.getByRole('searchbox', { name: 'Filter' }).fill('');
  await row(page, /^temperature-03/)
    .first()
    .click();
  await expect(page.getByRole('img', { name: /^20 numbers/ })).toBeVisible();
  await takePictures(page);
});
