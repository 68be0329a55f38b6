/** Pictures of the README, and what their pages say: `CSELAB_PICTURES=write` makes both anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';

/** The text of the page is that kept beside the picture, which has the size of the page and is a small file. */
export async function expectPicture(page: Page, name: string, pageText: string): Promise<void> {
  const inFixtures = (file: string) => fileURLToPath(new URL(`../fixtures/${file}`, import.meta.url));
  const [picture, words] = [inFixtures(`${name}.png`), inFixtures(`${name}.txt`)];
  if (process.env.CSELAB_PICTURES === 'write') {
    await page.screenshot({ path: picture });
    writeFileSync(words, pageText);
  }
  expect(pageText, `fixtures/${name}.png is made anew with CSELAB_PICTURES=write`).toBe(readFileSync(words, 'utf8'));
  const bytes = readFileSync(picture);
  expect({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }).toEqual(page.viewportSize());
  expect(bytes.length).toBeLessThan(200_000);
}
