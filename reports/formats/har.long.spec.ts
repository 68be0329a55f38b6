/** The HTTP Archive of a run, as a real reader takes it: a page is served from it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { renderHar } from '../../scenarios/results.ts';
import { skippedWithoutBrowser } from '../html/testing/browser.ts';
import { sampleRun } from '../testing/sample-run.ts';

const skipped = skippedWithoutBrowser();
test.skip(skipped !== undefined, skipped);

test('a browser is answered from the archive as the CSE has answered', async ({ page }) => {
  const [sent] = sampleRun.scenarios
    .flatMap(({ steps }) => steps.flatMap(({ exchange }) => exchange ?? []))
    .filter(({ request, answer }) => request.method === 'POST' && answer?.status === 201);
  if (sent?.answer === undefined) throw new Error('the sample creates nothing');
  const directory = mkdtempSync(join(tmpdir(), 'cselab-har-'));
  const file = join(directory, 'exchanges.har');
  const own = { ...sampleRun, scenarios: sampleRun.scenarios.map((one) => ({ ...one, steps: [] })) };
  const [scenario] = own.scenarios;
  const home = { ...sent, request: { method: 'GET', path: '/', headers: [] }, at: 0 };
  const steps = [home, sent].map((exchange) => ({ phase: 'step', title: 'a', exchange, checks: [] }) as const);
  if (scenario === undefined) throw new Error('the sample has no scenario');
  writeFileSync(file, renderHar({ ...own, scenarios: [{ ...scenario, steps }] }));
  await page.routeFromHAR(file, { notFound: 'abort' });
  const { url } = sampleRun.target;
  await page.goto(`${url}/`);
  const { path: target, headers, body } = sent.request;
  const init = { method: 'POST', headers: Object.fromEntries(headers), ...(body !== undefined && { body }) };
  const answer = await page.evaluate(
    async ([address, given]) => {
      const response = await fetch(address, given);
      return { status: response.status, body: await response.text() };
    },
    [url + target, init] as const,
  );
  expect(answer).toEqual({ status: 201, body: sent.answer.body });
  await expect(page.evaluate(() => fetch('/nothing-of-it').then(() => 'served'))).rejects.toThrow('Failed to fetch');
  rmSync(directory, { recursive: true });
});
