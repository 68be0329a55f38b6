/** What has come to an inbox. */
import { milliseconds } from '../engine/grammar/duration.ts';
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
  if (settled !== undefined) {
    await orLate(settled(), milliseconds(patience));
    return inbox.pick('event').map(({ view }) => view);
  }
  const checks = expectations.map(({ requirement, check }) => ({ requirement, check, place: nowhere }));
  const watching = { silence: inboxes?.silence ?? new Silence(), signal };
  const { came } = await awaitNotifications(lookInto(''), checks, inbox, watching);
  return came.map(({ view }) => view);
}

/** Resolves with the work, or so many milliseconds later. */
async function orLate(work: Promise<void>, time: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, time);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
