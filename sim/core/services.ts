/** The parts of one CSE, as hooks of resource types and each other use them. */
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
  /** The type to be created. */
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
  settled(): Promise<void>;
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
  /** A request from outside, with all checks. Never throws or rejects for a refusal. */
  readonly request: (request: RequestPrimitive) => Answer;
  /** A change by the CSE itself: without approvals or checks of rights. Throws internal errors only. */
  readonly perform: (request: RequestPrimitive) => ResponsePrimitive;
}
