/**
 * `cselab/matchers`: for the `expect` of Vitest, Jest and Playwright Test. It needs none of them.
 *
 *     import { matchers } from 'cselab/matchers';
 *     expect.extend(matchers);
 *     await expect(gateway).toHaveReceived({ method: 'POST', path: /temperature$/, content: 21 });
 *
 * For TypeScript, once: `declare module 'vitest' { interface Matchers<T> extends CselabMatchers {} }`.
 */

export type { NotificationCriteria, RequestCriteria } from './journal/criteria.ts';
export type { WaitOptions } from './journal/journal.ts';
export {
  type CselabMatchers,
  type MatcherContext,
  type MatcherResult,
  matchers,
  type WatchedCse,
} from './matchers/matchers.ts';
