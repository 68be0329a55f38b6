import type { Route } from '@playwright/test';
import { startInbox } from '../inbox/start-inbox.ts';
import { create, expect, needsBrowser, row, send, test } from './testing/console-fixture.ts';

needsBrowser();
test.use({ installation: { gateways: 2 } });

test('both trees are there, and change as the CSEs do', async ({ page, pair }) => {
  await page.goto(pair.url);
  await expect(page.getByRole('status').filter({ hasText: 'live' })).toBeVisible();
  await expect(row(page, /^mn-cse-1, CSE base/)).toBeVisible();
  await expect(row(page, /^in-cse-1, CSE base/)).toBeVisible();
  create(pair, 'onem2m', { 'm2m:cnt': { rn: 'new' } });
  await expect(row(page, 'new, container')).toBeVisible();
  create(pair, 'onem2m/new', { 'm2m:cin': { con: '1' } });
  await expect(row(page, 'new, container, 1 child')).toBeVisible();
  pair.gateway.cse.core.perform({ operation: 'delete', to: 'onem2m/new' });
  await expect(row(page, /^new/)).toHaveCount(0);
});

test('what is created while a tree is read is shown', async ({ page, pair }) => {
  const total = page.getByText(/^[\d,]+ resources?$/);
  const meanwhile = async (route: Route) => {
    const response = await route.fetch();
    const before = await total.textContent();
    create(pair, 'onem2m', { 'm2m:cnt': { rn: 'meanwhile' } });
    await expect(total).not.toHaveText(before ?? '');
    await route.fulfill({ response });
  };
  await page.route('**/api/children?*', meanwhile, { times: 1 });
  await page.goto(pair.url);
  await expect(row(page, 'meanwhile, container')).toBeVisible();
});

