/** Reports on missing data of a time series: event type 8 with `md`, so many within a time (TS-0001, table 9.6.8-3). */
import type { Scheduler } from '../configuration.ts';
import { millisecondsOf } from '../duration.ts';
import type { Resource } from '../resource.ts';
import { criteriaOf, eventTypes, eventTypesOf } from './notification-criteria.ts';

export interface MissingDataReport {
  readonly subscription: Resource;
  /** `timeSeriesNotification` of TS-0004. */
  readonly shown: { readonly 'm2m:tsn': { readonly mdlt: readonly unknown[]; readonly mdc: number } };
}

/** What has been missing since the first of them, for one subscription. */
const windows = new WeakMap<Resource, unknown[]>();

/** Data of that time is missing: the subscriptions for which that is enough to be told, each with what it is told. */
export function missed(series: Resource, time: unknown, clock: Scheduler): MissingDataReport[] {
  const reports: MissingDataReport[] = [];
  for (const subscription of series.subscriptions ?? []) {
    const criteria = criteriaOf(subscription);
    if (criteria.md === undefined || !eventTypesOf(criteria).includes(eventTypes.missingData)) continue;
    const mdlt = windows.get(subscription) ?? openWindow(subscription, criteria.md.dur, clock);
    const mdc = mdlt.push(time);
    // All of them are told each time (TS-0001, clause 10.2.4.29).
    if (mdc >= criteria.md.num) reports.push({ subscription, shown: { 'm2m:tsn': { mdlt: [...mdlt], mdc } } });
  }
  return reports;
}

function openWindow(subscription: Resource, duration: string, clock: Scheduler): unknown[] {
  const window: unknown[] = [];
  windows.set(subscription, window);
  clock.schedule(millisecondsOf(duration) ?? 0, () => void windows.delete(subscription));
  return window;
}
