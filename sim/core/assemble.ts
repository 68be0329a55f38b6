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
  const polling = new Polling(configuration, ports);
  const parts: { notifier?: Notifier; announcer?: Announcer } = {};
  const services = Object.assign(parts, {
    ...{ configuration, ports, tree, maker, polling },
    access: new AccessControl(configuration, ports, tree),
    memberships: new Memberships(),
    groupRequests: new GroupRequests(ports),
    outgoing: new Outgoing(configuration, ports, tree, polling),
    ...ofCse,
  }) as Services & typeof parts;
  parts.notifier = new Notifier(services);
  parts.announcer = new Announcer(services);
  services.outgoing.toFanOutPoint = services.request;
  return services;
}
