import type { Site } from '../../engine/targets/installation.ts';

/** Where notifications go to. */
export const inboxNames = ['watcher', 'other'] as const;
export type InboxName = (typeof inboxNames)[number];

/** How a scenario calls it; each CSE of a pair has inboxes of its own. */
export function inboxOf(name: InboxName, site: Site = 'gateway'): string {
  return site === 'gateway' ? name : `far${name}`;
}
