/** Which requirements and kinds of resources each feature of a conformance statement is about. */
import type { Kind } from '../engine/grammar/kinds.ts';
import { type FeatureId, featureIds } from './features.ts';

export interface Scope {
  /** Ids of requirements; each stands for those that begin with it and a dot, too. */
  readonly requirements: readonly string[];
  /** The kinds that only a CSE with the feature takes. */
  readonly kinds?: readonly Kind[];
}

const scopes: Readonly<Record<FeatureId, Scope>> = {
  PICS_AE: {
    requirements: ['ae', 'std.ae', 'wire.root.ae', 'labels.ae', 'update.ae', 'addressing.identifier.ae'],
    kinds: ['ae'],
  },
  PICS_CNT: {
    requirements: [
      'container',
      'std.container',
      'wire.root.container',
      'labels.container',
      'update.container',
      'addressing.identifier.container',
    ],
    kinds: ['container'],
  },
  PICS_CIN: {
    requirements: [
      'content',
      'content-instance',
      'std.content-instance',
      'latest',
      'oldest',
      'std.latest',
      'std.oldest',
      'wire.root.content-instance',
      'labels.content-instance',
      'update.content-instance',
      'addressing.identifier.content-instance',
    ],
    kinds: ['content instance'],
  },
  PICS_CNT_RETENTION: {
    requirements: [
      'retention.mni',
      'retention.mbs',
      'retention.counts-as-change',
      'retention.malformed',
      'std.retention.mni',
      'std.retention.mbs',
      'std.container.invalid-limit',
      'std.container.default-limits',
    ],
  },
  PICS_CNT_AGE: { requirements: ['retention.mia', 'std.retention.mia'] },
  PICS_EXPIRATION: {
    requirements: [
      'common.et',
      'update.expiration-time',
      'std.create.et',
      'std.create.et-passed',
      'std.update.et',
      'std.update.et-passed',
      'std.ae.update.et',
      'std.node.update.et',
      'std.remote-cse.update.et',
    ],
  },
  PICS_ACP_SUPPORT: {
    requirements: [
      'authorization',
      'std.policy',
      'std.access',
      'std.privilege',
      'std.create.acpi',
      'std.update.acpi',
      'std.node.acpi',
      'std.base-child.privilege',
      'std.discovery.without-right',
      'std.discovery.leaves-out',
      'std.discovery.keeps-allowed',
      'std.discovery.below-hidden',
      'std.order.right-before-attributes',
      'std.order.right-before-child',
      'std.order.right-before-name',
      'std.subscription.without-right',
      'std.subscription.with-right',
      'std.group.unreadable',
      'std.fan-out.rights',
      'std.announced.policy',
    ],
    kinds: ['access control policy'],
  },
  PICS_DISCOVERY: {
    requirements: [
      'discovery',
      'std.discovery',
      'std.filter',
      'std.virtual.not-discovered',
      'labels.update-is-found',
      'labels.update-is-no-longer-found',
      'std.management.discovered',
      'std.flex-container.discovered',
      'std.polling-channel.discovered',
    ],
  },
  PICS_RESULT_CONTENT: {
    requirements: [
      'rcn',
      'std.create.rcn',
      'std.update.rcn',
      'std.delete.rcn.1',
      'std.delete.rcn.refused',
      'std.retrieve.rcn.1',
      'std.retrieve.rcn.4',
      'std.retrieve.rcn.5',
      'std.retrieve.rcn.6',
      'std.retrieve.rcn.8',
      'std.retrieve.rcn.12',
      'std.retrieve.rcn.refused',
      'std.retrieve.rcn.unknown',
      'std.retrieve.references',
      'std.retrieve.filter',
      'std.retrieve.partial',
      'std.discovery.rcn',
    ],
  },
  PICS_PARTIAL_RETRIEVE: {
    requirements: ['std.partial', 'std.base-child.fragment', 'std.base-child.one', 'std.base-child.several'],
  },
  PICS_CONDITIONAL_RETRIEVE: {
    requirements: ['discovery.fu.two', 'std.retrieve.conditional', 'std.update.conditional', 'std.delete.conditional'],
  },
  PICS_CONTENT_QUERY: { requirements: ['std.filter.cfq', 'std.filter.cfs'] },
  PICS_UNSTRUCTURED_CSE_RELATIVE_RESOURCE_ID_FORMAT: {
    requirements: [
      'addressing.identifier',
      'discovery.at.identifier',
      'std.address.unstructured',
      'std.address.virtual-below-identifier',
      'std.address.name-below-identifier',
      'std.discovery.unstructured',
      'std.fan-out.by-identifier',
      'std.fan-out.member-identifiers',
    ],
  },
  PICS_SP_RELATIVE_RESOURCE_ID_FORMAT: {
    requirements: [
      'sp-relative',
      'cse-base.retrieve-sp-relative',
      'content-instance.base64-body.sp-relative',
      'addressing.identifier.sp-relative',
      'discovery.result.sp-relative-addresses',
      'std.address.structured.sp-relative',
      'std.address.unstructured.sp-relative',
    ],
  },
  PICS_ABSOLUTE_RESOURCE_ID_FORMAT: {
    requirements: [
      'addressing.absolute',
      'addressing.identifier.absolute',
      'discovery.at.absolute',
      'discovery.result.absolute-addresses',
      'std.address.structured.absolute',
      'std.address.unstructured.absolute',
    ],
  },
  PICS_NON_BLOCKING: {
    requirements: [
      'std.request.synchronous',
      'std.request.asynchronous',
      'std.request.no-response',
      'std.request.flexible',
      'std.request.create',
    ],
  },
  PICS_CBOR: { requirements: ['std.cbor'] },
  PICS_BASE64_BODY: { requirements: ['content-instance.base64-body'] },
  PICS_SUB: {
    requirements: [
      'events',
      'std.subscription',
      'std.subscription-deletion',
      'std.notification',
      'std.pending-notification',
      'std.pre-subscription-notify',
      'std.criteria',
      'std.target',
      'std.verification',
      'std.batch',
      'std.latest-notify',
      'std.counter',
      'std.rate-limit',
      'std.statistics',
      'std.blocking-update',
      'std.fan-out.subscription',
      'std.fan-out.notifications',
      'std.polling-channel.notification',
    ],
    kinds: ['subscription'],
  },
  PICS_SUB_VERIFICATION: { requirements: ['std.verification'] },
  PICS_SUB_BATCH: { requirements: ['std.batch'] },
  PICS_SUB_LATEST: { requirements: ['std.latest-notify', 'std.notification.header.latest'] },
  PICS_SUB_RATE_LIMIT: { requirements: ['std.rate-limit'] },
  PICS_SUB_STATISTICS: { requirements: ['std.statistics'] },
  PICS_SUB_BLOCKING_UPDATE: { requirements: ['std.blocking-update'] },
  PICS_PCH: { requirements: ['std.polling-channel'], kinds: ['polling channel'] },
  PICS_GRP: {
    requirements: [
      'std.group',
      'std.fan-out',
      'std.access.originator.group',
      'std.access.originator.another-group',
      'std.announced.group',
      'std.headers.gid',
    ],
    kinds: ['group'],
  },
  PICS_NOD: { requirements: ['std.node'], kinds: ['node'] },
  PICS_MGMT_OBJ: {
    requirements: ['std.management'],
    kinds: [
      'firmware',
      'software',
      'memory',
      'area network info',
      'area network device info',
      'battery',
      'device info',
      'device capability',
      'reboot',
      'event log',
    ],
  },
  PICS_FCNT: { requirements: ['std.flex-container'], kinds: ['flex container'] },
  PICS_TS: {
    requirements: ['std.time-series', 'std.time-series-instance', 'std.notification.event.missing-data'],
    kinds: ['time series', 'time series instance'],
  },
  PICS_TS_MISSING_DATA: {
    requirements: ['std.time-series.detection', 'std.notification.event.missing-data', 'std.subscription.missing-data'],
  },
  PICS_ANNC: {
    requirements: [
      'std.announcement',
      'std.announced',
      'std.ae.register.through.announces',
      'std.ae.register.through.link',
      'std.ae.register.through.credential',
      'std.ae.deregister.through',
    ],
  },
  PICS_CSR: {
    requirements: [
      'registration',
      'std.remote-cse',
      'std.registering',
      'std.ae.register.through',
      'std.ae.deregister.through',
    ],
    kinds: ['remote cse'],
  },
  PICS_RETARGETING: {
    requirements: ['forwarding', 'std.retargeting', 'std.target.other-cse', 'std.access.operation.notify'],
  },
  PICS_TLS: {
    requirements: ['tls', 'generic-client', 'registration.https-scheme', 'forwarding.mutual-tls'],
  },
};

export function scopeOf(feature: FeatureId): Scope {
  return scopes[feature];
}

/** The features that a requirement is about, in the order of the statement. */
export function featuresOf(requirement: string): FeatureId[] {
  return featureIds.filter((id) => scopes[id].requirements.some((one) => isBelow(requirement, one)));
}

/** The feature that a kind of resource belongs to. */
export function featureOfKind(kind: Kind): FeatureId | undefined {
  return featureIds.find((id) => scopes[id].kinds?.includes(kind));
}

/** Whether a requirement is the one of that id, or one of those whose ids go on from it. */
export function isBelow(requirement: string, id: string): boolean {
  return requirement === id || requirement.startsWith(`${id}.`);
}
