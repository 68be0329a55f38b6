/** Contrast of texts on a page, as WCAG 2.2 (1.4.3) counts it. */
import type { Page } from '@playwright/test';

/** Of text that is not large; all of it is judged so. */
const least = 4.5;

interface VisibleText {
  readonly text: string;
  readonly color: string;
  /** From the element itself outwards. */
  readonly backgrounds: readonly string[];
}

type Colour = readonly [red: number, green: number, blue: number, alpha: number];

/** Runs in the browser: what is there to be read, placeholders and values of fields too; what is disabled need not be legible. */
const visibleTexts = `[...document.querySelectorAll('body *')].flatMap((element) => {
  if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || element.disabled) return [];
  const own = [...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ textContent }) => textContent.trim()).join(' ').trim();
  const isEmptyField = element.value === '' && element.placeholder;
  const text = own || (isEmptyField ? element.placeholder : element.value);
  if (!text) return [];
  const backgrounds = [];
  for (let at = element; at !== null; at = at.parentElement) backgrounds.push(getComputedStyle(at).backgroundColor);
  return [{ text: String(text), color: getComputedStyle(element, isEmptyField ? '::placeholder' : undefined).color, backgrounds }];
})`;

/** How many texts are on the page, and a line for each that is hard to read. */
export async function contrastOf(page: Page): Promise<{ readonly texts: number; readonly low: readonly string[] }> {
  const seen = await page.evaluate<VisibleText[]>(visibleTexts);
  const low = seen.flatMap(({ text, color, backgrounds }) => {
    const behind = [...backgrounds].reverse().map(colour).reduce(over, [255, 255, 255, 1]);
    const ratio = contrast(over(behind, colour(color)), behind);
    return ratio >= least ? [] : [`${ratio.toFixed(2)}: ${text.slice(0, 40)} (${color} on ${behind.join(' ')})`];
  });
  return { texts: seen.length, low: [...new Set(low)] };
}

/** `rgb(1, 2, 3)` or `rgba(1, 2, 3, 0.5)`. */
function colour(text: string): Colour {
  const [red, green, blue, alpha = 1] = (text.match(/[\d.]+/g) ?? []).map(Number);
  if (!text.startsWith('rgb') || red === undefined || green === undefined || blue === undefined) {
    throw new TypeError(`${text} is no colour that is known here`);
  }
  return [red, green, blue, alpha];
}

function over(behind: Colour, [red, green, blue, alpha]: Colour): Colour {
  const mixed = (before: number, one: number) => before * (1 - alpha) + one * alpha;
  return [mixed(behind[0], red), mixed(behind[1], green), mixed(behind[2], blue), 1];
}

function contrast(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance([red, green, blue]: Colour): number {
  const linear = (part: number) => (part <= 10.31475 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
