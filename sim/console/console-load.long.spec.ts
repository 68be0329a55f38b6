/** Many resources, many messages, and a page that is used meanwhile. */
import { create, expect, needsBrowser, row, send, test } from './testing/console-fixture.ts';
import type { WatchedPair } from './testing/watched-pair.ts';

needsBrowser();

test('ten thousand resources and a burst of messages are little to draw', async ({ page, pair }) => {
  test.setTimeout(180_000);
  const patient = { timeout: 60_000 };
  create(pair, 'onem2m', { 'm2m:cnt': { rn: 'many', mni: 20_000 } });
  for (let count = 0; count < 10_000; count += 1) create(pair, 'onem2m/many', { 'm2m:cnt': { rn: `c${count}` } });
  await page.goto(pair.url);
  await row(page, /^many, container, 10,000 children/).click();
  await page.getByRole('tree').focus();
  await page.keyboard.press('ArrowRight');
  await expect(row(page, 'c0, container')).toBeVisible(patient);
  await page.getByRole('tree').focus();
  await page.keyboard.press('End');
  await expect(row(page, /^mn-cse-1, remote CSE/)).toBeVisible();
  expect(await page.getByRole('treeitem').count()).toBeLessThan(150);
  const drawn = async () => Number(await page.locator('html').getAttribute('data-frames'));
  const before = await drawn();
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(
      Array.from({ length: 150 }, (_, at) =>
        send(pair, 'POST', '/onem2m/many', { 'm2m:cnt': { rn: `r${round}-${at}` } }),
      ),
    );
  }
  await expect(page.getByText(/^3,0\d\d messages/)).toBeVisible(patient);
  // Far fewer than the 6,000 times that something came and was answered.
  expect((await drawn()) - before).toBeLessThan(3_000);
  expect(await page.getByRole('option').count()).toBeLessThan(150);
  await page.getByRole('switch', { name: 'Heartbeats' }).click();
  await expect(page.getByText(/^1,000 messages/)).toBeVisible(patient);
  await page.getByRole('tree').focus();
  await page.keyboard.press('Home');
  await expect(row(page, /^mn-cse-1, CSE base/)).toHaveAttribute('aria-selected', 'true');
});

/** Devices push so many messages a second until they are told to stop. */
function flood(
  { gateway }: WatchedPair,
  perSecond: number,
): { readonly sent: () => number; readonly stop: () => void } {
  const pause = 20;
  let sent = 0;
  const body = new TextEncoder().encode('{"m2m:cin":{"con":"1"}}');
  const headers = { 'x-m2m-origin': 'Cdevice', 'content-type': 'application/vnd.onem2m-res+json' };
  const timer = setInterval(() => {
    for (let count = 0; count < (perSecond * pause) / 1000; count += 1) {
      void gateway.service.handle({ method: 'POST', target: '/onem2m/flooded', headers, body });
      sent += 1;
    }
  }, pause);
  return { sent: () => sent, stop: () => clearInterval(timer) };
}

test('the page is used while a thousand messages a second come in', async ({ page, pair }) => {
  test.setTimeout(120_000);
  create(pair, 'onem2m', { 'm2m:cnt': { rn: 'flooded', mni: 100 } });
  for (let count = 0; count < 30; count += 1) create(pair, 'onem2m', { 'm2m:cnt': { rn: `c${count}` } });
  await page.goto(pair.url);
  await expect(row(page, /^flooded/)).toBeVisible();
  const { sent, stop } = flood(pair, 1_000);
  await expect.poll(sent).toBeGreaterThan(1_000);
  await page.getByRole('tree').focus();
  await page.keyboard.press('Home');
  const before = sent();
  for (let count = 0; count < 30; count += 1) {
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('treeitem', { selected: true })).toHaveAttribute('aria-posinset', `${count + 1}`);
  }
  // A page that hangs would let far more of them by for every key.
  expect((sent() - before) / 30).toBeLessThan(500);
  const hold = page.getByRole('button', { name: 'Hold list', pressed: false });
  await hold.click();
  await expect(hold).toHaveCount(0);
  const [shown] = await page.getByRole('option').all();
  const name = await shown?.getAttribute('aria-label');
  await expect.poll(sent).toBeGreaterThan(5_000);
  expect(await shown?.getAttribute('aria-label')).toBe(name);
  stop();
  await page.getByRole('button', { name: 'Hold list', pressed: true }).click();
  await page.getByRole('switch', { name: 'Heartbeats' }).click();
  await send(pair, 'GET', '/onem2m/flooded/la');
  await expect(page.getByRole('option', { name: /GET \/onem2m\/flooded\/la, 200/ })).toHaveAttribute(
    'aria-setsize',
    '1000',
  );
  expect(await page.getByRole('option').count()).toBeLessThan(60);
});
