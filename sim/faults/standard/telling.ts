/** What the standard says of subscriptions, notifications, groups and what is fetched, broken one by one. */
import type { Fault } from '../fault.ts';

export const standardTelling: readonly Fault[] = [];
