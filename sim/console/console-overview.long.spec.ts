/** What the page shows before anything is chosen, and what it leaves out until somebody wants to see it. */
import { manualClock } from '../environment/clock.ts';
import { create, expect, needsBrowser, row, send, test } from './testing/console-fixture.ts';

needsBrowser();
test.use({ installation: async ({ browserName: _needed }, use) => use({ driver: manualClock(0) }) });

test('while nothing is chosen each CSE says how it is, and the latest failures lead to their messages', async ({
  page,
  pair,
}) => {
  await page.goto(pair.url);
  const gateway = page.getByRole('region', { name: 'mn-cse-1' });
  await expect(gateway).toContainText('registered at in-cse-1');
  await expect(gateway).toContainText(`${pair.gateway.url}`);
  await expect(gateway.getByText('Deviations')).toHaveCount(0);
  create(pair, 'onem2m', { 'm2m:cnt': { rn: 'one' } });
  const resources = pair.gateway.cse.core.tree.size;
  await expect(gateway.locator('div', { hasText: 'Resources' })).toHaveText(`Resources${resources}`);
  const panel = page.getByRole('tabpanel', { name: 'Overview' });
  await expect(panel).toContainText('None of the latest 1,000 messages has failed.');
  await send(pair, 'GET', '/onem2m/nowhere');
  await panel.getByRole('button', { name: 'GET /onem2m/nowhere' }).click();
  await expect(page.getByRole('tabpanel', { name: 'Message' })).toContainText('404, response status code 4004');
});

test.describe('over WebSocket', () => {
  test.use({ installation: async ({ browserName: _needed }, use) => use({ driver: manualClock(0), wire: 'ws' }) });

  test('a CSE says by which other wires it is reached, and each message shows its own, also on a narrow screen', async ({
    page,
    pair,
  }) => {
    await page.goto(pair.url);
    const gateway = page.getByRole('region', { name: 'mn-cse-1' });
    await expect(gateway).toContainText(`Also at${pair.gateway.wsUrl}`);
    const long = 'a'.repeat(80);
    await send(pair, 'GET', `/~/in-cse-1/onem2m/${long}`);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Traffic' }).click();
    const between = page.getByRole('option', { name: /mn-cse-1 to in-cse-1 over WebSocket: GET .*aaa/ });
    const [wire, edge] = await Promise.all([
      between.getByText('WebSocket', { exact: true }).boundingBox(),
      between.boundingBox(),
    ]);
    expect((wire?.x ?? 0) + (wire?.width ?? 0)).toBeLessThanOrEqual((edge?.x ?? 0) + (edge?.width ?? 0));
    await expect(page.getByRole('option', { name: /applications to mn-cse-1: GET .*aaa/ })).toBeVisible();
  });
});

test('what is switched on at a CSE, and how to get there, is in the overview', async ({ page, pair }) => {
  await page.goto(pair.url);
  const backend = page.getByRole('region', { name: 'in-cse-1' });
  await backend.getByRole('button', { name: 'Configure in-cse-1' }).click();
  await expect(page.getByRole('combobox', { name: 'CSE' })).toHaveValue('in-cse-1');
  await page.getByRole('searchbox', { name: 'Find a deviation' }).fill('container.cbs.missing');
  await page.getByRole('switch', { name: 'container.cbs.missing' }).click();
  await page.getByRole('switch', { name: 'Answers 2 s late' }).click();
  await page.getByRole('button', { name: 'Pause clock' }).click();
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(backend).toContainText('container.cbs.missing');
  await expect(backend.locator('div', { hasText: 'Disturbances' })).toHaveText('Disturbances1 rule');
  await expect(page.getByRole('tabpanel')).toContainText('The clock is paused');
});

test('heartbeats of a registration are hidden until a switch shows them, and one that fails is not', async ({
  page,
  pair,
}) => {
  await page.goto(pair.url);
  await expect(row(page, /^mn-cse-1, CSE base/)).toBeVisible();
  const heartbeats = page.getByRole('switch', { name: 'Heartbeats' });
  const asked = (status: number) =>
    page.getByRole('option', { name: new RegExp(`mn-cse-1 to in-cse-1: GET \\S+/onem2m/mn-cse-1, ${status}`) });
  await expect(page.getByRole('option', { name: /mn-cse-1 to in-cse-1: POST .+ 201/ })).toBeVisible();
  // While a clock is moved, one look is enough until something happens.
  await pair.clock.advance('12s');
  await expect(heartbeats).toHaveText('Heartbeats (1)');
  await pair.clock.advance('12s');
  await expect(heartbeats).toHaveText('Heartbeats (2)');
  await expect(heartbeats).toHaveAttribute('aria-checked', 'false');
  await expect(asked(200)).toHaveCount(0);
  await heartbeats.click();
  await expect(asked(200)).toHaveCount(2);
  await heartbeats.click();
  await expect(asked(200)).toHaveCount(0);
  pair.backend.cse.core.perform({ operation: 'delete', to: 'onem2m/mn-cse-1' });
  await pair.clock.advance('6s');
  await expect(asked(404)).toBeVisible();
  // An application that reads the same resource is no heartbeat.
  await send(pair, 'GET', '/~/in-cse-1/onem2m/mn-cse-1');
  await expect(asked(200)).toHaveCount(1);
});
