/** The parts of one CSE, put together. */
import { AccessControl } from './access/access.ts';
import { Announcer } from './announce.ts';
import type { CseConfiguration, Ports } from './configuration.ts';
import { Memberships } from './groups/fan-out-members.ts';
import { GroupRequests } from './groups/fan-out-requests.ts';
import { Notifier } from './notifications/notify.ts';
import { Outgoing } from './outgoing.ts';
import { Polling } from './polling.ts';
import type { ResourceMaker } from './resource-maker.ts';
import type { Services } from './services.ts';
import type { Tree } from './tree.ts';

/** What the CSE itself does for its parts. */
export type OfCse = Pick<Services, 'request' | 'perform' | 'kindOf'>;

export function assemble(
  configuration: CseConfiguration,
  ports: Ports,
  tree: Tree,
  maker: ResourceMaker,
  ofCse: OfCse,
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
