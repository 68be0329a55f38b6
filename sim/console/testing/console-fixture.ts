/** What the tests of the page share: an installation, the page, and what the browser complains of. */
import { type Page, test as plain, expect as usually } from '@playwright/test';
import { startWatchedPair, type WatchedPair, type WatchedPairOptions } from './watched-pair.ts';

/** A machine that does much beside takes its time. */
export const expect = usually.configure({ timeout: 20_000 });

interface Fixtures {
  /** What is started; a gateway by the system's time unless a file says otherwise. */
  installation: WatchedPairOptions;
  pair: WatchedPair;
  /** What the browser has complained of. */
  trouble: string[];
}

export const test = plain.extend<Fixtures>({
  installation: [{}, { option: true }],
  pair: async ({ installation }, use) => {
    await using pair = await startWatchedPair(installation);
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

/** The configuration of the tests names the browser that was found. To be called by every file of tests. */
export function needsBrowser(): void {
  plain.beforeEach(({ browserName: _any }, { project }) => {
    const missing = project.use.launchOptions?.executablePath === undefined;
    const isRequired = (process.env.CSELAB_REQUIRE ?? '').split(/[\s,]+/).includes('browser');
    if (missing && isRequired) throw new Error('no Chromium');
    test.skip(missing, 'no Chromium');
    test.setTimeout(90_000);
  });
}

export const row = (page: Page, name: string | RegExp) => page.getByRole('treeitem', { name });

export function create({ gateway }: WatchedPair, to: string, content: object): void {
  gateway.cse.core.perform({ operation: 'create', to, content });
}

export async function send({ gateway }: WatchedPair, method: string, path: string, content?: object): Promise<number> {
  const headers = { 'content-type': 'application/vnd.onem2m-res+json', 'x-m2m-origin': 'Capp' };
  const body = content === undefined ? {} : { body: JSON.stringify(content) };
  return (await fetch(`${gateway.url}${path}`, { method, headers, ...body })).status;
}
