/** The parts of one CSE, as operations and the hooks of kinds use them. */
import type { AccessControl } from './access/access.ts';
import type { Announcer } from './announce.ts';
import type { CseConfiguration, Ports } from './configuration.ts';
import type { Memberships } from './groups/fan-out-members.ts';
import type { GroupRequests } from './groups/fan-out-requests.ts';
import type { Notifier } from './notifications/notify.ts';
import type { Outgoing } from './outgoing.ts';
import type { Polling } from './polling.ts';
import type { Answer, RequestPrimitive, ResponsePrimitive } from './primitive.ts';
import type { ResourceMaker } from './resource-maker.ts';
import type { ResourceType } from './resource-type.ts';
import type { Tree } from './tree.ts';

export interface Services {
  readonly configuration: CseConfiguration;
  readonly ports: Ports;
  readonly tree: Tree;
  readonly maker: ResourceMaker;
  readonly access: AccessControl;
  readonly notifier: Notifier;
  readonly announcer: Announcer;
  readonly outgoing: Outgoing;
  readonly polling: Polling;
  readonly memberships: Memberships;
  readonly groupRequests: GroupRequests;
  /** A request of somebody's, with all that is checked of it. Never throws or rejects for a refusal. */
  readonly request: (request: RequestPrimitive) => Answer;
  /** A change by the CSE itself: nobody is asked first, and rights are not looked at. Throws defects only. */
  readonly perform: (request: RequestPrimitive) => ResponsePrimitive;
  /** The kind with this root key; a CseError when there is none. `ty` is what the request says of it. */
  readonly kindOf: (root: string, ty?: number) => ResourceType;
}
