/** The parts of one CSE, assembled from the bottom up. */
import { AccessControl } from '../access/access.ts';
import { Announcer } from '../announce.ts';
import { GroupRequests } from '../memberships.ts';
import { Notifier } from '../notifications/notify.ts';
import { Outgoing } from '../outgoing.ts';
import { Polling } from '../polling.ts';
import type { Services } from '../services.ts';

/** The services as operations use them. */
export interface CseServices extends Services {
  readonly access: AccessControl;
  readonly notifier: Notifier;
}

type BaseServices = 'configuration' | 'ports' | 'tree' | 'maker' | 'request' | 'perform';

export function assemble(base: Pick<Services, BaseServices>): CseServices {
  const polling = new Polling(base);
  const outgoing = new Outgoing({ ...base, polling });
  const sending = { ...base, polling, outgoing };
  return {
    ...sending,
    access: new AccessControl(base),
    groupRequests: new GroupRequests(base.ports),
    notifier: new Notifier(sending),
    announcer: new Announcer(sending),
  };
}
