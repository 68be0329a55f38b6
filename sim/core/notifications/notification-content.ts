/** What a notification says (TS-0004, clause 7.5.1): written once for an event, whatever the number of subscriptions. */
import type { CseConfiguration } from '../configuration.ts';
import { JsonText, representation } from '../representation.ts';
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

/** The representations of one event, each written when the first subscription asks for it. */
export class EventContent {
  readonly event: Event;
  readonly #configuration: CseConfiguration;
  /** `{"nev":{…}` by content type, for those that monitor nothing. */
  readonly #written: string[] = [];

  constructor(event: Event, configuration: CseConfiguration) {
    this.event = event;
    this.#configuration = configuration;
  }

  /** `{"nev":{…}`, to be followed by what `closingOf` says. */
  opening(subscription: Resource): string {
    const { nct } = subscription.values;
    const contentType = typeof nct === 'number' ? nct : contentTypes.allAttributes;
    const monitor = monitorOf(subscription, this.event, this.#configuration);
    if (monitor !== undefined) return this.#write(contentType, monitor);
    this.#written[contentType] ??= this.#write(contentType, undefined);
    return this.#written[contentType];
  }

  #write(contentType: number, monitor: Monitor | undefined): string {
    const { type } = this.event;
    const net = type === undefined ? '' : `"net":${type},`;
    const om = monitor === undefined ? '' : `"om":${JSON.stringify(monitor)},`;
    return `{"nev":{${net}${om}"rep":${this.#representation(contentType)}}`;
  }

  #representation(contentType: number): string {
    const { subject, changed, shown } = this.event;
    if (shown !== undefined) return JSON.stringify(shown);
    if (contentType === contentTypes.resourceIdentifier) return JSON.stringify({ 'm2m:uri': subject.id });
    return contentType === contentTypes.modifiedAttributes && changed !== undefined
      ? JSON.stringify(this.#modified(changed))
      : representation(subject, this.#configuration.dialect).text;
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

/**
 * What every notification of a subscription ends with: `,"sur":…}`. The creator is named where the subscription names one; where it
 * does not but has `eeno`, the originator of the event stands in its place.
 */
export function closingOf(
  subscription: Resource,
  target: string,
  originator: string | undefined,
  configuration: CseConfiguration,
): string {
  const { values } = subscription;
  const creator = values.cr ?? (values.eeno === true ? originator : undefined);
  const cr = creator === undefined ? '' : `,"cr":${JSON.stringify(creator)}`;
  const nfu = values.nfu === undefined ? '' : `,"nfu":${JSON.stringify(values.nfu)}`;
  return `,"sur":${JSON.stringify(referenceTo(subscription, target, configuration))}${cr}${nfu}}`;
}

/** Several notifications that go as one (`m2m:agn`), or one that is complete. */
interface Message {
  readonly parts: readonly string[];
  readonly aggregated: boolean;
}

/**
 * A text is the beginning of a notification, which all subscriptions to one event share; its queue knows how it ends. So what waits
 * costs next to nothing.
 */
export type Waiting = string | Message;

/** The number of notifications. */
export function weightOf(waiting: Waiting): number {
  return typeof waiting === 'string' ? 1 : waiting.parts.length;
}

/** The body of a request: one notification, or several in one. */
export function notificationOf(waiting: Waiting, closing: string): JsonText {
  if (typeof waiting === 'string') return new JsonText(`{"m2m:sgn":${waiting}${closing}}`);
  const { parts, aggregated } = waiting;
  return new JsonText(aggregated ? `{"m2m:agn":{"m2m:sgn":[${parts.join(',')}]}}` : `{"m2m:sgn":${parts.join('')}}`);
}

/** What is said before the first event (`vrq`) and after the last one (`sud`), as JSON without the key `m2m:sgn`. */
export function messageOf(what: 'vrq' | 'sud', reference: string, creator: unknown): string {
  return JSON.stringify({ [what]: true, sur: reference, ...(creator !== undefined && { cr: creator }) });
}
