/** Limits of one CSE; those of a binding (sizes on the wire, time to send a request) are in the binding. */
import { CseError } from './status.ts';

export const defaultLimits = {
  /** Seconds that a resource lives without a requested expiration time. */
  lifetime: 2000,
  /** Seconds that a resource can live at most; a later expiration time is brought forward. */
  longestLifetime: Number.POSITIVE_INFINITY,
  /** Notifications that wait for one subscription; beyond that, the oldest are dropped. */
  waitingNotifications: 10_000,
  /** Notifications under way or waiting at a time, over all subscriptions. */
  allWaitingNotifications: 100_000,
  /** Requests that wait in one polling channel. */
  polledRequests: 1000,
  /** Seconds that a request waits in a polling channel for the AE to fetch and answer it. */
  polledSeconds: 60,
  /** Seconds that a poll waits for a request unless it says otherwise. */
  pollSeconds: 10,
  /** Polls that wait in one polling channel. */
  polls: 100,
  /** Requests that wait for their execution time (X-M2M-OET). */
  heldRequests: 1000,
  /** Seconds that a request can wait for its execution time, and a poll for a request. */
  heldSeconds: 86_400,
  /** Resources below the CSE base. */
  resources: 5_000_000,
  subscriptions: 100_000,
  /** Targets of one subscription (`nu`). */
  notificationTargets: 100,
  /** Seconds that a `request` resource is kept by default. */
  requestLifetime: 3600,
  /** Characters of a resource name. */
  nameLength: 1024,
};

export type Limits = Readonly<typeof defaultLimits>;

/** Refuses one more when the limit is reached. Throws a CseError (NOT_ACCEPTABLE). */
export function checkCapacity(present: number, name: keyof Limits, limits: Limits, what: string): void {
  if (present < limits[name]) return;
  throw new CseError('NOT_ACCEPTABLE', `There are ${limits[name]} ${what}, which is the limit (${name}).`);
}

/** Refuses a request beyond the limit. */
export function checkMaximum(requested: number, name: keyof Limits, limits: Limits, what: string): void {
  if (requested <= limits[name]) return;
  throw new CseError('NOT_ACCEPTABLE', `${what} can be ${limits[name]} at most (${name}).`);
}
