/** A page of one origin, and a CSE behind what it requests. */
import type { Page } from '@playwright/test';
import { expect, type NearMiss, routeCse, test } from '../playwright.ts';

// The configuration of the tests names the browser that was found.
test.beforeEach(({ browserName: _any }, { project }) => {
  const missing = project.use.launchOptions?.executablePath === undefined;
  const isRequired = (process.env.CSELAB_REQUIRE ?? '').split(/[\s,]+/).includes('browser');
  if (missing && isRequired) throw new Error('no Chromium');
  test.skip(missing, 'no Chromium');
});

const gateway = 'http://gateway.example:8080';
const application = 'http://application.example';

/** The application's own server, which nobody has to start: a page, and 404 for everything else. */
test.beforeEach(async ({ page }) => {
  await page.route(`${application}/**`, (route) => {
    const isPage = new URL(route.request().url()).pathname === '/';
    return route.fulfill(
      isPage ? { contentType: 'text/html', body: '<title>A page</title>' } : { status: 404, body: 'the application' },
    );
  });
});

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** By the page's own fetch: status, response status code, names of all headers that it may read, and the body; or its error. */
function send(page: Page, url: string, sent: Sent = {}) {
  return page.evaluate(
    async ([url, sent]) => {
      const answer = await fetch(url, sent).catch((error: Error) => error.message);
      if (typeof answer === 'string') return { failed: answer };
      const { status, headers } = answer;
      return { status, rsc: headers.get('X-M2M-RSC'), names: [...headers.keys()], text: await answer.text() };
    },
    [url, sent] as const,
  );
}

const container = { method: 'POST', body: '{"m2m:cnt":{"rn":"data"}}' };
const json = { 'Content-Type': 'application/vnd.onem2m-res+json' };

test.describe('a page of another origin', () => {
  test.beforeEach(({ page }) => page.goto(application));

  test('sends what needs a preflight, and reads every header', async ({ page, cse }) => {
    await routeCse(page, cse, `${gateway}/`);
    const headers = { ...json, 'X-M2M-Origin': 'Cpage', 'X-M2M-RI': 'r-1' };
    const created = await send(page, `${gateway}/onem2m`, { ...container, headers });
    expect(created).toMatchObject({ status: 201, rsc: '2001' });
    expect(created.names).toEqual(expect.arrayContaining(['content-type', 'content-location', 'x-m2m-ri']));
    expect(await send(page, `${gateway}/onem2m/data`, { method: 'DELETE' })).toMatchObject({ status: 200 });
    await expect(cse).toHaveReceived({ method: 'POST', originator: 'Cpage', root: 'm2m:cnt', body: { rn: 'data' } });
    await expect(cse).not.toHaveReceived({ method: 'OPTIONS' });
  });

  test('hears of deviations, of refusals, and what 10,000 letters were stored', async ({ page, cse }) => {
    await routeCse(page, cse, gateway);
    await cse.seed('building');
    cse.deviate('ae.aei.missing');
    const { text } = await send(page, `${gateway}/onem2m/building`);
    expect(JSON.parse(text ?? '')['m2m:ae']).not.toHaveProperty('aei');
    expect(await send(page, `${gateway}/onem2m`, { ...container, body: '{', headers: json })).toMatchObject({
      status: 400,
    });
    const con = 'ä☃'.repeat(5_000);
    const body = JSON.stringify({ 'm2m:cin': { con, cnf: 'text/plain:0' } });
    await send(page, `${gateway}/onem2m/building/first-floor/temperature`, { method: 'POST', body, headers: json });
    expect(cse.tree.get('building/first-floor/temperature/latest').content).toBe(con);
  });

  test('finds nobody while the CSE is disconnected, and after it has gone', async ({ page, cse }) => {
    await page.route(`${gateway}/**`, (route) => route.fulfill({ status: 418 }));
    const routed = await routeCse(page, cse, gateway);
    routed.disconnect();
    expect(await send(page, `${gateway}/onem2m`)).toEqual({ failed: 'Failed to fetch' });
    routed.reconnect();
    expect(await send(page, `${gateway}/onem2m`)).toMatchObject({ status: 200 });
    await routed.unroute();
    expect(await send(page, `${gateway}/onem2m`)).toMatchObject({ status: 418 });
  });

  test('gets no false warning, and one for each near miss', async ({ page, cse }) => {
    const heard: NearMiss[] = [];
    await page.route('http://gateway.example:8081/**', (route) => route.fulfill({ status: 418 }));
    const routed = await routeCse(page, cse, gateway, { onNearMiss: (miss) => heard.push(miss) });
    expect(await send(page, 'http://gateway.example:8081/onem2m')).toMatchObject({ status: 418 });
    expect(await send(page, `${gateway}/oneM2M/app`)).toMatchObject({ status: 404, rsc: '4004' });
    expect(await send(page, `${application}/oneM2M`)).toMatchObject({ status: 404, text: 'the application' });
    expect(routed.nearMisses.map(({ kind, meant }) => [kind, meant])).toEqual([
      ['origin', `${gateway}/onem2m`],
      ['path', `${gateway}/onem2m/app`],
    ]);
    expect(heard).toEqual(routed.nearMisses);
  });
});

test('near misses are noted in the test that runs, each once', async ({ page, cse }, info) => {
  await page.goto(application);
  await routeCse(page, cse, gateway);
  for (const _time of [1, 2]) await send(page, `${gateway}/oneM2M`);
  expect(info.annotations).toEqual([
    {
      type: 'near miss',
      description: `GET ${gateway}/oneM2M: The CSE base is called onem2m, not oneM2M. Did you mean ${gateway}/onem2m?`,
    },
  ]);
});

test('a CSE at the origin of the page leaves the page its files', async ({ page, cse }) => {
  const { nearMisses } = await routeCse(page, cse, application);
  await page.goto(application);
  await expect(page).toHaveTitle('A page');
  expect(await send(page, '/onem2m')).toMatchObject({ status: 200, rsc: '2000' });
  expect(await send(page, '/data.json')).toMatchObject({ status: 404, text: 'the application' });
  expect(nearMisses).toEqual([]);
});

test('a CSE behind a path answers all pages of a context', async ({ context, page, cse }) => {
  await routeCse(context, cse, `${gateway}/behind/`);
  await page.goto(application);
  expect(await send(page, `${gateway}/behind/onem2m`)).toMatchObject({ status: 200 });
  const other = await context.newPage();
  await other.goto(`${gateway}/behind/onem2m`);
  await expect(other.locator('body')).toContainText('"m2m:cb"');
});

test('what is no place of a CSE is refused', async ({ page, cse }) => {
  await expect(routeCse(page, cse, 'gateway.example')).rejects.toThrow('is not where a CSE can be');
});

test.describe('with a clock that stands still', () => {
  test.use({ cselab: { clock: 'manual' } });

  test('a delayed answer comes when time has gone on', async ({ page, cse, clock }) => {
    await page.goto(application);
    const routed = await routeCse(page, cse, gateway);
    routed.delay('30s');
    expect(() => routed.delay('soon')).toThrow('no duration');
    let answered = false;
    const sending = send(page, `${gateway}/onem2m`).finally(() => {
      answered = true;
    });
    await expect(cse).toHaveReceived({ path: '/onem2m', status: 200 }, { within: '1s' });
    await clock.advance('29s');
    expect(answered).toBe(false);
    routed.delay(0);
    await clock.advance('1s');
    expect(await sending).toMatchObject({ status: 200 });
  });
});
