/** Event notification criteria of a subscription: `enc` (TS-0001, table 9.6.8-3). */
import type { CseIdentity } from '../address.ts';
import type { ObjectType } from '../attribute-types.ts';
import { compile, type Test } from '../filter-criteria.ts';
import { getOrInsert } from '../memoize.ts';
import { operationBits, operationNumbers } from '../numbers.ts';
import { isSameEntity } from '../originator.ts';
import type { Operation, RequestPrimitive } from '../primitive.ts';
import type { Resource } from '../resource.ts';

/** `notificationEventType` of TS-0004. */
export const eventTypes = {
  update: 1,
  delete: 2,
  createChild: 3,
  deleteChild: 4,
  retrieveWithoutChild: 5,
  blockingUpdate: 7,
  missingData: 8,
} as const;

export interface Event {
  /** Undefined for a retrieval, which only monitors notice. */
  readonly type: (typeof eventTypes)[keyof typeof eventTypes] | undefined;
  /** The operation on the subscribed-to resource; undefined when the request did not address it. */
  readonly operation?: Operation | undefined;
  /** The resource to be represented: the subscribed-to one, or its child. */
  readonly subject: Resource;
  /** Names of the attributes that changed, or are to change. */
  readonly changed?: readonly string[];
  /** Replaces the representation of the subject. */
  readonly representation?: unknown;
  /** Undefined for an action of the CSE itself. */
  readonly request: RequestPrimitive | undefined;
}

/** An entry of `om`: the operations and the originator that are monitored. */
export interface Monitor {
  readonly ops?: number;
  readonly or?: string;
  /** The originator in later releases, where `ops` is one operation, not a set. */
  readonly org?: string;
}

export interface Criteria {
  readonly net?: readonly number[];
  readonly atr?: readonly string[];
  readonly chty?: readonly number[];
  readonly om?: readonly Monitor[];
  readonly md?: { readonly num: number; readonly dur: string };
  readonly fo?: 1 | 2 | 3;
  readonly [other: string]: unknown;
}

/** For a subscription that names no event type and monitors no operation. */
export const defaultEventTypes: readonly number[] = [eventTypes.update];

const nothing: Criteria = {};

export function criteriaOf({ values }: Pick<Resource, 'values'>): Criteria {
  return (values.enc as Criteria | undefined) ?? nothing;
}

/** The event types of the criteria; none when they monitor operations. */
export function eventTypesOf({ net, om }: Criteria): readonly number[] {
  if (net !== undefined && net.length > 0) return net;
  return isNonEmpty(om) ? [] : defaultEventTypes;
}

/** Criteria prepared for matching. */
interface Compiled {
  readonly om: readonly Monitor[] | undefined;
  readonly types: readonly number[];
  readonly attributes: readonly string[] | undefined;
  readonly childTypes: readonly number[] | undefined;
  /** Conditions on the subject. */
  readonly matches: Test;
}

/** By the value of `enc`, which each update replaces. */
const compiled = new WeakMap<Criteria, Compiled>();

function compiledOf(subscription: Resource): Compiled {
  const criteria = criteriaOf(subscription);
  const { om, atr, chty } = criteria;
  return getOrInsert(compiled, criteria, () => ({
    types: eventTypesOf(criteria),
    om: isNonEmpty(om) ? om : undefined,
    attributes: isNonEmpty(atr) ? atr : undefined,
    childTypes: isNonEmpty(chty) ? chty : undefined,
    matches: conditionsOf(subscription, criteria),
  }));
}

/** The conditions are those of a discovery, which has them under their long names. */
function conditionsOf({ type }: Resource, criteria: Criteria): Test {
  const { members } = (type.attributes.enc?.type ?? { members: {} }) as ObjectType;
  const present = Object.entries(members).filter(([name]) => criteria[name] !== undefined);
  return compile(Object.fromEntries(present.map(([name, { long }]) => [long, criteria[name]])));
}

/** True when the subscription is to be notified of this event. */
export function matchesEvent(subscription: Resource, event: Event, identity: CseIdentity): boolean {
  const { types, childTypes, attributes, matches } = compiledOf(subscription);
  const { type, changed, subject } = event;
  const byType = type !== undefined && types.includes(type);
  if (!byType && monitorOf(subscription, event, identity) === undefined) return false;
  const ofChild = type === eventTypes.createChild || type === eventTypes.deleteChild;
  if (childTypes !== undefined && ofChild && !childTypes.includes(subject.type.ty)) return false;
  if (attributes !== undefined && changed !== undefined && !changed.some((name) => attributes.includes(name))) {
    return false;
  }
  return matches(subject);
}

function isNonEmpty<T>(list: readonly T[] | undefined): list is readonly T[] {
  return list !== undefined && list.length > 0;
}

/** The first monitor of the subscription that matches the event. */
export function monitorOf(
  subscription: Resource,
  { operation, request }: Event,
  identity: CseIdentity,
): Monitor | undefined {
  const { om } = compiledOf(subscription);
  if (om === undefined || operation === undefined || request === undefined) return undefined;
  return om.find(({ ops, or, org }) => {
    const originator = or ?? org;
    const isMonitored =
      ops === undefined ||
      (org === undefined ? (ops & operationBits[operation]) !== 0 : ops === operationNumbers[operation]);
    return isMonitored && (originator === undefined || isSameEntity(originator, request.from, identity));
  });
}
