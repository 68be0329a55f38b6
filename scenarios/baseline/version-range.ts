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

/** What the order of a version and a bound has to be; without an operator only the parts of the bound count. */
const operators: ReadonlyMap<string | undefined, (order: number) => boolean> = new Map([
  ['>=', (order) => order >= 0],
  ['>', (order) => order > 0],
  ['<', (order) => order < 0],
  ['<=', (order) => order <= 0],
]);
const isEqual = (order: number) => order === 0;

function holds(version: string, text: string): boolean {
  const [, operator, bound = ''] = term.exec(text) ?? [];
  const [parts, bounds] = [partsOf(version), partsOf(bound)];
  const counting = operator === undefined ? parts.slice(0, bounds.length) : parts;
  return (operators.get(operator) ?? isEqual)(compare(counting, bounds));
}

function partsOf(version: string): string[] {
  return version.replace(/^v/, '').split(/[.+_-]/);
}

/** A part that is missing counts as 0. */
function compare(a: readonly string[], b: readonly string[]): number {
  const orders = Array.from({ length: Math.max(a.length, b.length) }, (_, at) =>
    compareParts(a[at] ?? '0', b[at] ?? '0'),
  );
  return orders.find((order) => order !== 0) ?? 0;
}

function compareParts(a: string, b: string): number {
  if (/^\d+$/.test(a) && /^\d+$/.test(b)) return Number(a) - Number(b);
  return a === b ? 0 : a < b ? -1 : 1;
}
