/** What a notification says (TS-0004, clause 7.5.1): of an event, put together once for all subscriptions. */
import type { CseConfiguration } from '../configuration.ts';
import type { DialectCodec } from '../dialect.ts';
import { representation } from '../representation.ts';
import type { Resource } from '../resource.ts';
import { type Event, type Monitor, monitorOf } from './notification-criteria.ts';

/** `notificationContentType` of TS-0004. */
export const contentTypes = {
  allAttributes: 1,
  modifiedAttributes: 2,
  resourceIdentifier: 3,
  timeSeriesNotification: 5,
} as const;

/** What stands below `m2m:sgn`. */
export type SingleNotification = Readonly<Record<string, unknown>>;

/** What is said of one event to one target of a subscription. */
export type EventContent = (target: string, subscription: Resource) => SingleNotification;

/**
 * The creator is named where the subscription names one; where it does not but has `eeno`, the originator of the event stands in its
 * place. What is said by content type to those that monitor nothing is made when the first subscription asks for it.
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
 * How the subscription is called in what is sent to a target. In the documented dialect by its path, in the form in which the
 * target is written (deployed applications compare it with the path that they used); else by its SP-relative identifier.
 */
export function referenceTo(subscription: Resource, target: string, configuration: CseConfiguration): string {
  const { dialect, cseId, spId } = configuration;
  if (dialect.identifiers === 'random') return `/${cseId}/${subscription.id}`;
  if (target.startsWith('//')) return `//${spId}/${cseId}/${subscription.path}`;
  return target.startsWith('/') ? `/${cseId}/${subscription.path}` : subscription.path;
}

function representationOf(
  { subject, changed, representation: shown }: Event,
  contentType: number,
  dialect: DialectCodec,
): unknown {
  if (shown !== undefined) return shown;
  if (contentType === contentTypes.resourceIdentifier) return { 'm2m:uri': subject.id };
  return contentType === contentTypes.modifiedAttributes && changed !== undefined
    ? modified(subject, changed, dialect)
    : representation(subject, dialect);
}

/** The attributes that have changed, the time of it among them; null for one that has gone. */
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
