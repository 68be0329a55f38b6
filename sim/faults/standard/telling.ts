import type { Fault } from '../fault.ts';
import { blockingUpdates } from './blocking-updates.ts';
import { fanOut } from './fan-out.ts';
import { fanOutEffects } from './fan-out-effects.ts';
import { fanOutNotifications } from './fan-out-notifications.ts';
import { fanOutRights } from './fan-out-rights.ts';
import { groupTypes } from './group-types.ts';
import { notificationContents } from './notification-contents.ts';
import { notificationCriteria } from './notification-criteria.ts';
import { notificationEvents } from './notification-events.ts';
import { notificationLimits } from './notification-limits.ts';
import { pollingChannels } from './polling-channels.ts';
import { verification } from './verification.ts';

export const standardTelling: readonly Fault[] = [
  ...blockingUpdates,
  ...fanOut,
  ...fanOutEffects,
  ...fanOutNotifications,
  ...fanOutRights,
  ...groupTypes,
  ...notificationContents,
  ...notificationCriteria,
  ...notificationEvents,
  ...notificationLimits,
  ...pollingChannels,
  ...verification,
];
