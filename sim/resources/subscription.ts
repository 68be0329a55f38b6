import type { AttributeType } from '../core/attribute-types.ts';
import { eventTypes, eventTypesOf, isOriginator } from '../core/notification-criteria.ts';
import { statisticsOf } from '../core/notification-statistics.ts';
import type { Resource } from '../core/resource.ts';
import type { HookContext, ResourceTypeTable } from '../core/resource-type.ts';
import {
  BAD_REQUEST,
  BLOCKING_SUBSCRIPTION_ALREADY_EXISTS,
  CseError,
  SUBSCRIPTION_CREATOR_HAS_NO_PRIVILEGE,
  SUBSCRIPTION_HOST_HAS_NO_PRIVILEGE,
  SUBSCRIPTION_VERIFICATION_INITIATION_FAILED,
  TARGET_NOT_SUBSCRIBABLE,
} from '../core/status.ts';
import type { GivenAttributes } from '../core/validate.ts';
import { free, needed, ofCse, once } from './attribute-forms.ts';
import { common, controlled, creator } from './common.ts';

const criteria: AttributeType = {
  members: {
    crb: { type: 'timestamp', long: 'createdBefore' },
    cra: { type: 'timestamp', long: 'createdAfter' },
    ms: { type: 'timestamp', long: 'modifiedSince' },
    us: { type: 'timestamp', long: 'unmodifiedSince' },
    sts: { type: 'integer', long: 'stateTagSmaller' },
    stb: { type: 'integer', long: 'stateTagBigger' },
    exb: { type: 'timestamp', long: 'expireBefore' },
    exa: { type: 'timestamp', long: 'expireAfter' },
    sza: { type: 'integer', long: 'sizeAbove' },
    szb: { type: 'integer', long: 'sizeBelow' },
    net: { type: { listOf: { oneOf: [1, 2, 3, 4, 5, 7] } }, long: 'notificationEventType' },
    om: {
      type: {
        listOf: { members: { ops: { type: 'integer', long: 'operations' }, or: { type: 'text', long: 'originator' } } },
      },
      long: 'operationMonitor',
    },
    atr: { type: 'list of text', long: 'attribute' },
    chty: { type: 'list of integer', long: 'childResourceType' },
    fo: { type: { oneOf: [1, 2, 3] }, long: 'filterOperation' },
  },
};

const batch: AttributeType = {
  members: { num: { type: 'integer', long: 'number' }, dur: { type: 'duration', long: 'duration' } },
};

const rate: AttributeType = {
  members: { mnn: { type: 'integer', long: 'maxNrOfNotify' }, tww: { type: 'duration', long: 'timeWindow' } },
};

