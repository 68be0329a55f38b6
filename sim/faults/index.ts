/** The only list of faults. Who imports it has them known. */
import { know } from './applying.ts';
import { belowHttp } from './custom/below-http.ts';
import { containers } from './custom/containers.ts';
import { discoveries } from './custom/discoveries.ts';
import { endedSubscriptions } from './custom/ended-subscriptions.ts';
import { flexContainers } from './custom/flex-containers.ts';
import { gatheredNotifications } from './custom/gathered-notifications.ts';
import { renewal } from './custom/renewal.ts';
import type { Fault } from './fault.ts';
import { faultOf } from './language/row.ts';
import { writtenRows } from './language/row-files.ts';
import { stateful } from './stateful/stateful.ts';

export const faults: readonly Fault[] = [
  ...belowHttp,
  ...stateful,
  ...containers,
  ...discoveries,
  ...flexContainers,
  ...gatheredNotifications,
  ...renewal,
  ...endedSubscriptions,
  ...writtenRows().map(faultOf),
];

know(faults);
