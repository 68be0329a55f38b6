/** The parts of one CSE, put together from the bottom up. */
import { AccessControl } from '../access/access.ts';
import { Announcer } from '../announce.ts';
import { GroupRequests } from '../memberships.ts';
import { Notifier } from '../notifications/notify.ts';
import { Outgoing } from '../outgoing.ts';
import { Polling } from '../polling.ts';
import type { Services } from '../services.ts';

/** As operations use them. */
export interface CseServices extends Services {
  readonly access: AccessControl;
  readonly notifier: Notifier;
}

type Given = 'configuration' | 'ports' | 'tree' | 'maker' | 'request' | 'perform';

export function assemble(given: Pick<Services, Given>): CseServices {
  const polling = new Polling(given);
  const outgoing = new Outgoing({ ...given, polling });
  const sending = { ...given, polling, outgoing };
  return {
    ...sending,
    access: new AccessControl(given),
    groupRequests: new GroupRequests(given.ports),
    notifier: new Notifier(sending),
    announcer: new Announcer(sending),
  };
}
