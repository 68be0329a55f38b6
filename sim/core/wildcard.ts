/** True when the text matches the pattern, where `*` is any characters and `?` one. Fast for every pattern. */
export function fitsWildcard(text: string, pattern: string): boolean {
  let at = 0;
  let inPattern = 0;
  /** Where to continue when what follows the latest `*` does not match. */
  let afterStar = -1;
  let retryAt = 0;
  while (at < text.length) {
    const expected = pattern[inPattern];
    if (expected === '*') {
      afterStar = ++inPattern;
      retryAt = at;
    } else if (expected === '?' || (expected !== undefined && expected === text[at])) {
      at++;
      inPattern++;
    } else if (afterStar >= 0) {
      inPattern = afterStar;
      at = ++retryAt;
    } else return false;
  }
  while (pattern[inPattern] === '*') inPattern++;
  return inPattern === pattern.length;
}
