import type { Exchange, ReceivedRequest, ScenarioResult, StepResult } from '../scenarios/index.ts';
import { counted, durationText } from './wording.ts';

/** The request that a step which waits for the target comes after. */
export interface Trigger {
  readonly exchange: Exchange;
  readonly title: string;
  /** Counts from 1. */
  readonly stepNumber: number;
}

/** The last request before a step that waits; undefined for a step that does not wait, or where none was sent. */
export function triggerOf({ steps }: Pick<ScenarioResult, 'steps'>, step: StepResult): Trigger | undefined {
  if (step.notifications === undefined && step.received === undefined) return undefined;
  const before = steps.slice(0, Math.max(steps.indexOf(step), 0));
  const index = before.findLastIndex(({ exchange }) => exchange !== undefined);
  const found = before[index];
  return found?.exchange && { exchange: found.exchange, title: found.title, stepNumber: index + 1 };
}

/** What the target sent to the harness in a step. */
export function cameIn({ received, notifications }: StepResult): readonly ReceivedRequest[] {
  return received === undefined ? (notifications?.shown ?? []) : [received];
}

/** When a request came, such as `12 ms after step 3 was sent`; without a request before it, when in the run. */
export function whenText({ at }: ReceivedRequest, trigger: Trigger | undefined): string {
  if (trigger === undefined) return `${durationText(at)} after the run began`;
  const { exchange, stepNumber } = trigger;
  const sent = at - exchange.at;
  if (sent < 0) return `${durationText(-sent)} before step ${stepNumber} was sent`;
  return `${durationText(sent)} after step ${stepNumber} was sent`;
}

/** What an inbox held, such as `nothing came to watcher, http://…, in 5.0 s`; empty for a step that looks into none. */
export function inboxText({ notifications }: StepResult): string {
  if (notifications === undefined) return '';
  const { inbox, url, waited, count } = notifications;
  const what = count === 0 ? 'nothing' : counted(count, 'notification');
  return `${what} came to ${inbox}, ${url}, in ${durationText(waited)}`;
}
