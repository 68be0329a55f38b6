/** Rules for subscriptions beyond the types of their attributes (TS-0001, clause 9.6.8; TS-0004, clause 7.4.8). */
import { contentTypes } from '../core/notifications/notification-content.ts';
import {
  type Criteria,
  criteriaOf,
  defaultEventTypes,
  eventTypes,
  eventTypesOf,
} from '../core/notifications/notification-criteria.ts';
import { timeSeriesType } from '../core/numbers.ts';
import type { Resource } from '../core/resource.ts';
import { CseError } from '../core/status.ts';
import type { RequestedAttributes } from '../core/validate.ts';

type Values = Resource['values'];

/** `notificationEventType` and `notificationContentType` of a trigger received for an AE. */
const triggerReceived = 6;
const triggerPayload = 4;

/** Duration of a batch without `dur` in `bn`. */
const defaultBatchDuration = 'PT60S';

/** The attributes with defaults; an update completes only those that it sets. */
export function withDefaults(values: Values, names: readonly string[] = ['enc', 'bn']): Values {
  const whole = { ...values };
  const criteria = criteriaOf({ values });
  if (names.includes('enc') && !criteria.net?.length && !criteria.om?.length) {
    whole.enc = { ...(values.enc as object | undefined), net: defaultEventTypes };
  }
  if (names.includes('bn') && values.bn !== undefined) {
    whole.bn = { ...(values.bn as object), dur: (values.bn as { dur?: string }).dur ?? defaultBatchDuration };
  }
  return whole;
}

/** The default `nct`. */
export function defaultContentType(types: readonly number[]): number {
  if (types.includes(eventTypes.blockingUpdate)) return contentTypes.modifiedAttributes;
  return types[0] === eventTypes.missingData ? contentTypes.timeSeriesNotification : contentTypes.allAttributes;
}

/** Refuses an update to a blocking subscription. */
export function checkChange({ values }: RequestedAttributes): void {
  if (eventTypesOf(criteriaOf({ values })).includes(eventTypes.blockingUpdate)) {
    throw new CseError('BAD_REQUEST', 'An update cannot make a subscription blocking (net 7); create another one.');
  }
}

/** Refuses attributes that contradict each other or the subscribed-to resource. */
export function checkSubscription(values: Values, parent: Resource | undefined, itself?: Resource): void {
  const criteria = criteriaOf({ values });
  const types = eventTypesOf(criteria);
  const contentType = Number(values.nct);
  // Triggers of an underlying network do not reach this CSE (TS-0004, clause 7.3.3.3: an unsupported feature).
  if (types.includes(triggerReceived) || contentType === triggerPayload) {
    throw new CseError('NOT_IMPLEMENTED', 'Triggers (net 6, nct 4) are not supported.');
  }
  checkMonitors(criteria);
  const other = types.find((type) => !possibleContent[type]?.includes(contentType));
  if (other !== undefined) refuse(`nct ${contentType} is not for event type ${other}.`);
  if (parent === undefined) return;
  const foreign = criteria.chty?.find((ty) => !parent.type.children.includes(ty));
  if (foreign !== undefined) refuse(`chty names ${foreign}, which cannot be a child of ${parent.type.root}.`);
  if (criteria.md !== undefined || types.includes(eventTypes.missingData)) {
    if (parent.type.ty !== timeSeriesType) refuse('Only a time series can report on missing data (net 8, md).');
    if (criteria.md === undefined) refuse('Event type 8 needs md: how much missing data within which duration.');
  }
  if (types.includes(eventTypes.blockingUpdate)) checkBlocking(values, criteria, parent, itself);
}

function refuse(message: string): never {
  throw new CseError('BAD_REQUEST', message);
}

function checkMonitors({ om, net }: Criteria): void {
  if (om === undefined || om.length === 0) return;
  if (net !== undefined && net.length > 0) refuse('enc has either net or om, not both.');
  const empty = om.some(({ ops, or, org }) => ops === undefined && or === undefined && org === undefined);
  if (empty) refuse('Each entry of om needs ops, an originator, or both.');
}

/** Content types allowed for each event type (TS-0001, table 9.6.8-2, notificationContentType). */
const possibleContent: Readonly<Record<number, readonly number[]>> = {
  [eventTypes.update]: [1, 2, 3],
  [eventTypes.delete]: [1, 3],
  [eventTypes.createChild]: [1, 3],
  [eventTypes.deleteChild]: [1, 3],
  [eventTypes.retrieveWithoutChild]: [1, 3],
  [eventTypes.blockingUpdate]: [2],
  [eventTypes.missingData]: [5],
};

/** Attributes not allowed with a blocking update: all but `enc`, `nu`, and `nct` with its one value. */
const notForBlocking: readonly string[] = 'exc gpi nfu bn rl psn pn nsp ln nec su acrs nse eeno ma'.split(' ');

function checkBlocking(values: Values, criteria: Criteria, parent: Resource, itself: Resource | undefined): void {
  const superfluous = notForBlocking.find((name) => values[name] !== undefined);
  if (superfluous !== undefined) refuse(`A blocking update (net 7) does not go with ${superfluous}.`);
  const condition = Object.keys(criteria).find((name) => name !== 'net' && name !== 'atr');
  if (condition !== undefined) refuse(`A blocking update (net 7) does not go with the condition ${condition}.`);
  if (eventTypesOf(criteria).length > 1) refuse('A blocking update (net 7) must be the only event type.');
  const [target = '', ...others] = values.nu as readonly string[];
  if (others.length > 0) refuse('A blocking update (net 7) needs exactly one nu.');
  if (/^[a-z][a-z\d+.-]*:/i.test(target))
    refuse('A blocking update (net 7) asks an AE or a CSE: nu must be its identifier, not a URL.');
  const other = parent.subscriptions?.find(
    (one) => one !== itself && eventTypesOf(criteriaOf(one)).includes(eventTypes.blockingUpdate),
  );
  if (other === undefined) return;
  throw new CseError('BLOCKING_SUBSCRIPTION_ALREADY_EXISTS', `${other.path} is a blocking subscription already.`);
}
