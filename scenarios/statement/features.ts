import type { Dialect } from '../engine/grammar/dialects.ts';
import { factsOf, type Kind, kinds } from '../engine/grammar/kinds.ts';

/**
 * What an implementation conformance statement speaks of: kinds of resources and abilities of a CSE that an implementation may
 * do without. The ids are written as the conformance suite writes those of TS-0017 (`PICS_…`); the names are for people.
 */
interface FeatureFacts {
  readonly name: string;
  /** resourceType that stands in `srt` of a CSE base that has it (TS-0004 6.3.4.2.1). */
  readonly ty?: number;
  /** Of what is a part of such a resource. */
  readonly part?: number;
  /** Whether the interface specification documents some of it, so that it is no option of the documented dialect. */
  readonly documented?: true;
  /** The requirements that speak of it, by their ids; each stands for those that begin with it and a dot, too. */
  readonly about: string;
}

const table = {
  PICS_AE: {
    name: 'application entities',
    ty: 2,
    documented: true,
    about: 'ae std.ae wire.root.ae labels.ae update.ae addressing.identifier.ae',
  },
  PICS_CNT: {
    name: 'containers',
    ty: 3,
    documented: true,
    about: `
      container std.container wire.root.container labels.container update.container addressing.identifier.container`,
  },
  PICS_CIN: {
    name: 'content instances',
    ty: 4,
    documented: true,
    about: `
      content content-instance std.content-instance latest oldest std.latest std.oldest wire.root.content-instance
      labels.content-instance update.content-instance addressing.identifier.content-instance`,
  },
  PICS_CNT_RETENTION: {
    name: 'limits of containers: mni, mbs',
    about: `
      retention.mni retention.mbs retention.counts-as-change retention.malformed std.retention.mni std.retention.mbs
      std.container.invalid-limit std.container.default-limits`,
  },
  PICS_CNT_AGE: { name: 'the longest age of instances: mia', about: 'retention.mia std.retention.mia' },
  PICS_EXPIRATION: {
    name: 'resources that expire',
    documented: true,
    about: `
      common.et update.expiration-time std.create.et std.create.et-passed std.update.et std.update.et-passed
      std.ae.update.et std.node.update.et std.remote-cse.update.et`,
  },
  PICS_ACP_SUPPORT: {
    name: 'access control policies',
    ty: 1,
    about: `
      authorization std.policy std.access std.privilege std.create.acpi std.update.acpi std.node.acpi
      std.base-child.privilege std.discovery.without-right std.discovery.leaves-out std.discovery.keeps-allowed
      std.discovery.below-hidden std.order.right-before-attributes std.order.right-before-child
      std.order.right-before-name std.subscription.without-right std.subscription.with-right std.group.unreadable
      std.fan-out.rights std.announced.policy`,
  },
  PICS_DISCOVERY: {
    name: 'discovery by filter criteria',
    documented: true,
    about: `
      discovery std.discovery std.filter std.virtual.not-discovered labels.update-is-found
      labels.update-is-no-longer-found std.management.discovered std.flex-container.discovered
      std.polling-channel.discovered`,
  },
  PICS_RESULT_CONTENT: {
    name: 'result contents other than the usual one',
    about: `
      rcn std.create.rcn std.update.rcn std.delete.rcn.1 std.delete.rcn.refused std.retrieve.rcn.1
      std.retrieve.rcn.4 std.retrieve.rcn.5 std.retrieve.rcn.6 std.retrieve.rcn.8 std.retrieve.rcn.12
      std.retrieve.rcn.refused std.retrieve.rcn.unknown std.retrieve.references std.retrieve.filter
      std.retrieve.partial std.discovery.rcn`,
  },
  PICS_PARTIAL_RETRIEVE: {
    name: 'retrieval of single attributes: atrl',
    about: 'std.partial std.base-child.fragment std.base-child.one std.base-child.several',
  },
  PICS_CONDITIONAL_RETRIEVE: {
    name: 'conditional retrieval',
    about: 'discovery.fu.two std.retrieve.conditional std.update.conditional std.delete.conditional',
  },
  PICS_CONTENT_QUERY: { name: 'content queries: cfq', about: 'std.filter.cfq std.filter.cfs' },
  PICS_UNSTRUCTURED_CSE_RELATIVE_RESOURCE_ID_FORMAT: {
    name: 'addresses by resource identifier',
    about: `
      addressing.identifier discovery.at.identifier std.address.unstructured std.address.virtual-below-identifier
      std.address.name-below-identifier std.discovery.unstructured std.fan-out.by-identifier
      std.fan-out.member-identifiers`,
  },
  PICS_SP_RELATIVE_RESOURCE_ID_FORMAT: {
    name: 'SP-relative addresses',
    documented: true,
    about: `
      sp-relative cse-base.retrieve-sp-relative content-instance.base64-body.sp-relative
      addressing.identifier.sp-relative discovery.result.sp-relative-addresses std.address.structured.sp-relative
      std.address.unstructured.sp-relative`,
  },
  PICS_ABSOLUTE_RESOURCE_ID_FORMAT: {
    name: 'absolute addresses',
    about: `
      addressing.absolute addressing.identifier.absolute discovery.at.absolute discovery.result.absolute-addresses
      std.address.structured.absolute std.address.unstructured.absolute`,
  },
  PICS_NON_BLOCKING: {
    name: 'non-blocking requests',
    about: `
      std.request.synchronous std.request.asynchronous std.request.no-response std.request.flexible
      std.request.create`,
  },
  PICS_CBOR: { name: 'CBOR bodies', about: 'std.cbor' },
  PICS_BASE64_BODY: {
    name: 'base64 text as the body of a content instance',
    documented: true,
    about: 'content-instance.base64-body',
  },
  PICS_SUB: {
    name: 'subscriptions and notifications',
    ty: 23,
    documented: true,
    about: `
      events std.subscription std.subscription-deletion std.notification std.pending-notification
      std.pre-subscription-notify std.criteria std.target std.verification std.batch std.latest-notify std.counter
      std.rate-limit std.statistics std.blocking-update std.fan-out.subscription std.fan-out.notifications
      std.polling-channel.notification`,
  },
  PICS_SUB_VERIFICATION: { name: 'verification of subscriptions', about: 'std.verification' },
  PICS_SUB_BATCH: { name: 'batches of notifications', about: 'std.batch' },
  PICS_SUB_LATEST: { name: 'latest notifications only', about: 'std.latest-notify std.notification.header.latest' },
  PICS_SUB_RATE_LIMIT: { name: 'rate limits of notifications', about: 'std.rate-limit' },
  PICS_SUB_STATISTICS: { name: 'statistics of notifications', about: 'std.statistics' },
  PICS_SUB_BLOCKING_UPDATE: { name: 'blocking updates', about: 'std.blocking-update' },
  PICS_PCH: { name: 'polling channels', ty: 15, about: 'std.polling-channel' },
  PICS_GRP: {
    name: 'groups and their fan-out points',
    ty: 9,
    about: `
      std.group std.fan-out std.access.originator.group std.access.originator.another-group std.announced.group
      std.headers.gid`,
  },
  PICS_NOD: { name: 'nodes', ty: 14, about: 'std.node' },
  PICS_MGMT_OBJ: { name: 'management objects', ty: 13, about: 'std.management' },
  PICS_FCNT: { name: 'flexible containers', ty: 28, about: 'std.flex-container' },
  PICS_TS: {
    name: 'time series',
    ty: 29,
    part: 30,
    about: 'std.time-series std.time-series-instance std.notification.event.missing-data',
  },
  PICS_TS_MISSING_DATA: {
    name: 'detection of missing data',
    about: 'std.time-series.detection std.notification.event.missing-data std.subscription.missing-data',
  },
  PICS_ANNC: {
    name: 'announced resources',
    about: `
      std.announcement std.announced std.ae.register.through.announces std.ae.register.through.link
      std.ae.register.through.credential std.ae.deregister.through`,
  },
  PICS_CSR: {
    name: 'remote CSEs and registration',
    ty: 16,
    documented: true,
    about: 'registration std.remote-cse std.registering std.ae.register.through std.ae.deregister.through',
  },
  PICS_RETARGETING: {
    name: 'retargeting to other CSEs and to points of access',
    about: 'forwarding std.retargeting std.target.other-cse std.access.operation.notify',
  },
  PICS_TLS: {
    name: 'HTTPS',
    documented: true,
    about: 'tls generic-client registration.https-scheme forwarding.mutual-tls',
  },
} as const satisfies Readonly<Record<string, FeatureFacts>>;

