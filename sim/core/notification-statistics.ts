/** What was sent to each target of one subscription (`nsi`, TS-0001 clause 9.6.8). */
import type { Resource } from './resource.ts';

interface Counts {
  requests: number;
  responses: number;
  events: number;
}

const statistics = new WeakMap<Resource, NotificationStatistics>();

export function statisticsOf(subscription: Resource): NotificationStatistics {
  const known = statistics.get(subscription) ?? new NotificationStatistics();
  statistics.set(subscription, known);
  return known;
}

export class NotificationStatistics {
  readonly #counts = new Map<string, Counts>();

  reset(): void {
    this.#counts.clear();
  }

  event(target: string): void {
    this.#of(target).events++;
  }

  sent(target: string): void {
    this.#of(target).requests++;
  }

  answered(target: string): void {
    this.#of(target).responses++;
  }

  /** `setOfNotificationStatsInfo` of TS-0004. */
  shown(): { tg: string; rqs: number; rsr: number; noec: number }[] {
    return [...this.#counts].map(([tg, { requests, responses, events }]) => ({
      ...{ tg, rqs: requests, rsr: responses, noec: events },
    }));
  }

  #of(target: string): Counts {
    const known = this.#counts.get(target);
    if (known !== undefined) return known;
    const counts = { requests: 0, responses: 0, events: 0 };
    this.#counts.set(target, counts);
    return counts;
  }
}
