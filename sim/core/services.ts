/** The parts of one CSE, as operations and the hooks of kinds use them, put together. */
import { AccessControl } from './access/access.ts';
import { Announcer } from './announce.ts';
import type { CseConfiguration, Ports } from './configuration.ts';
import { GroupRequests, Memberships } from './groups/fan-out-members.ts';
import { Notifier } from './notifications/notify.ts';
import { Outgoing } from './outgoing.ts';
import { Polling } from './polling.ts';
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

export function assemble(
  configuration: CseConfiguration,
  ports: Ports,
  tree: Tree,
  maker: ResourceMaker,
  ofCse: Pick<Services, 'request' | 'perform' | 'kindOf'>,
): Services {
  const services = { configuration, ports, tree, maker, ...ofCse } as Services;
  return Object.assign(services, {
    access: new AccessControl(services),
    memberships: new Memberships(),
    groupRequests: new GroupRequests(ports),
    polling: new Polling(services),
    outgoing: new Outgoing(services),
    notifier: new Notifier(services),
    announcer: new Announcer(services),
  });
}
