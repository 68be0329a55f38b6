/** Everybody can use the page: by keyboard, by ear, with few colours, on small and large screens. */
import type { Page } from '@playwright/test';
import { axeFindings, tabOrder } from '../../.ci/accessible.ts';
import { create, expect, needsBrowser, row, send, test } from './testing/console-fixture.ts';
import { contrastOf } from './testing/contrast.ts';
import type { WatchedPair } from './testing/watched-pair.ts';

needsBrowser();

/** Everything that the page has, one view after the other; `seen` is called at each. */
async function throughAll(page: Page, pair: WatchedPair, seen: (view: string) => Promise<void>): Promise<void> {
  const json = Buffer.from('{"celsius":21.5}').toString('base64');
  await page.goto(pair.url);
  await expect(row(page, /^mn-cse-1, CSE base/)).toBeVisible();
  await seen('nothing chosen');
  create(pair, 'onem2m', { 'm2m:cnt': { rn: 'room' } });
  for (const con of ['20', '22.5', json]) create(pair, 'onem2m/room', { 'm2m:cin': { con } });
  create(pair, 'onem2m', { 'm2m:sub': { rn: 'watch', nu: ['http://127.0.0.1:9'] } });
  await send(pair, 'GET', '/onem2m/room');
  await send(pair, 'GET', '/onem2m/nowhere');
  await row(page, /^room/).click();
  await expect(page.getByRole('img', { name: /^3 numbers/ })).toBeVisible();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('form').getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('form').getByRole('status')).toBeVisible();
  await seen('a container, a form and its answer');
  await page.getByRole('form').getByRole('textbox', { name: 'JSON' }).fill('no JSON');
  await page.getByRole('form').getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('form').getByRole('alert')).toBeVisible();
  await seen('a form and its complaint');
  await page.getByRole('option').filter({ hasText: 'nowhere' }).click();
  await expect(page.getByRole('figure', { name: 'Answer' })).toBeVisible();
  await seen('a message');
  await page.getByRole('tab', { name: 'Installation' }).click();
  await page.getByRole('searchbox', { name: 'Find a deviation' }).fill('creation time');
  await page.getByRole('switch').last().click();
  await page.getByRole('switch', { name: 'Unreachable' }).click();
  await page.getByRole('textbox', { name: 'Custom rule' }).fill('explode');
  await page.getByRole('button', { name: 'Add rule' }).click();
  await expect(page.getByRole('alert')).toContainText('explode');
  await seen('an installation with deviations, and a problem');
  await page.getByRole('searchbox', { name: 'Filter' }).fill('nothing like this');
  await expect(page.getByText('No message matches the filter')).toBeVisible();
  await seen('no message');
  await page.getByRole('searchbox', { name: 'Filter' }).fill('');
  await page.getByRole('button', { name: 'Pause clock' }).click();
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(page.getByText('The clock is paused')).toBeVisible();
  await seen('an overview with failures, and a clock that stands');
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`all texts have a contrast of 4.5 to 1 and more in the ${colorScheme} theme`, async ({ page, pair }) => {
    await page.emulateMedia({ colorScheme });
    await throughAll(page, pair, async (view) => {
      const { texts, low } = await contrastOf(page);
      expect(texts, view).toBeGreaterThan(20);
      expect(low, view).toEqual([]);
      expect(await axeFindings(page), view).toEqual([]);
    });
    await page.evaluate('document.querySelector("h1").style.color = "gray"');
    expect((await contrastOf(page)).low).toHaveLength(1);
  });
}

test('everything is reached by the Tab key, in the order of the page, and shows that it is', async ({ page, pair }) => {
  await throughAll(page, pair, async (view) => {
    const { reached, all } = await tabOrder(page);
    expect(all.length, view).toBeGreaterThan(10);
    expect(reached, view).toEqual(all);
  });
});

