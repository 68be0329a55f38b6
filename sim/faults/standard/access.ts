/** What the standard says of rights, discovery, announcement, other CSEs and management, broken one by one. */
import type { Fault } from '../fault.ts';

export const standardAccess: readonly Fault[] = [];
