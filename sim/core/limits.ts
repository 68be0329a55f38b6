/** Limits of the core; those of a binding (sizes on the wire, time to send a request) stand with the binding. */
export interface Limits {
  /** Seconds that a resource lives when its creator names no expiration time. */
  readonly lifetime: number;
  /** Characters of a resource name. */
  readonly nameLength: number;
}

export const defaultLimits: Limits = { lifetime: 2000, nameLength: 1024 };
