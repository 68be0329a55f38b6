/** Limits of the core; those of a binding (sizes on the wire, time to send a request) stand with the binding. */
export interface Limits {
  /** Seconds that a resource lives when its creator names no expiration time. */
  readonly lifetime: number;
  /** Seconds that a resource can live at most; a later expiration time is drawn in. */
  readonly longestLifetime: number;
  /** Notifications that wait for one subscription; the oldest go when there are more. */
  readonly waitingNotifications: number;
  /** Notifications under way or waiting at one time, over all subscriptions. */
  readonly allWaitingNotifications: number;
  /** Requests that wait in one polling channel. */
  readonly polledRequests: number;
  /** Seconds that a request waits in a polling channel until the AE has fetched and answered it. */
  readonly polledSeconds: number;
  /** Seconds that a poll of a channel waits for something to come, when the request does not say. */
  readonly pollSeconds: number;
  /** Polls that wait in one polling channel. */
  readonly polls: number;
  /** Requests that wait until they are to be done (X-M2M-OET). */
  readonly heldRequests: number;
  /** Seconds that a request can wait until it is to be done, and a poll for something to come. */
  readonly heldSeconds: number;
  /** Resources below the CSE base. */
  readonly resources: number;
  readonly subscriptions: number;
  /** Targets that one subscription names (`nu`). */
  readonly notificationTargets: number;
  /** Seconds that a `request` resource is kept when nothing else is asked for. */
  readonly requestLifetime: number;
  /** Characters of a resource name. */
  readonly nameLength: number;
}

export const defaultLimits: Limits = {
  lifetime: 2000,
  longestLifetime: Number.POSITIVE_INFINITY,
  waitingNotifications: 10_000,
  allWaitingNotifications: 100_000,
  polledRequests: 1000,
  polledSeconds: 60,
  pollSeconds: 10,
  polls: 100,
  heldRequests: 1000,
  heldSeconds: 86_400,
  resources: 5_000_000,
  subscriptions: 100_000,
  notificationTargets: 100,
  requestLifetime: 3600,
  nameLength: 1024,
};
