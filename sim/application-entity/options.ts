import type { Scheduler } from '../environment/clock.ts';
import type { SslParameters } from './credentials.ts';

export interface ApplicationEntityOptions extends SslParameters {
  /** URL of the CSE, such as `https://127.0.0.1:8000`; http or https. */
  readonly cse: string;
  /** Name of the CSE base; `onem2m` unless given. */
  readonly base?: string;
  /** Resource name of the application. */
  readonly name: string;
  /** Application identifier; `N.<name>` unless given. */
  readonly api?: string;
  /** URLs on which the application receives notifications. */
  readonly poas?: readonly string[];
  /** `lbl` of the application. */
  readonly labels?: readonly string[];
  /** Seconds that its resources live without renewal; the CSE decides unless given. */
  readonly lifetime?: number;
  /** The system's unless given. */
  readonly clock?: Scheduler;
  /** Milliseconds for each request; 5,000 unless given. */
  readonly timeout?: number;
  /** Called with failures in the background, which goes on: renewals, polls, and certificate files that became unusable. */
  readonly onError?: (error: unknown) => void;
}

export interface ContainerOptions {
  /** Path of the parent; the application itself unless given. */
  readonly in?: string;
  /** `lbl` of the container. */
  readonly labels?: readonly string[];
  /** Most instances that are kept (`mni`). */
  readonly maxInstances?: number;
  /** Most octets that are kept (`mbs`). */
  readonly maxBytes?: number;
  /** Seconds that an instance is kept (`mia`). */
  readonly maxAge?: number;
  /** Seconds that it lives without renewal; as the application unless given. */
  readonly lifetime?: number;
}

export interface DiscoveryCriteria {
  /** One of these labels. */
  readonly labels?: readonly string[];
  /** Created after this time, in microseconds since 1970 UTC or as a timestamp. */
  readonly createdAfter?: number | string;
  /** Path where it starts, such as `/~/mn-cse-1/onem2m`; the CSE base unless given. */
  readonly under?: string;
}

export interface DiscoveryPolling {
  /** Seconds from the end of a poll to the next one; more than 0. */
  readonly everySeconds: number;
  /** Called with new paths, never with an empty list. What it throws goes to `onError`. */
  readonly onFound: (paths: readonly string[]) => void | Promise<void>;
}
