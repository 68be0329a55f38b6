/** What has come to an inbox, and how it is judged: as the engine does it for a scenario, in less time. */
import { milliseconds } from '../engine/grammar/duration.ts';
import type { Expectation } from '../engine/grammar/grammar-check.ts';
import type { NotifiedStep } from '../engine/grammar/grammar-step.ts';
import { match, type Outcome, oneOf } from '../engine/judging/matchers.ts';
import type { NotificationView } from '../engine/judging/notification.ts';
import type { Installation } from '../engine/running/installation.ts';
import { awaitNotifications } from '../engine/running/notified.ts';
import type { Inbox } from '../engine/targets/inbox.ts';
import { Silence } from '../engine/targets/silence.ts';
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

const nowhere = { file: '', line: 1, column: 1 };

/** Resolves with the work, or so many milliseconds later. */
async function orLate(work: Promise<void>, time: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, time);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

/** Of what is in a notification that did not come, its number speaks. */
export function judgeNotified({ check }: Expected, list: readonly NotificationView[]): Outcome {
  return oneOf((check['one of'] ?? [check]).map((one) => outcomeOf(one, list)));
}

function outcomeOf(
  { notifications, notification, which = 1 }: Expectation,
  list: readonly NotificationView[],
): Outcome {
  if (notifications !== undefined) return match(notifications, list.length);
  const { attributes = {}, root, body, event, subscription } = notification ?? {};
  const seen = list[which - 1];
  if (seen === undefined) return 'unobserved';
  const outcomes: Outcome[] = [];
  for (const [matcher, value] of [
    [root, seen.root],
    [body, seen.body],
    [event, seen.event],
    [subscription, seen.subscription],
  ] as const) {
    if (matcher !== undefined) outcomes.push(match(matcher, value));
  }
  if (seen.attributes !== undefined) {
    for (const [name, matcher] of Object.entries(attributes)) outcomes.push(match(matcher, seen.attributes[name]));
  }
  if (outcomes.includes('failed')) return 'failed';
  return outcomes.includes('passed') ? 'passed' : 'unobserved';
}
