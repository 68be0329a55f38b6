/** What the standard says of resources and operations on them, broken one by one. */
import type { Fault } from '../fault.ts';

export const standardResources: readonly Fault[] = [];
