import type { Frame, Page } from '@playwright/test';
import axe from 'axe-core';

/** Violations that axe finds on a page and in its frames, of any origin: rules with their elements. */
export async function axeFindings(page: Page): Promise<string[]> {
  return (await Promise.all(page.frames().map(findingsIn))).flat();
}

async function findingsIn(frame: Frame): Promise<string[]> {
  await frame.evaluate(`${axe.source};undefined`);
  return frame.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(options: object): Promise<{ violations: Array<{ id: string; nodes: Array<{ html: string }> }> }>;
      };
    };
    const { violations } = await axe.run({ iframes: false });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 150)}`));
  });
}

/** Runs in the browser: elements that a pointer can use and that take focus; arrow keys move within lists and tabs. */
const usable = `[...document.querySelectorAll('button, input, select, textarea, summary, a[href], [tabindex]')]
  .filter((one) => one.checkVisibility() && !one.disabled && one.tabIndex >= 0)`;

/** The indexes of the elements that Tab reaches, in order, with their outlines; and what they should be. */
export async function tabOrder(page: Page) {
  const count = await page.evaluate<number>(`${usable}.length`);
  await page.evaluate(`{
    const reached = (globalThis.reached = []);
    document.removeEventListener('focusin', globalThis.noted);
    globalThis.noted = ({ target }) => reached.push([${usable}.indexOf(target), getComputedStyle(target).outlineStyle]);
    document.addEventListener('focusin', noted);
    document.body.tabIndex = -1;
    document.body.focus();
    reached.length = 0;
  }`);
  for (let at = 0; at < count; at += 1) await page.keyboard.press('Tab');
  const reached = await page.evaluate<ReadonlyArray<readonly [number, string]>>('reached');
  return { reached, all: Array.from({ length: count }, (_, at) => [at, 'solid'] as const) };
}
