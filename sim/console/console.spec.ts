import { type Page, test as plain, expect as usually } from '@playwright/test';
import { startWatchedPair, type WatchedPair } from './watched-pair.ts';

/** A machine that does much beside takes its time. */
const expect = usually.configure({ timeout: 20_000 });

interface Fixtures {
  pair: WatchedPair;
  /** What the browser has complained of. */
  trouble: string[];
}

const test = plain.extend<Fixtures>({
  pair: async ({ browserName: _needed }, use) => {
    await using pair = await startWatchedPair();
    await use(pair);
    expect(pair.errors).toEqual([]);
  },
  trouble: [
    async ({ page, pair }, use) => {
      const trouble: string[] = [];
      // The browser says of each refusal that there was one; the page shows why.
      page.on('console', (message) => message.text().includes('status of 400') || trouble.push(message.text()));
      page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
      page.on('request', (request) => {
        if (!request.url().startsWith(pair.url)) trouble.push(`request: ${request.url()}`);
      });
      await use(trouble);
      expect(trouble).toEqual([]);
      await page.close();
    },
    { auto: true },
  ],
});

// The configuration of the tests names the browser that was found.
plain.beforeEach(({ browserName: _any }, { project }) => {
  const missing = project.use.launchOptions?.executablePath === undefined;
  const isRequired = (process.env.CSELAB_REQUIRE ?? '').split(/[\s,]+/).includes('browser');
  if (missing && isRequired) throw new Error('no Chromium');
  test.skip(missing, 'no Chromium');
});

const row = (page: Page, name: string | RegExp) => page.getByRole('treeitem', { name });

function create({ gateway }: WatchedPair, to: string, content: object): void {
  gateway.cse.core.perform({ operation: 'create', to, content });
}

async function send({ gateway }: WatchedPair, method: string, path: string, content?: object): Promise<number> {
  const headers = { 'content-type': 'application/vnd.onem2m-res+json', 'x-m2m-origin': 'Capp' };
  const body = content === undefined ? {} : { body: JSON.stringify(content) };
  return (await fetch(`${gateway.url}${path}`, { method, headers, ...body })).status;
}

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
  await expect(page.getByRole('searchbox', { name: 'Filter messages' })).toBeFocused();
});

