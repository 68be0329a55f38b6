import { expect, type Page } from '@playwright/test';
import type { RunResult } from '../../scenarios/index.ts';
import { conformantRun, sampleRun } from '../testing/sample-run.ts';
import { skippedWithoutBrowser } from './testing/browser.ts';
import { test } from './testing/report-page.ts';

const skipped = skippedWithoutBrowser();
test.skip(skipped !== undefined, skipped);

/** One failure known, another one intermittent. */
function withMarks(result: RunResult): RunResult {
  const [known, intermittent] = result.requirements.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);
  const marks = (requirement: string) => ({
    ...(requirement === known && { known: { reason: 'vendor knows', ticket: 'GW-12', expires: '2027-03-31' } }),
    ...(requirement === intermittent && { intermittent: true }),
  });
  return {
    ...result,
    scenarios: result.scenarios.map((scenario) => ({
      ...scenario,
      steps: scenario.steps.map((step) => ({
        ...step,
        checks: step.checks.map((check) => ({ ...check, ...(check.state === 'failed' && marks(check.requirement)) })),
      })),
    })),
    requirements: result.requirements.map((one) => {
      if (one.id === known) return { ...one, known: true };
      return one.id === intermittent ? { ...one, verdict: 'intermittent' as const } : one;
    }),
  };
}

const row = (page: Page, id: string) => page.locator('details.row').filter({ has: page.locator(`[id="${id}"]`) });

test('what is violated is shown first, with request, answer and command line', async ({ page, open }) => {
  await open(sampleRun);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Not conformant: 3 documented requirements are violated',
  );
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Violated 3');
  const first = page.getByRole('article').filter({ hasText: 'ae.reachability-is-boolean' });
  await expect(first).toContainText('rr is the text "TRUE"');
  await expect(first.getByText('POST /onem2m', { exact: false }).last()).toBeVisible();
  await expect(first.getByText('curl -sS -i -X POST')).toBeVisible();
});

test('the index of failures leads to each of them', async ({ page, open }) => {
  await open(sampleRun);
  await page.locator('.index').getByRole('link', { name: 'ae.reachability-is-boolean' }).click();
  await expect(page.locator('[id="cause:ae.reachability-is-boolean"]')).toBeInViewport();
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });
  test('verdict, failures and sections can be read', async ({ page, open }) => {
    await open(sampleRun);
    await expect(page.getByRole('article').first()).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Wire conventions' })).toBeVisible();
    await expect(page.getByRole('searchbox')).toBeHidden();
  });
});

test('a report without violations begins with the sections', async ({ page, open }) => {
  await open(conformantRun);
  await expect(page.getByRole('tab', { selected: true })).toContainText('By section');
  await expect(page.getByRole('tab', { name: 'Violated' })).toHaveCount(0);
});

test('the search narrows every view and Esc widens it again', async ({ page, open }) => {
  await open(sampleRun);
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('STATE-tag');
  await expect(page.getByRole('tab')).toHaveText([
    'Violated 1',
    'By section 1',
    'By scenario 2',
    'Implementation-defined 0',
    'Not tested 0',
    'Timing',
    'This run',
  ]);
  await expect(page.getByRole('article')).toHaveCount(1);
  await page.getByRole('tab', { name: 'Implementation-defined' }).click();
  const nothing = page.getByRole('tabpanel', { name: 'Implementation-defined' }).getByText('Nothing here matches');
  await expect(nothing).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(nothing).toBeHidden();
  await expect(page.getByRole('tab', { name: 'By section' })).toHaveText('By section 17');
});

test('scenarios are found by the paths of their requests', async ({ page, open }) => {
  await open(sampleRun);
  await page.getByRole('searchbox').fill('/onem2m/nowhere');
  await page.getByRole('tab', { name: 'By scenario' }).click();
  await expect(page.locator('details.row:visible')).toHaveCount(1);
  await expect(row(page, 'scenario:gaps/errors/unknown-path')).toBeVisible();
});

test('verdicts and levels filter', async ({ page, open }) => {
  await open(sampleRun);
  await page.getByRole('tab', { name: 'By section' }).click();
  await page.getByRole('button', { name: '3 not testable' }).click();
  await expect(page.locator('details.row:visible')).toHaveCount(3);
  await page.getByRole('button', { name: '2 implementation-defined' }).click();
  await expect(page.locator('details.row:visible')).toHaveCount(5);
  await page.getByRole('button', { name: 'implementation-defined', exact: true }).click();
  await expect(page.locator('details.row:visible')).toHaveCount(2);
  await expect(page.getByRole('heading', { name: 'Wire conventions' })).toBeHidden();
});

