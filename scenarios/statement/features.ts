import type { Dialect } from '../engine/grammar/dialects.ts';

/**
 * What an implementation conformance statement speaks of: kinds of resources and abilities of a CSE that an implementation may
 * do without. The ids are written as the conformance suite writes those of TS-0017 (`PICS_…`); the names are for people.
 */
interface FeatureFacts {
  readonly name: string;
  /** resourceType that stands in `srt` of a CSE base that has it (TS-0004 6.3.4.2.1). */
  readonly ty?: number;
  /** Whether the interface specification documents some of it, so that it is no option of the documented dialect. */
  readonly documented?: true;
}

const table = {
  PICS_AE: { name: 'application entities', ty: 2, documented: true },
  PICS_CNT: { name: 'containers', ty: 3, documented: true },
  PICS_CIN: { name: 'content instances', ty: 4, documented: true },
  PICS_CNT_RETENTION: { name: 'limits of containers: mni, mbs' },
  PICS_CNT_AGE: { name: 'the longest age of instances: mia' },
  PICS_EXPIRATION: { name: 'resources that expire', documented: true },
  PICS_ACP_SUPPORT: { name: 'access control policies', ty: 1 },
  PICS_DISCOVERY: { name: 'discovery by filter criteria', documented: true },
  PICS_RESULT_CONTENT: { name: 'result contents other than the usual one' },
  PICS_PARTIAL_RETRIEVE: { name: 'retrieval of single attributes: atrl' },
  PICS_CONDITIONAL_RETRIEVE: { name: 'conditional retrieval' },
  PICS_CONTENT_QUERY: { name: 'content queries: cfq' },
  PICS_UNSTRUCTURED_CSE_RELATIVE_RESOURCE_ID_FORMAT: { name: 'addresses by resource identifier' },
  PICS_SP_RELATIVE_RESOURCE_ID_FORMAT: { name: 'SP-relative addresses', documented: true },
  PICS_ABSOLUTE_RESOURCE_ID_FORMAT: { name: 'absolute addresses' },
  PICS_NON_BLOCKING: { name: 'non-blocking requests' },
  PICS_CBOR: { name: 'CBOR bodies' },
  PICS_BASE64_BODY: { name: 'base64 text as the body of a content instance', documented: true },
  PICS_SUB: { name: 'subscriptions and notifications', ty: 23, documented: true },
  PICS_SUB_VERIFICATION: { name: 'verification of subscriptions' },
  PICS_SUB_BATCH: { name: 'batches of notifications' },
  PICS_SUB_LATEST: { name: 'latest notifications only' },
  PICS_SUB_RATE_LIMIT: { name: 'rate limits of notifications' },
  PICS_SUB_STATISTICS: { name: 'statistics of notifications' },
  PICS_SUB_BLOCKING_UPDATE: { name: 'blocking updates' },
  PICS_PCH: { name: 'polling channels', ty: 15 },
  PICS_GRP: { name: 'groups and their fan-out points', ty: 9 },
  PICS_NOD: { name: 'nodes', ty: 14 },
  PICS_MGMT_OBJ: { name: 'management objects', ty: 13 },
  PICS_FCNT: { name: 'flexible containers', ty: 28 },
  PICS_TS: { name: 'time series', ty: 29 },
  PICS_TS_MISSING_DATA: { name: 'detection of missing data' },
  PICS_ANNC: { name: 'announced resources' },
  PICS_CSR: { name: 'remote CSEs and registration', ty: 16, documented: true },
  PICS_RETARGETING: { name: 'retargeting to other CSEs and to points of access' },
  PICS_TLS: { name: 'HTTPS', documented: true },
} as const satisfies Readonly<Record<string, FeatureFacts>>;

export type FeatureId = keyof typeof table;
export const featureIds = Object.keys(table) as [FeatureId, ...FeatureId[]];

export interface Feature extends FeatureFacts {
  readonly id: FeatureId;
}

/**
 * Whether it is up to a CSE to be without the feature, as it shows itself: what its dialect documents is judged, unless a person
 * says in a target file that it is not there.
 */
export function isOptional(id: FeatureId, dialect: Dialect): boolean {
  return dialect !== 'documented' || featureOf(id).documented === undefined;
}

export function featureOf(id: FeatureId): Feature {
  return { id, ...table[id] };
}
