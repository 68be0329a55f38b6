/** What has come to an inbox. */
import { defined } from '../engine/defined.ts';
import type { NotifiedStep } from '../engine/grammar/grammar-step.ts';
import type { NotificationView } from '../engine/judging/notification.ts';
import type { Installation } from '../engine/running/installation.ts';
import { awaitNotifications } from '../engine/running/notified.ts';
import { nowhere } from '../engine/running/scenario-entries.ts';
import { type Inbox, Silence } from '../engine/targets/inbox.ts';
import type { Expected } from './model/expected.ts';

/** For notifications that are still to come. */
const patience = '3s';

/** As a scenario says it. */
export function lookInto(inbox: string): NotifiedStep {
  return { notified: inbox, until: 0, within: patience };
}

/** The notifications of events that nobody has looked at yet. What has not come when it is known that all has been sent will not come. */
export async function comeTo(
  inbox: Inbox,
  expectations: readonly Expected[],
  { inboxes, settled }: Installation,
  signal: AbortSignal,
): Promise<readonly NotificationView[]> {
  const checks = expectations.map(({ requirement, check }) => ({ requirement, check, place: nowhere }));
  const silence = inboxes?.silence ?? new Silence();
  const watching = { ...defined({ settled }), hasty: true, silence, signal };
  const { came } = await awaitNotifications(lookInto(''), checks, inbox, watching);
  return came.map(({ view }) => view);
}
