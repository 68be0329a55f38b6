/** What a notification says (TS-0004, clause 7.5.1): of an event, put together once for all subscriptions. */
import type { CseConfiguration } from '../configuration.ts';
import { representation } from '../representation.ts';
import type { Resource } from '../resource.ts';
import { type Event, type Monitor, monitorOf } from './notification-criteria.ts';
import { referenceTo } from './notification-target.ts';

/** `notificationContentType` of TS-0004. */
export const contentTypes = {
  allAttributes: 1,
  modifiedAttributes: 2,
  resourceIdentifier: 3,
  timeSeriesNotification: 5,
} as const;

/** What stands below `m2m:sgn`. */
export type SingleNotification = Readonly<Record<string, unknown>>;

/** What is said of one event. */
export class EventContent {
  readonly event: Event;
  readonly #configuration: CseConfiguration;
  /** `nev` by content type, for those that monitor nothing: made when the first subscription asks for it. */
  readonly #made: object[] = [];

  constructor(event: Event, configuration: CseConfiguration) {
    this.event = event;
    this.#configuration = configuration;
  }

  /**
   * For one target of a subscription. The creator is named where the subscription names one; where it does not but has `eeno`, the
   * originator of the event stands in its place.
   */
  toldTo(target: string, subscription: Resource): SingleNotification {
    const { cr, eeno, nfu } = subscription.values;
    return {
      nev: this.#eventFor(subscription),
      sur: referenceTo(subscription, target, this.#configuration),
      cr: cr ?? (eeno === true ? this.event.request?.from : undefined),
      nfu,
    };
  }

  #eventFor(subscription: Resource): object {
    const { nct } = subscription.values;
    const contentType = typeof nct === 'number' ? nct : contentTypes.allAttributes;
    const monitor = monitorOf(subscription, this.event, this.#configuration);
    if (monitor !== undefined) return this.#make(contentType, monitor);
    this.#made[contentType] ??= this.#make(contentType, undefined);
    return this.#made[contentType];
  }

  #make(contentType: number, om: Monitor | undefined): object {
    return { net: this.event.type, om, rep: this.#representation(contentType) };
  }

  #representation(contentType: number): unknown {
    const { subject, changed, shown } = this.event;
    if (shown !== undefined) return shown;
    if (contentType === contentTypes.resourceIdentifier) return { 'm2m:uri': subject.id };
    return contentType === contentTypes.modifiedAttributes && changed !== undefined
      ? this.#modified(changed)
      : representation(subject, this.#configuration.dialect);
  }

  /** The attributes that have changed, the time of it among them; null for one that has gone. */
  #modified(changed: readonly string[]): unknown {
    const { subject } = this.event;
    const { dialect } = this.#configuration;
    const shown: Record<string, unknown> = {};
    for (const name of [...changed, 'lt', 'st']) {
      const definition = subject.type.attributes[name];
      if (definition === undefined) continue;
      const value = subject.valueOf(name);
      shown[name] = value === undefined ? null : dialect.write(definition.type, value);
    }
    return { [subject.type.root]: shown };
  }
}