export type FeatureId = keyof typeof table;
export const featureIds = Object.keys(table) as [FeatureId, ...FeatureId[]];

/**
 * Whether it is up to a CSE to be without the feature, as it shows itself: what its dialect documents is judged, unless a person
 * says in a target file that it is not there.
 */
export function isOptional(id: FeatureId, dialect: Dialect): boolean {
  return dialect !== 'documented' || featureOf(id).documented === undefined;
}

export function featureOf(id: FeatureId): FeatureFacts {
  return table[id];
}

export interface Scope {
  readonly requirements: readonly string[];
  /** The kinds that only a CSE with the feature takes. */
  readonly kinds: readonly Kind[];
}

const scopes = new Map(
  featureIds.map((id): [FeatureId, Scope] => {
    const { ty, part, about } = featureOf(id);
    const own = kinds.filter((kind) => [ty, part].includes(factsOf(kind).ty));
    return [id, { requirements: about.trim().split(/\s+/), kinds: own }];
  }),
);

export function scopeOf(feature: FeatureId): Scope {
  return scopes.get(feature) ?? { requirements: [], kinds: [] };
}

/** The features that a requirement is about, in the order of the statement. */
export function featuresOf(requirement: string): FeatureId[] {
  return featureIds.filter((id) => scopeOf(id).requirements.some((one) => isBelow(requirement, one)));
}

/** The feature that a kind of resource belongs to. */
export function featureOfKind(kind: Kind): FeatureId | undefined {
  return featureIds.find((id) => scopeOf(id).kinds.includes(kind));
}

/** Whether a requirement is the one of that id, or one of those whose ids go on from it. */
export function isBelow(requirement: string, id: string): boolean {
  return requirement === id || requirement.startsWith(`${id}.`);
}
