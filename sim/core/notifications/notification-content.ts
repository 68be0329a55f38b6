/** The content of notifications (TS-0004, clause 7.5.1), made once per event for all subscriptions. */
import type { CseConfiguration, DialectCodec } from '../configuration.ts';
import { type Resource, representation } from '../resource.ts';
import { type Event, type Monitor, monitorOf } from './notification-criteria.ts';

/** `notificationContentType` of TS-0004. */
export const contentTypes = {
  allAttributes: 1,
  modifiedAttributes: 2,
  resourceIdentifier: 3,
  timeSeriesNotification: 5,
} as const;

/** The value of `m2m:sgn`. */
export type SingleNotification = Readonly<Record<string, unknown>>;

/** The notification of an event for one target of a subscription. */
export type EventContent = (target: string, subscription: Resource) => SingleNotification;

/**
 * `cr` is that of the subscription; without one but with `eeno`, the originator of the event. For subscriptions that monitor
 * nothing, each content type is made once, when first needed.
 */
export function contentOf(event: Event, configuration: CseConfiguration): EventContent {
  const made: object[] = [];
  const make = (contentType: number, om: Monitor | undefined) => {
    return { net: event.type, om, rep: representationOf(event, contentType, configuration.dialect) };
  };
  return (target, subscription) => {
    const { cr, eeno, nfu, nct } = subscription.values;
    const contentType = typeof nct === 'number' ? nct : contentTypes.allAttributes;
    const monitor = monitorOf(subscription, event, configuration);
    if (monitor === undefined) made[contentType] ??= make(contentType, undefined);
    return {
      nev: monitor === undefined ? made[contentType] : make(contentType, monitor),
      sur: referenceTo(subscription, target, configuration),
      cr: cr ?? (eeno === true ? event.request?.from : undefined),
      nfu,
    };
  };
}

/**
 * The reference to the subscription in a notification. In the documented dialect its path, in the same form as the
 * target (deployed applications compare it with the path that they used); else its SP-relative identifier.
 */
export function referenceTo(subscription: Resource, target: string, configuration: CseConfiguration): string {
  const { dialect, cseId, spId } = configuration;
  if (dialect.identifiers === 'random') return `/${cseId}/${subscription.id}`;
  if (target.startsWith('//')) return `//${spId}/${cseId}/${subscription.path}`;
  return target.startsWith('/') ? `/${cseId}/${subscription.path}` : subscription.path;
}

function representationOf(event: Event, contentType: number, dialect: DialectCodec): unknown {
  const { subject, changed } = event;
  if (event.representation !== undefined) return event.representation;
  if (contentType === contentTypes.resourceIdentifier) return { 'm2m:uri': subject.id };
  return contentType === contentTypes.modifiedAttributes && changed !== undefined
    ? modified(subject, changed, dialect)
    : representation(subject, dialect);
}

/** The changed attributes, the time of change among them; null for a removed one. */
function modified(subject: Resource, changed: readonly string[], dialect: DialectCodec): unknown {
  const attributes: Record<string, unknown> = {};
  for (const name of [...changed, 'lt', 'st']) {
    const definition = subject.type.attributes[name];
    if (definition === undefined) continue;
    const value = subject.valueOf(name);
    attributes[name] = value === undefined ? null : dialect.write(definition.type, value);
  }
  return { [subject.type.root]: attributes };
}
