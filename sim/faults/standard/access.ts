/** What the standard says of rights, announcement and other CSEs, broken one by one. */
import type { Fault } from '../fault.ts';
import { announced } from './announced.ts';
import { announcements } from './announcements.ts';
import { criteria } from './criteria.ts';
import { retargeting } from './retargeting.ts';

export const standardAccess: readonly Fault[] = [...criteria, ...retargeting, ...announcements, ...announced];
