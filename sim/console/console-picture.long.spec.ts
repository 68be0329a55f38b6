/** The picture of the console in the README. */
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expectPicture } from '../../.ci/pictures.ts';
import { manualClock } from '../environment/clock.ts';
import { startInbox } from '../inbox/start-inbox.ts';
import { seedTree } from '../seeding/tree-file.ts';
import { startWorkload } from '../workload/workload.ts';
import { expect, needsBrowser, row, test } from './testing/console-fixture.ts';
import type { WatchedPair } from './testing/watched-pair.ts';

needsBrowser();

const start = Date.UTC(2026, 2, 2, 9) * 1000;
test.use({
  viewport: { width: 1280, height: 800 },
  colorScheme: 'light',
  installation: async ({ browserName: _needed }, use) => use({ gateways: 2, driver: manualClock(start) }),
});

const inFixtures = (name: string) => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));

/** What a reader sees first in each part; what differs from run to run is left out. */
async function seenOn(page: Page): Promise<string> {
  const names = async (role: 'treeitem' | 'option', from: number, to?: number) => {
    const all = await page.getByRole(role).all();
    return Promise.all(all.slice(from, to).map((one) => one.getAttribute('aria-label')));
  };
  const parts = [
    ...(await page.getByRole('banner').allInnerTexts()),
    (await names('treeitem', 0, 16)).join('\n'),
    (await names('option', -8)).join('\n'),
    ...(await page.getByRole('region', { name: 'Details' }).allInnerTexts()),
  ];
  const text = parts.map((part) => part.replace(/\s*\n\s*/g, '\n').trim()).join('\n\n');
  return `${text.replace(/in [\d.]+ ms/g, 'in … ms').replace(/[\d,]+\/s/g, '…/s')}\n`;
}

/** A building at each gateway, into which devices push, and somebody who is told of some of it. */
async function buildings({ gateways, clock }: WatchedPair, inbox: string): Promise<void> {
  for (const [at, { cse, service }] of gateways.entries()) {
    await seedTree({ core: cse.core }, 'building');
    const watch = { 'm2m:sub': { rn: 'watch', nu: [inbox], enc: { net: [3] } } };
    cse.core.perform({ operation: 'create', to: 'onem2m/building/first-floor/temperature', content: watch });
    await startWorkload({ core: () => cse.core, service, clock }, inFixtures('workloads/building.yaml'), {
      seed: at + 1,
    });
  }
}

/** By an application, through the backend. */
async function readTemperature({ backend }: WatchedPair, gateway: number, floor: string): Promise<void> {
  const url = `${backend.url}/~/mn-cse-${gateway}/onem2m/building/${floor}/temperature/la`;
  await fetch(url, { headers: { 'x-m2m-origin': 'Cdashboard' } });
}

test('the page shows what its picture in the README shows', async ({ page, pair }) => {
  await using inbox = await startInbox();
  pair.clock.pause();
  await buildings(pair, inbox.url);
  await pair.clock.advance('14m');
  await page.goto(pair.url);
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByText('Nothing has been sent yet')).toBeVisible();
  await readTemperature(pair, 1, 'second-floor');
  await pair.clock.advance('1m');
  await readTemperature(pair, 2, 'ground-floor');
  await expect.poll(() => inbox.all.length).toBe(30);
  await row(page, /^building, application/)
    .first()
    .click();
  for (const child of [/^ground-floor/, /^temperature/]) {
    await page.keyboard.press('ArrowRight');
    await expect(row(page, child).first()).toBeVisible();
    await page.keyboard.press('ArrowDown');
  }
  await page.getByRole('searchbox', { name: 'Filter' }).fill('temperature');
  await row(page, /^temperature/)
    .first()
    .click();
  await expect(page.getByRole('img', { name: /^17 numbers/ })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Filter' }).blur();
  const seen = await seenOn(page);
  await expectPicture(page, 'console', seen);
});
