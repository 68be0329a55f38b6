/**
 * `cselab/playwright`: CSEs for tests by @playwright/test, as fixtures or behind what a page requests. Needs the package @playwright/test.
 *
 *     import { expect, routeCse, test } from 'cselab/playwright';
 */

export type { CseOptions, InMemoryCse } from './cse/create-cse.ts';
export { createCse } from './cse/create-cse.ts';
export type { ManualClock } from './environment/clock.ts';
export type { NearMiss } from './interception/near-miss.ts';
export { type CselabFixtures, type CselabWorkerFixtures, expect, test } from './playwright/fixtures.ts';
export type { CselabOptions, MemberSettings } from './playwright/options.ts';
export { type RouteCseOptions, type RoutedCse, routeCse } from './playwright/route-cse.ts';