/** Subscription (TS-0001, clause 9.6.8). */
export const subscription: ResourceTypeTable = {
  ty: 23,
  root: 'm2m:sub',
  prefix: 'sub',
  longName: 'subscription',
  children: [],
  misplaced: TARGET_NOT_SUBSCRIBABLE,
  operations: ['retrieve', 'update', 'delete'],
  attributes: {
    ...common,
    ...creator,
    enc: free(criteria, 'eventNotificationCriteria'),
    exc: free('positive integer', 'expirationCounter'),
    nu: needed({ listOf: 'text', atLeast: 1 }, 'notificationURI'),
    gpi: free('text', 'groupID'),
    nfu: free('text', 'notificationForwardingURI'),
    bn: free(batch, 'batchNotify'),
    rl: free(rate, 'rateLimit'),
    psn: once('positive integer', 'preSubscriptionNotify'),
    pn: free({ oneOf: [1, 2] }, 'pendingNotification'),
    nsp: free('positive integer', 'notificationStoragePriority'),
    ln: free('boolean', 'latestNotify'),
    nct: { ...free({ oneOf: [1, 2, 3] }, 'notificationContentType'), kept: true },
    nec: free('integer', 'notificationEventCat'),
    su: once('text', 'subscriberURI'),
    acrs: free('list of text', 'associatedCrossResourceSub'),
    nse: free('boolean', 'notificationStatsEnable'),
    nsi: {
      ...ofCse('any', 'notificationStatsInfo'),
      from: (resource) => (resource.values.nse === true ? statisticsOf(resource).shown() : undefined),
    },
    eeno: free('boolean', 'enableEventNotificationOriginator'),
    ma: free('duration', 'maxAge'),
    ...controlled,
  },
  assign(resource, { services, request }) {
    const { values, parent } = resource;
    values.enc ??= {};
    if (eventTypesOf(resource).length === 0 || !('net' in Object(values.enc))) {
      values.enc = { ...(values.enc as object), net: [eventTypes.update] };
    }
    values.nct ??= 1;
    if (parent === undefined) return;
    if (services.access.required) services.access.check(request, 'retrieve', parent);
    checkBlocking(resource, parent, values);
  },
  ask: verifyTargets,
  stored: (_resource, { services }) => services.notifier.subscribed(),
  updating(resource, given) {
    if (resource.parent !== undefined)
      checkBlocking(resource, resource.parent, { ...resource.values, ...given.values });
  },
  updated(resource, _context, changed) {
    if (changed.includes('nse')) statisticsOf(resource).reset();
  },
  removed: (resource, { notifier }) => notifier.unsubscribed(resource),
};

/** TS-0001, clause 9.6.8: a blocking update has one target to ask, nothing else to wait for, and one subscription. */
function checkBlocking(resource: Resource, parent: Resource, values: Resource['values']): void {
  const types = (values.enc as { net?: readonly number[] } | undefined)?.net ?? [];
  if (!types.includes(eventTypes.blockingUpdate)) return;
  const alone = types.length === 1 && (values.nu as readonly string[]).length === 1 && values.bn === undefined;
  if (!alone) throw new CseError(BAD_REQUEST, 'A blocking update (net 7) has no other event type, one nu and no bn.');
  const other = parent.subscriptions?.find(
    (one) => one !== resource && eventTypesOf(one).includes(eventTypes.blockingUpdate),
  );
  if (other === undefined) return;
  throw new CseError(BLOCKING_SUBSCRIPTION_ALREADY_EXISTS, `${other.path} is a blocking subscription already.`);
}

/** Every new target is asked, but the originator itself (TS-0001, clause 10.2.10.2). */
function verifyTargets(
  resource: Resource,
  given: GivenAttributes | undefined,
  { originator, services }: HookContext,
): Promise<void> | undefined {
  const wanted = (given === undefined ? resource.values.nu : given.values.nu) as readonly string[] | undefined;
  const known = given === undefined ? [] : (resource.values.nu as readonly string[]);
  const asked = new Set(wanted?.filter((target) => !known.includes(target) && !isOriginator(target, originator)));
  if (asked.size === 0) return undefined;
  const all = [...asked].map((target) => verify(resource, target, originator, services));
  return Promise.all(all).then(() => undefined);
}

/** The refusals of a receiver that are handed on as they are (TS-0004, clause 7.5.1.2.2). */
const handedOn = [SUBSCRIPTION_CREATOR_HAS_NO_PRIVILEGE, SUBSCRIPTION_HOST_HAS_NO_PRIVILEGE];

async function verify(
  resource: Resource,
  target: string,
  originator: string | undefined,
  { notifier }: HookContext['services'],
): Promise<void> {
  const { status } = await notifier.verify(resource, target, originator).catch((error: unknown) => {
    if (!(error instanceof CseError)) throw error;
    throw new CseError(SUBSCRIPTION_VERIFICATION_INITIATION_FAILED, `${target} cannot be asked: ${error.message}`);
  });
  if (status.code < 3000) return;
  const refusal = handedOn.find(({ code }) => code === status.code) ?? SUBSCRIPTION_VERIFICATION_INITIATION_FAILED;
  throw new CseError(refusal, `${target} does not take notifications: it answered ${status.code}.`);
}