test('the tree is used by the keyboard', async ({ page, pair }) => {
  create(pair, 'onem2m', { 'm2m:cnt': { rn: 'c' } });
  create(pair, 'onem2m/c', { 'm2m:cnt': { rn: 'inner' } });
  await page.goto(pair.url);
  await expect(row(page, /^c, container/)).toBeVisible();
  await page.getByRole('tree').focus();
  await page.keyboard.press('Home');
  await expect(row(page, /^mn-cse-1, CSE base/)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(row(page, /^c, container/)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowRight');
  await expect(row(page, /^inner/)).toHaveAttribute('aria-level', '3');
  await expect(row(page, /^c, container/)).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('ArrowLeft');
  await expect(row(page, /^inner/)).toHaveCount(0);
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Filter' })).toBeFocused();
});

test('a message is shown between its sender and receiver, is found by the filter, and opens', async ({
  page,
  pair,
}) => {
  await page.goto(pair.url);
  await expect(row(page, /^mn-cse-1/).first()).toBeVisible();
  await send(pair, 'POST', '/onem2m', { 'm2m:cnt': { rn: 'made' } });
  await send(pair, 'GET', '/~/in-cse-1/onem2m');
  await send(pair, 'GET', '/onem2m/nowhere');
  const messages = page.getByRole('option');
  await expect(messages.filter({ hasText: 'nowhere' })).toHaveAccessibleName(
    /applications to mn-cse-1: GET \/onem2m\/nowhere, 404 \(4004\) in/,
  );
  await expect(
    page.getByRole('option', { name: /mn-cse-1 to in-cse-1: GET \/~\/in-cse-1\/onem2m, 200/ }).first(),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Failed' }).click();
  await expect(messages).toHaveCount(1);
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await page.getByRole('searchbox', { name: 'Filter' }).fill('post 201 mn-cse-1 capp');
  await expect(messages).toHaveCount(1);
  await messages.click();
  await expect(page.getByRole('tab', { name: 'Message' })).toHaveAttribute('aria-selected', 'true');
  const panel = page.getByRole('tabpanel');
  await expect(panel.getByRole('heading', { name: 'POST /onem2m' })).toBeVisible();
  await expect(panel.getByRole('figure', { name: 'Request' })).toContainText('"rn": "made"');
  await expect(panel.getByRole('figure', { name: 'Answer' })).toContainText('2001');
  await page.getByRole('searchbox', { name: 'Filter' }).fill('nothing like this');
  await expect(page.getByText('No message matches the filter')).toBeVisible();
});

test('resources are created and deleted on the page, and content is decoded and drawn', async ({ page, pair }) => {
  await page.goto(pair.url);
  await row(page, /^mn-cse-1, CSE base/).click();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const form = page.getByRole('form');
  await form.getByRole('button', { name: 'container' }).click();
  await form.getByRole('textbox', { name: 'JSON' }).fill('{"m2m:cnt": ');
  await form.getByRole('button', { name: 'Create' }).click();
  await expect(form.getByRole('alert')).toContainText('This is not JSON');
  await form.getByRole('textbox', { name: 'JSON' }).fill('{"m2m:cnt": {"rn": "room"}}');
  await form.getByRole('button', { name: 'Create' }).click();
  await expect(form.getByRole('status')).toContainText('201 (2001)');
  await row(page, /^room/).click();
  const json = Buffer.from('{"celsius":21.5}').toString('base64');
  for (const con of ['20', '22.5', json]) create(pair, 'onem2m/room', { 'm2m:cin': { con } });
  await expect(page.getByRole('img', { name: '3 numbers from 20 to 22.5, the latest 21.5' })).toBeVisible();
  await page.getByRole('tree').focus();
  await page.keyboard.press('ArrowRight');
  await row(page, /instance$/)
    .last()
    .click();
  await expect(page.locator('.panel pre')).toHaveText('{\n  "celsius": 21.5\n}');
  await expect(page.getByText('JSON in base64')).toBeVisible();
  await page.getByRole('button', { name: 'Go to its parent' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(form).toContainText('This deletes /onem2m/room with 3 children and what is below');
  await form.getByRole('button', { name: 'Delete it' }).click();
  await expect(row(page, /^room/)).toHaveCount(0);
  await expect(page.getByText('It is gone.')).toBeVisible();
});

test('nothing is begun at a resource that is still shown while another is read', async ({ page, pair }) => {
  create(pair, 'onem2m', { 'm2m:cnt': { rn: 'room' } });
  await page.goto(pair.url);
  await row(page, /^room/).click();
  const remove = page.getByRole('button', { name: 'Delete', exact: true });
  await expect(remove).toBeEnabled();
  let goOn: () => void = () => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  await page.route('**/api/resource?*', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Go to its parent' }).click();
  await expect(remove).toBeDisabled();
  goOn();
  await expect(remove).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Create', exact: true })).toBeEnabled();
});

test('what was refused stays to be read, also when something that was begun before comes to its end', async ({
  page,
  pair,
}) => {
  const goOn: (() => void)[] = [];
  await page.route('**/api/disturbances', (route) =>
    goOn.length > 0 ? route.continue() : goOn.push(() => route.continue()),
  );
  await page.goto(pair.url);
  await page.getByRole('tab', { name: 'Installation' }).click();
  const delay = page.getByRole('switch', { name: 'Answers 200 ms late' });
  await delay.click();
  await page.getByRole('textbox', { name: 'Custom rule' }).fill('explode');
  const place = () => page.getByRole('tab', { name: 'Overview' }).boundingBox();
  const before = await place();
  await page.getByRole('button', { name: 'Add rule' }).click();
  await expect(page.getByRole('alert')).toContainText('explode');
  expect(await place(), 'what is clicked stays where it is').toEqual(before);
  goOn[0]?.();
  await expect(delay).toHaveAttribute('aria-checked', 'true');
  await expect(page.getByRole('alert')).toContainText('explode');
});

test('deviations and delays are switched on and off', async ({ page, pair }) => {
  create(pair, 'onem2m', { 'm2m:cnt': { rn: 'sized' } });
  await page.goto(pair.url);
  await page.getByRole('tab', { name: 'Installation' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('registered at in-cse-1');
  await page.getByRole('searchbox', { name: 'Find a deviation' }).fill('container.cbs.missing');
  const deviation = page.getByRole('switch', { name: 'container.cbs.missing' });
  await deviation.click();
  await expect(deviation).toHaveAttribute('aria-checked', 'true');
  const sized = async () => (await fetch(`${pair.gateway.url}/onem2m/sized`)).text();
  expect(await sized()).not.toContain('"cbs"');
  await deviation.click();
  await expect(deviation).toHaveAttribute('aria-checked', 'false');
  expect(await sized()).toContain('"cbs"');
  const delay = page.getByRole('switch', { name: 'Answers 200 ms late' });
  await delay.click();
  await expect(delay).toHaveAttribute('aria-checked', 'true');
  expect(pair.gateway.disturbances.rules.map(({ rule }) => rule.do)).toEqual([{ effect: 'latency', by: '200ms' }]);
  await page.getByRole('textbox', { name: 'Custom rule' }).fill('explode');
  await page.getByRole('button', { name: 'Add rule' }).click();
  await expect(page.getByRole('alert')).toContainText('explode');
  // What the page reads by itself takes nothing away that somebody has to read.
  create(pair, 'onem2m/sized', { 'm2m:sub': { rn: 'watch', nu: ['http://127.0.0.1:9'] } });
  await expect(page.getByRole('button', { name: '/onem2m/sized/watch' })).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('explode');
  await delay.click();
  await expect(delay).toHaveAttribute('aria-checked', 'false');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('the clock is paused and advanced', async ({ page, pair }) => {
  const et = new Date(pair.clock.now() / 1000 + 60_000).toISOString();
  create(pair, 'onem2m', { 'm2m:cnt': { rn: 'short', et } });
  await page.goto(pair.url);
  await expect(row(page, /^short/)).toBeVisible();
  await page.getByRole('button', { name: 'Pause clock' }).click();
  await expect(page.getByRole('button', { name: 'Resume clock' })).toBeVisible();
  expect(pair.clock.isGoing).toBe(false);
  const before = pair.clock.now();
  await page.getByRole('textbox', { name: 'Clock forward by' }).fill('2m');
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(row(page, /^short/)).toHaveCount(0);
  await expect.poll(() => pair.clock.now() - before).toBe(120 * 1_000_000);
  await expect(page.locator('#now')).toHaveText(
    new Date(pair.clock.now() / 1000).toISOString().slice(0, 19).replace('T', ' '),
  );
  await page.getByRole('button', { name: 'Resume clock' }).click();
  await expect(page.getByRole('button', { name: 'Pause clock' })).toBeVisible();
});

test('an answer that a later event overtakes does not turn the clock back', async ({ page, pair }) => {
  await page.goto(pair.url);
  await expect(row(page, /^mn-cse-1, CSE base/)).toBeVisible();
  await page.evaluate(`{
    const [words, clock] = [(globalThis.words = []), document.querySelector('.clock')];
    const changed = () => words.push(clock.textContent);
    new MutationObserver(changed).observe(clock, { subtree: true, characterData: true, childList: true });
  }`);
  await page.route('**/api/clock', async (route) => {
    const answer = await route.fetch();
    pair.clock.resume();
    create(pair, 'onem2m', { 'm2m:cnt': { rn: 'told-later' } });
    await expect(row(page, /^told-later/)).toBeVisible();
    await route.fulfill({ response: answer });
  });
  const answered = page.waitForResponse('**/api/clock');
  await page.getByRole('button', { name: 'Pause clock' }).click();
  await answered;
  await expect(page.getByRole('button', { name: 'Move', exact: true })).toBeEnabled();
  expect(await page.evaluate('words.filter((one) => one.includes("Resume"))')).toEqual([]);
});

test('resources are updated and notified on the page', async ({ page, pair }) => {
  await using inbox = await startInbox();
  create(pair, 'onem2m', { 'm2m:ae': { rn: 'app', api: 'N.app', rr: true, poa: [inbox.url] } });
  await page.goto(pair.url);
  await row(page, /^app, application/).click();
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  const form = page.getByRole('form');
  await form.getByRole('textbox', { name: 'JSON' }).fill('{"m2m:ae": {"lbl": ["seen"]}}');
  await form.getByRole('button', { name: 'Update' }).click();
  await expect(form.getByRole('status')).toContainText('200 (2004)');
  await expect(page.getByRole('tabpanel').getByText('[ "seen" ]', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Notify', exact: true }).click();
  await form.getByRole('button', { name: 'Notify' }).click();
  await expect(form.getByRole('status')).toContainText('200 (2000)');
  expect((await inbox.next({ within: '20s' })).subscription).toContain('onem2m/app/watch');
  await expect(page.getByRole('option', { name: /mn-cse-1 to applications: POST/ }).first()).toBeVisible();
});

test('a second gateway has a tree, a line in the picture and deviations of its own', async ({ page, pair }) => {
  const [, second] = pair.gateways;
  await page.goto(pair.url);
  await expect(row(page, /^mn-cse-2, CSE base/)).toBeVisible();
  await fetch(`${second?.url}/~/in-cse-1/onem2m`);
  await expect(page.getByRole('option', { name: /applications to mn-cse-2: GET/ }).first()).toBeVisible();
  await expect(page.getByRole('option', { name: /mn-cse-2 to in-cse-1: GET/ }).first()).toBeVisible();
  await page.getByRole('tab', { name: 'Installation' }).click();
  await page.getByRole('combobox', { name: 'CSE' }).selectOption('mn-cse-2');
  await page.getByRole('switch', { name: 'Unreachable' }).click();
  await expect(page.getByRole('switch', { name: 'Unreachable' })).toHaveAttribute('aria-checked', 'true');
  await expect(fetch(`${second?.url}/onem2m`)).rejects.toThrow();
  expect(await send(pair, 'GET', '/onem2m')).toBe(200);
});
