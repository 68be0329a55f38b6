/** `check --ui` in a real browser: what is chosen, run, read, changed, kept and compared there. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect as atOnce, test as base } from '@playwright/test';
import { axeFindings, tabOrder } from '../../.ci/accessible.ts';
import { faintTexts } from '../../fixtures/testing/contrast.ts';
import { createCse, serveHttp } from '../../sim/index.ts';
import { skippedWithoutBrowser } from '../html/testing/browser.ts';
import { openUi } from './serve-ui.ts';

interface TestSession {
  readonly url: string;
  readonly file: string;
  readonly baseline: string;
  /** Tells the page that files have changed. */
  changed(): void;
}

const skipped = skippedWithoutBrowser();
/** A run takes its time. */
const expect = atOnce.configure({ timeout: 20_000 });

const scenario = (status: number) => `feature: own
scenarios:
  base:
    title: An application entity is created
    steps:
      - create: ae
        in: /\${base}
        attributes: { rn: "\${name}", api: org.example.weather, rr: "TRUE" }
        check: { ae.create.status: { status: ${status} } }
`;

const test = base.extend<{ session: TestSession }>({
  session: async ({ page }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'cselab-ui-'));
    const [file, baseline] = [join(folder, 'own.yaml'), join(folder, 'known.yaml')];
    writeFileSync(file, scenario(201));
    const target = await serveHttp(createCse({ deviations: ['container.ty.text'] }).http);
    const trouble: string[] = [];
    page.on('console', (message) => trouble.push(message.text()));
    page.on('pageerror', (error) => trouble.push(error.message));
    const ui = await openedFor(file, baseline, target.url);
    await use({ url: ui.url, file, baseline, changed: () => ui.changed() });
    await page.close();
    await ui.close();
    await target.close();
    // A file with a mistake in it is a refusal, which the page tells.
    expect(trouble.filter((text) => !text.includes('status of 422'))).toEqual([]);
    rmSync(folder, { recursive: true });
  },
});

test.skip(skipped !== undefined, skipped);

async function openedFor(file: string, baseline: string, url: string) {
  const ids = [file, 'documented/container/create', 'documented/ae/create'];
  return openUi(() => ({ ids, target: { kind: 'url', url }, baseline: { file: baseline } }), 0, dirname(file));
}

