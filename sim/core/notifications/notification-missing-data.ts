/** Reports on missing data of a time series: event type 8 with `md`, so many within a time (TS-0001, table 9.6.8-3). */
import type { Scheduler } from '../configuration.ts';
import { millisecondsOf } from '../duration.ts';
import type { Resource } from '../resource.ts';
import { criteriaOf, eventTypes, eventTypesOf } from './notification-criteria.ts';

/** What has been missing since the first of them, for one subscription. */
interface Window {
  readonly times: unknown[];
}

export interface MissingDataReport {
  readonly subscription: Resource;
  /** `timeSeriesNotification` of TS-0004. */
  readonly shown: { readonly 'm2m:tsn': { readonly mdlt: readonly unknown[]; readonly mdc: number } };
}

export class MissingDataWindows {
  readonly #clock: Scheduler;
  readonly #windows = new WeakMap<Resource, Window>();

  constructor(clock: Scheduler) {
    this.#clock = clock;
  }

  /** Data of that time is missing: the subscriptions for which that is enough to be told, each with what it is told. */
  missed(series: Resource, time: unknown): MissingDataReport[] {
    const reports: MissingDataReport[] = [];
    for (const subscription of series.subscriptions ?? []) {
      const criteria = criteriaOf(subscription);
      if (criteria.md === undefined || !eventTypesOf(criteria).includes(eventTypes.missingData)) continue;
      const window = this.#windowOf(subscription, criteria.md.dur);
      window.times.push(time);
      const mdc = window.times.length;
      // All of them are told each time (TS-0001, clause 10.2.4.29).
      if (mdc >= criteria.md.num)
        reports.push({ subscription, shown: { 'm2m:tsn': { mdlt: [...window.times], mdc } } });
    }
    return reports;
  }

  #windowOf(subscription: Resource, duration: string): Window {
    const known = this.#windows.get(subscription);
    if (known !== undefined) return known;
    const window: Window = { times: [] };
    this.#windows.set(subscription, window);
    this.#clock.schedule(millisecondsOf(duration) ?? 0, () => {
      this.#windows.delete(subscription);
    });
    return window;
  }
}
