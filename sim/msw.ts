/** The door `cselab/msw`: a reference CSE behind the application's own `fetch`, in Node and in a browser. It uses nothing that a browser has not. */
import { assembleCse, mannerOf, schedulerOf } from './assemble-cse.ts';
import type { CseOptions, ReferenceCse } from './create-cse.ts';
import './deviations/index.ts';
import { fetchSender } from './msw/fetch-sender.ts';
import { httpMessenger } from './topology/messenger.ts';

export { createFetch } from './bindings/fetch.ts';
export { type ManualClock, manualClock } from './clock.ts';
export type { NearMiss } from './interception/near-miss.ts';
export { type CseHandlersOptions, cseHandlers } from './msw/handlers.ts';
export type { CseOptions, ReferenceCse };

/**
 * A reference CSE in memory: what answers requests, without the journals and controls that `createCse` of `cselab` puts
 * around it. What it sends (notifications, announcements …) goes out by `fetch`, so that handlers of MSW answer it too; in
 * a browser, other origins have to allow it (CORS) unless a handler answers for them. It opens no port and starts no timer.
 */
export function createCse(options: CseOptions = {}): ReferenceCse {
  const manner = mannerOf(options, schedulerOf(options.clock));
  return assembleCse({ ...options, messenger: options.messenger ?? httpMessenger(fetchSender(), manner) });
}