test('a message is shown between those who exchange it, is found by the filter, and opens', async ({ page, pair }) => {
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
  await page.getByRole('searchbox', { name: 'Filter messages' }).fill('post 201 mn-cse-1 capp');
  await expect(messages).toHaveCount(1);
  await messages.click();
  await expect(page.getByRole('tab', { name: 'Message' })).toHaveAttribute('aria-selected', 'true');
  const panel = page.getByRole('tabpanel');
  await expect(panel.getByRole('heading', { name: 'POST /onem2m' })).toBeVisible();
  await expect(panel.getByRole('region', { name: 'Request' })).toContainText('"rn": "made"');
  await expect(panel.getByRole('region', { name: 'Answer' })).toContainText('2001');
  await page.getByRole('searchbox', { name: 'Filter messages' }).fill('nothing like this');
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
  await expect(page.locator('pre.content')).toHaveText('{\n  "celsius": 21.5\n}');
  await expect(page.getByText('JSON in base64')).toBeVisible();
  await page.getByRole('button', { name: 'Go to its parent' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(form).toContainText('This deletes /onem2m/room with 3 children and what is below');
  await form.getByRole('button', { name: 'Delete it' }).click();
  await expect(row(page, /^room/)).toHaveCount(0);
  await expect(page.getByText('It is gone.')).toBeVisible();
});

test('faults and delays are switched on and off', async ({ page, pair }) => {
  create(pair, 'onem2m', { 'm2m:cnt': { rn: 'sized' } });
  await page.goto(pair.url);
  await page.getByRole('tab', { name: 'Installation' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('registered at in-cse-1');
  await page.getByRole('searchbox', { name: 'Find a fault' }).fill('container.cbs.missing');
  const fault = page.getByRole('switch', { name: 'container.cbs.missing' });
  await fault.click();
  await expect(fault).toHaveAttribute('aria-checked', 'true');
  const sized = async () => (await fetch(`${pair.gateway.url}/onem2m/sized`)).text();
  expect(await sized()).not.toContain('"cbs"');
  await fault.click();
  await expect(fault).toHaveAttribute('aria-checked', 'false');
  expect(await sized()).toContain('"cbs"');
  const delay = page.getByRole('switch', { name: 'Answers 200 ms late' });
  await delay.click();
  await expect(delay).toHaveAttribute('aria-checked', 'true');
  expect(pair.gateway.breakage.rules.map(({ rule }) => rule.do)).toEqual([{ effect: 'latency', by: '200ms' }]);
  await page.getByRole('textbox', { name: 'A rule' }).fill('explode');
  await page.getByRole('button', { name: 'Add' }).click();
  await expect(page.getByRole('alert')).toContainText('explode');
  await delay.click();
  await expect(delay).toHaveAttribute('aria-checked', 'false');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('the clock is paused and moved forward', async ({ page, pair }) => {
  const et = new Date(pair.clock.now() / 1000 + 60_000).toISOString();
  create(pair, 'onem2m', { 'm2m:cnt': { rn: 'short', et } });
  await page.goto(pair.url);
  await expect(row(page, /^short/)).toBeVisible();
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByRole('button', { name: 'Go on' })).toBeVisible();
  expect(pair.clock.isGoing).toBe(false);
  const before = pair.clock.now();
  await page.getByRole('textbox', { name: /Forward by/ }).fill('2m');
  await page.getByRole('button', { name: 'Forward' }).click();
  await expect(row(page, /^short/)).toHaveCount(0);
  await expect.poll(() => pair.clock.now() - before).toBe(120 * 1_000_000);
  await expect(page.locator('#now')).toHaveText(
    new Date(pair.clock.now() / 1000).toISOString().slice(0, 19).replace('T', ' '),
  );
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
});

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
  await expect(page.getByText(/^1,000 messages/)).toBeVisible(patient);
  await page.getByRole('tree').focus();
  await page.keyboard.press('Home');
  await expect(row(page, /^mn-cse-1, CSE base/)).toHaveAttribute('aria-selected', 'true');
});

test('every control has a name, and what is empty says what to do', async ({ page, pair }) => {
  await page.goto(pair.url);
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByText('Choose a resource on the left')).toBeVisible();
  await page.getByRole('tab', { name: 'Installation' }).click();
  await expect(page.getByText('Nobody is told of anything. Create a subscription')).toBeVisible();
  for (const role of [
    'button',
    'tab',
    'textbox',
    'searchbox',
    'switch',
    'combobox',
    'tree',
    'treeitem',
    'tablist',
  ] as const) {
    for (const one of await page.getByRole(role).all()) await expect(one).toHaveAccessibleName(/\S/);
  }
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await expect(page.getByRole('main')).toHaveCount(1);
});

for (const [width, height] of [
  [390, 844],
  [1280, 800],
  [3840, 2160],
] as const) {
  test(`at ${width} pixels nothing has to be scrolled sideways`, async ({ page, pair }) => {
    await page.setViewportSize({ width, height });
    await page.goto(pair.url);
    const views = page.getByRole('navigation', { name: 'Views' }).getByRole('button');
    const isNarrow = width < 900;
    await expect(views.first()).toBeVisible({ visible: isNarrow });
    for (const name of isNarrow ? ['Resources', 'Traffic', 'Details'] : ['']) {
      if (isNarrow) await views.filter({ hasText: name }).click();
      const [whole, seen] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [
        number,
        number,
      ];
      expect(whole).toBeLessThanOrEqual(seen);
    }
  });
}