test('a form is closed by Escape, and the keyboard is where it was opened', async ({ page, pair }) => {
  await page.goto(pair.url);
  await row(page, /^mn-cse-1, CSE base/).click();
  const opens = page.getByRole('button', { name: 'Create', exact: true });
  await opens.press('Enter');
  await page.getByRole('form').getByRole('textbox', { name: 'JSON' }).press('Escape');
  await expect(page.getByRole('form', { name: /^Create/ })).toHaveCount(0);
  await expect(opens).toBeFocused();
});

test('messages and panels are chosen by the keyboard', async ({ page, pair }) => {
  await page.goto(pair.url);
  await expect(row(page, /^mn-cse-1, CSE base/)).toBeVisible();
  for (const name of ['one', 'two', 'three']) await send(pair, 'GET', `/onem2m/${name}`);
  const messages = page.getByRole('listbox', { name: /^Messages/ });
  await expect(messages.getByRole('option', { name: /GET \/onem2m\/three/ })).toBeVisible();
  await messages.focus();
  await page.keyboard.press('End');
  const panel = page.getByRole('tabpanel');
  await expect(panel.getByRole('heading', { name: 'GET /onem2m/three' })).toBeVisible();
  await page.keyboard.press('ArrowUp');
  await expect(panel.getByRole('heading', { name: 'GET /onem2m/two' })).toBeVisible();
  const chosen = messages.getByRole('option', { selected: true });
  await expect(chosen).toHaveAttribute('id', (await messages.getAttribute('aria-activedescendant')) ?? '');
  const [place, size] = [await chosen.getAttribute('aria-posinset'), await chosen.getAttribute('aria-setsize')];
  expect(Number(size) - Number(place)).toBe(1);
  await page.getByRole('tab', { name: 'Message' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Installation' })).toBeFocused();
  await expect(panel).toContainText('registered at in-cse-1');
});

interface Control {
  readonly textContent: string | null;
  /** Of a field. */
  readonly labels?: { readonly [at: number]: { querySelector(selector: string): Control | null } } | null;
}

/** Runs in the browser. */
const nameSeen = (one: Control): string => (one.labels?.[0]?.querySelector('span') ?? one).textContent ?? '';

test('every control has a name that can be seen, and what is empty says what to do', async ({ page, pair }) => {
  await page.goto(pair.url);
  await page.getByRole('button', { name: 'Clear list' }).click();
  await expect(page.getByText('None of the latest 1,000 messages has failed')).toBeVisible();
  await page.getByRole('tab', { name: 'Resource' }).click();
  await expect(page.getByText('Choose a resource to see what it holds')).toBeVisible();
  await page.getByRole('tab', { name: 'Message' }).click();
  await expect(page.getByText('Choose a message in the traffic')).toBeVisible();
  await page.getByRole('tab', { name: 'Installation' }).click();
  await expect(page.getByText('There is no subscription. Create one')).toBeVisible();
  await row(page, /^mn-cse-1, CSE base/).click();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  for (const panel of ['Overview', 'Resource', 'Installation']) {
    await page.getByRole('tab', { name: panel }).click();
    // The page is drawn in the next frame: what was there before has no more to say.
    await expect(page.getByRole('tabpanel', { name: panel })).toBeVisible();
    let controls = 0;
    for (const role of ['button', 'tab', 'switch', 'textbox', 'searchbox', 'combobox'] as const) {
      for (const one of await page.getByRole(role).all()) {
        // Of a field that is its label, whatever stands in it.
        const seen = await one.evaluate(nameSeen);
        expect(seen, `${role} in ${panel}`).toMatch(/\w/);
        await expect(one).toHaveAccessibleName(seen);
        controls += 1;
      }
    }
    expect(controls, panel).toBeGreaterThan(15);
  }
  for (const role of ['tree', 'treeitem', 'tablist', 'listbox', 'tabpanel', 'form'] as const)
    for (const one of await page.getByRole(role).all()) await expect(one).toHaveAccessibleName(/\w/);
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
    const isNarrow = width < 960;
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