test('what is chosen is run, and its report tells what failed, in a frame in which answers can do nothing', async ({
  page,
  session,
}) => {
  await page.goto(session.url);
  await page.getByRole('button', { name: 'Run all' }).click();
  const report = page.frameLocator('iframe');
  await expect(report.getByRole('heading', { level: 1 })).toContainText('Not conformant');
  await expect(report.getByText('curl -i -X POST').first()).toBeVisible();
  await expect(page).toHaveTitle('cselab check');
  await expect(page.getByText('failed', { exact: true })).toHaveCount(2);
  await page.getByRole('combobox', { name: 'State' }).selectOption('failed');
  await expect(page.getByRole('button', { name: /^Run documented|^Run .*base/ })).toHaveCount(1);
  await page.getByRole('combobox', { name: 'State' }).selectOption('all');
  await page.getByRole('combobox', { name: 'Cause' }).selectOption('container.ty');
  await expect(page.getByRole('button', { name: 'Run documented/container/create' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Run documented/ae/create' })).toHaveCount(0);
});

test('a link leads to a scenario of a run, and back', async ({ page, session }) => {
  await page.goto(session.url);
  await page.getByRole('button', { name: 'Run documented/ae/create' }).click();
  await page.getByRole('button', { name: 'create', exact: true }).first().click();
  await expect(page).toHaveURL(/#view=report&run=1&scenario=documented%2F/);
  const address = page.url();
  await page.goto('about:blank');
  await page.goto(address);
  const scenario = page.frameLocator('iframe').locator('details.row[open]');
  await expect(scenario.locator('.steps > li').first()).toBeVisible();
});

test('a scenario of the user is changed and run again; a mistake is shown with its place', async ({
  page,
  session,
}) => {
  await page.goto(session.url);
  await page.getByRole('button', { name: 'base', exact: true }).click();
  await page.getByRole('tab', { name: 'Scenario file' }).click();
  const text = page.getByRole('textbox', { name: 'Scenario file' });
  await expect(text).toHaveValue(/status: 201/);
  await text.fill(scenario(202));
  await page.getByRole('button', { name: 'Save and run' }).click();
  await expect.poll(() => readFileSync(session.file, 'utf8')).toContain('status: 202');
  await page.getByRole('tab', { name: 'Report' }).click();
  await expect(page.frameLocator('iframe').getByRole('heading', { level: 1 })).toContainText(
    '1 documented requirement',
  );
  await page.getByRole('tab', { name: 'Scenario file' }).click();
  await text.fill('feature: own\nscenarios:\n  base:\n    steps:\n      - fetch: /x\n');
  await page.getByRole('button', { name: 'Save and run' }).click();
  await expect(page.getByRole('alert')).toContainText(/own\.yaml:5:9/);
  await page.getByRole('alert').getByRole('button', { name: 'own.yaml:5:9' }).click();
  const marked = await text.evaluate(
    (area: HTMLTextAreaElement) => area.value.slice(area.selectionStart).split(':')[0],
  );
  expect(marked).toBe('fetch');
  await text.fill(scenario(201));
  await page.getByRole('button', { name: 'Save and run' }).click();
  await expect.poll(() => readFileSync(session.file, 'utf8')).toContain('status: 201');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('what the grammar allows is offered at the caret, and taken by keyboard or pointer', async ({ page, session }) => {
  await page.goto(session.url);
  await page.getByRole('button', { name: 'base', exact: true }).click();
  await page.getByRole('tab', { name: 'Scenario file' }).click();
  const text = page.getByRole('textbox', { name: 'Scenario file' });
  const options = page.getByRole('listbox', { name: 'Offered' }).getByRole('option');
  await text.fill('feature: own\nscenarios:\n  base:\n    title: one\n    steps:\n      - retr');
  await text.press('Control+Space');
  await expect(options).toContainText(['retrieve:']);
  await expect(text).toHaveAttribute('aria-activedescendant', (await options.first().getAttribute('id')) ?? '');
  expect(await axeFindings(page)).toEqual([]);
  expect((await text.boundingBox())?.height).toBeGreaterThan(300);
  await text.press('Escape');
  await page.setViewportSize({ width: 390, height: 800 });
  await text.press('Control+Space');
  await expect(options).toContainText(['retrieve:']);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  await text.press('Enter');
  await text.pressSequentially('/${base}\n        check: { container.cni.');
  await text.press('Control+Space');
  await expect(options.nth(1)).toBeVisible();
  await text.press('ArrowDown');
  const second = options.nth(1);
  await expect(second).toHaveAttribute('aria-selected', 'true');
  const id = (await second.locator('b').textContent()) ?? '';
  expect(id).toMatch(/^container\.cni\./);
  await second.click();
  await expect(text).toBeFocused();
  await text.pressSequentially('{ sta');
  await text.press('Control+Space');
  await text.press('t');
  await expect(options).toContainText(['status:']);
  await text.press('Escape');
  await expect(options).toHaveCount(0);
  await expect(text).toHaveValue(new RegExp(`- retrieve: /\\$\\{base\\}\n        check: \\{ ${id} \\{ stat$`));
  await text.press('Control+z');
  await expect(text).not.toHaveValue(/stat$/);
});

test('one of the package is shown and not written', async ({ page, session }) => {
  await page.goto(`${session.url}/#view=source&scenario=documented/ae/create`);
  await expect(page.getByRole('textbox', { name: 'Scenario file' })).not.toBeEditable();
  await expect(page.getByRole('button', { name: 'Save and run' })).toHaveCount(0);
});

test('failures are kept as known, and runs are compared', async ({ page, session }) => {
  await page.goto(session.url);
  const heading = page.frameLocator('iframe').getByRole('heading', { level: 1 });
  await page.getByRole('button', { name: 'Run all' }).click();
  await expect(heading).toContainText('Not conformant');
  await page.getByRole('button', { name: 'Keep its failures as known' }).click();
  await expect(page.getByRole('status')).toContainText(/\d added to .*known\.yaml/);
  expect(readFileSync(session.baseline, 'utf8')).toContain('requirement: container.ty');
  await page.getByRole('button', { name: 'Run all' }).click();
  await expect(heading).not.toContainText('Not conformant');
  await page.getByRole('tab', { name: 'Runs' }).click();
  await page.getByRole('checkbox', { name: 'Compare run 1' }).check();
  await page.getByRole('checkbox', { name: 'Compare run 2' }).check();
  await expect(page.frameLocator('iframe').getByText('container.ty').first()).toBeVisible();
});

test('when a file changes what ran last runs again, where that is wanted', async ({ page, session }) => {
  await page.goto(session.url);
  await page.getByRole('checkbox', { name: 'Run again when a file changes' }).check();
  await page
    .getByRole('button', { name: 'Run base' })
    .or(page.getByRole('button', { name: /^Run \S*base$/ }))
    .click();
  await expect(page.getByText('Run 1:')).toBeVisible();
  writeFileSync(session.file, scenario(204));
  session.changed();
  await expect(page.getByText('Run 2:')).toBeVisible();
});

test('nobody else may have anything done', async ({ request, session }) => {
  const url = `${session.url}/api/run`;
  expect((await request.post(url, { data: { ids: [] } })).status()).toBe(403);
  const headers = { host: 'gateway.example' };
  expect((await request.get(`${session.url}/api/scenarios`, { headers })).status()).toBe(403);
});

test('everything is done by the keyboard alone, which shows where it is', async ({ page, session }) => {
  test.setTimeout(60_000);
  await page.goto(session.url);
  await expect(page.getByRole('button', { name: 'base', exact: true })).toBeVisible();
  const ordered = async () => {
    const { reached, all } = await tabOrder(page);
    expect(all.length).toBeGreaterThan(10);
    expect(reached).toEqual(all);
  };
  await ordered();
  await page.getByRole('checkbox', { name: /^Mark \S*base$/ }).press('Space');
  const runs = page.getByRole('button', { name: 'Run 1 marked' });
  await runs.press('Enter');
  await expect(page.getByText('Run 1:')).toBeVisible();
  await expect(runs).toBeFocused();
  const base = page.getByRole('button', { name: 'base', exact: true });
  await base.press('Enter');
  await expect(page.frameLocator('iframe').locator('details.row[open]')).toBeVisible();
  await expect(base).toBeFocused();
  await page.getByRole('tab', { selected: true }).press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Scenario file' })).toBeFocused();
  await expect(page.getByRole('textbox', { name: 'Scenario file' })).toHaveValue(/status: 201/);
  await ordered();
  await page.getByRole('tab', { selected: true }).press('ArrowRight');
  await page.getByRole('checkbox', { name: 'Compare run 1' }).press('Space');
  await ordered();
});

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(colorScheme, () => {
    test.use({ colorScheme });
    test('axe finds nothing, whatever is looked at', async ({ page, session }) => {
      test.setTimeout(120_000);
      const seen = async (what: string) => expect.soft(await axeFindings(page), what).toEqual([]);
      const underWay = JSON.stringify({ underWay: { planned: 3, finished: 1 } });
      const body = `data: ${underWay}\n\n`;
      await page.route('**/events', (route) => route.fulfill({ contentType: 'text/event-stream', body }));
      await page.goto(session.url);
      await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
      await seen('a run, of which nothing more is heard');
      await page.unroute('**/events');
      await page.reload();
      await expect(page.getByRole('button', { name: 'base', exact: true })).toBeVisible();
      await seen('nothing has run');
      await page.getByRole('button', { name: 'Run all' }).click();
      await expect(page.frameLocator('iframe').getByRole('heading', { level: 1 })).toContainText('Not conformant');
      await expect(page.getByRole('button', { name: 'Run all' })).toBeVisible();
      await seen('a report');
      await page.getByRole('tab', { name: 'Scenario file' }).click();
      await expect(page.getByText('Choose a scenario.')).toBeVisible();
      await seen('no file');
      await page.getByRole('tab', { name: 'Runs' }).click();
      await expect(page.getByRole('checkbox', { name: 'Compare run 1' })).toBeVisible();
      await seen('runs');
      await page.getByRole('button', { name: 'Run documented/ae/create' }).click();
      await page.getByRole('checkbox', { name: 'Compare run 1' }).check();
      await page.getByRole('checkbox', { name: 'Compare run 2' }).check();
      await expect(page.frameLocator('iframe').getByRole('heading', { level: 1 })).toBeVisible();
      await seen('two runs beside each other');
      await page.getByRole('button', { name: 'base', exact: true }).click();
      await page.getByRole('tab', { name: 'Scenario file' }).click();
      await page.getByRole('textbox', { name: 'Scenario file' }).fill('feature: 1');
      await page.getByRole('button', { name: 'Save and run' }).click();
      await expect(page.getByRole('alert')).toBeVisible();
      await seen('a file with a mistake');
    });
    for (const width of [390, 768, 1440])
      test(`at ${width} pixels nothing is cut off, and all can be read`, async ({ page, session }) => {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(session.url);
        await page.getByRole('button', { name: 'Run all' }).click();
        await expect(page.getByText('Run 1:')).toBeVisible();
        expect(await page.evaluate(faintTexts)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      });
  });
