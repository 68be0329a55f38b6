import type { Fault } from '../fault.ts';
import { fanOut } from './fan-out.ts';
import { fanOutEffects } from './fan-out-effects.ts';
import { fanOutNotifications } from './fan-out-notifications.ts';
import { fanOutRights } from './fan-out-rights.ts';
import { pollingChannels } from './polling-channels.ts';

export const standardTelling: readonly Fault[] = [
  ...fanOut,
  ...fanOutEffects,
  ...fanOutNotifications,
  ...fanOutRights,
  ...pollingChannels,
];
