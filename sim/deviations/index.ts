/** The only list of written deviations. Who imports it has them known; the rows are read when somebody first asks for one. */
import { know } from './applying.ts';
import { belowHttp } from './custom/below-http.ts';
import { flexContainers } from './custom/flex-containers.ts';
import { gatheredNotifications } from './custom/gathered-notifications.ts';
import { numbering } from './custom/numbering.ts';
import { races } from './custom/races.ts';
import { renewal } from './custom/renewal.ts';
import { staleWrites } from './custom/stale-writes.ts';
import type { Deviation } from './deviation.ts';
import { variedRows } from './drawn/variation-rows.ts';
import { deviationOf } from './language/row.ts';
import { writtenRows } from './language/row-files.ts';

let all: readonly Deviation[] | undefined;

export function deviations(): readonly Deviation[] {
  all ??= [
    ...belowHttp,
    ...races,
    ...staleWrites,
    ...numbering,
    ...flexContainers,
    ...gatheredNotifications,
    ...renewal,
    ...writtenRows().map(deviationOf),
  ];
  return all;
}

know(deviations, variedRows);
