/**
 * Ranges of versions, as baselines write them: `1.2` (1.2 and whatever begins so, such as 1.2.5), or bounds of which all have to
 * hold, such as `>=1.2 <2`. Versions in the field follow no one scheme: their parts are compared as numbers where both are
 * numbers, else as texts, and a `v` before them means nothing.
 */
const term = /^(>=|<=|>|<|=)?v?(\d[0-9A-Za-z.+_-]*)$/;

export function isRange(text: string): boolean {
  const terms = termsOf(text);
  return terms.length > 0 && terms.every((one) => term.test(one));
}

/** Whether a version lies in one of the ranges; they are such that `isRange` holds. */
export function inRange(version: string, ranges: string | readonly string[]): boolean {
  return [ranges].flat().some((range) => termsOf(range).every((one) => holds(version, one)));
}

function termsOf(range: string): string[] {
  return range
    .replace(/([<>=])\s+/g, '$1')
    .split(/\s+/)
    .filter((one) => one !== '');
}

function holds(version: string, text: string): boolean {
  const [, operator, bound = ''] = term.exec(text) ?? [];
  const order = compare(partsOf(version), partsOf(bound));
  switch (operator) {
    case '>=':
      return order >= 0;
    case '>':
      return order > 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '=':
      return order === 0;
    default:
      return compare(partsOf(version).slice(0, partsOf(bound).length), partsOf(bound)) === 0;
  }
}

function partsOf(version: string): string[] {
  return version.replace(/^v/, '').split(/[.+_-]/);
}

/** A part that is missing counts as 0. */
function compare(a: readonly string[], b: readonly string[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const order = compareParts(a[at] ?? '0', b[at] ?? '0');
    if (order !== 0) return order;
  }
  return 0;
}

function compareParts(a: string, b: string): number {
  const numbers = /^\d+$/.test(a) && /^\d+$/.test(b);
  if (numbers) return Number(a) - Number(b);
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
