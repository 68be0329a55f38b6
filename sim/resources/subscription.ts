import type { AttributeType } from '../core/attribute-types.ts';
import { checkMost, checkRoom } from '../core/limits.ts';
import { isOriginatorItself } from '../core/local-resource.ts';
import { criteriaOf, eventTypesOf } from '../core/notifications/notification-criteria.ts';
import type { RequestPrimitive } from '../core/primitive.ts';
import type { Resource } from '../core/resource.ts';
import type { ResourceTypeTable } from '../core/resource-type.ts';
import type { Services } from '../core/services.ts';
import { CseError, ifRefused, statuses } from '../core/status.ts';
import { type GivenAttributes, updated } from '../core/validate.ts';
import { free, needed, ofCse, once } from './attribute-forms.ts';
import { batch, common, controlled, creator } from './common.ts';
import { checkChange, checkSubscription, completed, usualContentType } from './subscription-rules.ts';

const monitor: AttributeType = {
  members: {
    ops: { type: 'integer', long: 'operations' },
    or: { type: 'text', long: 'originator' },
    org: { type: 'text' },
  },
};

const missingData: AttributeType = {
  members: {
    num: { type: 'positive integer', long: 'number', mandatory: true },
    dur: { type: 'duration', long: 'duration', mandatory: true },
  },
};

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
    net: { type: { listOf: { oneOf: [1, 2, 3, 4, 5, 6, 7, 8] } }, long: 'notificationEventType' },
    om: { type: { listOf: monitor }, long: 'operationMonitor' },
    atr: { type: 'list of text', long: 'attribute' },
    chty: { type: 'list of integer', long: 'childResourceType' },
    md: { type: missingData, long: 'missingData' },
    fo: { type: { oneOf: [1, 2, 3] }, long: 'filterOperation' },
  },
};

const rate: AttributeType = {
  members: { mnn: { type: 'integer', long: 'maxNrOfNotify' }, tww: { type: 'duration', long: 'timeWindow' } },
};

/** Subscription (TS-0001, clause 9.6.8). */
export const subscription: ResourceTypeTable = {
  ty: 23,
  root: 'm2m:sub',
  longName: 'subscription',
  misplaced: 'TARGET_NOT_SUBSCRIBABLE',
  documented: { misplaced: 'INVALID_CHILD_RESOURCE_TYPE' },
  showsParent: true,
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
    nct: free({ oneOf: [1, 2, 3, 4, 5] }, 'notificationContentType', { kept: true }),
    nec: free({ oneOf: [2, 3, 4], orBetween: [100, 999] }, 'notificationEventCat'),
    su: once('text', 'subscriberURI'),
    acrs: free('list of text', 'associatedCrossResourceSub'),
    nse: free('boolean', 'notificationStatsEnable'),
    nsi: ofCse('any', 'notificationStatsInfo'),
    eeno: free('boolean', 'enableEventNotificationOriginator'),
    ma: free('duration', 'maxAge'),
    ...controlled,
  },
  assign({ values, parent }, { configuration, notifier }) {
    checkRoom(notifier.subscriptions, 'subscriptions', configuration.limits, 'subscriptions');
    checkTargets(values, configuration);
    Object.assign(values, completed(values));
    values.nct ??= usualContentType(eventTypesOf(criteriaOf({ values })));
    checkSubscription(values, parent);
  },
  ask: verifyTargets,
  stored: (resource, { notifier }) => notifier.subscribed(resource),
  restored: (_resource, { notifier }) => notifier.restored(),
  updating(resource, given, { configuration }) {
    checkChange(given);
    checkTargets(given.values, configuration);
    Object.assign(given.values, completed(given.values, Object.keys(given.values)));
    checkSubscription(updated(given, resource.values), resource.parent, resource);
  },
  updated(resource, changed, { notifier }) {
    // Statistics begin anew when they are enabled once more, and go with `nse`.
    const { nsi, ...others } = resource.values;
    const stays = !changed.includes('nse') || others.nse === false;
    resource.values = { ...completed(others), ...(stays && nsi !== undefined && { nsi }) };
    notifier.resubscribed(resource, changed);
  },
  removed: (resource, { notifier }) => notifier.unsubscribed(resource),
};

function checkTargets({ nu }: Resource['values'], { limits }: Services['configuration']): void {
  if (Array.isArray(nu)) checkMost(nu.length, 'notificationTargets', limits, 'Targets of a subscription (nu)');
}

/** Every new target is asked, but the originator itself (TS-0001, clause 10.2.10.2). */
function verifyTargets(
  resource: Resource,
  given: GivenAttributes | undefined,
  { notifier, tree, configuration }: Services,
  { from }: RequestPrimitive,
): Promise<void> | undefined {
  const wanted = (given === undefined ? resource.values.nu : given.values.nu) as readonly string[] | undefined;
  const known = given === undefined ? [] : (resource.values.nu as readonly string[]);
  const asked = new Set(
    wanted?.filter((target) => !known.includes(target) && !isOriginatorItself(target, from, tree, configuration)),
  );
  if (asked.size === 0) return undefined;
  const all = [...asked].map((target) => verify(resource, target, from, notifier));
  return Promise.all(all).then(() => undefined);
}

/** The refusals of a receiver that are handed on as they are (TS-0004, clause 7.5.1.2.2). */
const handedOn = [statuses.SUBSCRIPTION_CREATOR_HAS_NO_PRIVILEGE, statuses.SUBSCRIPTION_HOST_HAS_NO_PRIVILEGE];

async function verify(
  resource: Resource,
  target: string,
  originator: string | undefined,
  notifier: Services['notifier'],
): Promise<void> {
  const failed = ({ message }: CseError): never => {
    throw new CseError('SUBSCRIPTION_VERIFICATION_INITIATION_FAILED', `${target} cannot be asked: ${message}`);
  };
  const { status } = await notifier.verify(resource, target, originator).catch(ifRefused(failed));
  if (status.code < 3000) return;
  const refusal = handedOn.find(({ code }) => code === status.code) ?? 'SUBSCRIPTION_VERIFICATION_INITIATION_FAILED';
  throw new CseError(refusal, `${target} does not take notifications: it answered ${status.code}.`);
}