test('a transcript opens, and the hostile text in it is only text', async ({ page, open }) => {
  await open(sampleRun);
  await page.getByRole('tab', { name: 'By scenario' }).click();
  const scenario = row(page, 'scenario:documented/content-instance/latest');
  await scenario.locator('> summary').click();
  await expect(scenario.locator('pre', { hasText: '</script><script>alert(1)</script>' }).last()).toBeVisible();
  await expect(scenario.locator('pre', { hasText: '\\x1b[31mred' }).last()).toBeVisible();
  await expect(scenario.locator('.steps > li')).toHaveCount(4);
  await expect(page.locator('script')).toHaveCount(1);
});

test('the line of the answer that failed is marked', async ({ page, open }) => {
  await open(sampleRun);
  await expect(page.getByRole('article').last().locator('mark')).toHaveText(['"rr": "TRUE",']);
});

test('known and intermittent failures stand apart, with what people wrote', async ({ page, open }) => {
  await open(withMarks(sampleRun));
  await expect(page.getByRole('tab', { name: /^(Violated|Intermittent|Known)/ })).toHaveText([
    'Violated 1',
    'Intermittent 1',
    'Known 1',
  ]);
  await page.getByRole('tab', { name: 'Known' }).click();
  await expect(page.getByRole('article').filter({ visible: true })).toContainText('GW-12, until 2027-03-31');
  await page.getByRole('tab', { name: 'Intermittent' }).click();
  await expect(page.getByRole('article').filter({ visible: true })).toContainText(
    'It passed as the scenario ran once more',
  );
});

test('what the run was checked by, and what it left, is reported', async ({ page, open }) => {
  const survey = { before: 12, after: 13, left: ['/onem2m/cl-1'], others: 0 };
  const ics = [{ id: 'PICS_GRP', name: 'groups', claim: 'no' as const }];
  await open({ ...sampleRun, survey, ics, notes: ['groups work though they are not claimed'] });
  await page.getByRole('tab', { name: 'This run' }).click();
  const panel = page.getByRole('tabpanel', { name: 'This run' });
  for (const text of [
    '12 resources before and 13 after',
    'left behind: /onem2m/cl-1',
    'groups PICS_GRP',
    'groups work though',
  ]) {
    await expect(panel).toContainText(text);
  }
  await page.getByRole('tab', { name: 'Timing' }).click();
  await expect(page.getByRole('tabpanel', { name: 'Timing' })).toContainText(/half of them within/);
});

test('the command line is copied', async ({ page, open, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(sampleRun);
  const copy = page.getByRole('article').first().getByRole('button', { name: 'Copy' });
  await copy.click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^curl -sS -i -X POST/);
});

test('a link to a requirement opens it', async ({ page, open }) => {
  await open(sampleRun, '#container.state-tag-is-text');
  await expect(page.getByRole('tab', { selected: true })).toContainText('By section');
  await expect(row(page, 'container.state-tag-is-text').locator('> summary')).toBeFocused();
  await expect(row(page, 'container.state-tag-is-text').getByText('st is the integer 0')).toHaveCount(3);
});

test('evidence leads to the step of its scenario, also past a filter', async ({ page, open }) => {
  await open(sampleRun, '#container.state-tag-is-text');
  await page.getByRole('searchbox').fill('state-tag-is-text returned');
  await page.getByRole('link', { name: 'A container is created below an AE, step 3' }).click();
  await expect(page.getByRole('tab', { selected: true })).toContainText('By scenario');
  await expect(page.locator('[id="scenario:documented/container/creates:3"]')).toBeInViewport();
  await page.goBack();
  await expect(page.getByRole('tab', { selected: true })).toContainText('By section');
});

test('tabs and rows are reached with the arrow keys', async ({ page, open }) => {
  await open(sampleRun);
  await page.getByRole('tab', { selected: true }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { selected: true })).toContainText('By section');
  await page.keyboard.press('/');
  await page.keyboard.press('ArrowDown');
  // Nothing failed in the first section: it is closed.
  await expect(row(page, 'wire.timestamps')).toBeHidden();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(row(page, 'wire.timestamps')).toHaveAttribute('open');
  await expect(row(page, 'wire.timestamps').getByText('no scenario that ran checks it')).toBeVisible();
});
