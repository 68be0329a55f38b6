/** What one CSE takes on; limits of a binding (sizes on the wire, time to send a request) stand with the binding. */
import { CseError } from './status.ts';

export const defaultLimits = {
  /** Seconds that a resource lives when its creator names no expiration time. */
  lifetime: 2000,
  /** Seconds that a resource can live at most; a later expiration time is drawn in. */
  longestLifetime: Number.POSITIVE_INFINITY,
  /** Notifications that wait for one subscription; the oldest go when there are more. */
  waitingNotifications: 10_000,
  /** Notifications under way or waiting at one time, over all subscriptions. */
  allWaitingNotifications: 100_000,
  /** Requests that wait in one polling channel. */
  polledRequests: 1000,
  /** Seconds that a request waits in a polling channel until the AE has fetched and answered it. */
  polledSeconds: 60,
  /** Seconds that a poll of a channel waits for something to come, when the request does not say. */
  pollSeconds: 10,
  /** Polls that wait in one polling channel. */
  polls: 100,
  /** Requests that wait until they are to be done (X-M2M-OET). */
  heldRequests: 1000,
  /** Seconds that a request can wait until it is to be done, and a poll for something to come. */
  heldSeconds: 86_400,
  /** Resources below the CSE base. */
  resources: 5_000_000,
  subscriptions: 100_000,
  /** Targets that one subscription names (`nu`). */
  notificationTargets: 100,
  /** Seconds that a `request` resource is kept when nothing else is asked for. */
  requestLifetime: 3600,
  /** Characters of a resource name. */
  nameLength: 1024,
};

export type Limits = Readonly<typeof defaultLimits>;

/** Refuses one more where there are as many as the limit allows. Throws a CseError (NOT_ACCEPTABLE). */
export function checkCapacity(present: number, name: keyof Limits, limits: Limits, what: string): void {
  if (present < limits[name]) return;
  throw new CseError('NOT_ACCEPTABLE', `There are ${limits[name]} ${what}, which is the limit (${name}).`);
}

/** Refuses what is asked for beyond the limit. */
export function checkMaximum(requested: number, name: keyof Limits, limits: Limits, what: string): void {
  if (requested <= limits[name]) return;
  throw new CseError('NOT_ACCEPTABLE', `${what} can be ${limits[name]} at most (${name}).`);
}
