/** What the standard says of resources and operations on them, broken one by one. */
import type { Fault } from '../fault.ts';
import { ownRegistration } from './own-registration.ts';
import { registrationElsewhere } from './registration-elsewhere.ts';
import { targets } from './targets.ts';

export const standardResources: readonly Fault[] = [...registrationElsewhere, ...ownRegistration, ...targets];
