/** `check --ui` in a real browser: what a scenario asks a person is answered on the page. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect as atOnce, test } from '@playwright/test';
import { faintTexts } from '../../fixtures/testing/contrast.ts';
import { createCse, serveHttp } from '../../sim/index.ts';
import { skippedWithoutBrowser } from '../html/testing/browser.ts';
import { openUi } from './serve-ui.ts';

const skipped = skippedWithoutBrowser();
const expect = atOnce.configure({ timeout: 20_000 });

const file = `feature: own
scenarios:
  seen:
    title: A person sees it
    steps:
      - ask: What does the <b>display</b> show?
        answer: shown
      - advance: 2h
        countdown: The gateway restarts
      - ask: Which came with it?
        answer: shipped
        choice: [both, none]
        check: { ssl.pre-shipped: { answer: both } }
      - ask: Hand in the log.
        answer: log
        upload: file
`;

test.skip(skipped !== undefined, skipped);

test('a text, a countdown, a choice and a file are answered with the keyboard, and stand in the report', async ({
  page,
  request,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'cselab-asked-'));
  const path = join(folder, 'own.yaml');
  writeFileSync(path, file);
  const target = await serveHttp(createCse().http);
  const choice = { kind: 'url', url: target.url, waitBudget: 1e7 } as const;
  const ui = await openUi(() => ({ ids: [path], target: choice }), 0, join(folder, 'out'));
  await page.goto(ui.url);
  await page.getByRole('button', { name: 'Run all' }).click();
  const asked = page.getByRole('region', { name: 'Question to you' });
  await expect(asked).toContainText('What does the <b>display</b> show?');
  expect(await page.evaluate(faintTexts)).toEqual([]);
  await asked.getByRole('button', { name: 'Answer' }).click();
  await expect(page.getByRole('alert')).toContainText('an answer cannot be empty');
  await asked.getByLabel('Answer', { exact: true }).fill('<i>42</i>');
  await page.keyboard.press('Enter');
  await expect(asked.getByRole('timer')).toHaveText(/^7\d{3} s left$/);
  const refused = await request.post(`${ui.url}/api/answer`, { data: { number: 2 } });
  expect(refused.status()).toBe(403);
  await asked.getByRole('button', { name: 'Continue' }).press('Enter');
  await asked.getByRole('button', { name: 'both' }).press('Enter');
  const field = asked.getByLabel('File, 4 MiB at most');
  await field.setInputFiles({ name: 'large', mimeType: 'text/plain', buffer: Buffer.alloc(4 * 1024 * 1024 + 1) });
  await asked.getByRole('button', { name: 'Hand in' }).click();
  await expect(page.getByRole('alert')).toContainText('4 MiB at most');
  await field.setInputFiles({ name: 'the log.html', mimeType: 'text/html', buffer: Buffer.from('<script>1</script>') });
  await asked.getByRole('button', { name: 'Hand in' }).press('Enter');
  await expect(page.getByText('Run 1:')).toBeVisible();
  await expect(asked).toHaveCount(0);
  const report = page.frameLocator('iframe');
  await report.getByRole('tab', { name: 'This run' }).click();
  await expect(report.getByText(/show\? "<i>42<\/i>", by .* on the page/)).toBeVisible();
  const written = readFileSync(join(folder, 'out', 'answers.yaml'), 'utf8');
  expect(written).toContain('answer: <i>42</i>');
  expect(readdirSync(join(folder, 'out', 'uploads'))).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.html$/)]);
  await ui.close();
  await target.close();
  rmSync(folder, { recursive: true });
});
