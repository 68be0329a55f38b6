/** The only list of faults. Who imports it has them known. */
import { access } from './access.ts';
import { addressing } from './addressing.ts';
import { know } from './applying.ts';
import { belowHttp } from './below-http.ts';
import { certificates } from './certificates.ts';
import { content } from './content.ts';
import { containers } from './custom/containers.ts';
import { discoveries } from './custom/discoveries.ts';
import { endedSubscriptions } from './custom/ended-subscriptions.ts';
import { flexContainers } from './custom/flex-containers.ts';
import { discovery } from './discovery.ts';
import type { Fault } from './fault.ts';
import { identifiers } from './identifiers.ts';
import { faultOf } from './language/row.ts';
import { writtenRows } from './language/row-files.ts';
import { latest } from './latest.ts';
import { pairs } from './pairs.ts';
import { registering } from './registering.ts';
import { removal } from './removal.ts';
import { standardAccess } from './standard/access.ts';
import { standardResources } from './standard/resources.ts';
import { standardTelling } from './standard/telling.ts';
import { stateful } from './stateful/stateful.ts';
import { statuses } from './statuses.ts';
import { times } from './times.ts';
import { wireShapes } from './wire-shapes.ts';

export const faults: readonly Fault[] = [
  ...identifiers,
  ...times,
  ...content,
  ...wireShapes,
  ...statuses,
  ...addressing,
  ...latest,
  ...removal,
  ...discovery,
  ...access,
  ...certificates,
  ...registering,
  ...standardResources,
  ...standardTelling,
  ...standardAccess,
  ...belowHttp,
  ...stateful,
  ...pairs,
  ...containers,
  ...discoveries,
  ...flexContainers,
  ...endedSubscriptions,
  ...writtenRows().map(faultOf),
];

know(faults);
