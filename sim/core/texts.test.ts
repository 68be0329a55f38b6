import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { millisecondsOf } from './numbers.ts';
import { fitsWildcard } from './wildcard.ts';

const day = 86_400_000;
const durations: readonly (readonly [string, number | undefined])[] = [
  ...([
    ['P1Y', 365 * day],
    ['P2M', 60 * day],
    ['P3W', 21 * day],
    ['P4D', 4 * day],
  ] as const),
  ...([
    ['PT5H', 18_000_000],
    ['PT1M30S', 90_000],
    ['PT0.25S', 250],
    ['P1DT1S', day + 1000],
  ] as const),
  ...([
    ['P', undefined],
    ['PT', undefined],
    ['1D', undefined],
    ['P1S', undefined],
  ] as const),
];

test('a duration is as long as its parts, and what has none is no duration', () => {
  for (const [text, milliseconds] of durations) assert.equal(millisecondsOf(text), milliseconds, text);
});

test('a pattern fits what a regular expression of the same meaning fits', () => {
  const letters = (of: string) => fc.array(fc.constantFrom(...of), { maxLength: 8 }).map((all) => all.join(''));
  fc.assert(
    fc.property(letters('ab'), letters('ab*?'), (text, pattern) => {
      const form = new RegExp(`^${pattern.replaceAll('?', '.').replaceAll('*', '.*')}$`);
      assert.equal(fitsWildcard(text, pattern), form.test(text));
    }),
    { numRuns: 2000 },
  );
});
