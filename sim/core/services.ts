/** The parts of one CSE, as the hooks of kinds use them, and what they use of each other. */
import type { Announcer } from './announce.ts';
import type { CseConfiguration, Ports } from './configuration.ts';
import type { GroupRequests } from './memberships.ts';
import type { Outgoing } from './outgoing.ts';
import type { Polling } from './polling.ts';
import type { Answer, Operation, RequestPrimitive, ResponsePrimitive } from './primitive.ts';
import type { Resource } from './resource.ts';
import type { ResourceMaker } from './resource-maker.ts';
import type { ResourceType } from './resource-type.ts';
import type { Trace } from './trace-context.ts';
import type { Tree } from './tree.ts';

export type AccessedOperation = Operation | 'discover';

type AccessQuestion<Result> = (
  request: RequestPrimitive,
  operation: AccessedOperation,
  resource: Resource,
  /** The kind that a create brings. */
  child?: ResourceType,
) => Result;

/** What hooks and groups use of the `AccessControl`. */
export interface Rights {
  readonly required: boolean;
  readonly allows: AccessQuestion<boolean>;
  readonly checkFanOut: AccessQuestion<void>;
}

/** What hooks and groups use of the `Notifier`. */
export interface Notifications {
  readonly subscriptions: number;
  subscribed(subscription: Resource): void;
  restored(): void;
  resubscribed(subscription: Resource, changed: readonly string[]): void;
  unsubscribed(subscription: Resource): Promise<void> | undefined;
  verify(subscription: Resource, target: string, originator: string | undefined): Promise<ResponsePrimitive>;
  changedByCse(resource: Resource, changed: readonly string[]): void;
  reportMissing(series: Resource, time: unknown): void;
  forward(target: string, content: object, cause?: Trace): Promise<ResponsePrimitive>;
}

export interface Services {
  readonly configuration: CseConfiguration;
  readonly ports: Ports;
  readonly tree: Tree;
  readonly maker: ResourceMaker;
  readonly access: Rights;
  readonly notifier: Notifications;
  readonly announcer: Announcer;
  readonly outgoing: Outgoing;
  readonly polling: Polling;
  readonly groupRequests: GroupRequests;
  /** A request of somebody's, with all that is checked of it. Never throws or rejects for a refusal. */
  readonly request: (request: RequestPrimitive) => Answer;
  /** A change by the CSE itself: nobody is asked first, and rights are not looked at. Throws defects only. */
  readonly perform: (request: RequestPrimitive) => ResponsePrimitive;
}
