import { isOriginatorItself } from '../core/address.ts';
import type { AttributeType } from '../core/attribute-types.ts';
import { checkCapacity, checkMaximum } from '../core/limits.ts';
import { criteriaOf, eventTypesOf } from '../core/notifications/notification-criteria.ts';
import type { Resource } from '../core/resource.ts';
import type { ResourceTypeTable } from '../core/resource-type.ts';
import type { Services } from '../core/services.ts';
import { CseError, ifRefused, statuses } from '../core/status.ts';
import { updated } from '../core/validate.ts';
import { optional, optionalOnce, readOnly, required } from './attribute-forms.ts';
import { batch, common, controlled, creator } from './common.ts';
import { checkChange, checkSubscription, defaultContentType, withDefaults } from './subscription-rules.ts';

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
  misplacedStatus: 'TARGET_NOT_SUBSCRIBABLE',
  documented: { misplacedStatus: 'INVALID_CHILD_RESOURCE_TYPE' },
  showsParent: true,
  attributes: {
    ...common,
    ...creator,
    enc: optional(criteria, 'eventNotificationCriteria'),
    exc: optional('positive integer', 'expirationCounter'),
    nu: required({ listOf: 'text', atLeast: 1 }, 'notificationURI'),
    gpi: optional('text', 'groupID'),
    nfu: optional('text', 'notificationForwardingURI'),
    bn: optional(batch, 'batchNotify'),
    rl: optional(rate, 'rateLimit'),
    psn: optionalOnce('positive integer', 'preSubscriptionNotify'),
    pn: optional({ oneOf: [1, 2] }, 'pendingNotification'),
    nsp: optional('positive integer', 'notificationStoragePriority'),
    ln: optional('boolean', 'latestNotify'),
    nct: optional({ oneOf: [1, 2, 3, 4, 5] }, 'notificationContentType', { permanent: true }),
    nec: optional({ oneOf: [2, 3, 4], orRange: [100, 999] }, 'notificationEventCat'),
    su: optionalOnce('text', 'subscriberURI'),
    acrs: optional('list of text', 'associatedCrossResourceSub'),
    nse: optional('boolean', 'notificationStatsEnable'),
    nsi: readOnly('any', 'notificationStatsInfo'),
    eeno: optional('boolean', 'enableEventNotificationOriginator'),
    ma: optional('duration', 'maxAge'),
    ...controlled,
  },
  assign({ values, parent }, { configuration, notifier }) {
    checkCapacity(notifier.subscriptions, 'subscriptions', configuration.limits, 'subscriptions');
    checkTargets(values, configuration);
    Object.assign(values, withDefaults(values));
    values.nct ??= defaultContentType(eventTypesOf(criteriaOf({ values })));
    checkSubscription(values, parent);
  },
  /** Asks every new target except the originator itself (TS-0001, clause 10.2.10.2). */
  ask(resource, requested, { notifier, tree, configuration }, { from }) {
    const targets = (requested ?? resource).values.nu as readonly string[] | undefined;
    const known = requested === undefined ? [] : (resource.values.nu as readonly string[]);
    const newTargets = new Set(
      targets?.filter((target) => !known.includes(target) && !isOriginatorItself(target, from, tree, configuration)),
    );
    if (newTargets.size === 0) return undefined;
    const all = [...newTargets].map((target) => verify(resource, target, from, notifier));
    return Promise.all(all).then(() => undefined);
  },
  stored: (resource, { notifier }) => notifier.subscribed(resource),
  restored: (_resource, { notifier }) => notifier.restored(),
  updating(resource, requested, { configuration }) {
    checkChange(requested);
    checkTargets(requested.values, configuration);
    Object.assign(requested.values, withDefaults(requested.values, Object.keys(requested.values)));
    checkSubscription(updated(requested, resource.values), resource.parent, resource);
  },
  updated(resource, changed, { notifier }) {
    // Statistics restart when enabled again, and are removed with `nse`.
    const { nsi, ...others } = resource.values;
    const stays = !changed.includes('nse') || others.nse === false;
    resource.values = { ...withDefaults(others), ...(stays && nsi !== undefined && { nsi }) };
    notifier.resubscribed(resource, changed);
  },
  removed: (resource, { notifier }) => notifier.unsubscribed(resource),
};

function checkTargets({ nu }: Resource['values'], { limits }: Services['configuration']): void {
  if (Array.isArray(nu)) checkMaximum(nu.length, 'notificationTargets', limits, 'Targets of a subscription (nu)');
}

/** Refusals of a receiver that are forwarded unchanged (TS-0004, clause 7.5.1.2.2). */
const forwarded = [statuses.SUBSCRIPTION_CREATOR_HAS_NO_PRIVILEGE, statuses.SUBSCRIPTION_HOST_HAS_NO_PRIVILEGE];

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
  const refusal = forwarded.find(({ code }) => code === status.code) ?? 'SUBSCRIPTION_VERIFICATION_INITIATION_FAILED';
  throw new CseError(refusal, `${target} does not accept notifications: it answered ${status.code}.`);
}
