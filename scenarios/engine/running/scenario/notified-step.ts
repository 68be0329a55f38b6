import { setTimeout } from 'node:timers/promises';
import type { LoadedCheck } from '../../files/load.ts';
import type { NotifiedStep } from '../../grammar/grammar-step.ts';
import { milliseconds } from '../../grammar/names.ts';
import { permittedBy } from '../../grammar/vocabulary.ts';
import { type AnswerObservation, type AnswerView, emptyView } from '../../judging/answer.ts';
import { now, since } from '../../messages/target.ts';
import type { HarnessInbox, InboxWait, Notification, Silence } from '../../targets/inbox.ts';
import type { Installation } from '../../targets/installation.ts';

const usualWait = '5s';

interface WatchContext extends Pick<Installation, 'settled'> {
  /** Whether nothing more comes once the target has settled. */
  readonly hasty?: boolean;
  readonly silence: Silence;
  readonly signal: AbortSignal;
}

/** Waits for the notifications of a step, and reads those that no earlier step has read; `waited` in milliseconds. */
export async function awaitNotifications(
  step: NotifiedStep,
  checks: readonly LoadedCheck[],
  inbox: HarnessInbox,
  { settled, hasty = false, silence, signal }: WatchContext,
) {
  const { of = 'event', until = 1, within = usualWait } = step;
  const waiting = { of, within: milliseconds(within), signal };
  const expected = Math.max(until, ...(until === 0 ? checks.map(expectedIn) : []));
  const started = now();
  const enough = hasty && settled !== undefined ? endingOn(settled, waiting) : waiting;
  if (expected > 0 && (await inbox.waitFor(expected, enough))) silence.noteArrival(since(started));
  if (until === 0 && settled !== undefined) await untilSettled(settled, waiting);
  else if (until === 0) await watch(inbox, expected, { ...waiting, within: silence.limit(waiting.within) });
  const received = inbox.pick(of);
  const waited = since(started);
  const missing = received.length < until;
  const summary = missing ? tooFew(received.length, step) : counted(received.length, of);
  const view = viewOf(received, checks);
  const observation: AnswerObservation = { view, summary, success: !missing, ...(missing && { noAnswer: summary }) };
  return { received, waited, observation };
}

/** Ends the wait when the target has settled. */
function endingOn(settled: () => Promise<void>, waiting: InboxWait): InboxWait {
  const over = new AbortController();
  void settled().then(() => over.abort());
  return { ...waiting, signal: AbortSignal.any([waiting.signal, over.signal]) };
}

/** Milliseconds in which a surplus notification would come. */
const surplusTime = 500;

/** Waits the whole time where none is expected; else a moment, for surplus ones. */
async function watch(inbox: HarnessInbox, expected: number, waiting: InboxWait): Promise<void> {
  const endless = Number.POSITIVE_INFINITY;
  const within = expected === 0 ? waiting.within : Math.min(waiting.within, surplusTime);
  await inbox.waitFor(endless, { ...waiting, within });
}

/** The least number of notifications that a check explicitly mentions. */
function expectedIn({ check }: LoadedCheck): number {
  const counts = permittedBy(check).map(({ notifications, notification, which = 1 }) =>
    typeof notifications === 'number' ? notifications : notification === undefined ? 0 : which,
  );
  return Math.min(...counts);
}

/** Waits for the target to settle, at most as long as for one that cannot tell. */
async function untilSettled(settled: () => Promise<void>, { within, signal }: InboxWait): Promise<void> {
  const over = new AbortController();
  const ended = AbortSignal.any([signal, over.signal]);
  const late = setTimeout(within, undefined, { signal: ended }).catch(() => {});
  await Promise.race([settled(), late]);
  over.abort();
}

/** Captures read attributes and headers of the first. */
function viewOf(received: readonly Notification[], checks: readonly LoadedCheck[]): AnswerView {
  const list = received.map(({ view }) => view);
  const { headers = emptyView.headers, root, attributes, body } = list[0] ?? {};
  return { ...emptyView, headers, root, attributes, body, notifications: { list, counted: checks.some(counts) } };
}

function counts({ check }: LoadedCheck): boolean {
  return permittedBy(check).some(({ notifications }) => notifications !== undefined);
}

function tooFew(count: number, { of = 'event', until = 1, within = usualWait }: NotifiedStep): string {
  const amount = until === 1 ? counted(count, of) : `${counted(count, of)} instead of ${until}`;
  return `${amount} came within ${within}`;
}

/** Such as `no event notification`, `2 notifications`. */
function counted(count: number, of: string): string {
  const kind = of === 'any' ? '' : `${of} `;
  return `${count === 0 ? 'no' : count} ${kind}notification${count > 1 ? 's' : ''}`;
}
