/** At the widths of a telephone, a tablet and a laptop: words are whole, and nothing runs through them. */
import type { Page } from '@playwright/test';
import { create, expect, needsBrowser, row, send, test } from './testing/console-fixture.ts';
import type { WatchedPair } from './testing/watched-pair.ts';

needsBrowser();
test.use({ installation: { gateways: 3 } });

const sizes = [
  [390, 844],
  [768, 1024],
  [1440, 900],
] as const;

/** Runs in the browser: words between spaces that are to be seen, and those of them that stand on two lines. */
const wordsSeen = `(() => {
  const [seen, broken] = [[], []];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    if (!node.parentElement.checkVisibility()) continue;
    for (const { 0: word, index } of node.data.matchAll(/(?<!\\S)[\\p{L}-]{2,}[.,:]?(?!\\S)/gu)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      (lines.size > 1 && !word.includes('-') ? broken : seen).push(word);
    }
  }
  return { seen: seen.length, broken };
})()`;

/** Runs in the browser: pairs of a text and what is to be clear of it that overlap. */
const overlaps = (texts: string, others: string) => `(() => {
  const rects = (selector) => [...document.querySelectorAll(selector)].map((one) => [one, one.getBoundingClientRect()]);
  return rects('${texts}').flatMap(([text, one]) => rects('${others}')
    .filter(([other, { left, right, top, bottom }]) =>
      other !== text && left < one.right - 1 && one.left + 1 < right && top < one.bottom - 1 && one.top + 1 < bottom)
    .map(([other]) => text.textContent + ' and ' + (other.textContent || other.className)));
})()`;

async function expectWholeWords(page: Page, view: string): Promise<void> {
  const { seen, broken } = await page.evaluate<{ seen: number; broken: string[] }>(wordsSeen);
  expect(seen, view).toBeGreaterThan(15);
  expect(broken, view).toEqual([]);
  const [whole, shown] = await page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]');
  expect(whole, view).toBeLessThanOrEqual(shown);
}

async function show(page: Page, view: 'Resources' | 'Traffic' | 'Details'): Promise<void> {
  const button = page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: view });
  if (await button.isVisible()) await button.click();
}

/** Messages between all of them, some with a long address and a long reason. */
async function talk(pair: WatchedPair): Promise<void> {
  create(pair, 'onem2m', { 'm2m:cnt': { rn: 'temperature-on-the-second-floor-of-the-building' } });
  await send(pair, 'GET', '/onem2m/temperature-on-the-second-floor-of-the-building');
  await send(pair, 'GET', `/~/in-cse-1/onem2m/${'nothing/'.repeat(12)}here`);
  for (const number of [1, 2, 3]) await fetch(`${pair.backend.url}/~/mn-cse-${number}/onem2m`);
}

for (const [width, height] of sizes) {
  test(`at ${width} pixels no word is broken, and lifelines are clear of all words`, async ({ page, pair }) => {
    await page.setViewportSize({ width, height });
    await page.goto(pair.url);
    await talk(pair);
    await show(page, 'Traffic');
    await expect(page.getByRole('option', { name: /nothing\/here, 404/ }).first()).toBeVisible();
    await expectWholeWords(page, 'traffic');
    await expect.poll(() => page.locator('.lane').count()).toBeGreaterThan(20);
    expect(await page.evaluate(overlaps('.message span', '.message span, .lane, .arrows'))).toEqual([]);
    expect(await page.evaluate(overlaps('.lane-names span', '.lane-names span'))).toEqual([]);
    await page.evaluate(`document.querySelector('.lane').style.top = '-20px'`);
    expect(await page.evaluate(overlaps('.message span', '.lane'))).not.toEqual([]);
    await show(page, 'Details');
    for (const panel of ['Overview', 'Resource', 'Message', 'Installation']) {
      await page.getByRole('tab', { name: panel }).click();
      await expectWholeWords(page, panel);
    }
    await show(page, 'Resources');
    await row(page, /^temperature/).click();
    await show(page, 'Details');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await expectWholeWords(page, 'a container and a form');
    await show(page, 'Traffic');
    await page
      .getByRole('option', { name: /nothing\/here, 404/ })
      .first()
      .click();
    await expect(page.getByRole('figure', { name: 'Answer' })).toBeVisible();
    await expectWholeWords(page, 'a message');
    await page.evaluate(
      `Object.assign(document.querySelector('h1').style, { width: '2ch', overflowWrap: 'anywhere' })`,
    );
    expect((await page.evaluate<{ broken: string[] }>(wordsSeen)).broken).toEqual(['cselab', 'console']);
  });
}
