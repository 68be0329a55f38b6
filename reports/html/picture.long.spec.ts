/** The picture of a report in the README. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from '@playwright/test';
import { expectPicture } from '../../.ci/pictures.ts';
import { check, lastOf } from '../../scenarios/index.ts';
import { createCse, serveHttp } from '../../sim/index.ts';
import { runDocument } from '../check/run-document.ts';
import { renderPage } from '../document/html.tsx';
import { skippedWithoutBrowser } from './testing/browser.ts';

const skipped = skippedWithoutBrowser();
test.skip(skipped !== undefined, skipped);
test.use({ viewport: { width: 1280, height: 900 }, colorScheme: 'light' });

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
  rmSync(room, { recursive: true });
  await expectPicture(page, 'report', seen);
});
