/** Which events a subscription is about: `enc`, the event notification criteria (TS-0001, table 9.6.8-3). */
import type { Value } from './attribute-types.ts';
import { type FilterCriteria, meetsCriteria } from './discover.ts';
import type { Operation, RequestPrimitive } from './primitive.ts';
import type { Resource } from './resource.ts';

/** `notificationEventType` of TS-0004. */
export const eventTypes = {
  update: 1,
  delete: 2,
  createChild: 3,
  deleteChild: 4,
  retrieveWithoutChild: 5,
  blockingUpdate: 7,
} as const;

export interface Event {
  readonly type: (typeof eventTypes)[keyof typeof eventTypes];
  /** What is shown: the resource, or the child. */
  readonly subject: Resource;
  /** Names of the attributes that have changed, or are to. */
  readonly changed?: readonly string[];
  /** Undefined for what the CSE did by itself. */
  readonly request: RequestPrimitive | undefined;
}

interface Criteria {
  readonly net?: readonly number[];
  readonly atr?: readonly string[];
  readonly chty?: readonly number[];
  readonly om?: readonly { readonly ops?: number; readonly or?: string }[];
  readonly fo?: 1 | 2 | 3;
  readonly [other: string]: unknown;
}

/** Criteria on the subject, with what a discovery calls them. */
const conditions: Readonly<Record<string, keyof FilterCriteria>> = {
  crb: 'createdBefore',
  cra: 'createdAfter',
  ms: 'modifiedSince',
  us: 'unmodifiedSince',
  sts: 'stateTagSmaller',
  stb: 'stateTagBigger',
  exb: 'expireBefore',
  exa: 'expireAfter',
  sza: 'sizeAbove',
  szb: 'sizeBelow',
};

export function eventTypesOf(subscription: Resource): readonly number[] {
  return criteriaOf(subscription).net ?? [eventTypes.update];
}

/** True when the subscription asks for this event. */
export function isWanted(subscription: Resource, event: Event): boolean {
  const criteria = criteriaOf(subscription);
  if (!(criteria.net ?? [eventTypes.update]).includes(event.type)) return false;
  const ofChild = event.type === eventTypes.createChild || event.type === eventTypes.deleteChild;
  if (ofChild && criteria.chty !== undefined && !criteria.chty.includes(event.subject.type.ty)) return false;
  const { atr } = criteria;
  if (event.changed !== undefined && atr !== undefined && !event.changed.some((name) => atr.includes(name)))
    return false;
  return isMonitored(criteria, event) && holds(criteria, event.subject);
}

function criteriaOf({ values }: Resource): Criteria {
  return (values.enc as Criteria | undefined) ?? {};
}

/** TS-0004, accessControlOperations: the bits of `ops`. */
const bits: Readonly<Record<Operation, number>> = { create: 1, retrieve: 2, update: 4, delete: 8, notify: 16 };

/** The operation and the originator that are monitored, where there are such. */
function isMonitored({ om }: Criteria, { request }: Event): boolean {
  if (om === undefined || om.length === 0) return true;
  if (request === undefined) return false;
  return om.some(
    ({ ops, or }) =>
      (ops === undefined || (ops & bits[request.operation]) !== 0) &&
      (or === undefined || isOriginator(or, request.from)),
  );
}

/** The same AE or CSE, in whatever form it is written. */
export function isOriginator(one: string, other: string | undefined): boolean {
  return other !== undefined && lastSegment(one) === lastSegment(other);
}

const lastSegment = (identifier: string) => identifier.slice(identifier.lastIndexOf('/') + 1);

function holds(criteria: Criteria, subject: Resource): boolean {
  const filter: Record<string, Value> = {};
  let empty = true;
  for (const name in conditions) {
    const value = criteria[name];
    if (value === undefined) continue;
    filter[conditions[name] ?? name] = value as Value;
    empty = false;
  }
  if (empty) return true;
  if (criteria.fo !== undefined) filter.filterOperation = criteria.fo;
  return meetsCriteria(subject, filter as FilterCriteria);
}
