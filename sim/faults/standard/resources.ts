/** What the standard says of resources and operations on them, broken one by one. */
import type { Fault } from '../fault.ts';
import { addresses } from './addresses.ts';
import { aeAttributes } from './ae-attributes.ts';
import { commonAttributes } from './common-attributes.ts';
import { containers } from './containers.ts';
import { contentInstances } from './content-instances.ts';
import { creation } from './creation.ts';
import { creationRefusals } from './creation-refusals.ts';
import { creationResults } from './creation-results.ts';
import { cseBase } from './cse-base.ts';
import { disabledRetrieval } from './disabled-retrieval.ts';
import { latestAndOldest } from './latest-and-oldest.ts';
import { ownRegistration } from './own-registration.ts';
import { registrationElsewhere } from './registration-elsewhere.ts';
import { retention } from './retention.ts';
import { targets } from './targets.ts';

export const standardResources: readonly Fault[] = [
  ...addresses,
  ...cseBase,
  ...aeAttributes,
  ...registrationElsewhere,
  ...ownRegistration,
  ...creation,
  ...creationRefusals,
  ...creationResults,
  ...commonAttributes,
  ...containers,
  ...disabledRetrieval,
  ...contentInstances,
  ...retention,
  ...latestAndOldest,
  ...targets,
];
