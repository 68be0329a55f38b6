/**
 * The picture of a report in the README. `CSELAB_PICTURES=write` makes it anew; otherwise what the page says first is compared with what was
 * written of it beside the picture.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';
import { check, lastOf } from '../../scenarios/index.ts';
import { createCse, serveHttp } from '../../sim/index.ts';
import { runDocument } from '../check/run-document.ts';
import { renderPage } from '../document/html.tsx';
import { skippedWithoutBrowser } from './testing/browser.ts';

const skipped = skippedWithoutBrowser();
test.skip(skipped !== undefined, skipped);
test.use({ viewport: { width: 1280, height: 900 }, colorScheme: 'light' });

const inFixtures = (name: string) => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));
const [picture, words] = [inFixtures('report.png'), inFixtures('report.txt')];
/** Lines of text that a reader sees first. */
const first = 45;

test('the report says what its picture in the README says', async ({ page }) => {
  // A whole run goes before it.
  test.setTimeout(180_000);
  const room = mkdtempSync(join(tmpdir(), 'cselab-picture-'));
  await using server = await serveHttp(createCse({ deviations: ['container.cni.one-behind'] }).http);
  const target = { kind: 'url', url: server.url, risky: 'all', connections: 10 } as const;
  const result = await lastOf(check({ target, dialect: 'documented', jobs: 10 }));
  writeFileSync(join(room, 'report.html'), renderPage(runDocument(result)));
  await page.goto(pathToFileURL(join(room, 'report.html')).href);
  const [said = ''] = await page.locator('body').allInnerTexts();
  const lines = said.split('\n').map((line) => line.trim());
  const text = lines
    .filter((line) => line !== '')
    .slice(0, first)
    .join('\n')
    .replaceAll(result.run, '…');
  const seen = `${text.replace(/\d[\d,.:-]*/g, '…')}\n`;
  if (process.env.CSELAB_PICTURES === 'write') {
    await page.screenshot({ path: picture });
    writeFileSync(words, seen);
  }
  rmSync(room, { recursive: true });
  expect(seen, 'fixtures/report.png is made anew with CSELAB_PICTURES=write').toBe(readFileSync(words, 'utf8'));
  const bytes = readFileSync(picture);
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1280, 900]);
  expect(bytes.length).toBeLessThan(200_000);
});
